"""Tell whether a value is the canonical one."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reports.model.result import Effect, Reference
from recsys_metric_audit.reports.wording.formatting import rounded
from recsys_metric_audit.reports.wording.shown_values import gives_canonical_value
from tests.support.result_samples import finding


def effect(same: bool) -> Effect:
    return Effect(formula=0.0, who_counts=0.0, input=0.0, total=0.0, same_value=same)


def row(value: float | None, k: int | None = 20) -> Reference | None:
    return None if value is None else Reference(metric="ndcg", k=k, signature="ndcg@20", value=value)


def test_a_library_that_rounds_gives_the_canonical_value_and_keeps_its_own_number() -> None:
    # 0.16945 rounded to four decimals is 0.1695 (half up), which rounded again is 0.170, while 0.16945 is 0.169.
    rounding = finding(value=0.1695, effect=effect(True))
    assert gives_canonical_value(rounding, row(0.16945))
    assert not gives_canonical_value(finding(value=0.1695, effect=effect(False)), row(0.16945))
    assert (rounded(0.1695), rounded(0.16945)) == ("0.1695", "0.169")


def test_a_value_of_whole_lists_is_not_the_canonical_value_at_k() -> None:
    # Cornac's MRR reads whole lists: 0.2856, the canonical value of whole lists; at k = 20 the canonical one is 0.2786.
    whole = finding(value=0.2856, k=None, effect=effect(True))
    assert not gives_canonical_value(whole, row(0.2786))
    assert gives_canonical_value(whole, row(0.2786, k=None)), "a metric without a cut-off has one canonical value"


@pytest.mark.parametrize(
    ("value", "canonical", "same"),
    [
        (0.1234, 0.1231, True), (0.1236, 0.1231, False), (math.nan, math.nan, False), (None, 0.1, False),
        (0.1, None, False),
    ],
)  # fmt: skip
def test_without_an_effect_the_digits_shown_decide(value: float | None, canonical: float | None, same: bool) -> None:
    assert gives_canonical_value(finding(value=value), row(canonical)) is same
