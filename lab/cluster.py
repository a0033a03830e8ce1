"""Runs blocks of work on a Dask cluster, and hands the results on in order.

Used by the commands' `--cluster`. Needs the extra `cluster` here, and this program on the cluster's
workers. What is done with the blocks is the same as on one machine (`lab.pool`), and so is the
result. The work is sent once, as a task of its own, so that it can be made again where a worker is
lost; blocks of a lost worker are run again by others.
"""

from __future__ import annotations

import logging
import pickle
import re
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from lab.pool import RunEnded, Work, WorkersDied

WAITING = 3  # blocks under way or done for each thread of the cluster
ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(?:\[[0-9A-Fa-f:]+\]|[^\s/:\[\]]+):[0-9]{1,5}")
SECONDS = 10  # to wait for an answer at first


class NoCluster(Exception):
    """There is nobody at that address; the text says so, for people."""


class Cluster:
    """A connection to a cluster: a runner of blocks (`lab.simulation.Runner`)."""

    def __init__(self, address: str) -> None:
        """Connect. Raises NoCluster."""
        if not ADDRESS.fullmatch(address):
            raise NoCluster(
                f"`{address}` is no address of a scheduler, such as tcp://127.0.0.1:8786"
            )
        import distributed

        self.address = address
        connect: Any = distributed.Client
        for name in ("distributed", "distributed.client", "distributed.comm"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client = connect(address, timeout=SECONDS, set_as_default=False)
            if not self._client.nthreads():
                self._client.wait_for_workers(1, timeout=SECONDS)
        except (OSError, ValueError, TimeoutError) as problem:
            raise NoCluster(
                f"there is no cluster with workers at {address} ({_first_line(problem)})"
            ) from problem

    def __call__(self, work: Work, blocks: Sequence[tuple[int, int]]) -> Iterator[Any]:
        """The results of all blocks, in order."""
        client = self._client
        data = pickle.dumps(work)
        limit = max(8, WAITING * sum(client.nthreads().values()))
        waiting: dict[int, Any] = {}
        wanted = sent = 0
        sent_work = None
        try:
            while wanted < len(blocks):
                try:
                    if sent_work is None:
                        sent_work = client.submit(_received, data, pure=False)
                    while sent < len(blocks) and sent - wanted < limit:
                        waiting[sent] = client.submit(_do, sent_work, *blocks[sent], pure=False)
                        sent += 1
                    result = waiting[wanted].result()
                except Exception as problem:
                    raise self._ended(problem, *blocks[wanted]) from problem
                del waiting[wanted]
                wanted += 1
                yield result
        finally:
            self._drop([future for future in (sent_work, *waiting.values()) if future])

    def _ended(self, problem: Exception, first: int, count: int) -> Exception:
        """What a failure means: of the cluster, or of the work itself."""
        from distributed import CancelledError, KilledWorker

        if isinstance(problem, KilledWorker):
            return WorkersDied(first, count)
        if isinstance(problem, ImportError):
            return RunEnded(
                f"the cluster's workers lack something: {_first_line(problem)}; they need the "
                "same version of this program as runs here"
            )
        if isinstance(problem, (OSError, CancelledError)) or self._client.status != "running":
            return RunEnded(f"the cluster at {self.address} is gone")
        return problem

    def _drop(self, futures: list[Any]) -> None:
        """Have nothing more done."""
        try:
            self._client.cancel(futures, force=True)
        except Exception:  # the cluster is gone: nothing is being done
            return

    def close(self) -> None:
        self._client.close(timeout=2)


def _first_line(problem: Exception) -> str:
    return str(problem).strip().split("\n")[0] or type(problem).__name__


# ── on the workers ───────────────────────────────────────────────────────────────────────────


class _Received:
    """Work that came here. Each thread has its own: work is not made to be shared."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._local = threading.local()

    def work(self) -> Work:
        found: Work | None = getattr(self._local, "work", None)
        if found is None:
            found = self._local.work = pickle.loads(self._data)
        return found

    def __reduce__(self) -> tuple[type[_Received], tuple[bytes]]:
        return _Received, (self._data,)


def _received(data: bytes) -> _Received:
    return _Received(data)


def _do(received: _Received, first: int, count: int) -> Any:
    return received.work().block(first, count)
