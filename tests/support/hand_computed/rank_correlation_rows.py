"""Values worked out by hand for reference/metrics/rank_correlation.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import one
from tests.support.hand_computed.shorthand import SCHROEDER, Row

ROWS: list[Row] = [
    ("kendall_tau", one("1010", 2), 2 * F(3, 4) - 1, f"{SCHROEDER} §4.3: (3 - 1) / 4"),
    ("kendall_tau@2|compared:limited", one("1010", 2), F(2 + 0 - 1, 4), f"{SCHROEDER} §5.2: the last two are level"),
    ("kendall_tau@1|compared:recommended_or_not", one("1010", 2), F(2, 4), "two pairs won, none lost"),
    ("spearman_rho", one("111", 3, gains={1: 3.0, 2: 1.0, 3: 2.0}), 1 - F(6 * 2, 3 * 8), "1 - 6 Σd² / (n (n² - 1))"),
]  # fmt: skip
