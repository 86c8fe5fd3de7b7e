"""Values worked out by hand for reference/metrics/popularity_bias.py.

Of eight train rows, item 10 has four, 11 two, 12 and 13 one each: before 10, 11, 12 and 13 stand 0, 4, 6 and 7 of them,
of which four fifths are 6.4. So 13 is the long tail, and 10, 11 and 12 are the head.
"""

from __future__ import annotations

import math
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import make
from tests.support.hand_computed.item_cases import NOTHING, TRAIN
from tests.support.hand_computed.shorthand import Row

RSP = "Zhu et al. 2020, ranking-based statistical parity"
REO = "Zhu et al. 2020, ranking-based equal opportunity"
SHELF = make(
    [(1, 12, 9.0), (1, 13, 8.0), (1, 20, 7.0), (5, 10, 9.0), (5, 13, 8.0), (6, 11, 9.0)],
    [(1, 12, 2.0), (1, 13, 2.0), (1, 11, 2.0), (5, 10, 1.0), (5, 13, 2.0), (5, 12, 2.0), (5, 21, 2.0), (3, 13, 2.0)],
    TRAIN,
    threshold=2.0,
    catalogue=[10, 11, 12, 13, 20, 21],
)
"""User 1 has 10 and 11, users 5 and 6 have nothing; nobody has 20 and 21. Relevant: 11, 12 and 13 of user 1, 12, 13 and
21 of user 5; 13 of user 3, who has no list."""
AGAIN = make([(1, 12, 9.0), (1, 12, 8.0), (1, 13, 7.0)], [(1, 12, 1.0), (1, 13, 1.0)], TRAIN)


def apart(head: F, tail: F) -> F:
    """Return the standard deviation of two numbers over their mean: half their distance over half their sum."""
    return abs(head - tail) / (head + tail)


ROWS: list[Row] = [
    ("popularity_bias@2", SHELF, apart(F(3, 7), F(2, 9)),
     f"{RSP}: head 12, 10, 11 of 1 + 3 + 3; tail 13, 13 of three lists of 13, 20 and 21"),
    ("popularity_bias@3", SHELF, apart(F(3, 7), F(3, 9)), "20 of user 1 besides"),
    ("popularity_bias@3|unseen:left_out", SHELF, apart(F(3, 7), F(2, 3)), "13 alone is the tail"),
    ("popularity_bias@2|chances:all", SHELF, apart(F(3, 9), F(2, 9)), "three lists of three items each"),
    ("popularity_bias@1", SHELF, F(1), "12, 10, 11: head alone"),
    ("popularity_bias@2|spread:sample", SHELF, float(apart(F(3, 7), F(2, 9))) * math.sqrt(2), "divided by 1, not by 2"),
    ("popularity_bias@2|users:both", SHELF, apart(F(2, 4), F(2, 6)), "users 1 and 5"),
    ("popularity_bias@2|counted:relevant", SHELF, apart(F(1, 2), F(2, 3)),
     f"{REO}: head 12 of user 1, of 12 and 12 (he has 11); tail 13 and 13, of these and 21"),
    ("popularity_bias@2|counted:relevant|chances:all", SHELF, apart(F(1, 3), F(2, 3)), "11 of user 1 besides"),
    ("popularity_bias@2|counted:relevant|unseen:left_out", SHELF, apart(F(1, 2), F(2, 2)), "21 is in no group"),
    ("popularity_bias@2|tail:tenth", SHELF, apart(F(4, 7), F(1, 9)),
     "12 is the tenth with the fewest rows, and 13 in the head: 13, 10, 13, 11 of 1 + 3 + 3; 12 of three lists of 3"),
    ("popularity_bias@3", AGAIN, apart(F(2, 1), F(1, 1)), "12 twice, of one item of the head that user 1 has not"),
    ("popularity_bias@3|duplicates:first_in_place", AGAIN, F(0), "1 of 1, and 1 of 1"),
    ("popularity_bias@2|duplicates:first_closed_up", AGAIN, F(0), "12 and 13"),
    ("popularity_bias@2|duplicates:first_in_place", AGAIN, F(1), "12 alone"),
    ("popularity_bias@2", NOTHING, math.nan, "nobody is shown anything"),
    ("popularity_bias@2|nobody:0", NOTHING, F(0), "counts as 0"),
]  # fmt: skip
