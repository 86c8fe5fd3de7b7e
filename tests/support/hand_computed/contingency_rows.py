"""Values worked out by hand for reference/metrics/contingency.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import make, one
from tests.support.hand_computed.shorthand import SCHROEDER, Row

TABLE = one("1010", 3)
"""At k = 2: tp 1, fp 1, fn 2, tn 1 of five candidates."""
HALVES = make([(1, 1, 0.9), (1, 2, 0.6), (1, 3, 0.5), (1, 4, 0.4)], [(1, 1, 1.0), (1, 2, 1.0), (1, 4, 1.0)])

ROWS: list[Row] = [
    ("fallout@2", TABLE, F(1, 2), f"{SCHROEDER} §4.2"),
    ("miss_rate@2", TABLE, F(2, 3), f"{SCHROEDER} §4.2"),
    ("inverse_precision@2", TABLE, F(1, 3), f"{SCHROEDER} §4.2"),
    ("inverse_recall@2", TABLE, F(1, 2), f"{SCHROEDER} §4.2"),
    ("accuracy@2", TABLE, F(2, 5), "(tp + tn) / N"),
    ("informedness@2", TABLE, F(1, 3) + F(1, 2) - 1, f"{SCHROEDER} §5.1"),
    ("markedness@2", TABLE, F(1, 2) + F(1, 3) - 1, f"{SCHROEDER} §5.1"),
    ("matthews_correlation@2", TABLE, F(1 * 1 - 1 * 2, 6), f"{SCHROEDER} §5.1: over sqrt(3 · 2 · 2 · 3)"),
    ("accuracy|decision:at_half", HALVES, F(2, 4), "0.9 and 0.6 are taken, 0.5 too: tp 2, fp 1; fn 1, tn 0"),
    ("fallout|decision:at_half", HALVES, F(1, 1), "the one irrelevant row scores 0.5"),
    ("accuracy|decision:at_half|truth:listed", one("011", 5, scores="100"), F(0, 3), "the wrong way round"),
    ("mean_average_markedness@2", TABLE, (F(1) + F(2, 4) - 1) / 3, f"{SCHROEDER} §5.1: tp 1, fn 2, tn 2 at rank 1"),
]  # fmt: skip
