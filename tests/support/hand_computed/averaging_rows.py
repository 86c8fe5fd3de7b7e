"""Values worked out by hand for averaging over users and policies for users in an unusual state.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import make, many
from tests.support.hand_computed.shorthand import Row

FIVE = many(("10", 1), ("00", 1), ("", 1), ("00", 0), ("00", 0))
"""One user with a hit, one without, one without recommendations, two with recommendations but no truth."""
UNLIKED = make([(1, 1, 0.9), (2, 2, 0.8), (3, 3, 0.7)], [(1, 1, 1.0), (2, 2, 0.0)])
"""One user with a hit, one whose only truth row has a gain of 0, one without truth rows."""
UNLISTED = make([(1, 1, 0.9), (2, 2, 0.8), (3, 3, 0.7)], [(1, 1, 1.0), (2, 2, 0.0), (4, 1, 1.0), (5, 1, 0.0)])
"""The same three, and two users without a list: one with a relevant item, one with a gain of 0 only."""
NOBODY = many(("00", 0), ("00", 0))
"""Two users with recommendations, and no truth."""

ROWS: list[Row] = [
    ("hit_rate@2", FIVE, F(1, 3), "users with relevant items"),
    ("hit_rate@2|users:both", FIVE, F(1, 2), "with both"),
    ("hit_rate@2|users:predictions|undefined:0", FIVE, F(1, 4), "with recommendations"),
    ("hit_rate@2|users:all|undefined:0", FIVE, F(1, 5), "with either"),
    ("hit_rate@2|users:truth_rows|undefined:0|relevance:positive", UNLIKED, F(1, 2), "1, and 0 with a gain of 0 only"),
    ("hit_rate@2|users:both_rows|undefined:0|relevance:positive", UNLISTED, F(1, 2), "not who has no list"),
    ("hit_rate@2|users:truth_rows|undefined:0|relevance:positive", UNLISTED, F(1, 4), "who has no list, too"),
    ("hit_rate@2|users:all|undefined:0|relevance:positive", UNLIKED, F(1, 3), "the user without truth rows, too"),
    ("hit_rate@2|relevance:positive", UNLIKED, F(1), "users with relevant items"),
    ("hit_rate@2|users:hits", FIVE, F(1), "with a hit"),
    ("hit_rate@2|users:all|undefined:1", FIVE, F(3, 5), "the undefined count as 1"),
    ("hit_rate@2|users:all|undefined:half", FIVE, F(2, 5), "as one half"),
    ("hit_rate@2|no_list:skip", FIVE, F(1, 2), "no recommendations: left out"),
    ("hit_rate@2|no_list:1", FIVE, F(2, 3), "no recommendations: 1"),
    ("average_precision@2|denominator:hits|no_hit:1/k", FIVE, (1 + F(1, 2) + 0) / 3, "0/0 counts as 1/k"),
    ("average_precision@2|denominator:hits|no_hit:previous", FIVE, F(1 + 1 + 0, 3), "0/0 counts as the one before"),
    ("average_precision@2|denominator:hits|no_hit:previous|users:both", many(("10", 1), ("", 1), ("00", 1)), F(1),
     "the one before who is averaged over: not the one without a list"),
    ("average_precision@2|denominator:hits|no_hit:ends_all", FIVE, F(0), "0/0 makes everything 0"),
    ("recall@1|users:one_relevant", many(("1", 1), ("1", 3)), F(1), "exactly one relevant item"),
    ("recall@1|pooling:weighted|weight:relevant", many(("1", 1), ("1", 3)), (1 * 1 + 3 * F(1, 3)) / 4, "weighted by r"),
    ("precision@2|pooling:weighted|weight:list_length", many(("1", 1), ("101", 2)), (F(1, 2) + 3 * F(1, 2)) / 4,
     "weighted by the list"),
    ("hit_rate@2|nobody:0", NOBODY, F(0), "no user has a relevant item: nobody is left"),
    ("hit_rate@2|nobody:0|users:predictions|undefined:1", NOBODY, F(1), "both are averaged over, so somebody is left"),
    ("hit_rate@2|nobody:0", FIVE, F(1, 3), "users with relevant items are left"),
    ("recall@2|pooling:pooled|nobody:0", NOBODY, F(0), "0 relevant items found of 0 in all"),
    ("precision@2|pooling:pooled|users:predictions|undefined:0|nobody:0", NOBODY, F(0, 4), "0 hits of 4: no 0/0"),
    ("auc|no_negatives:skip|nobody:0", many(("11", 2), ("1", 1)), F(0), "no user has an irrelevant item"),
    ("auc|scope:stacked|nobody:0", many(("10", 1), ("01", 1)), F(1, 2), "one ranking of all rows: two pairs of four"),
    ("f_score@2|of:means|nobody:0", NOBODY, F(0), "no mean of precision or recall is left"),
]  # fmt: skip
