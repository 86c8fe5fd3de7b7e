"""Raises an interrupt at once, but never inside an import: there it waits until the import has ended."""

from __future__ import annotations

import importlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from recsys_metric_audit.audit.process.stoppable import listen

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)
MODULE = """\
import os, signal
os.kill(os.getpid(), signal.{name})
whole = sum(range(1000))
"""


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number, handler in before.items():
        signal.signal(number, handler)


def wait_for_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt):
        time.sleep(5)


@pytest.mark.parametrize("number", SIGNALS[:3])
def test_a_signal_interrupts_at_once(number: signal.Signals) -> None:
    listen()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", SIGNALS[:3])
def test_an_import_is_finished_first(number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"interrupted_by_{number.name.lower()}"
    (tmp_path / f"{name}.py").write_text(MODULE.format(name=number.name))
    monkeypatch.syspath_prepend(tmp_path)
    listen()
    assert importlib.import_module(name).whole == 499_500
    wait_for_interrupt()


def test_what_is_to_be_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    listen()
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGHUP)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
