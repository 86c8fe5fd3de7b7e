"""Values worked out by hand for reference/metrics/f_score.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import make, many, one
from tests.support.hand_computed.shorthand import SCHROEDER, Row

HALVES = make([(1, 1, 0.9), (1, 2, 0.5), (1, 3, 0.4)], [(1, 1, 1.0), (1, 3, 1.0), (1, 9, 1.0)])
TWO = make([(1, 1, 0.9), (2, 1, 0.8)], [(1, 1, 1.0), (2, 1, 1.0), (2, 8, 1.0), (2, 9, 1.0)])

ROWS: list[Row] = [
    ("f_score@1", many(("1", 1), ("1", 3)), (F(1) + 2 * F(1, 3) / F(4, 3)) / 2, "mean of F1 = 1 and F1 = 1/2"),
    ("f_score@1|of:means", many(("1", 1), ("1", 3)), 2 * F(2, 3) / F(5, 3), "P = 1, R = 2/3 averaged first"),
    ("f_score@1|beta:2", one("1", 3), 5 * F(1, 3) / (4 + F(1, 3)), f"{SCHROEDER} §4.2: (1 + 4) PR / (4 P + R)"),
    ("f_score|decision:at_half", HALVES, F(2 * 1, 2 + 3), "H 1, two rows of 0.5 and more, r 3"),
    ("f_score|decision:at_half|pooling:pooled", TWO, F(2 * 2, 2 + 4), "sums: H 2, taken 2, r 4"),
    ("f_score@5|precision:shown", one("10", 4), 2 * F(1, 2) * F(1, 4) / F(3, 4), "P = 1/2 of two shown, R = 1/4"),
]  # fmt: skip
