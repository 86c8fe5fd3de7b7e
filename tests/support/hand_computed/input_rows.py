"""Values worked out by hand for the order and input axes: ties, repeated items, cut-offs, relevance.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import make, many, one
from tests.support.hand_computed.shorthand import LOG3, TWICE, Row

REPEATED = make([(1, 1, 5.0), (1, 2, 4.0), (1, 1, 3.0), (1, 3, 2.0)], [(1, 1, 1.0), (1, 3, 1.0)])
"""Items 1 2 1 3; relevant are 1 and 3."""
GRADED = make([(1, item, -float(item)) for item in range(5)], [(1, i, g) for i, g in enumerate((0.0, 1.0, 2.0, 3.0))],
              threshold=2.0)  # fmt: skip
HALVES = make([(1, item, -float(item)) for item in range(5)], [(1, i, (i + 1) / 4) for i in range(4)])

ROWS: list[Row] = [
    ("precision@4", REPEATED, F(3, 4), "every place counts"),
    ("precision@4|duplicates:first_in_place", REPEATED, F(2, 4), "the later place is no hit"),
    ("precision@3|duplicates:first_closed_up", REPEATED, F(2, 3), "1 2 3"),
    ("precision@2|duplicates:last", REPEATED, F(1, 2), "2 1 3"),
    ("reciprocal_rank@2|duplicates:last", REPEATED, F(1, 2), "2 1 3"),
    ("recall@1", TWICE, F(2, 2), "counted twice above and below"),
    ("precision@1", TWICE, F(2), "counted twice above only"),
    ("precision@1|truth_duplicates:once", TWICE, F(1), "once"),
    ("auc", TWICE, F(1), "two pairs, both won: item 2 is the one miss"),
    ("hit_rate@5|counts:hits", GRADED, F(4), "every row"),
    ("hit_rate@5|counts:hits|relevance:positive", GRADED, F(3), "gain > 0"),
    ("hit_rate@5|counts:hits|relevance:at_least_t", GRADED, F(2), "gain >= 2"),
    ("hit_rate@5|counts:hits|relevance:above_t", GRADED, F(1), "gain > 2"),
    ("hit_rate@5|counts:hits|relevance:equal_1", GRADED, F(1), "gain = 1"),
    ("hit_rate@5|counts:hits|relevance:1.5", GRADED, F(2), "gain >= 1.5"),
    ("hit_rate@5|counts:hits|relevance:0.5", HALVES, F(3), "0.5, 0.75 and 1 of 0.25, 0.5, 0.75, 1"),
    ("hit_rate@5|counts:hits|relevance:1", HALVES, F(1), "gain >= 1: what is between 0 and 1 is not"),
    ("hit_rate@5|counts:hits|relevance:above_0.5", HALVES, F(2), "0.75 and 1"),
    ("hit_rate@5|counts:hits|relevance:positive", HALVES, F(4), "gain > 0"),
    ("hit_rate@5|counts:hits|counted_scores:nonzero", GRADED, F(3), "item 0 scores 0"),
    ("recall@1|truth:listed", one("011", 5), F(0, 2), "two of five relevant items are ranked, neither first"),
    ("recall@2|truth:listed", one("011", 5), F(1, 2), "one of the two that are ranked"),
    ("average_precision@3|truth:listed", one("011", 5), (F(1, 2) + F(2, 3)) / 2, "the unlisted do not count in r"),
    ("recall@2|truth:listed|users:truth", many(("01", 3), ("00", 2)), F(1, 1), "the second user has none left"),
    ("recall@5|truth:first", one("01", 2), F(1), "leave-one-out code"),
    ("precision@2|cutoff:hits_uncut", one("0011", 2), F(2, 2), "hits anywhere, over k"),
    ("precision@2|cutoff:hits_k_plus_1", one("1011", 2), F(2, 2), "three rows, over k"),
    ("precision@1|positions:negatives_only", one("1101", 3), F(2, 1), "no irrelevant item above the first two"),
    ("recall@1|positions:negatives_only", one("1101", 3), F(2, 3), "one irrelevant item above the third"),
    ("precision@2|cutoff:k_plus_1", one("0011", 2), F(1, 3), "three rows"),
    ("precision@2|cutoff:k_minus_1", one("1011", 2), F(1, 1), "one row"),
    ("precision|cutoff:none", one("0011", 2), F(2, 4), "the whole list"),
    ("reciprocal_rank@4|ranks:sum|positions:negatives_only", one("1011", 3), 1 + F(1, 2) + F(1, 2), "one miss above"),
    ("reciprocal_rank@2|order:rows", make([(1, 1, 1.0), (1, 2, 2.0)], [(1, 2, 1.0)]), F(1, 2), "scores unread"),
    ("reciprocal_rank@2", make([(1, 1, 1.0), (1, 2, 2.0)], [(1, 2, 1.0)]), F(1), "by score"),
    ("reciprocal_rank@3|ties:reversed", one("100", 1, scores="555"), F(1, 3), "the other way round"),
    ("reciprocal_rank@3|ties:item_desc", one("100", 1, scores="555"), F(1, 3), "items 12 11 10"),
    ("reciprocal_rank@2|ties:item_asc", make([(1, 10, 1.0), (1, 9, 1.0)], [(1, 9, 1.0)]), F(1), "9 before 10"),
    ("reciprocal_rank@2|ties:text_asc", make([(1, 9, 1.0), (1, 10, 1.0)], [(1, 9, 1.0)]), F(1, 2), '"10" before "9"'),
    ("reciprocal_rank@2|ties:text_desc", make([(1, 10, 1.0), (1, 9, 1.0)], [(1, 9, 1.0)]), F(1), "trec_eval"),
    ("reciprocal_rank@4|ties:shared", one("0010", 1, scores="5444"), F(1, 2), "one row scores higher: rank 2"),
    ("precision@1|ties:shared", one("1100", 2, scores="5555"), F(2, 1), "all share rank 1: two hits, over k = 1"),
    ("average_precision@4|ties:shared", one("0110", 2, scores="5444"), (F(1, 2) + F(2, 2)) / 2,
     "both hits at rank 2, of which the first counts 1/2 and the second 2/2"),
    ("ndcg@3|ties:shared", one("0011", 2, scores="5444"), 2 / LOG3 / (1 + 1 / LOG3), "both hits at rank 2"),
    ("reciprocal_rank@4|positions:negatives_only|ranks:sum|ties:shared", one("1101", 3, scores="5444"),
     1 + F(1) + F(1), "no irrelevant row scores higher than any hit: the one miss ties"),
    ("auc|tied_scores:ranked|ties:shared", one("0110", 2, scores="5444"), F(2, 4), "the tied miss beats neither hit"),
    ("reciprocal_rank@4|ties:middle", one("0010", 1, scores="5444"), F(1, 3), "places 2, 3 and 4: their mean is 3"),
    ("reciprocal_rank|cutoff:none|ties:middle", one("01", 1, scores="55"), F(2, 3), "mean place of 1 and 2: 1.5"),
    ("reciprocal_rank@2|ties:middle", one("10", 1, scores="55"), F(2, 3), "places 1 and 2: 1.5"),
    ("hit_rate@1|ties:middle", one("10", 1, scores="55"), F(0), "1.5 is more than 1"),
    ("recall@2|ties:middle", one("1100", 2, scores="5544"), F(1), "both at 1.5"),
    ("recall@1|ties:middle|positions:negatives_only", one("1100", 2, scores="5544"), F(1), "no irrelevant row above"),
    ("reciprocal_rank@4|positions:negatives_only|ranks:sum|ties:middle", one("1101", 3, scores="5444"),
     1 + 2 * F(2, 3), "one irrelevant row ties with two hits: each may have none or one above, rank 1.5"),
    ("reciprocal_rank@3|ties:average", one("100", 1, scores="555"), (1 + F(1, 2) + F(1, 3)) / 3, "three orders"),
]  # fmt: skip
