"""Conversations with the fake libraries of ``tests/fakes``, for the tests that run processes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from recsys_metric_audit.audit.process import worker
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Measured, Outcome
from tests.support.control_samples import CASE, fake, key

PYTHON = Path(sys.executable)
CASES = {"tiny": CASE}


def talk(control: Path, name: str, *asks: Ask, **options: object) -> Conversation:
    return worker.converse(PYTHON, fake(name), CASES, asks, control, **options)  # type: ignore[arg-type]


def outcomes(conversation: Conversation) -> dict[tuple[int, str, int | None, int], Outcome]:
    return {key(answer): answer.outcome for answer in conversation.answers}


def mean(outcome: Outcome | Answer) -> float | None:
    found = outcome.outcome if isinstance(outcome, Answer) else outcome
    assert isinstance(found, Measured), found
    return found.mean


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_until(condition: Callable[[], bool]) -> bool:
    """Wait up to a minute until `condition` holds, and return whether it does."""
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()
