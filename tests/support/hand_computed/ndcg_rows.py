"""Values worked out by hand for reference/metrics/ndcg.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

import math
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import make, many, one
from tests.support.hand_computed.shorthand import LOG3, TAMM, TWICE, A, B, C, Row

INVERTED = one("11", 2, gains={2: 3.0})
TIED = make([(1, 10, 1.0), (1, 9, 1.0)], [(1, 10, 1.0), (1, 9, 3.0)])
"""Two relevant items of one score, of gains 1 and 3."""
WITHOUT = many(("0", 1), ("0", 0))
"""Two users with a list; one misses, the other has no relevant item."""
NEGATIVE = one("110", 2, gains={1: -1.0, 2: 2.0})
FRACTIONS = one("11", 2, gains={1: 1.5, 2: 3.75})
BELOW_1 = one("11", 2, gains={1: -0.5, 2: 2.9})

ROWS: list[Row] = [
    ("ndcg@2", INVERTED, 1.0, f"{TAMM} §4.5: BNDCG"),
    ("ndcg@2|gain:linear", INVERTED, (1 + 3 / LOG3) / (3 + 1 / LOG3), "the Python post's NDCG: .797"),
    ("ndcg@2|gain:exp2", INVERTED, (1 + 7 / LOG3) / (7 + 1 / LOG3), f"{TAMM} §4.5: WNDCG; Burges et al. 2005: .710"),
    ("ndcg@2|gain:exp2_plus1", INVERTED, (3 + 15 / LOG3) / (15 + 3 / LOG3), "2^(g + 1) - 1"),
    ("ndcg@2|gain:exp2_threshold", INVERTED, (1 + 7 / LOG3) / (7 + 1 / LOG3), "with t = 1 it is exp2"),
    ("ndcg@2|gain:square_minus_1", INVERTED, (8 / LOG3) / 8, "g² - 1"),
    ("ndcg@2|gain:linear_whole", FRACTIONS, (1 + 3 / LOG3) / (3 + 1 / LOG3), "1.5 is 1, 3.75 is 3"),
    ("ndcg@2|gain:exp2_whole", FRACTIONS, (1 + 7 / LOG3) / (7 + 1 / LOG3), "2^1 - 1 and 2^3 - 1: XGBoost up to 1.7"),
    ("ndcg@2|gain:linear_whole|ideal:none", BELOW_1, 2 / LOG3, "-0.5 is 0, 2.9 is 2"),
    ("ndcg@2|gain:exp2_whole|ideal:all", BELOW_1, 1 / LOG3, "3 at rank 2, over 3 and 0"),
    ("ndcg@2|gain:exp2_whole|ideal:rows", one("110", 2, gains={1: -1.5, 2: 2.5}), (-F(1, 2) + 3 / LOG3) / 3,
     "2^-1 - 1 and 2^2 - 1; the best rows are 3 and the miss's 0"),
    # One ranking by score: -0.01 (a miss), -0.02, -1.01; r is 2.
    ("ndcg@9|over:stacked", many(("01", 1), ("1", 1)), (1 / LOG3 + 1 / 2) / (1 + 1 / LOG3), "hits at 2 and 3 of 0 1 1"),
    ("ndcg@2|over:stacked", many(("01", 1), ("1", 1)), (1 / LOG3) / (1 + 1 / LOG3), "cut at k: no hit at rank 3"),
    ("ndcg|gain:linear|over:stacked|cutoff:none", many(("01", 1), ("1", 1), gains={2: 2.0}),
     (1 / LOG3 + 2 / 2) / (2 + 1 / LOG3), "-0.01 (a miss), -0.02 (gain 1), -1.01 (gain 2); nothing is cut"),
    ("ndcg@3|gain:exp2|over:stacked", many(("11", 2), ("01", 1), gains={1: 2.0}), (3 + 1 / 2) / (3 + 1 / LOG3 + 1 / 2),
     "-0.01 (gain 2), -0.02 (a miss), -1.01, -1.02: 1 0 1 1, cut at 3; best are gains 2, 1, 1"),
    ("ndcg@2", B, 1 / (1 + 1 / LOG3), "cut at k: .613"),
    ("ndcg@2|ideal:all", B, 1 / sum(1 / math.log2(j + 1) for j in range(1, 6)), "MLlib: .339"),
    ("ndcg@2|ideal:none", one("11", 5), 1 + 1 / LOG3, f"{TAMM} §4.5 on OpenRec: BDCG, 1.63"),
    ("ndcg@1|ideal:none|discount:ln", one("1", 1), 1 / math.log(2), "one hit at the top: 1.4427"),
    ("ndcg@1|ideal:none|discount:log10", one("1", 1), 1 / math.log10(2), "base 10"),
    ("ndcg@5|ideal:ones_shown", C, 1 / (1 + 1 / LOG3), "two rows shown: the ideal of two ones"),
    ("ndcg@3|discount:reciprocal", one("011", 3), (F(1, 2) + F(1, 3)) / (1 + F(1, 2) + F(1, 3)), "1 / j"),
    ("ndcg@3|gain:linear|ideal:none", one("101", 2, gains={1: 2.0, 3: 3.0}), 2 + 3 / 2, "2 / log2(2) + 3 / log2(4)"),
    ("ndcg@3|gain:exp2|ideal:none", one("101", 2, gains={1: 2.0, 3: 3.0}), 3 + 7 / 2, "2^2 - 1 and 2^3 - 1"),
    ("ndcg@3|ideal:ones", A, 1 / (1 + 1 / LOG3 + 1 / 2), "ideal of k ones: .469"),
    ("ndcg@5", C, 1 / sum(1 / math.log2(j + 1) for j in range(1, 5)), ".390"),
    ("ndcg@5|ideal:retrieved", C, 1.0, "ideal from the retrieved gains"),
    ("ndcg@5|ideal:listed", C, 1.0, "one relevant item in the list"),
    ("ndcg@5|ideal:shown", C, 1 / (1 + 1 / LOG3), "ideal of min(r, n) = 2: .613"),
    ("ndcg@2|ideal:retrieved", one("101", 2), 1.0, "the hit at 3 is beyond the cut"),
    ("ndcg@2|ideal:listed", one("101", 2), 1 / (1 + 1 / LOG3), "but it is in the list"),
    ("ndcg@2|gain:linear|ideal:rows", NEGATIVE, (-1 + 2 / LOG3) / 2, "best are 2 and the miss's 0"),
    ("ndcg@2|gain:linear|ideal:listed", NEGATIVE, (-1 + 2 / LOG3) / (2 - 1 / LOG3), "of the relevant ones 2 and -1"),
    ("ndcg@3|gain:linear|ideal:rows", NEGATIVE, (-1 + 2 / LOG3) / (2 - F(1, 2)), "the gain of -1 is third"),
    ("ndcg@2|gain:linear|ties:average", TIED, 2 * (1 + 1 / LOG3) / (3 + 1 / LOG3), "2 on average: scikit-learn"),
    ("ndcg@1|gain:linear|ties:text_desc", TIED, 1.0, "9 stands before 10, as text: trec_eval"),
    ("ndcg|gain:linear|ideal:all|cutoff:none", one("1", 2, gains={1: 2.0}), 2 / (2 + 1 / LOG3), "one is not retrieved"),
    ("ndcg@2|gain:exp2|users:predictions|undefined:1", WITHOUT, F(1, 2), "0 and 1: XGBoost"),
    ("ndcg@1|gain:exp2|ideal:retrieved", INVERTED, 1.0, "1 of gains {1}"),
    ("ndcg@1|gain:exp2|ideal:listed", INVERTED, F(1, 7), "1 of gains {1, 3}"),
    ("ndcg@2", one("01", 1), 1 / LOG3, "hit at rank 2: .631"),
    ("ndcg@2|discount:log2_clipped", one("01", 1), 1.0, "Järvelin & Kekäläinen 2002, b = 2"),
    ("ndcg@2|discount:log2_off_by_one", one("01", 1), (1 / 2) / (1 / LOG3), ".792"),
    ("ndcg@2|discount:ln|ideal_discount:log2", one("10", 1), 1 / math.log(2), "bases that do not cancel"),
    ("ndcg@2|gain:exp2|ideal_gain:linear", INVERTED, (1 + 7 / LOG3) / (3 + 1 / LOG3), "gains that do not cancel"),
    ("ndcg@3|miss_gain:-1", one("010", 1), (1 / LOG3 - 1 - 1 / 2) / 1, "misses at 1 and 3 take their discounts away"),
    ("ndcg@3|miss_gain:-1", one("10", 1), 1 - 1 / LOG3, "a short list has one miss"),
    ("ndcg@2|miss_gain:-1", TWICE, (2 - 1 / LOG3) / (1 + 1 / LOG3), "two truth rows on one list row leave one miss"),
    ("ndcg@2|ties:average", one("10", 1, scores="55"), (1 + 1 / LOG3) / 2, "McSherry & Najork 2008"),
    ("ndcg@2|ties:best", one("01", 1, scores="55"), 1.0, "optimistic"),
    ("ndcg@2|ties:worst", one("10", 1, scores="55"), 1 / LOG3, "pessimistic"),
    ("ndcg@1|ties:average", one("10", 1, scores="55"), 1 / 2, "the cut goes through the tie"),
    ("ndcg@2|gain:exp2|ideal:all", one("10", 5, gains={1: 2.0}),
     3 / (3 + sum(1 / math.log2(j + 1) for j in range(2, 6))), "gains 2 1 1 1 1, the ideal not cut"),
]  # fmt: skip
