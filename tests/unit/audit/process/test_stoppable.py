"""Threads that compute, and look at no flag, end when they are told to."""

from __future__ import annotations

import importlib
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from recsys_metric_audit.audit.process.stoppable import StoppableThreads, Stopped

SECONDS = 60.0


def compute(began: threading.Event) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        began.set()
        try:
            sum(range(10_000))
        except Exception:
            continue


def ended(work: Callable[[StoppableThreads, threading.Event], None]) -> BaseException | None:
    """Return how `work` ends in a thread that is stopped once it has begun."""
    threads, began = StoppableThreads(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work, threads, began)
        assert began.wait(SECONDS)
        threads.stop()
        return future.exception(SECONDS / 2)


def test_what_computes_is_ended_where_it_is() -> None:
    def work(threads: StoppableThreads, began: threading.Event) -> None:
        with threads.working():
            compute(began)

    assert isinstance(ended(work), Stopped)


@pytest.mark.slow
def test_what_swallows_it_once_is_ended_again() -> None:
    def work(threads: StoppableThreads, began: threading.Event) -> None:
        with threads.working():
            try:
                compute(began)
            except BaseException:
                compute(began)

    assert isinstance(ended(work), Stopped)


@pytest.mark.slow
def test_tidying_up_is_not_disturbed() -> None:
    tidied: list[int] = []

    def work(threads: StoppableThreads, began: threading.Event) -> None:
        try:
            with threads.working():
                compute(began)
        finally:
            time.sleep(2)  # in which a thread that works would be hit again
            tidied.append(1)

    assert isinstance(ended(work), Stopped)
    assert tidied == [1]


@pytest.mark.slow
def test_an_import_is_finished_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "imported_by_a_thread.py").write_text(
        "import time\nBEGAN.set()\nfor _ in range(20):\n    time.sleep(0.05)\nwhole = True\n".replace(
            "BEGAN", "__import__('builtins').import_began"
        )
    )
    monkeypatch.syspath_prepend(tmp_path)

    def work(threads: StoppableThreads, began: threading.Event) -> None:
        monkeypatch.setattr("builtins.import_began", began, raising=False)
        with threads.working():
            importlib.import_module("imported_by_a_thread")
            compute(began)

    assert isinstance(ended(work), Stopped)
    assert sys.modules["imported_by_a_thread"].whole


def test_nothing_begins_after_the_end() -> None:
    threads = StoppableThreads()
    threads.stop()
    with pytest.raises(Stopped), threads.working():
        pytest.fail("it began")


def test_processes_that_a_thread_waits_for_are_ended() -> None:
    threads, waited_for, began = StoppableThreads(), threading.Event(), threading.Event()

    def work() -> None:
        with threads.working():
            began.set()
            waited_for.wait(SECONDS)

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        assert began.wait(SECONDS)
        threads.stop(waited_for.set)
        assert wait([future], SECONDS / 2).done
