"""Calls are waited for less where some were late and the others are quick."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recsys_metric_audit.audit.process.patience import Patience
from recsys_metric_audit.audit.process.protocol import Answer, Conversation, Limits, Measured, Outcome, TimedOut


def said(*outcomes: Outcome, seconds: float = 0.1) -> Conversation:
    return Conversation(None, tuple(Answer(0, "function", 1, each) for each in outcomes), seconds)


def measured(seconds: float) -> Measured:
    return Measured(1.0, None, None, "float", seconds)


@pytest.mark.parametrize(("given", "slow", "left"), [(30.0, 0.01, 2.0), (30.0, 0.5, 10.0), (1.0, 0.01, 1.0)])
def test_a_quick_function_that_was_late_twice_is_waited_for_less(given: float, slow: float, left: float) -> None:
    patience = Patience(Limits(seconds=given))
    patience.heed(said(measured(0.001), measured(slow), TimedOut(given)))
    patience.heed(said(measured(0.001), replace(TimedOut(given), asked=False)))
    assert patience.limits.seconds == given
    patience.heed(said(measured(0.001), TimedOut(given)))
    assert patience.limits.seconds == left


def test_a_function_that_never_answered_is_waited_for_as_long_as_was_asked() -> None:
    patience = Patience(Limits(seconds=30.0))
    patience.heed(said(TimedOut(30.0), TimedOut(30.0)))
    assert patience.limits.seconds == 30.0


def test_a_function_that_is_imported_slowly_has_the_time_to_be_imported_again() -> None:
    patience = Patience(Limits(seconds=120.0))
    patience.heed(said(measured(0.001), seconds=6.0))
    patience.heed(said(measured(0.001), TimedOut(120.0), TimedOut(120.0), seconds=250.0))
    assert patience.limits.seconds == 30.0


def test_late_calls_of_the_first_conversation_are_no_time_to_start() -> None:
    patience = Patience(Limits(seconds=120.0))
    patience.heed(said(measured(0.001), TimedOut(120.0), TimedOut(120.0), seconds=241.0))
    assert patience.limits.seconds == 5.0
