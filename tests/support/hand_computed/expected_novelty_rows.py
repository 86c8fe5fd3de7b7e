"""Values worked out by hand for reference/metrics/expected_novelty.py.

Of four train users and eight train rows, item 10 has four, 11 two, 12 and 13 one each: complements 0, 1/2, 3/4 and 3/4,
self-information 1, 2, 3 and 3 bits. Places weigh 1, 1 / log2 3 and 1/2.
"""

from __future__ import annotations

import math
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import make
from tests.support.hand_computed.item_cases import ASCENDING, NOTHING, TIED, TRAIN, TWICE
from tests.support.hand_computed.shorthand import Row

EPC = "Vargas & Castells 2011, EPC"
EFD = "Vargas & Castells 2011, EFD"
LIKED = make(
    [(1, 12, 9.0), (1, 20, 8.0), (1, 13, 7.0), (2, 12, 9.0), (2, 10, 8.0), (5, 11, 9.0), (6, 10, 9.0)],
    [(1, 12, 2.0), (1, 13, 2.0), (2, 10, 2.0), (2, 12, 1.0), (5, 11, 1.0), (3, 30, 2.0)],
    TRAIN,
    threshold=2.0,
)
"""Relevant: 12 and 13 of user 1, 10 of user 2, 30 of user 3, who has no list; nothing of user 5, whose one truth row is
below the threshold, and of user 6, who has none. Nobody has item 20."""
NO_RARE_ITEM = make([(1, 20, 9.0), (1, 11, 8.0)], [], TRAIN[:6])
"""Items 10 and 11 alone have train rows, four and two; nobody has 20."""
SECOND = 1 / math.log2(3)

ROWS: list[Row] = [
    ("expected_novelty@1", LIKED, F(F(3, 4) + 0, 2), f"{EPC}: 12 of user 1; 12 of user 2 is below the threshold"),
    ("expected_novelty@1|undefined:0", LIKED, F(F(3, 4) + 0 + 0 + 0, 4), "users 5 and 6 count"),
    ("expected_novelty@1|counted:all", LIKED, F(F(3, 4) + F(3, 4) + F(1, 2) + 0, 4), "12, 12, 11 and 10"),
    ("expected_novelty@3", LIKED, F(9, 8) / (1.5 + SECOND) / 2, "12 and 13 of user 1, at 1 and 3; 10 of user 2 adds 0"),
    ("expected_novelty@3|discount:none", LIKED, F(F(3, 2) / 3 + 0, 2), "two of three places; 10 adds 0"),
    ("expected_novelty@3|discount:none|denominator:k", LIKED, F(F(3, 2) / 3 + 0, 2), "user 1 is shown three"),
    ("expected_novelty@4|discount:none|denominator:k", LIKED, F(F(3, 2) / 4 + 0, 2), "of four places"),
    ("expected_novelty@2|denominator:k|counted:all", LIKED,
     (0.75 + SECOND + 0.75 + 0.5 + 0) / (1 + SECOND) / 4, "users 5 and 6 are shown one of two places"),
    ("expected_novelty@3|discount:none|counted:all", LIKED, F(F(5, 6) + F(3, 8) + F(1, 2) + 0, 4), "20: 1"),
    ("expected_novelty@3|discount:none|counted:all|unseen:one_row", LIKED,
     F(F(3, 4) + F(3, 8) + F(1, 2) + 0, 4), "20 as 12 and 13"),
    ("expected_novelty@3|discount:none|counted:all|unseen:zero", LIKED,
     F(F(1, 2) + F(3, 8) + F(1, 2) + 0, 4), "20 adds 0"),
    ("expected_novelty|discount:none|cutoff:none", LIKED, F(F(3, 2) / 3 + 0, 2), "nothing more is shown"),
    ("expected_novelty@1|novelty:self_information", LIKED, F(3 + 0, 2), f"{EFD}: 12 of user 1"),
    ("expected_novelty@2|novelty:self_information", LIKED,
     (3 / (1 + SECOND) + SECOND / (1 + SECOND)) / 2, "12 of user 1, 10 of user 2"),
    ("expected_novelty@3|novelty:self_information|counted:all|discount:none", LIKED,
     F(3 + 2 + 2 + 1, 4), "3, 3 and 3 bits; 3 and 1; 2; 1"),
    ("expected_novelty@1|counted:all", NO_RARE_ITEM, F(1), "20: 1"),
    ("expected_novelty@1|counted:all|unseen:one_row", NO_RARE_ITEM, F(3, 4), "one user of four"),
    ("expected_novelty@1|counted:all|novelty:self_information", NO_RARE_ITEM, math.log2(3), "as 11"),
    ("expected_novelty@1|counted:all|novelty:self_information|unseen:one_row", NO_RARE_ITEM, math.log2(6), "of six"),
    ("expected_novelty@1|counted:all|novelty:self_information|unseen:zero", NO_RARE_ITEM, F(0), "adds 0"),
    ("expected_novelty@1|users:truth", LIKED, F(F(3, 4) + 0 + 0, 3), "users 1, 2 and 3; 5 is left out"),
    ("expected_novelty@1|users:truth|undefined:0", LIKED, F(F(3, 4) + 0 + 0 + 0, 4), "users 1, 2, 3 and 5"),
    ("expected_novelty@1|users:both|undefined:0", LIKED, F(F(3, 4) + 0 + 0, 3), "users 1, 2 and 5"),
    ("expected_novelty@1|users:truth|no_list:nan", LIKED, math.nan, "user 3"),
    ("expected_novelty@1|users:all|undefined:0", LIKED, F(F(3, 4), 5), "users 1, 2, 3, 5 and 6"),
    ("expected_novelty@2", NOTHING, math.nan, "nobody is shown anything"),
    ("expected_novelty@2|nobody:0", NOTHING, F(0), "counts as 0"),
    ("expected_novelty@1|counted:all", ASCENDING, F(3, 4), "12"),
    ("expected_novelty@1|counted:all|order:rows", ASCENDING, F(0), "10"),
    ("expected_novelty|counted:all|cutoff:none", ASCENDING, 0.75 / (1 + SECOND), "12, then 10"),
    ("expected_novelty@1|counted:all", TIED, F(0), "as given: 9, which all three have"),
    ("expected_novelty@1|counted:all|ties:reversed", TIED, F(2, 3), "10"),
    ("expected_novelty@1|counted:all|ties:item_desc", TIED, F(1, 3), "100"),
    ("expected_novelty@3|discount:none", TWICE, F(1, 4), "12 of 10, 10 and 12"),
    ("expected_novelty@3|discount:none|duplicates:first_in_place", TWICE, F(3, 8), "12 of 10 and 12"),
    ("expected_novelty@3|duplicates:first_in_place", TWICE, F(3, 8) / F(3, 2), "12 at 3, of the places 1 and 3"),
    ("expected_novelty@3|duplicates:first_closed_up", TWICE, 0.75 * SECOND / (1 + SECOND), "12 at 2"),
]  # fmt: skip
