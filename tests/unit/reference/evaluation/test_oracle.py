"""The vectorised reference against the slow oracle, over the whole product of axes.

A hundred cases a family, and more than 10,000 in ``make test``; AUDIT_EXAMPLES multiplies the few.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from recsys_metric_audit.reference.metrics import METRICS
from tests.support.against_oracle import compared
from tests.support.generated_inputs import SCALE


@pytest.mark.slow
def test_agrees_with_the_oracle() -> None:
    assert not compared(100 * SCALE, seed=1).differences


@pytest.mark.parametrize(
    "cases", [pytest.param(2_000, marks=pytest.mark.slow), pytest.param(10_000, marks=pytest.mark.long)]
)
def test_agrees_with_the_oracle_on_thousands_of_cases_a_family(
    cases: int, record_property: Callable[[str, object], None]
) -> None:
    found = compared(cases)
    assert not found.differences
    assert set(found.cases) == set(METRICS) and min(found.cases.values()) >= cases
    assert min(found.unusual.values()) >= cases // 10, found.unusual
    unusual = ", ".join(f"{number:,} with {kind}" for kind, number in found.unusual.items())
    record_property("figure", f"oracle: {min(found.cases.values()):,} cases for each of {len(METRICS)} families")
    record_property("figure", f"oracle: of the cases {unusual}")
