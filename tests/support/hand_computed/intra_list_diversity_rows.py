"""Values worked out by hand for reference/metrics/intra_list_diversity.py.

Item 10 is had by users 1 to 4, 11 by 1 and 2, 12 by 3, 13 by 4, and 20 by nobody: 12 and 10 have a cosine of 1/2 and
share one of four users, 12 and 13 share none.
"""

from __future__ import annotations

import math
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.hand_computed.item_cases import NOTHING, SHOP, TIED, TWICE
from tests.support.hand_computed.shorthand import Row

ZHANG = "Zhang et al. 2012, as MS Recommenders cites it"

ROWS: list[Row] = [
    ("intra_list_diversity@2", SHOP, F(1 + F(1, 2) + 0, 3), f"{ZHANG}: 12 and 20, 12 and 10, and 11 alone"),
    ("intra_list_diversity@2|no_pair:left_out", SHOP, F(1 + F(1, 2), 2), "users 1 and 2"),
    ("intra_list_diversity@2|no_pair:1", SHOP, F(1 + F(1, 2) + 1, 3), "user 5 counts as 1"),
    ("intra_list_diversity@2|no_pair:nan", SHOP, math.nan, "user 5"),
    ("intra_list_diversity@2|direction:similarity", SHOP, F(0 + F(1, 2) + 0, 3), "cosines"),
    ("intra_list_diversity@2|distance:jaccard", SHOP, F(1 + F(3, 4) + 0, 3), "one of four users in common"),
    ("intra_list_diversity@2|distance:hamming", SHOP, F(1 + 3 + 0, 3), "user 3 has 12; 1, 2 and 4 have 10 only"),
    ("intra_list_diversity@2|distance:euclidean", SHOP, (1 + math.sqrt(3)) / 3, "square roots of 1 and 3"),
    ("intra_list_diversity@3|distance:hamming", SHOP, F(F(1 + 2 + 1, 3) + 3 + 0, 3), "12 and 20, 12 and 13, 20 and 13"),
    ("intra_list_diversity|distance:hamming|cutoff:none", SHOP, F(F(4, 3) + 3 + 0, 3), "the whole list"),
    ("intra_list_diversity@3|denominator:k", SHOP, F(1 + F(1, 6) + 0, 3), "three pairs each: 3, 1/2 and 0"),
    ("intra_list_diversity@3|denominator:one", SHOP, F(3 + F(1, 2) + 0, 3), "sums of 3, 1/2 and 0"),
    ("intra_list_diversity@3|direction:similarity|denominator:one", SHOP, F(0 + F(1, 2) + 0, 3), "Ziegler et al. 2005"),
    ("intra_list_diversity@3|distance:hamming|denominator:k", SHOP, F(F(4, 3) + F(3, 3) + 0, 3), "three pairs each"),
    ("intra_list_diversity@3|distance:jaccard|denominator:k", SHOP, F(1 + F(1, 4) + 0, 3), "3, 3/4 and 0 over three"),
    ("intra_list_diversity@1", SHOP, F(0), "no pairs"),
    ("intra_list_diversity@1|no_pair:left_out", SHOP, math.nan, "nobody is left"),
    ("intra_list_diversity@2|users:both", SHOP, F(1), "user 1"),
    ("intra_list_diversity@2|users:truth", SHOP, F(1 + 0, 2), "users 1 and 3"),
    ("intra_list_diversity@2|users:all|no_list:nan", SHOP, math.nan, "user 3"),
    ("intra_list_diversity@2", NOTHING, math.nan, "nobody is shown anything"),
    ("intra_list_diversity@2|nobody:0", NOTHING, F(0), "counts as 0"),
    ("intra_list_diversity@3", TWICE, F(0 + F(1, 2) + F(1, 2), 3), "10, 10 and 12: an item is 0 from itself"),
    ("intra_list_diversity@3|duplicates:first_in_place", TWICE, F(1, 2), "10 and 12"),
    ("intra_list_diversity@2|duplicates:first_closed_up", TWICE, F(1, 2), "10 and 12"),
    ("intra_list_diversity@2", TIED, 1 - 2 / math.sqrt(6), "9 and 100 share two of three users and two"),
    ("intra_list_diversity@2|ties:reversed", TIED, F(1), "10 and 100 share none"),
    ("intra_list_diversity@2|ties:item_asc", TIED, 1 - 1 / math.sqrt(3), "9 and 10 share one"),
]
