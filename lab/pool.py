"""Runs blocks of work on this machine's cores, and hands the results on in order.

Used by every command that plays many games. Work is an object that can be pickled, with a method
`block(first, count)` whose result can be pickled; each worker process gets it once. Results come
in the order of the blocks, whichever worker made them, so that all that follows is the same for
any number of workers. At most a few blocks wait at a time: memory does not grow with the run.

A worker that dies (killed, out of memory) is replaced, and its blocks are run again; a block that
keeps killing workers ends the run with `WorkersDied`. With Ctrl-C the generator raises
KeyboardInterrupt after the last block in order; workers do not see the signal. Workers never
outlive the process they work for, however that ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import Any, Protocol

from lab.signals import SIGNALS, undisturbed

WAITING = 3  # blocks under way or done for each worker
DEATHS = 3  # in a row, without a block finished in between


class Work(Protocol):
    """Something that can be done block by block."""

    def block(self, first: int, count: int) -> Any:
        """The result of a block: of the same block always the same."""


class RunEnded(Exception):
    """A run can't go on; the text says why, for people. Blocks handed on before are good."""


class WorkersDied(RunEnded):
    """Workers kept dying at a block."""

    def __init__(self, first: int, count: int) -> None:
        super().__init__(
            f"workers kept dying at the games {first} to {first + count - 1} "
            "(out of memory, perhaps: --workers 1 needs the least)"
        )
        self.first, self.count = first, count


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(work: Work, blocks: Sequence[tuple[int, int]], workers: int) -> Iterator[Any]:
    """The results of all blocks, in order."""
    workers = min(workers, len(blocks))
    if workers <= 1:
        for number in range(len(blocks)):
            yield work.block(*blocks[number])
        return
    yield from _Pool(work, blocks, workers).results()


_work: Work | None = None  # in a worker: what it does


def _prepare(work: Work) -> None:
    global _work
    signal.set_wakeup_fd(-1)  # a forked worker has that of its parent, and its handlers
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    _work = work


def _leave_with_parent() -> None:
    """End this worker when the process that started it is gone: nobody wants its results."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _do(first: int, count: int) -> Any:
    assert _work is not None
    return _work.block(first, count)


class _Pool:
    """Worker processes and the blocks they are at."""

    def __init__(self, work: Work, blocks: Sequence[tuple[int, int]], workers: int) -> None:
        self._work, self._blocks, self._workers = work, blocks, workers
        # a forked worker has the ruleset at once; elsewhere it is sent
        method = "fork" if sys.platform == "linux" else "spawn"
        self._context = multiprocessing.get_context(method)
        self._executor = self._started()

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, self._context, _prepare, (self._work,))

    def results(self) -> Iterator[Any]:
        waiting: dict[int, Future[Any]] = {}
        wanted = sent = deaths = 0
        broken = False
        try:
            while wanted < len(self._blocks):
                try:
                    if broken:
                        self._restart(waiting)
                        sent = wanted + len(waiting)
                        broken = False
                    while sent < len(self._blocks) and sent - wanted < WAITING * self._workers:
                        waiting[sent] = self._submit(sent)
                        sent += 1
                    result = waiting[wanted].result()
                except BrokenProcessPool:
                    deaths += 1
                    if deaths >= DEATHS:
                        raise WorkersDied(*self._blocks[wanted]) from None
                    broken = True
                    continue
                del waiting[wanted]
                wanted += 1
                deaths = 0
                yield result
        finally:
            self._stop()

    def _restart(self, waiting: dict[int, Future[Any]]) -> None:
        """New workers; blocks that were not done are begun again."""
        self._stop()
        self._executor = self._started()
        for number, future in list(waiting.items()):
            done = future.done() and not future.cancelled() and future.exception() is None
            if not done:
                waiting[number] = self._submit(number)

    def _submit(self, number: int) -> Future[Any]:
        with undisturbed():  # the first one forks the workers
            return self._executor.submit(_do, *self._blocks[number])

    def _stop(self) -> None:
        """Let go of the workers now, whatever they are at."""
        with undisturbed():
            processes = list((self._executor._processes or {}).values())
            results: Any = getattr(self._executor, "_result_queue", None)
            self._executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()
            for process in processes:
                process.join(5)
            if processes and results is not None:
                # a worker may have left in the middle of a result, which the executor's thread
                # would wait for: now nobody is left to send the rest
                results._writer.close()
