"""The same run on a Dask cluster: a real scheduler and two worker processes, one of them killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define

from lab.cluster import Cluster, NoCluster
from lab.pool import RunEnded
from lab.report import Report
from lab.simulation import Simulation, simulate
from tests.lab.common import game, planned

ROOT = Path(__file__).resolve().parents[2]


@define
class Running:
    """A cluster on this machine."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


def start(*args: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + str(args[0]), *map(str, args[1:])],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.fixture()
def cluster(tmp_path: Path) -> Iterator[Running]:
    file = tmp_path / "scheduler.json"
    local = ("--scheduler-file", file, "--no-dashboard")
    processes = [start("scheduler", "--port", 0, "--host", "127.0.0.1", *local)]
    try:
        for number in (1, 2):
            processes.append(
                start(
                    "worker", *local, "--no-nanny", "--nthreads", 1, "--name", f"w{number}",
                    "--local-directory", tmp_path, "--host", "127.0.0.1",
                )
            )  # fmt: skip
        end = time.monotonic() + 60
        while not file.exists() or not file.read_text().strip():
            assert time.monotonic() < end, "no scheduler"
            time.sleep(0.05)
        yield Running(json.loads(file.read_text())["address"], processes[0], processes[1:])
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


def test_what_dies_changes_nothing(cluster: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker killed in the middle: the result is as on one process. Then the scheduler: what was
    finished is kept."""
    monkeypatch.setattr("lab.cluster.SECONDS", 2)  # how long a lost scheduler is waited for
    plan = planned("throne", 600)
    connected = Cluster(cluster.address)
    connected._client.wait_for_workers(2, timeout=60)
    run = Simulation(plan)
    killed = False
    for _ in run.blocks(connected):
        if not killed and run.played > 60:
            killed = True
            cluster.workers[0].send_signal(signal.SIGKILL)
    assert cluster.workers[0].wait(10) == -signal.SIGKILL
    alone = simulate(plan)
    assert run.totals == alone.totals
    told = [repr(Report(plan, game("throne"), r.totals).data()) for r in (run, alone)]
    assert told[0] == told[1]

    run = Simulation(planned("throne", 4000))
    with pytest.raises(RunEnded, match="is gone"):
        for _ in run.blocks(connected):
            if run.played >= 100:
                cluster.scheduler.kill()
    connected.close()
    assert 100 <= run.played < 4000
    assert run.totals == simulate(run.plan.first(run.played)).totals


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.cluster.SECONDS", 0.5)
    for address in ("tcp://127.0.0.1:9", "nowhere.invalid:9"):
        with pytest.raises(NoCluster, match="there is no cluster"):
            Cluster(address)
    for address in ("", "nonsense://x", "nonsense://x:9", "no host", "tcp://x", "x:many"):
        with pytest.raises(NoCluster, match="is no address of a scheduler"):
            Cluster(address)
