"""Values worked out by hand for reference/metrics/concentration.py.

The sum of (2j - n - 1) x_j stands in the rows, the counts x in ascending order.
"""

from __future__ import annotations

import math
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.hand_computed.item_cases import NOTHING, SHOP, TWICE
from tests.support.hand_computed.shorthand import LOG3, Row

SHANI = "Shani & Gunawardana 2011, §8.3.3.1"
LOG5 = math.log2(5)
BITS = 2 / 5 * (LOG5 - 1) + 3 / 5 * LOG5
"""The entropy of the shares 2/5, 1/5, 1/5 and 1/5."""

ROWS: list[Row] = [
    ("gini@2", SHOP, F(1 * 1 + 3 * 1 + 5 * 1 + 7 * 2, 7 * 5), f"{SHANI}: 0 0 0 0 1 1 1 2"),
    ("gini@2|denominator:n", SHOP, F(23, 8 * 5), "over n"),
    ("gini@2|denominator:n_plus_1", SHOP, F(23, 9 * 5), "over n + 1"),
    ("gini@2|over:shown", SHOP, F(-3 - 1 + 1 + 3 * 2, 3 * 5), "1 1 1 2"),
    ("gini@2|over:shown|denominator:n", SHOP, F(3, 4 * 5), "over n"),
    ("gini@2|over:catalogue_plus_1", SHOP, F(2 * 1 + 4 * 1 + 6 * 1 + 8 * 2, 8 * 5), "0 0 0 0 0 1 1 1 2"),
    ("gini@2|over:train", SHOP, F(-1 + 1 + 3 * 2, 3 * 4), "0 1 1 2, without 20"),
    ("gini@2|direction:diversity", SHOP, 1 - F(23, 35), "the complement"),
    ("gini@1", SHOP, F(5 * 1 + 7 * 2, 7 * 3), "12 twice, 11 once"),
    ("gini@2", NOTHING, math.nan, "0/0"),
    ("gini@2|nobody:0", NOTHING, F(0), "counts as 0"),
    ("gini@2", TWICE, F(1), "one item takes both rows"),
    ("gini@3", TWICE, F(1 * 1 + 3 * 2, 3 * 3), "0 0 1 2"),
    ("gini@3|duplicates:first_in_place", TWICE, F(1 + 3, 3 * 2), "0 0 1 1"),
    ("shannon_entropy@2", SHOP, BITS, f"{SHANI}: 2/5, 1/5, 1/5, 1/5"),
    (
        "shannon_entropy@2|mean_over:lists",
        SHOP,
        -(F(1, 2) * math.log2(2 / 5) + F(1, 2) * math.log2(1 / 5)) * 2 / 3 - math.log2(1 / 5) / 3,
        "12 and 20, 12 and 10, 11: a mean of means",
    ),
    ("shannon_entropy@2|log:ln", SHOP, BITS * math.log(2), "natural"),
    ("shannon_entropy@2|log:log10", SHOP, BITS * math.log10(2), "to base 10"),
    (
        "shannon_entropy@2|probability:places",
        SHOP,
        LOG3 / 3 + (1 + LOG3) / 2,
        "three users times 2: 1/3 and 1/6, 3 times",
    ),
    ("shannon_entropy@2|probability:users", SHOP, 2 / 3 * (LOG3 - 1) + LOG3, "three lists: 2/3, and 1/3 three times"),
    ("shannon_entropy@2|divided:shown", SHOP, BITS / 4, "four items"),
    ("shannon_entropy@2|divided:log_shown", SHOP, BITS / 2, "log2 4"),
    ("shannon_entropy@2|divided:log_catalogue", SHOP, BITS / 3, "log2 8"),
    ("shannon_entropy@2|users:both", SHOP, F(1), "user 1: 12 and 20"),
    ("shannon_entropy@2", NOTHING, math.nan, "no row"),
    ("shannon_entropy@2", TWICE, F(0), "one item"),
    ("shannon_entropy@2|duplicates:first_closed_up", TWICE, F(1), "10 and 12"),
]
