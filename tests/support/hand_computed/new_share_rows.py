"""Values worked out by hand for reference/metrics/new_share.py.

Users 1 and 2 have items 10 and 11, user 3 has 10 and 12, user 4 has 10 and 13; user 5 has nothing.
"""

from __future__ import annotations

import math
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import make
from tests.support.hand_computed.item_cases import ASCENDING, NOTHING, SHOP, TIED, TWICE
from tests.support.hand_computed.shorthand import Row

REPLAY = make(
    [(1, 3, 0.6), (1, 7, 0.5), (1, 10, 0.4), (1, 11, 0.3), (1, 2, 0.2), (2, 5, 0.6), (2, 8, 0.5), (2, 11, 0.4),
     (2, 1, 0.3), (2, 3, 0.2), (3, 4, 1.0), (3, 9, 0.5), (3, 2, 0.1)],
    [],
    [(1, 5), (1, 6), (1, 8), (1, 9), (1, 2), (2, 5), (2, 8), (2, 11), (2, 1), (2, 3), (3, 4), (3, 9), (3, 2)],
)  # fmt: skip
"""The example in the docstring of replay.metrics.Novelty."""

ROWS: list[Row] = [
    ("new_share@2|users:train|no_list:1", REPLAY, F(1 + 0 + 0, 3), "as printed there: 0.3333"),
    ("new_share@2|denominator:k|users:train|no_list:1", REPLAY, F(1 + 0 + 0, 3), "nobody is shown fewer than two"),
    ("new_share@2", SHOP, F(1 + F(1, 2) + 1, 3), "12 and 20, 12 of 12 and 10, 11"),
    ("new_share@1", SHOP, F(1 + 1 + 1, 3), "12, 12 and 11"),
    ("new_share|cutoff:none", SHOP, F(1 + F(1, 2) + 1, 3), "user 1 is shown 13 too"),
    ("new_share@2|denominator:k", SHOP, F(1 + F(1, 2) + F(1, 2), 3), "user 5 is shown one row of two"),
    ("new_share@2|users:train", SHOP, F(1 + F(1, 2) + 0 + 0, 4), "users 1 to 4; nothing is shown to 3 and 4"),
    ("new_share@2|users:train|no_list:1", SHOP, F(1 + F(1, 2) + 1 + 1, 4), "which counts as 1"),
    ("new_share@2|users:train|no_list:nan", SHOP, math.nan, "or as nothing"),
    ("new_share@2|users:both", SHOP, F(1), "user 1"),
    ("new_share@2|users:truth", SHOP, F(1 + 0, 2), "users 1 and 3"),
    ("new_share@2|users:all", SHOP, F(1 + F(1, 2) + 1 + 0, 4), "users 1, 2, 5 and 3"),
    ("new_share@2", NOTHING, math.nan, "nobody is shown anything"),
    ("new_share@2|nobody:0", NOTHING, F(0), "counts as 0"),
    ("new_share@2|users:train|no_list:1", NOTHING, F(1), "four users with train rows"),
    ("new_share@1", ASCENDING, F(1), "12"),
    ("new_share@1|order:rows", ASCENDING, F(0), "10"),
    ("new_share@1", TIED, F(0), "as given: 9"),
    ("new_share@1|ties:reversed", TIED, F(1), "10, which user 3 has and user 1 has not"),
    ("new_share@1|ties:item_desc", TIED, F(0), "100"),
    ("new_share@3", TWICE, F(1, 3), "12 of 10, 10 and 12"),
    ("new_share@3|duplicates:first_in_place", TWICE, F(1, 2), "12 of 10 and 12"),
    ("new_share@2|duplicates:first_closed_up", TWICE, F(1, 2), "12 of 10 and 12"),
]
