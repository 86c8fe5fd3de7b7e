"""Says at least every few seconds that work goes on, while something takes long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECONDS = 5.0
"""Between two signs of life in the first minutes."""
FIRST = 2.0
"""Before the first one of what is done before an audit or in place of one: a command itself takes a while to start."""
_LATER, _SECONDS_LATER = 300.0, 30.0  # then a log would grow too long


@contextmanager
def heartbeat(
    tell: Callable[[float], None], seconds: float | None = None, first: float | None = None
) -> Iterator[None]:
    """Call `tell` with the seconds that have passed, again and again until the block ends.

    Args:
        tell: called from a thread of its own.
        seconds: between two calls; by default ``SECONDS``.
        first: before the first one; by default ``seconds``.
    """
    every, began, stop = seconds or SECONDS, time.monotonic(), threading.Event()

    def beat() -> None:
        if first is not None and not stop.wait(first):
            tell(time.monotonic() - began)
        while not stop.wait(every if time.monotonic() - began < _LATER else max(every, _SECONDS_LATER)):
            tell(time.monotonic() - began)

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextmanager
def said_while(words: str) -> Iterator[None]:
    """Print on stderr what goes on and for how long, where it takes longer than ``FIRST``."""
    from recsys_metric_audit.audit.cli.shared.output import say

    with heartbeat(lambda passed: say(f"{words}: {passed:.0f} s so far", err=True), first=FIRST):
        yield
