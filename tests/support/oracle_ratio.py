"""What a formula of the slow oracle gives: (numerator, denominator) of one ranking; 0/0 says nothing."""

from __future__ import annotations

from fractions import Fraction

from tests.support.oracle import Number

Ratio = tuple[Number, Number]
ZERO = Fraction(0)
