"""Values worked out by hand for reference/metrics/novelty.py.

Self-information in bits, of four train users: 0 for item 10, 1 for 11, 2 for 12 and 13. Of eight train rows, 10 has
four, 11 two and 12 one: these have more than 6.4, so that only 13 and what nobody has are the tail.
"""

from __future__ import annotations

import math
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.hand_computed.item_cases import ASCENDING, NOTHING, ONE_HAS_MOST, SHOP, TIED, TWENTY, TWICE
from tests.support.hand_computed.shorthand import Row

ZHOU = "Zhou et al. 2010"
ARP = "Abdollahpouri et al. 2019"
APLT = "Abdollahpouri et al. 2019, APLT"

ROWS: list[Row] = [
    ("novelty@2", SHOP, F(F(2 + 2, 2) + F(2 + 0, 2) + 1, 3), f"{ZHOU}: users 1, 2 and 5; item 20 as if one had it"),
    ("novelty@1", SHOP, F(2 + 2 + 1, 3), "12, 12 and 11"),
    ("novelty|cutoff:none", SHOP, F(2 + 1 + 1, 3), "user 1 is shown 13 too"),
    ("novelty@2|unseen:zero", SHOP, F(F(2 + 0, 2) + 1 + 1, 3), "item 20 adds 0"),
    ("novelty@2|unseen:left_out", SHOP, F(2 + 1 + 1, 3), "12 alone"),
    ("novelty@2|unseen:error|users:both", ASCENDING, math.nan, "nobody has truth rows"),
    ("novelty@2|unseen:error", ASCENDING, F(2 + 0, 2), "all items have train rows"),
    ("novelty@2|unseen:left_out|pooling:pooled", SHOP, F(2 + 2 + 1, 1 + 2 + 1), "four rows"),
    ("novelty@2|pooling:pooled", SHOP, F(4 + 2 + 1, 5), "five rows"),
    ("novelty@2|denominator:k", SHOP, F(2 + 1 + F(1, 2), 3), "user 5 is shown one row of two"),
    ("novelty@2|denominator:items", SHOP, F(F(2 + 2, 8) + F(2 + 0, 8) + F(1, 8), 3), "eight items"),
    ("novelty@2|popularity:rows", SHOP, F(3 + F(3 + 1, 2) + 2, 3), "of eight rows: 1 for 10, 2 for 11, 3 for 12, 20"),
    ("novelty@2|log:ln", SHOP, 4 / 3 * math.log(2), "natural"),
    ("novelty@2|log:log10", SHOP, 4 / 3 * math.log10(2), "to base 10"),
    ("novelty@2|scale:log_users", SHOP, F(4, 3) / 2, "over log2 4"),
    ("novelty@2|users:both", SHOP, F(2), "user 1"),
    ("novelty@2|users:truth", SHOP, F(2 + 0, 2), "users 1 and 3"),
    ("novelty@2|users:all", SHOP, F(2 + 1 + 1 + 0, 4), "users 1, 2, 5 and 3"),
    ("novelty@2|users:truth|no_list:nan", SHOP, math.nan, "user 3"),
    ("novelty@2", NOTHING, math.nan, "nobody is shown anything"),
    ("novelty@2|nobody:0", NOTHING, F(0), "counts as 0"),
    ("novelty@1", ASCENDING, F(2), "12"),
    ("novelty@1|order:rows", ASCENDING, F(0), "10"),
    ("novelty@3", TWICE, F(0 + 0 + 2, 3), "10, 10 and 12"),
    ("novelty@3|duplicates:first_in_place", TWICE, F(0 + 2, 2), "10 and 12"),
    ("novelty@2|duplicates:first_closed_up", TWICE, F(0 + 2, 2), "10 and 12"),
    ("average_popularity@2", SHOP, F(F(1 + 0, 2) + F(1 + 4, 2) + 2, 3), f"{ARP}: 12 and 20, 12 and 10, 11"),
    ("average_popularity@2|unseen:left_out", SHOP, F(1 + F(5, 2) + 2, 3), "12 alone"),
    ("average_popularity@2|denominator:k", SHOP, F(F(1, 2) + F(5, 2) + 1, 3), "two places"),
    ("average_popularity@2|counted:judged", SHOP, F(F(1, 2) + 0 + 0, 3), "12 of user 1"),
    ("average_popularity@2|counted:judged|denominator:truth", SHOP, F(1 + 0 + 0, 3), "one truth row of user 1"),
    ("average_popularity@2|denominator:truth", SHOP, F(1 + 5 + 2, 3), "one truth row, and none"),
    ("average_popularity@2|pooling:pooled", SHOP, F(1 + 5 + 2, 5), "five rows"),
    ("average_popularity@2|scale:rows", SHOP, F(5, 3) / 8, "of eight rows"),
    ("average_popularity@2|scale:users", SHOP, F(5, 3) / 4, "of four users"),
    ("average_popularity@2|scale:users", ONE_HAS_MOST, F(5, 3) / 8, "of eight users"),
    ("average_popularity@2|scale:most", ONE_HAS_MOST, F(5, 3) / 4, "four users have 10"),
    (
        "average_popularity@2|scale:quantile",
        SHOP,
        F(F(3, 16) + F(11, 16) + F(3, 4), 3),
        "of four items: 12 and 13 share place 1.5, 11 has 3, 10 has 4",
    ),
    ("average_popularity@1", TIED, F(3), "as given: 9"),
    ("average_popularity@1|ties:reversed", TIED, F(1), "10 is last"),
    ("average_popularity@1|ties:item_asc", TIED, F(3), "9"),
    ("average_popularity@1|ties:item_desc", TIED, F(2), "100"),
    ("average_popularity@1|ties:text_asc", TIED, F(1), "'10' before '100' and '9'"),
    ("average_popularity@2|ties:text_desc", TIED, F(3 + 2, 2), "'9', then '100'"),
    ("tail_share@2", SHOP, F(F(1, 2) + 0 + 0, 3), f"{APLT}: 20 of 12 and 20"),
    ("tail_share@3", SHOP, F(F(2, 3) + 0 + 0, 3), "20 and 13 of 12, 20 and 13"),
    ("tail_share|cutoff:none", SHOP, F(F(2, 3) + 0 + 0, 3), "nothing more is shown"),
    ("tail_share@3|unseen:zero", SHOP, F(F(1, 3) + 0 + 0, 3), "13"),
    ("tail_share@3|unseen:left_out", SHOP, F(F(1, 2) + 0 + 0, 3), "13 of 12 and 13"),
    ("tail_share@4|denominator:k", SHOP, F(F(2, 4) + 0 + 0, 3), "four places"),
    ("tail_share@3|denominator:one", SHOP, F(2 + 0 + 0, 3), "20 and 13 (ACLT)"),
    ("tail_share@2|tail:tenth", SHOP, F(1 + F(1, 2) + 0, 3), "of 12 and 13 the lower id; and 20"),
    ("tail_share@2|tail:tenth|unseen:zero", SHOP, F(F(1, 2) + F(1, 2) + 0, 3), "12 alone"),
    ("tail_share@2|tail:tenth|pooling:pooled", SHOP, F(2 + 1 + 0, 5), "five rows"),
    ("tail_share@2|users:both", SHOP, F(1, 2), "user 1"),
    ("tail_share@2|users:truth", SHOP, F(F(1, 2) + 0, 2), "users 1 and 3"),
    ("tail_share@2|users:truth|no_list:nan", SHOP, math.nan, "user 3"),
    ("tail_share@2|nobody:0", NOTHING, F(0), "nobody is shown anything"),
    ("tail_share@4", TWENTY, F(F(1, 4) + 0, 2), "1 to 16 have 80 % of the rows: 17"),
    ("tail_share@2|unseen:zero", TWENTY, F(F(1, 2) + 0, 2), "17 of 1 and 17"),
    ("tail_share@4|tail:tenth", TWENTY, F(F(1, 4) + 1, 2), "1 and 2, of 1, 17, 16 and 3 and of 2"),
    ("tail_share@1|tail:tenth|order:rows", ASCENDING, F(0), "10"),
    ("tail_share@1|tail:tenth", ASCENDING, F(1), "12"),
    ("tail_share@3|tail:tenth", TWICE, F(1, 3), "12 of 10, 10 and 12"),
    ("tail_share@3|tail:tenth|duplicates:first_in_place", TWICE, F(1, 2), "12 of 10 and 12"),
]
