"""Values worked out by hand for reference/metrics/reciprocal_rank.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import one
from tests.support.hand_computed.shorthand import TAMM, Row

ROWS: list[Row] = [
    ("reciprocal_rank@3", one("011", 3), F(1, 2), f"{TAMM} §4.3"),
    ("reciprocal_rank@1", one("011", 3), F(0), f"{TAMM} §4.3: 0 without a hit"),
    ("reciprocal_rank@3|ranks:sum", one("011", 3), F(1, 2) + F(1, 3), f"{TAMM} §4.3 on DaisyRec; SLIM's ARHR"),
    ("reciprocal_rank@3|ranks:sum", one("010", 1), F(1, 2), "Deshpande & Karypis 2004: the same for one relevant item"),
    ("reciprocal_rank@3|ranks:mean_hits", one("011", 3), F(5, 6) / 2, "5/6 over two hits"),
    ("reciprocal_rank@3|ranks:mean_relevant", one("011", 3), F(5, 6) / 3, "5/6 over r = 3"),
    ("reciprocal_rank@5|ranks:normalised_shown", one("01", 4), F(1, 2) / (1 + F(1, 2)), "two rows are shown"),
    ("reciprocal_rank@3|ranks:normalised", one("011", 3), F(5, 6) / F(11, 6), "over 1 + 1/2 + 1/3"),
    ("reciprocal_rank@3|ranks:top_only", one("011", 3), F(0), "rank 1 is a miss"),
    ("reciprocal_rank@3|ranks:top_only", one("111", 3), F(1), "rank 1 is a hit"),
    ("reciprocal_rank@3|ranks:last", one("011", 3), F(1, 3), "the blog's code: the last hit"),
    ("reciprocal_rank@3|ranks:best_gain", one("011", 3, gains={3: 4.0}), F(1, 3), "the better item stands third"),
    ("reciprocal_rank@3|offset:1", one("011", 3), F(1, 3), "1 / (2 + 1): ranks are counted from 2"),
    ("reciprocal_rank@3|ranks:sum|offset:60", one("011", 3), F(1, 62) + F(1, 63), "as in rank fusion with 60"),
    ("reciprocal_rank@3|ranks:normalised|offset:1", one("010", 2), F(1, 3) / (F(1, 2) + F(1, 3)), "over 1/2 + 1/3"),
]  # fmt: skip
