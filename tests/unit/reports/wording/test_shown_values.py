"""Values as they are shown beside the canonical one."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reports.model.result import Effect
from recsys_metric_audit.reports.wording.shown_values import gives_canonical_value, shown_value
from tests.support.result_samples import finding


def effect(same: bool) -> Effect:
    return Effect(formula=0.0, who_counts=0.0, input=0.0, total=0.0, same_value=same)


def test_a_library_that_rounds_does_not_seem_to_differ() -> None:
    # 0.16945 rounded to four decimals is 0.1695 (half up), which rounded again is 0.170, while 0.16945 is 0.169.
    rounding = finding(value=0.1695, effect=effect(True))
    assert gives_canonical_value(rounding, 0.16945)
    assert shown_value(rounding, 0.16945) == "0.169"
    assert shown_value(finding(value=0.1695, effect=effect(False)), 0.16945) == "0.170"
    assert shown_value(rounding, None) == "0.170"


@pytest.mark.parametrize(
    ("value", "canonical", "same"),
    [
        (0.1234, 0.1231, True), (0.1236, 0.1231, False), (math.nan, math.nan, False), (None, 0.1, False),
        (0.1, None, False),
    ],
)  # fmt: skip
def test_without_an_effect_the_digits_shown_decide(value: float | None, canonical: float | None, same: bool) -> None:
    assert gives_canonical_value(finding(value=value), canonical) is same


def test_a_finding_without_a_value_cannot_be_shown() -> None:
    with pytest.raises(ValueError, match="has no value"):
        shown_value(finding(value=None), 0.1)
