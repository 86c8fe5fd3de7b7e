"""Account of used answers: another answer to any call changes the digest, and nothing else does."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.audit.responders.recording import AnswerLog, Key
from recsys_metric_audit.audit.responders.used_answers import UsedAnswers, digest_in

MEAN = Measured(0.1 + 0.2, None, None, "float64", 0.5)
USERS = Measured(None, np.array([7, 8]), np.array([0.5, np.nan]), "float32", 0.1)
FIRST, SECOND = ("d0", 0, "mean", 5, 0), ("d1", 1, "users", None, 2)
ANSWERS: dict[tuple[Key, int], Outcome] = {(FIRST, 0): MEAN, (FIRST, 1): Errored("E", "why", "T"), (SECOND, 0): USERS}


def used(answers: dict[tuple[Key, int], Outcome]) -> UsedAnswers:
    made = UsedAnswers()
    for (key, turn), outcome in answers.items():
        made.add(key, turn, outcome)
    return made


def log_of(answers: dict[tuple[Key, int], Outcome]) -> AnswerLog:
    log = AnswerLog()
    for (key, _), outcome in answers.items():
        log.answers.setdefault(key, []).append(outcome)
    return log


def test_a_log_with_these_answers_and_more_has_the_digest() -> None:
    made = used(ANSWERS)
    keys = json.loads(json.dumps(made.keys()))
    log = log_of({**ANSWERS, (FIRST, 2): MEAN, (("d9", 0, "other", 5, 0), 0): MEAN})
    assert made.repeatable
    assert digest_in(log, keys) == made.digest()


def test_the_order_of_calls_their_seconds_and_tracebacks_do_not_act() -> None:
    later = {(SECOND, 0): USERS, (FIRST, 0): replace(MEAN, seconds=9.0), (FIRST, 1): Errored("E", "why", "")}
    assert used(later).digest() == used(ANSWERS).digest()


@pytest.mark.parametrize(
    "change",
    [
        {(FIRST, 0): replace(MEAN, mean=0.3)},
        {(FIRST, 0): replace(MEAN, dtype="float32")},
        {(FIRST, 1): Errored("E", "because", "T")},
        {(FIRST, 1): MEAN},
        {(SECOND, 0): replace(USERS, users=np.array([7, 9]))},
        {(SECOND, 0): replace(USERS, values=np.array([0.5, 0.0]))},
    ],
)
def test_another_answer_has_another_digest(change: dict[tuple[Key, int], Outcome]) -> None:
    made = used(ANSWERS)
    assert digest_in(log_of(ANSWERS | change), made.keys()) not in (None, made.digest())


def test_a_missing_answer_is_told() -> None:
    made = used(ANSWERS)
    fewer = {call: outcome for call, outcome in ANSWERS.items() if call != (FIRST, 1)}
    assert digest_in(log_of(fewer), made.keys()) is None


def test_one_call_that_was_answered_in_two_ways_is_not_repeatable() -> None:
    made = used(ANSWERS)
    made.add(FIRST, 0, replace(MEAN, seconds=3.0))
    assert made.repeatable
    made.add(FIRST, 0, replace(MEAN, mean=1.0))
    assert not made.repeatable
