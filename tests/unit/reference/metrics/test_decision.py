"""Which rows count as recommended: those with a score of one half and more, or the first k."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.metric import Values
from tests.support.generated_inputs import make

CASE = make([(1, 1, 0.9), (1, 2, 0.5), (1, 3, 0.49), (1, 4, -2.0)], [(1, 1, 1.0), (1, 4, 1.0)])
"""Two rows of one half and more, one of them relevant; of the two others, one is relevant too."""


def value(signature: str) -> float:
    return float(evaluate(parse(signature), Problem.of([CASE], None)).mean[0])


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("accuracy", 2 / 4), ("fallout", 1 / 2), ("inverse_precision", 1 / 2), ("f_score", 2 / (2 + 2))],
)
def test_scores_of_one_half_and_more_are_recommended(metric: str, expected: float) -> None:
    assert value(f"{metric}|decision:at_half") == pytest.approx(expected)


def test_no_cut_off_acts_where_scores_decide() -> None:
    assert shortest(parse("accuracy@1|decision:at_half")) == shortest(parse("accuracy@5|decision:at_half")).with_(k=1)


def refusal(metric: str, values: Values) -> str | None:
    family = METRICS[metric]
    return family.refusal({**family.canonical, "decision": "at_half", **values})


@pytest.mark.parametrize("metric", ["accuracy", "f_score"])
def test_scores_that_are_not_read_decide_nothing(metric: str) -> None:
    assert refusal(metric, {}) is None
    assert "order:rows" in str(refusal(metric, {"order": "rows"}))


def test_f_has_one_reading_where_scores_decide() -> None:
    assert "one reading" in str(refusal("f_score", {"precision": "min"}))
