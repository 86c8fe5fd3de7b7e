"""Numbers as people read them."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.evaluation.readable_number import readable


@pytest.mark.parametrize(
    ("number", "text"), [(2 / 3, "2/3"), (4.0, "4"), (-0.5, "−1/2"), (0.63093, "0.6309"), (float("nan"), "nan")]
)
def test_numbers_are_readable(number: float, text: str) -> None:
    assert readable(number) == text
