"""A pool of processes that share the work of identification, each with a copy of the data."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import repeat
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Protocol, TypeVar

from audit.data.large_data import LARGE
from audit.process.scratch_folder import scratch_folder
from reference.evaluation.evaluate import Problem
from reference.input.case import Case

MAX_SHARED_ROWS = LARGE
"""Data with more predicted rows than this are not copied to other processes: one process works alone."""

Made = TypeVar("Made")


class ProcessPool(Protocol):
    """Calls a function once for every row of some columns of equal length: ``work(*row, data)``."""

    def __call__(
        self, work: Callable[..., Made], *columns: Iterable[object], on_result: Callable[[Made], None] | None = None
    ) -> list[Made]:
        """Return the results in the order of the rows; `on_result` is called with each as soon as it is there."""


def this_process(data: Problem) -> ProcessPool:
    """Return a pool that does all work in this process."""

    def run(
        work: Callable[..., Made], *columns: Iterable[object], on_result: Callable[[Made], None] | None = None
    ) -> list[Made]:
        results: list[Made] = []
        for row in zip(*columns, strict=True):
            results.append(work(*row, data))
            if on_result is not None:
                on_result(results[-1])
        return results

    return run


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
    own = Problem.of([case], None) if here is None else here
    if processes < 2 or len(case.predictions.user) > MAX_SHARED_ROWS:
        yield this_process(own)
        return
    # Passed by a file: writing to a process that died at its start would block forever.
    with scratch_folder() as folder:
        data = folder / "case"
        try:
            data.write_bytes(pickle.dumps(case))
        except OSError as error:
            warnings.warn(f"{data} cannot be written ({error.strerror}): one core identifies alone", stacklevel=2)
            yield this_process(own)
            return
        # Not forked: other threads of this process may hold locks.
        with ProcessPoolExecutor(processes, get_context("spawn"), _load_data, (data,)) as pool:

            def run(
                work: Callable[..., Made], *columns: Iterable[object], on_result: Callable[[Made], None] | None = None
            ) -> list[Made]:
                rows = list(zip(*columns, strict=True))
                results: list[Made] = []
                try:
                    for result in pool.map(_do_row, repeat(work), rows):
                        results.append(result)
                        if on_result is not None:
                            on_result(result)
                except BrokenProcessPool:
                    warnings.warn("a process was ended (is memory short?): one core identifies alone", stacklevel=2)
                    results += this_process(own)(work, *zip(*rows[len(results) :], strict=True), on_result=on_result)
                return results

            try:
                yield run
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


_DATA: list[Problem] = []
"""In a process of a pool: the data."""


def _load_data(data: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started the pool
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _DATA[:] = [Problem.of([pickle.loads(data.read_bytes())], None)]


def _end_with_parent() -> None:
    """Wait until the process that started the pool has ended, and end this one: a killed auditor cannot tell it to."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do_row(work: Callable[..., Made], row: tuple[object, ...]) -> Made:
    return work(*row, *_DATA)
