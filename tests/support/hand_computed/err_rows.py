"""Values worked out by hand for reference/metrics/err.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import one
from tests.support.hand_computed.shorthand import Row

ROWS: list[Row] = [
    ("err@2|satisfaction:binary", one("11", 2), F(1, 2) + F(1, 2) * F(1, 2) * F(1, 2), "Chapelle et al. 2009"),
    ("err@2", one("01", 1, gains={2: 5.0}), F(31, 32) / 2, "(2^5 - 1) / 2^5 at rank 2"),
    ("err@2|satisfaction:gain", one("11", 2, gains={1: 0.5, 2: 0.25}), F(1, 2) + F(1, 2) * F(1, 4) / 2,
     "CatBoost: the label is the probability"),
    ("err@2|top:4", one("01", 1, gains={2: 3.0}), F(7, 16) / 2, "gdeval.pl: (2^3 - 1) / 2^4 at rank 2"),
    ("err@2|satisfaction:linear|top:4", one("1", 1, gains={1: 3.0}), F(3, 4), "3 / 4 at rank 1"),
]  # fmt: skip
