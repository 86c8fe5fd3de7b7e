"""Digits that two values share, and the paper's values against those of a run."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.paper.digits import common_digits, compare_digits
from tests.support import result_samples as samples


@pytest.mark.parametrize(
    ("one", "other", "digits"),
    [
        (0.5, 0.5, 16),
        (0.39, 0.391, 2),
        (0.0391, 0.0399, 1),
        (123.456, 123.4561, 6),
        (1.0, float("nan"), 0),
        (0.1, 0.9, 0),
    ],
)
def test_digits_that_are_the_same(one: float, other: float, digits: int) -> None:
    assert common_digits(one, other) == digits


def test_the_papers_values_are_compared_on_its_data_where_the_definitions_agree() -> None:
    def of(library: str, signature: str, denominator: str) -> Finding:
        return samples.finding(
            "average_precision", library, "0.5.0", signature=signature, value=0.03169024584736,
            definition={"denominator": denominator},
        )  # fmt: skip

    found = (
        of("rs_metrics", "average_precision@20|denominator:r|order:rows", "r"),
        of("elliot", "average_precision@20|denominator:r", "r"),
    )
    entries = (samples.library("rs_metrics", "0.5.0"), samples.library("elliot", "0.5.0"))
    plain = samples.result(libraries=entries, findings=found, reference=())
    assert compare_digits(plain) == ()
    own = plain.model_copy(update={"dataset": plain.dataset.model_copy(update={"name": "ml-20m"})})
    assert [(each.library, each.paper, each.digits) for each in compare_digits(own)] == [
        ("rs_metrics", 0.031690245847362415, 13)
    ]
