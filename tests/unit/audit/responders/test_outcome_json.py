"""Outcomes as JSON: every digit comes back, time and paths do not, and nonsense is refused."""

from __future__ import annotations

import json

import pytest

from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Measured
from recsys_metric_audit.audit.responders.outcome_json import from_json, to_json
from tests.support.recorded_answers import OUTCOMES, comparable


@pytest.mark.parametrize("name", ["mean", "users", "nobody", "absent", "hangs"])
def test_an_outcome_comes_back_to_the_bit(name: str) -> None:
    assert comparable(from_json(json.loads(json.dumps(to_json(OUTCOMES[name]))))) == comparable(OUTCOMES[name])


def test_traceback_stderr_and_seconds_are_dropped() -> None:
    assert from_json(to_json(OUTCOMES["raises"])) == Errored("ValueError", "k must be \ud800 small\n", "")
    assert from_json(to_json(OUTCOMES["dies"])) == Crashed(-11, "as recorded")
    measured = from_json(to_json(OUTCOMES["mean"]))
    assert isinstance(measured, Measured) and measured.seconds == 0.0


def test_what_is_written_is_plain() -> None:
    assert to_json(OUTCOMES["users"]) == ["measured", "float32", None, [3, 1], "0.3333333333333333 nan"]
    assert to_json(OUTCOMES["dies"]) == ["crashed", -11]


@pytest.mark.parametrize(
    ("written", "words"),
    [(["guessed", 1], "'guessed' is no kind of answer"), (["measured", "float", None, [1, 2], "0.5"], "2 users but 1")],
)
def test_what_is_no_outcome_is_refused(written: list[object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        from_json(written)
