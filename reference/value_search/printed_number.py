"""Printed numbers: a value as a paper prints it, and which values are printed so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_SLACK = 1e-9
"""Keeps numbers on the edge of rounding: summation in another order moves the last digits of a double."""
_LONGEST = 60  # characters


class PrintedNumberError(ValueError):
    """Reports a text that is not one number; ``advice`` says what to type instead."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


@dataclass(frozen=True)
class PrintedNumber:
    """Holds a number with the digits that were printed: all values from ``low`` to ``high`` are rounded to it.

    ``text`` is what was typed; ``note`` says how it was read where that is not plain, else it is empty.
    """

    text: str
    value: float
    half_unit: float
    note: str = ""

    @property
    def low(self) -> float:
        """The lowest value that is printed so."""
        return self.value - self.half_unit

    @property
    def high(self) -> float:
        """The highest value that is printed so."""
        return self.value + self.half_unit

    def is_printed_for(self, value: float) -> bool:
        """Return True if ``value`` is rounded to this number."""
        return abs(value - self.value) <= self.half_unit + _SLACK * max(1.0, abs(self.value))


def read_printed_number(text: str) -> PrintedNumber:
    """Read a number as a paper prints it: ``0.1571``, ``.157`` or ``15.7 %``.

    Raises:
        PrintedNumberError: if the text is not one number.
    """
    bare = text.strip().replace("\N{MINUS SIGN}", "-")
    percent = bare.endswith("%")
    digits = bare.removesuffix("%").strip()
    if "±" in digits or "+-" in digits or "+/-" in digits:
        raise PrintedNumberError(f"{text!r} is a mean with a spread, not one number", "give the mean of one run alone")
    if re.fullmatch(r"[-+]?\d*,\d+", digits):
        dotted = digits.replace(",", ".")
        raise PrintedNumberError(
            f"{text!r} has a comma, not a decimal point", f"write {dotted}{'%' if percent else ''}"
        )
    if len(digits) > _LONGEST:
        raise PrintedNumberError(f"a number of {len(digits):,} characters is none that is printed", "write it shorter")
    if not _NUMBER.fullmatch(digits):
        raise PrintedNumberError(f"{text!r} is not a number", "write it as it is printed, for example 0.1571")
    exact = Decimal(digits).scaleb(-2) if percent else Decimal(digits)
    exponent = exact.as_tuple().exponent
    assert isinstance(exponent, int)  # the pattern admits neither infinity nor NaN
    note = f"{text.strip()} is read as {exact}" if percent else ""
    return PrintedNumber(text.strip(), float(exact), float(Decimal(5).scaleb(exponent - 1)), note)
