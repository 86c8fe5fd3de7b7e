"""Axes and their values."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.space.axis import axis, is_number, more_than

PLAIN = axis("gain", "gain of a hit", {"binary": "1", "exp2": "2^g - 1", "odd": "?"}, slug="other-gain",
             slugs={"exp2": "exponential-gain"}, sources={"exp2": "Burges et al. 2005"})  # fmt: skip
NUMERIC = axis("beta", "weight", {"1": "F1"}, slug="other-beta", numeric=(0.01, 100.0))


def test_the_first_value_is_canonical_and_has_no_class() -> None:
    assert PLAIN.canonical == "binary" and PLAIN.names == ("binary", "exp2", "odd")
    assert [value.slug for value in PLAIN.values] == [None, "exponential-gain", "other-gain"]
    assert PLAIN.value("exp2").source == "Burges et al. 2005"


def test_only_numeric_axes_take_numbers() -> None:
    assert NUMERIC.admits("0.25") and not PLAIN.admits("0.25") and not NUMERIC.admits("nan")
    assert NUMERIC.value("0.25").slug == "other-beta"
    with pytest.raises(KeyError):
        PLAIN.value("0.25")


def test_a_number_means_what_the_axis_says_of_numbers() -> None:
    worded = axis("least", "smallest", {"any": "all"}, slug="least", numeric=(0.0, 9.0), of_number="gain >= {}")
    assert (NUMERIC.value("0.25").meaning, worded.value("2").meaning) == ("beta = 0.25", "gain >= 2")


def test_more_than_a_number_is_a_value_where_the_axis_says_what_it_means() -> None:
    worded = axis("least", "smallest", {"above_t": "gain > t"}, slug="least", numeric=(0.0, 9.0), of_more="gain > {}")
    assert worded.value("above_0.5").meaning == "gain > 0.5" and worded.value("above_0.5").slug == "other-least"
    assert worded.admits("above_2") and not worded.admits("above_0") and not worded.admits("above_nan")
    assert not NUMERIC.admits("above_0.5")
    assert (more_than("above_0.5"), more_than("above_t"), more_than("0.5")) == (0.5, None, None)


@pytest.mark.parametrize(("text", "holds"), [("2", True), ("-1e3", True), ("inf", False), ("two", False)])
def test_finite_numbers(text: str, holds: bool) -> None:
    assert is_number(text) == holds
