"""An item that does harm is shown first, before the one relevant item at rank 3."""

from __future__ import annotations

import math

import pytest
from pydantic import ValidationError

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.experiments.negative_labels import NegativeLabels, change
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from tests.support import result_samples as samples

IDEAL = 1 + 1 / math.log2(3)


@pytest.mark.parametrize(
    ("signature", "before", "after"),
    [
        # Every row of the truth is relevant: the harm is a hit at rank 1.
        ("reciprocal_rank@3", 1 / 3, 1.0),
        ("average_precision@3", 1 / 3, (1 + 2 / 3) / 2),
        ("ndcg@3", 1 / 2, (1 + 1 / 2) / IDEAL),
        # Of gain -1 it is subtracted: in DCG 1/2 - 1, and in the ideal -1 stands second.
        ("ndcg@3|gain:linear|ideal:none", 1 / 2, 1 / 2 - 1),
        ("ndcg@3|gain:linear", 1 / 2, (1 / 2 - 1) / (1 - 1 / math.log2(3))),
        # 2^-1 - 1 = -1/2.
        ("ndcg@3|gain:exp2|ideal:none", 1 / 2, 1 / 2 - 1 / 2),
        ("ndcg@3|gain:linear|relevance:positive", 1 / 2, 1 / 2),
        ("average_precision@3|relevance:positive", 1 / 3, 1 / 3),
    ],
)
def test_a_negative_label_by_hand(signature: str, before: float, after: float) -> None:
    made = change(parse(signature), -1.0)
    assert (made.before, made.after) == pytest.approx((before, after))


def run(*metrics: str) -> Outcome:
    made = NegativeLabels.model_validate({"kind": "negative_labels", "metrics": metrics})
    return made.run(Bench(samples.result()))


def test_graded_gains_alone_take_the_harm_off() -> None:
    made = run("ndcg")
    assert made.answer is Answer.yes_but
    assert "with positive gains alone relevant 0 of" in made.reason
    assert f"(ndcg@3 0.500 to {1.5 / IDEAL:.3f})" in made.reason
    assert "ndcg@3|gain:linear|ideal:none 0.500 to −0.500" in made.reason


def test_metrics_without_gains_never_fall() -> None:
    made = run("reciprocal_rank", "average_precision")
    assert made.answer is Answer.yes and "reciprocal_rank@3 0.333 to 1.000" in made.reason
    assert made.reason.endswith("and 0 fall")


def test_a_metric_that_there_is_not() -> None:
    with pytest.raises(ValidationError, match="popularity is no metric"):
        run("popularity")
