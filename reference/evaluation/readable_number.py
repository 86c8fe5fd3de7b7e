"""Numbers as people read them: whole, as a small fraction, or with four decimals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

_LARGEST_DENOMINATOR = 60


def readable(number: float) -> str:
    """Format a number as a whole number, a fraction with a small denominator, or with four decimals."""
    if not np.isfinite(number):
        return str(number)
    near = Fraction(number).limit_denominator(_LARGEST_DENOMINATOR)
    if abs(float(near) - number) < 1e-12:
        return str(near).replace("-", "−")
    return f"{number:.4f}".replace("-", "−")
