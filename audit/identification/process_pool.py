"""A pool of processes that share the work of identification, each with a copy of the data."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from recsys_metric_audit.audit.data.large_data import LARGE
from recsys_metric_audit.audit.process.scratch_folder import scratch_folder
from recsys_metric_audit.audit.process.stoppable import Stopped
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case

MAX_SHARED_ROWS = LARGE
"""Data with more predicted rows than this are not copied to other processes: one process works alone."""

_LOOK = 0.5
"""After so many seconds, who waits for a result looks whether the processes were ended."""

Made = TypeVar("Made")


class ThisProcess:
    """Calls a function once for every row of some columns of equal length, in this process: ``work(*row, data)``."""

    def __init__(self, data: Problem) -> None:
        self._data = data

    def __call__(
        self, work: Callable[..., Made], *columns: Iterable[object], on_result: Callable[[Made], None] | None = None
    ) -> list[Made]:
        """Return the results in the order of the rows; `on_result` is called with each as soon as it is there.

        Raises:
            Stopped: if the processes were ended meanwhile.
        """
        results: list[Made] = []
        for row in zip(*columns, strict=True):
            results.append(work(*row, self._data))
            if on_result is not None:
                on_result(results[-1])
        return results

    def prepare(self, work: Callable[[], object]) -> None:
        """Have each other process do some work at once, whose result it keeps, once; here there is none."""

    def end(self) -> None:
        """End the other processes, whatever they are at; here whoever started the thread that works ends it."""


ProcessPool = ThisProcess
"""The processes that identify: this one, or others that it started."""


@contextmanager
def process_pool(case: Case, processes: int, here: Problem | None = None) -> Iterator[ProcessPool]:
    """Provide a pool of processes that each hold the data.

    This process does all work itself if there would be one process only, or if the data are too large to be copied. It
    also takes over, with a warning, when the system ends a process of the pool, as it does when memory runs out.

    Args:
        case: All the data.
        processes: How many processes to start.
        here: The data as a problem, where this process has made one: what it computes on large data is kept once.
    """
    problem = Problem.of([case], None) if here is None else here
    own = ThisProcess(problem)
    if processes < 2 or len(case.predictions.user) > MAX_SHARED_ROWS:
        yield own
        return
    # Passed by a file: writing to a process that died at its start would block forever.
    with scratch_folder() as folder:
        data = folder / "case"
        try:
            data.write_bytes(pickle.dumps(case))
        except OSError as error:
            warnings.warn(f"{data} cannot be written ({error.strerror}): one core identifies alone", stacklevel=2)
            yield own
            return
        try:
            shared = _Processes(data, processes, problem)
        except OSError as error:  # of semaphores, for which Linux takes a folder in memory
            warnings.warn(f"/dev/shm cannot be used ({error.strerror}): one core identifies alone", stacklevel=2)
            yield own
            return
        with shared as pool:
            yield pool


class _Processes(ThisProcess):
    """Shares work among processes that have loaded the data from a file.

    They end with this one, however it ends, and at once when it closes the pipe that all of them listen to.
    """

    def __init__(self, data: Path, processes: int, here: Problem) -> None:
        super().__init__(here)
        self._number, self._prepared = processes, False
        context = get_context("spawn")  # not forked: other threads of this process may hold locks
        self._heard, self._held = context.Pipe(duplex=False)
        self._ended, self._ending = False, threading.Lock()
        self._executor = ProcessPoolExecutor(processes, context, _load_data, (data, self._heard))

    def __enter__(self) -> _Processes:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.end()
        self._executor.shutdown(cancel_futures=kind is not None)
        self.end()
        self._heard.close()

    def __call__(
        self, work: Callable[..., Made], *columns: Iterable[object], on_result: Callable[[Made], None] | None = None
    ) -> list[Made]:
        rows = list(zip(*columns, strict=True))
        results: list[Made] = []
        try:
            for each in [self._executor.submit(_do_row, work, row) for row in rows]:
                results.append(self._result(each))
                if on_result is not None:
                    on_result(results[-1])
        except BrokenProcessPool:
            if self._ended:
                raise Stopped from None
            warnings.warn("a process was ended (is memory short?): one core identifies alone", stacklevel=2)
            results += super().__call__(work, *zip(*rows[len(results) :], strict=True), on_result=on_result)
        return results

    def prepare(self, work: Callable[[], object]) -> None:
        with self._ending:
            if self._prepared or self._ended:
                return
            self._prepared = True
        with suppress(BrokenProcessPool):  # who calls for results learns of it
            for _ in range(self._number):  # a process that is started begins with one of them
                self._executor.submit(work)

    def _result(self, future: Future[Made]) -> Made:
        """Wait for a result, a little at a time: who waits for good cannot be told to stop.

        Raises:
            Stopped: if the processes were ended meanwhile.
        """
        while not wait([future], _LOOK).done:
            if self._ended:
                raise Stopped
        return future.result()

    def end(self) -> None:
        """End the processes, whatever they are at; nothing is done here in their place."""
        with self._ending:
            self._ended = True
            self._held.close()


_DATA: list[Problem] = []
"""In a process of a pool: the data."""


def _load_data(data: Path, line: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started the pool
    gc.set_threshold(100_000)  # what is kept stays for long: to look through it more often takes 4% of all time
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()
    _DATA[:] = [Problem.of([pickle.loads(data.read_bytes())], None)]


def _end_with(line: Connection) -> None:
    """Wait until nobody holds the other end of `line`, and end this process: a killed auditor cannot tell it to."""
    with suppress(EOFError, OSError):
        line.recv_bytes()
    os._exit(1)


def _do_row(work: Callable[..., Made], row: tuple[object, ...]) -> Made:
    return work(*row, *_DATA)
