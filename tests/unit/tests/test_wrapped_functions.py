"""Holds a few functions that no call is known of against what is told of them through a wrapper."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.functions_of_others import table
from tests.support.wrapped_functions import contradicting_input, identify_wrapped

pytestmark = pytest.mark.slow  # whole identifications

ROWS = {row.name: row for row in table()}


@pytest.mark.parametrize("name", [
    "collaborative/selfrec.py:Metric.precision", "ctr_ltr/online_rankers.py:get_single_ndcg_for_rankers",
    "ctr_ltr/article_clicks.py:HitRate", "various/cornac.py:NCRR.compute",
])  # fmt: skip
def test_what_is_told_through_a_wrapper_is_what_the_slow_oracle_says(name: str) -> None:
    result = identify_wrapped(ROWS[name])
    assert result.summary is not None and result.summary.signature is not None
    assert contradicting_input(ROWS[name], result) is None


def test_what_is_false_is_found() -> None:
    row = ROWS["collaborative/selfrec.py:Metric.precision"]
    result = identify_wrapped(row)
    assert result.summary is not None
    false = result.summary.finding.model_copy(update={"signature": "precision@k|denominator:shown"})
    assert contradicting_input(row, replace(result, summary=replace(result.summary, finding=false))) is not None
