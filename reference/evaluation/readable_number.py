"""Numbers as people read them: whole, as a small fraction, with four decimals, or as two that are not equal."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

_LARGEST_DENOMINATOR = 60


def readable(number: float) -> str:
    """Format a number as a whole number, a fraction with a small denominator, or with four decimals."""
    if not np.isfinite(number):
        return str(number)
    near = Fraction(number).limit_denominator(_LARGEST_DENOMINATOR)
    if abs(float(near) - number) < 1e-12:
        return str(near).replace("-", "−")
    return f"{number:.4f}".replace("-", "−")


def told_apart(one: ArrayLike, other: ArrayLike) -> tuple[str, str]:
    """Format numbers, or rows of numbers, with six digits, or with the fewest more that show that they differ."""
    texts = ((_with_digits(one, digits), _with_digits(other, digits)) for digits in range(6, 18))
    pairs = ((first, second) for first, second in texts if first != second)
    return next(pairs, (_with_digits(one, 6), _with_digits(other, 6)))


def _with_digits(numbers: ArrayLike, digits: int) -> str:
    return ", ".join(f"{each:.{digits}g}" for each in np.ravel(numbers))
