"""Who computes: identification is pure and heavy, and one interpreter computes on one core only."""

from __future__ import annotations

import pickle
import signal
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, TypeVar

from reference.evaluation.evaluate import Problem
from reference.input.case import Case

ROWS = 1_000_000
"""Predicted rows of the largest data that every process gets a copy of."""

Made = TypeVar("Made")


class Crew(Protocol):
    """Does one piece of work for every row of some columns of equal length: ``work(*row, data)``."""

    def __call__(self, work: Callable[..., Made], *columns: Iterable[object]) -> list[Made]:
        """What was made of each row, in their order."""


def alone(data: Problem) -> Crew:
    """This process itself."""

    def crew(work: Callable[..., Made], *columns: Iterable[object]) -> list[Made]:
        return [work(*row, data) for row in zip(*columns, strict=True)]

    return crew


@contextmanager
def several(case: Case, processes: int) -> Iterator[Crew]:
    """Further processes that each hold the data, of which ``case`` is all; this one where they would not be worth
    it: there is one only, or the data are too large to be held more than once. This one takes over, too, and warns of
    it, where the system ends another, which it does when memory runs out."""
    if processes < 2 or len(case.predictions.user) > ROWS:
        yield alone(Problem.of([case], None))
        return
    # By a file: what is written to a process that died at its start waits for it forever.
    with tempfile.TemporaryDirectory(prefix="audit-crew-") as folder:
        data = Path(folder) / "case"
        data.write_bytes(pickle.dumps(case))
        # Not forked: other threads of this process may hold locks.
        with ProcessPoolExecutor(processes, get_context("spawn"), _begin, (data,)) as pool:
            here = cache(lambda: alone(Problem.of([case], None)))

            def crew(work: Callable[..., Made], *columns: Iterable[object]) -> list[Made]:
                rows = list(zip(*columns, strict=True))
                try:
                    return list(pool.map(_work, repeat(work), rows))
                except BrokenProcessPool:
                    warnings.warn("a process was ended (is memory short?): one core identifies alone", stacklevel=2)
                    return here()(work, *zip(*rows, strict=True))

            try:
                yield crew
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


_DATA: list[Problem] = []
"""In a process of a crew: the data."""


def _begin(data: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who is interrupted is the one that they work for
    _DATA[:] = [Problem.of([pickle.loads(data.read_bytes())], None)]


def _work(work: Callable[..., Made], row: tuple[object, ...]) -> Made:
    return work(*row, *_DATA)
