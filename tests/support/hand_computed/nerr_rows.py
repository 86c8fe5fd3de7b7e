"""Values worked out by hand for reference/metrics/nerr.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import one
from tests.support.hand_computed.shorthand import Row

ROWS: list[Row] = [
    # Azzopardi et al. 2021: stopping with 2/5 and 5/5 of gains 2 and 5.
    ("nerr@3", one("101", 2, gains={1: 2.0, 3: 5.0}), (F(2, 5) + F(3, 5)) / (1 + F(3, 5) + F(3, 5)),
     "equation 8: V = 1, 3/5, 3/5"),
    ("nerr@5", one("10", 1, gains={1: 2.0}), F(2, 5) / (1 + 4 * F(3, 5)), "all k ranks are looked at, listed or not"),
    ("nerr@3|patience:rank", one("101", 2, gains={1: 2.0, 3: 5.0}), (F(2, 5) + F(1, 5)) / (1 + F(3, 10) + F(1, 5)),
     "equation 9: V = 1, 3/5 · 1/2, 3/5 · 1/3"),
    ("nerr@3|patience:0.5", one("01", 1, gains={2: 2.0}), (F(1, 2) * F(2, 5)) / (1 + F(1, 2) + F(3, 5) * F(1, 2)),
     "equation 10: 1 + 1/2 until the hit, then 3/5 of 1/4 + 1/8 + ... = 1/2"),
    ("nerr|patience:0.9|cutoff:none", one("1", 1, gains={1: 5.0}), F(1),
     "a sure hit at the top: one item, all satisfied"),
    ("nerr@2|satisfaction:binary", one("11", 2), (F(1, 2) + F(1, 4)) / (1 + F(1, 2)), "half of those who get there"),
    ("nerr@3", one("101", 2, gains={1: -2.0, 3: 9.0}), F(1, 3), "below and above the scale: probabilities 0 and 1"),
    ("nerr@2", one("11", 2, gains={1: 9.0, 2: 5.0}), F(1), "above the scale: the first hit satisfies for certain"),
]  # fmt: skip
