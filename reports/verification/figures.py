"""Tells whether a printed number is a rounding of a returned one, by rules of its own."""

from __future__ import annotations

import math
from decimal import Decimal

NUMBER = r"(?:nan|[−+-]?(?:∞|inf|\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?))"
"""A printed number, as part of a pattern."""


def is_rounding(printed: str, returned: float | None) -> bool:
    """Return True if ``printed`` is ``returned`` to the digits printed, none of them made up.

    The two may differ by half a unit of the last printed digit. A float is taken at the digits that identify it; a
    printed digit behind these must be 0.
    """
    text = printed.replace("−", "-").replace("∞", "inf").replace(",", "")
    if returned is None:
        return False
    try:
        shown = Decimal(text)
    except ArithmeticError:
        return False
    if not (shown.is_finite() and math.isfinite(returned)):
        return str(float(text)) == str(returned)
    exact, exponent = Decimal(repr(returned)), shown.as_tuple().exponent
    half = Decimal(5).scaleb(int(exponent) - 1)
    return abs(shown - exact) <= half and _digits(shown) <= _digits(exact)


def _digits(number: Decimal) -> int:
    return len(number.normalize().as_tuple().digits)
