"""Numbers as people read them."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.evaluation.readable_number import readable, told_apart


@pytest.mark.parametrize(
    ("number", "text"), [(2 / 3, "2/3"), (4.0, "4"), (-0.5, "−1/2"), (0.63093, "0.6309"), (float("nan"), "nan")]
)
def test_numbers_are_readable(number: float, text: str) -> None:
    assert readable(number) == text


@pytest.mark.parametrize(
    ("one", "other", "texts"),
    [
        (0.5, 0.25, ("0.5", "0.25")),
        (0.702106, 0.702105999, ("0.702106", "0.702105999")),
        (1 / 3, 1 / 3 + 1e-16, ("0.3333333333333333", "0.3333333333333334")),
        (float("nan"), 0.5, ("nan", "0.5")),
        (1 / 3, 1 / 3, ("0.333333", "0.333333")),
        ([0.5, 1 / 3], [0.5, 1 / 3 + 1e-8], ("0.5, 0.33333333", "0.5, 0.33333334")),
    ],
)
def test_numbers_that_differ_never_read_alike(one: float, other: float, texts: tuple[str, str]) -> None:
    assert told_apart(one, other) == texts
