"""What a printed number is read as, and which values are printed so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit.reference.value_search.printed_number import PrintedNumberError, read_printed_number


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0.1571", 0.15705, 0.15715),
        (".157", 0.1565, 0.1575),
        ("15.7 %", 0.1565, 0.1575),
        ("17%", 0.165, 0.175),
        ("1", 0.5, 1.5),
        ("1e-3", 0.0005, 0.0015),
        ("\N{MINUS SIGN}0.50", -0.505, -0.495),
    ],
)
def test_the_last_digit_says_what_is_rounded_to_it(text: str, low: float, high: float) -> None:
    number = read_printed_number(text)
    assert (number.low, number.high) == (pytest.approx(low), pytest.approx(high))
    assert number.is_printed_for(low + 1e-6) and number.is_printed_for(high - 1e-6)
    assert not number.is_printed_for(low - 1e-4) and not number.is_printed_for(high + 1e-4)


@given(st.floats(-100, 100), st.integers(1, 6))
def test_a_value_is_printed_as_its_own_rounding(value: float, digits: int) -> None:
    assert read_printed_number(f"{value:.{digits}f}").is_printed_for(value)


@pytest.mark.parametrize(
    ("text", "message", "advice"),
    [
        ("0,157", "comma", "write 0.157"),
        ("15,7 %", "comma", "write 15.7%"),
        ("0.17±0.01", "spread", "mean of one run"),
        ("abc", "not a number", "0.1571"),
        ("", "not a number", "0.1571"),
        ("nan", "not a number", "0.1571"),
        ("0.1 0.2", "not a number", "0.1571"),
    ],
)
def test_what_is_not_one_number_says_what_to_type(text: str, message: str, advice: str) -> None:
    with pytest.raises(PrintedNumberError, match=message) as raised:
        read_printed_number(text)
    assert advice in raised.value.advice


def test_percent_is_told() -> None:
    assert read_printed_number("7.3%").note == "7.3% is read as 0.073"
    assert read_printed_number("0.073").note == ""
