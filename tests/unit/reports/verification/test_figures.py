"""Hold printed numbers against returned ones: rounded by hand."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reports.verification.figures import is_rounding


@pytest.mark.parametrize(
    ("printed", "returned"),
    [
        ("0.286", 0.2855641537), ("0.170", 0.1695), ("0.169", 0.1695), ("0.1695", 0.1695), ("0.500", 0.5),
        ("−0.001", -0.00123), ("0.000", 0.0), ("1.23e+06", 1_234_567.0), ("nan", math.nan), ("−∞", -math.inf),
        ("0.30000000000000004", 0.1 + 0.2), ("1,351", 1351.0),
    ],
)  # fmt: skip
def test_a_number_within_half_a_unit_is_a_rounding(printed: str, returned: float) -> None:
    assert is_rounding(printed, returned)


@pytest.mark.parametrize(
    ("printed", "returned"),
    [
        ("0.279", 0.2855641537), ("0.287", 0.2855641537), ("0.001", -0.00123), ("0.5001", 0.5), ("0.16949", 0.1695),
        ("nan", 0.1), ("0.1", math.nan), ("∞", -math.inf), ("0.1", None), ("per user", 0.1), ("", 0.1),
    ],
)  # fmt: skip
def test_any_other_number_is_none(printed: str, returned: float | None) -> None:
    assert not is_rounding(printed, returned)
