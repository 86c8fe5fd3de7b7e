"""Values are named, per-user values are complete or not, and values lie in range or not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.judges.returned_values import judge_range
from recsys_metric_audit.audit.behaviours.responses import Returned
from recsys_metric_audit.audit.process.protocol import Errored, Measured
from tests.support.behaviour_samples import ERROR, NAN, Given, judged


@pytest.mark.parametrize(
    ("number", "name"),
    [(1.0, "one"), (0.0, "zero"), (NAN, "nan"), (math.inf, "infinite"), (0.25, "number"), (ERROR, "raises")],
)
def test_values_are_named(number: Given, name: str) -> None:
    assert judged("perfect", {scenarios.PERFECT: number}).name == name
    assert judged("empty_truth", {"no truth at all": number}).name == name


def test_nobody_with_a_value_is_said() -> None:
    assert judged("empty_truth", {"no truth at all": {}}).name == "skipped"


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({1: 1, 2: 1, 3: 1, 4: 1, 5: 1}, "complete"),
        ({1: 1, 2: 1, 3: 1, 5: 1}, "skipped"),
        ({1: 1, 2: 1, 3: 1, 4: 1, 6: 1}, "unknown"),
        (0.5, "mean_only"),
        (Errored("BadAnswer", "5 users but 4 values", ""), "raises"),
    ],
)
def test_per_user_values(values: Given, name: str) -> None:
    assert judged("per_user", {scenarios.ORDINARY: values}).name == name


def test_a_user_with_two_values() -> None:
    twice = Measured(None, np.array([1, 1, 2, 3, 4, 5]), np.ones(6), "float", 0.0)
    assert judged("per_user", {scenarios.ORDINARY: twice}).name == "repeated"


@pytest.mark.parametrize(
    ("numbers", "name"),
    [((0.0, 1.0), "within"), ((0.5, NAN), "within"), ((0.5, 1.63), "outside"), ((-0.1, 0.5), "outside"),
     ((0.5, -math.inf), "infinite")],
)  # fmt: skip
def test_values_outside_the_range(numbers: tuple[float, ...], name: str) -> None:
    answers = {f"case {place}": Returned(number, None) for place, number in enumerate(numbers)}
    assert judge_range((0.0, 1.0), answers, 1e-6).name == name
