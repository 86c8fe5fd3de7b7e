"""Values worked out by hand, one row a documented variant, with the source that states it.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. Numbers in the rows are the arithmetic itself.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

import numpy as np
import pytest

from reference.input.case import Case
from tests.support.generated_inputs import make, many, one, value

TAMM = "Tamm et al. 2021"
SCHROEDER = "Schröder et al. 2011"
LOG3 = math.log2(3)
A, B, C = one("100", 1), one("10", 5), one("10", 4)
"""One hit at rank 1: r = 1 and three shown (k = 3); r = 5 (k = 2); r = 4 and two shown (k = 5)."""

Row = tuple[str, Case, F | float, str]

SETS: list[Row] = [
    ("precision@3", A, F(1, 3), f"{TAMM} §4.1: H/k"),
    ("precision@5", C, F(1, 5), f"{TAMM} §4.1: a short list is divided by k all the same"),
    ("precision@5|denominator:shown", C, F(1, 2), f"{SCHROEDER} §4.2: tp / (tp + fp)"),
    ("precision@3|denominator:min", A, F(1, 1), "H / min(k, r)"),
    ("precision@2|denominator:min", B, F(1, 2), "H / min(k, r)"),
    ("precision@5|denominator:min_shown", one("10", 4), F(1, 2), "H / min(r, n): a list of two can hold two hits"),
    ("precision@2|pooling:pooled", many(("11", 2), ("1", 1)), F(3, 4), "Manning et al. 2008, §13.6: 3 hits of 4 shown"),
    ("precision@2|denominator:shown|pooling:pooled", many(("11", 2), ("0", 1)), F(2, 3), "Manning et al. 2008, §13.6"),
    ("recall@2", B, F(1, 5), f"{TAMM} §4.1: H/r"),
    ("recall@2|denominator:min", B, F(1, 2), "Liang et al. 2018, in Tamm et al. 2021 §5"),
    ("recall@1|pooling:pooled", many(("1", 1), ("1", 3)), F(1 + 1, 1 + 3), "two users of unequal r, micro-averaged"),
    ("recall@1", many(("1", 1), ("1", 3)), F(2, 3), "the same, (1 + 1/3) / 2"),
    ("hit_rate@4", one("1100", 3), F(1), f"{TAMM} §4.2: any"),
    ("hit_rate@4|counts:hits", one("1100", 3), F(2), f"{TAMM} §4.2: the count"),
    ("hit_rate@4|counts:recall", one("1100", 3), F(2, 3), f"{TAMM} §4.2 on CoupledCF, TriRank"),
    ("hit_rate@4|counts:precision", one("1100", 3), F(1, 2), "count / k"),
    ("hit_rate@2|counts:only", many(("01", 1), ("11", 2)), F(1, 2), "the second user has two relevant items"),
    ("f_score@1", many(("1", 1), ("1", 3)), (F(1) + 2 * F(1, 3) / F(4, 3)) / 2, "mean of F1 = 1 and F1 = 1/2"),
    ("f_score@1|of:means", many(("1", 1), ("1", 3)), 2 * F(2, 3) / F(5, 3), "P = 1, R = 2/3 averaged first"),
    ("f_score@1|beta:2", one("1", 3), 5 * F(1, 3) / (4 + F(1, 3)), f"{SCHROEDER} §4.2: (1 + 4) PR / (4 P + R)"),
    ("r_precision", one("101", 2), F(1, 2), "Manning et al. 2008, §8.4: one hit in the first two"),
    ("r_precision@1|cut:min", one("101", 2), F(1), "the first min(1, 2)"),
    ("r_precision|users:hits", many(("10", 1), ("01", 1)), F(1), "the second user's hit stands below r"),
]  # fmt: skip

RANKS: list[Row] = [
    ("reciprocal_rank@3", one("011", 3), F(1, 2), f"{TAMM} §4.3"),
    ("reciprocal_rank@1", one("011", 3), F(0), f"{TAMM} §4.3: 0 without a hit"),
    ("reciprocal_rank@3|ranks:sum", one("011", 3), F(1, 2) + F(1, 3), f"{TAMM} §4.3 on DaisyRec; SLIM's ARHR"),
    ("reciprocal_rank@3|ranks:sum", one("010", 1), F(1, 2), "Deshpande & Karypis 2004: the same for one relevant item"),
    ("reciprocal_rank@3|ranks:mean_hits", one("011", 3), F(5, 6) / 2, "5/6 over two hits"),
    ("reciprocal_rank@3|ranks:mean_relevant", one("011", 3), F(5, 6) / 3, "5/6 over r = 3"),
    ("reciprocal_rank@3|ranks:normalised", one("011", 3), F(5, 6) / F(11, 6), "over 1 + 1/2 + 1/3"),
    ("reciprocal_rank@3|ranks:top_only", one("011", 3), F(0), "rank 1 is a miss"),
    ("reciprocal_rank@3|ranks:top_only", one("111", 3), F(1), "rank 1 is a hit"),
    ("reciprocal_rank@3|ranks:last", one("011", 3), F(1, 3), "the blog's code: the last hit"),
    ("reciprocal_rank@3|ranks:best_gain", one("011", 3, gains={3: 4.0}), F(1, 3), "the better item stands third"),
    *[
        (f"average_precision@{k}|denominator:{name}", case, expected, f"{TAMM} §4.4 and its kin: hit at 1")
        for name, *expecteds in [
            ("r", F(1), F(1, 5), F(1, 4)), ("min", F(1), F(1, 2), F(1, 4)), ("k", F(1, 3), F(1, 2), F(1, 5)),
            ("hits", F(1), F(1), F(1)), ("min_shown", F(1), F(1, 2), F(1, 2)), ("shown", F(1, 3), F(1, 2), F(1, 2)),
            ("cumulative", F(1, 1 + 1 + 1), F(1, 1 + 2), F(1, 1 + 2 + 3 + 4 + 4)),
        ]
        for k, case, expected in zip((3, 2, 5), (A, B, C), expecteds, strict=True)
    ],
    ("average_precision@5|denominator:r", one("10100", 4), (1 + F(2, 3)) / 4, "trec_eval: precision 1 and 2/3, over r"),
    ("average_precision@3|indicator:dropped|denominator:k", A, (1 + F(1, 2) + F(1, 3)) / 3, f"{TAMM} §4.4 on Elliot"),
    ("average_precision@3|indicator:dropped|denominator:r", A, 1 + F(1, 2) + F(1, 3), "the same over r"),
    ("average_precision@5|indicator:dropped|denominator:k", C, (1 + F(1, 2)) / 5, "a short list: two ranks summed"),
    ("average_precision@5|indicator:dropped|denominator:shown", C, (1 + F(1, 2)) / 2, "the same over n = 2"),
    ("average_precision@5|indicator:every|denominator:k", C, (1 + F(1, 2) + F(1, 3) + F(1, 4) + F(1, 5)) / 5,
     "a short list: one hit over each of the five ranks"),
    ("average_precision@4", many(("1", 1), ("0001", 1)), (1 + F(1, 4)) / 2, "MAP"),
    ("average_precision@4|mean:geometric", many(("1", 1), ("0001", 1)), F(1, 2), f"{SCHROEDER} §4.2: GMAP"),
    ("average_precision@4|mean:harmonic", many(("1", 1), ("0001", 1)), F(2, 1 + 4), f"{SCHROEDER} §4.2: HMAP"),
    ("average_precision@4|mean:quadratic", many(("1", 1), ("0001", 1)), math.sqrt((1 + 1 / 16) / 2),
     f"{SCHROEDER} §4.2: QMAP"),
    ("average_precision@9|over:stacked", many(("01", 1), ("1", 1)), (F(1, 2) + F(2, 3)) / 2,
     "one ranking 0 1 1 by score: -0.01, -0.02, -1.01"),
    ("average_recall@3", one("101", 2), (F(1, 2) + F(2, 2)) / 2, "recall 1/2 and 1 at the hits"),
    ("average_recall@5|indicator:every|denominator:k", one("01", 1), F(4, 5), "found at rank 2, also past the end"),
    ("average_recall@3|indicator:dropped", one("101", 2), (F(1, 2) + F(1, 2) + 1) / 2, "recall at all three ranks"),
    ("rbp@3|persistence:0.5", one("101", 2), F(1, 2) * (1 + F(1, 4)), "Moffat & Zobel 2008"),
    ("rbp@3|persistence:0.5|normalised:yes", one("101", 2), (1 + F(1, 4)) / (1 + F(1, 2)), "over two best places"),
    ("err@2|satisfaction:binary", one("11", 2), F(1, 2) + F(1, 2) * F(1, 2) * F(1, 2), "Chapelle et al. 2009"),
    ("err@2", one("01", 1, gains={2: 5.0}), F(31, 32) / 2, "(2^5 - 1) / 2^5 at rank 2"),
]  # fmt: skip

TWICE = make([(1, 1, 2.0), (1, 2, 1.0)], [(1, 1, 2.0), (1, 1, 2.0)])
INVERTED = one("11", 2, gains={2: 3.0})
GAINS: list[Row] = [
    ("ndcg@2", INVERTED, 1.0, f"{TAMM} §4.5: BNDCG"),
    ("ndcg@2|gain:linear", INVERTED, (1 + 3 / LOG3) / (3 + 1 / LOG3), "the Python post's NDCG: .797"),
    ("ndcg@2|gain:exp2", INVERTED, (1 + 7 / LOG3) / (7 + 1 / LOG3), f"{TAMM} §4.5: WNDCG; Burges et al. 2005: .710"),
    ("ndcg@2|gain:exp2_plus1", INVERTED, (3 + 15 / LOG3) / (15 + 3 / LOG3), "2^(g + 1) - 1"),
    ("ndcg@2|gain:exp2_threshold", INVERTED, (1 + 7 / LOG3) / (7 + 1 / LOG3), "with t = 1 it is exp2"),
    ("ndcg@2|gain:square_minus_1", INVERTED, (8 / LOG3) / 8, "g² - 1"),
    ("ndcg@2", B, 1 / (1 + 1 / LOG3), "cut at k: .613"),
    ("ndcg@2|ideal:all", B, 1 / sum(1 / math.log2(j + 1) for j in range(1, 6)), "MLlib: .339"),
    ("ndcg@2|ideal:none", one("11", 5), 1 + 1 / LOG3, f"{TAMM} §4.5 on OpenRec: BDCG, 1.63"),
    ("ndcg@1|ideal:none|discount:ln", one("1", 1), 1 / math.log(2), "one hit at the top: 1.4427"),
    ("ndcg@1|ideal:none|discount:log10", one("1", 1), 1 / math.log10(2), "base 10"),
    ("ndcg@3|ideal:ones", A, 1 / (1 + 1 / LOG3 + 1 / 2), "ideal of k ones: .469"),
    ("ndcg@5", C, 1 / sum(1 / math.log2(j + 1) for j in range(1, 5)), ".390"),
    ("ndcg@5|ideal:retrieved", C, 1.0, "ideal from the retrieved gains"),
    ("ndcg@5|ideal:listed", C, 1.0, "one relevant item in the list"),
    ("ndcg@5|ideal:shown", C, 1 / (1 + 1 / LOG3), "ideal of min(r, n) = 2: .613"),
    ("ndcg@2|ideal:retrieved", one("101", 2), 1.0, "the hit at 3 is beyond the cut"),
    ("ndcg@2|ideal:listed", one("101", 2), 1 / (1 + 1 / LOG3), "but it is in the list"),
    ("ndcg@1|gain:exp2|ideal:retrieved", INVERTED, 1.0, "1 of gains {1}"),
    ("ndcg@1|gain:exp2|ideal:listed", INVERTED, F(1, 7), "1 of gains {1, 3}"),
    ("ndcg@2", one("01", 1), 1 / LOG3, "hit at rank 2: .631"),
    ("ndcg@2|discount:log2_clipped", one("01", 1), 1.0, "Järvelin & Kekäläinen 2002, b = 2"),
    ("ndcg@2|discount:log2_off_by_one", one("01", 1), (1 / 2) / (1 / LOG3), ".792"),
    ("ndcg@2|discount:ln|ideal_discount:log2", one("10", 1), 1 / math.log(2), "bases that do not cancel"),
    ("ndcg@2|gain:exp2|ideal_gain:linear", INVERTED, (1 + 7 / LOG3) / (3 + 1 / LOG3), "gains that do not cancel"),
    ("ndcg@3|miss_gain:-1", one("010", 1), (1 / LOG3 - 1 - 1 / 2) / 1, "misses at 1 and 3 take their discounts away"),
    ("ndcg@3|miss_gain:-1", one("10", 1), 1 - 1 / LOG3, "a short list has one miss"),
    ("ndcg@2|miss_gain:-1", TWICE, (2 - 1 / LOG3) / (1 + 1 / LOG3), "two truth rows on one seat leave one miss"),
    ("ndcg@2|ties:average", one("10", 1, scores="55"), (1 + 1 / LOG3) / 2, "McSherry & Najork 2008"),
    ("ndcg@2|ties:best", one("01", 1, scores="55"), 1.0, "optimistic"),
    ("ndcg@2|ties:worst", one("10", 1, scores="55"), 1 / LOG3, "pessimistic"),
    ("ndcg@1|ties:average", one("10", 1, scores="55"), 1 / 2, "the cut goes through the tie"),
    ("average_precision@1|denominator:hits|ties:average", one("10", 1, scores="55"), F(1, 2),
     "one order has the hit, the other has 0/0, which counts as 0"),
]  # fmt: skip

TIES = one("0101", 2, scores="5533")
STRADDLE = one("1000", 1, scores="5555")
TRAIN = make([(1, item, -float(item)) for item in (10, 11, 12, 13)], [(1, 11, 1.0)], [(1, 50), (1, 51)])
WIDE = replace(TRAIN, catalogue=np.array([10, 11, 12, 13, 14, 15, 16, 17, 50, 51]))
"""Ten items, two of them seen in training, one relevant."""
TWO_LISTS = make([(1, 1, 2.0), (1, 2, 1.0), (2, 1, 4.0), (2, 2, 3.0)], [(1, 1, 1.0), (2, 1, 1.0)])
AREAS: list[Row] = [
    ("auc", one("0101", 2), F(1 + 0, 4), f"{TAMM} §4.6: GAUC"),
    ("auc|scope:stacked", TWO_LISTS, F(3, 4), f"{TAMM} §4.6: SAUC; 2 loses to 3"),
    ("auc", TWO_LISTS, F(1), "each user's own list is perfect"),
    ("auc", many(("10", 1), ("111", 3)), F(1), f"{TAMM} §4.6: no irrelevant item, skipped"),
    ("auc|no_negatives:0", many(("10", 1), ("111", 3)), F(1, 2), f"{TAMM} §4.6: other libraries assign 0"),
    ("auc|pooling:weighted|weight:rated", many(("10", 1), ("0111", 3)), F(1 * 1 + 0 * 3, 4), f"{TAMM} §4.6: GAUC"),
    ("auc|pooling:pooled", many(("10", 1), ("0111", 3)), F(1 + 0, 1 + 3), "pairs of both users together"),
    ("auc@3|list:topk", one("0101", 2), F(1, 2), f"{TAMM} §4.6: GAUC@k"),
    ("auc@2|list:topk", one("100", 1, scores="555"), F(1, 2), "one tied pair inside the first 2"),
    ("auc@2|list:topk|tied_scores:win", one("100", 1, scores="555"), F(1), "won"),
    ("auc@2|list:topk|tied_scores:lose", one("100", 1, scores="555"), F(0), "lost"),
    ("auc@2|list:topk|tied_scores:ranked", one("100", 1, scores="555"), F(1), "as given"),
    ("auc@3|list:topk", one("0110", 2, scores="5444"), F(0), "the tied miss is cut off"),
    ("auc@2|list:limited", one("0101", 2), (0 + F(1 + 2, 2) * (2 - 1)) / 4, f"{SCHROEDER} §5.2: LAUC"),
    ("auc@2|list:limited", one("0100", 3), (0 + F(1 + 3, 2) * (3 - 1)) / 9, f"{SCHROEDER} §5.2, two not listed"),
    ("auc@2|list:limited|unlisted:dropped", one("0100", 3), (0 + F(1 + 1, 2) * (3 - 1)) / 3, "not counted"),
    ("auc@2|list:limited_hits", one("0101", 2), F(1, 2 * 2), "the hit at 2 wins one of two, min(k, r) = 2"),
    ("auc@1|list:top_negatives", one("1001", 2), F(1 + 0, 2 * 1), "against the miss at 2"),
    ("auc@1|list:top_both", one("1001", 2), F(1), "the hit at 1 against the miss at 2"),
    ("auc@1|list:top_negatives", STRADDLE, F(1, 2), "the best of three tied misses is tied with the hit"),
    ("auc@2|list:top_negatives|tied_scores:lose", STRADDLE, F(0), "both lost"),
    ("auc@2|list:top_negatives", one("01000", 1, scores="95555"), F(1, 2 * 2), "lost to 9, half against one 5"),
    ("auc", TIES, (F(1, 2) + 1 + F(1, 2)) / 4, "two tied pairs"),
    ("auc|tied_scores:win", TIES, F(1 + 1 + 1, 4), "won"),
    ("auc|tied_scores:lose", TIES, F(1, 4), "lost"),
    ("auc|tied_scores:ranked", TIES, F(1, 4), "as given: both misses stand first"),
    ("auc", one("10", 2), F(1, 2), "the unlisted one is ranked last"),
    ("auc|unlisted:dropped", one("10", 2), F(1), "the unlisted one does not count"),
    ("auc", TRAIN, F(3 - 1, 3), "three misses, one above"),
    ("auc|negatives:every_row", one("101", 2), F(3 - F(1, 2) + 3 - 2 - F(1, 2), 2 * 3), "each half tied with itself"),
    ("auc|tied_scores:win|negatives:every_row", one("101", 2), F(3 + 1, 2 * 3), "none and two of three rows above"),
    ("auc|negatives:plus_one", TRAIN, F(4 - 1, 4), "one more"),
    ("auc|negatives:minus_one", TRAIN, F(2 - 1, 2), "one less"),
    ("auc|negatives:with_train", TRAIN, F(5 - 1, 5), "and two train items"),
    ("auc|unlisted:dropped|pooling:weighted|weight:listed", many(("10", 2), ("0101", 3)), (F(1) + 0 + F(1, 2)) / 3,
     "pairs won by each listed relevant item: all, none of two, one of two"),
    ("auc|negatives:catalogue", WIDE, F(7 - 1, 7), "seven of ten items are neither relevant nor seen"),
    ("auc|negatives:catalogue_plus_one", WIDE, F(8 - 1, 8), "one more"),
]  # fmt: skip

TABLE = one("1010", 3)
"""At k = 2: tp 1, fp 1, fn 2, tn 1 of five candidates."""
CELLS: list[Row] = [
    ("fallout@2", TABLE, F(1, 2), f"{SCHROEDER} §4.2"),
    ("miss_rate@2", TABLE, F(2, 3), f"{SCHROEDER} §4.2"),
    ("inverse_precision@2", TABLE, F(1, 3), f"{SCHROEDER} §4.2"),
    ("inverse_recall@2", TABLE, F(1, 2), f"{SCHROEDER} §4.2"),
    ("accuracy@2", TABLE, F(2, 5), "(tp + tn) / N"),
    ("informedness@2", TABLE, F(1, 3) + F(1, 2) - 1, f"{SCHROEDER} §5.1"),
    ("markedness@2", TABLE, F(1, 2) + F(1, 3) - 1, f"{SCHROEDER} §5.1"),
    ("matthews_correlation@2", TABLE, F(1 * 1 - 1 * 2, 6), f"{SCHROEDER} §5.1: over sqrt(3 · 2 · 2 · 3)"),
    ("mean_average_markedness@2", TABLE, (F(1) + F(2, 4) - 1) / 3, f"{SCHROEDER} §5.1: tp 1, fn 2, tn 2 at rank 1"),
    ("kendall_tau", one("1010", 2), 2 * F(3, 4) - 1, f"{SCHROEDER} §4.3: (3 - 1) / 4"),
    ("kendall_tau@2|compared:limited", one("1010", 2), F(2 + 0 - 1, 4), f"{SCHROEDER} §5.2: the last two are level"),
    ("kendall_tau@1|compared:recommended_or_not", one("1010", 2), F(2, 4), "two pairs won, none lost"),
    ("spearman_rho", one("111", 3, gains={1: 3.0, 2: 1.0, 3: 2.0}), 1 - F(6 * 2, 3 * 8), "1 - 6 Σd² / (n (n² - 1))"),
]  # fmt: skip

RATED = make([(1, 10, 4.0), (1, 11, 2.0)], [(1, 10, 5.0), (1, 11, 4.0)])
HALF_RATED = make([(1, 10, 4.0)], [(1, 10, 5.0), (1, 11, 4.0)])
OUTSIDE = make([(1, 10, 7.0), (1, 11, 0.0)], [(1, 10, 5.0), (1, 11, 2.0)])
PAIRS = make(
    [(1, 10, 4.0), (1, 11, 4.0), (1, 12, 5.0), (2, 10, 3.0), (2, 11, 1.0)],
    [(1, 10, 5.0), (1, 11, 3.0), (1, 12, 4.0), (2, 10, 4.0), (2, 11, 2.0)],
)
"""User 1 rates 5, 3, 4 what scores 4, 4, 5: 10 before 11 is level, 10 before 12 lost, 12 before 11 won. User 2 wins."""
ERRORS: list[Row] = [
    ("mae", RATED, F(1 + 2, 2), f"{SCHROEDER} §4.1"),
    ("mae|missing:zero_error", HALF_RATED, F(1 + 0, 2), "one error of 1, one rating without a score"),
    ("mae", HALF_RATED, F(1), "the rating without a score is left out"),
    ("mae|clipped:yes", OUTSIDE, F(0 + 1, 2), "7 and 0 count as 5 and 1"),
    ("mae", OUTSIDE, F(2 + 2, 2), "ratings 5 and 2"),
    ("fcp", PAIRS, F(1 + 1, 3 + 1), "one of three pairs won, one of one"),
    ("fcp|tied_scores:half", PAIRS, (1 + F(1, 2) + 1) / 4, "the level one is won by half"),
    ("fcp|tied_scores:dropped", PAIRS, F(2, 3), "the level one is no pair"),
    ("fcp|of:means", PAIRS, F(1, 1 + 2), "two users have one pair won, and one has two that are not"),
    ("fcp|pooling:user", PAIRS, (F(1, 3) + 1) / 2, "per user"),
    ("mse", RATED, F(1 + 4, 2), f"{SCHROEDER} §4.1"),
    ("rmse", RATED, math.sqrt(5 / 2), f"{SCHROEDER} §4.1"),
    ("nmae", RATED, F(3, 2) / (5 - 1), f"{SCHROEDER} §4.1, ratings from 1 to 5"),
    ("r_squared", RATED, 1 - F(5) / F(1, 2), "mean rating 4.5"),
    ("explained_variance", RATED, 1 - F(1, 2) / F(1, 2), "errors -1 and -2"),
    ("log_loss", make([(1, 10, 0.8), (1, 11, 0.25)], [(1, 10, 1.0), (1, 11, 0.0)]),
     -(math.log(0.8) + math.log(0.75)) / 2, "probabilities of the true labels"),
]  # fmt: skip

CROWD = many(("10", 1), ("00", 1), ("", 1), ("00", 0), ("00", 0))
"""One user with a hit, one without, one without recommendations, two with recommendations but no truth."""
AVERAGES: list[Row] = [
    ("hit_rate@2", CROWD, F(1, 3), "users with relevant items"),
    ("hit_rate@2|users:both", CROWD, F(1, 2), "with both"),
    ("hit_rate@2|users:predictions|undefined:0", CROWD, F(1, 4), "with recommendations"),
    ("hit_rate@2|users:all|undefined:0", CROWD, F(1, 5), "with either"),
    ("hit_rate@2|users:hits", CROWD, F(1), "with a hit"),
    ("hit_rate@2|users:all|undefined:1", CROWD, F(3, 5), "the undefined count as 1"),
    ("hit_rate@2|users:all|undefined:half", CROWD, F(2, 5), "as one half"),
    ("hit_rate@2|no_list:skip", CROWD, F(1, 2), "no recommendations: left out"),
    ("hit_rate@2|no_list:1", CROWD, F(2, 3), "no recommendations: 1"),
    ("average_precision@2|denominator:hits|no_hit:1/k", CROWD, (1 + F(1, 2) + 0) / 3, "0/0 counts as 1/k"),
    ("average_precision@2|denominator:hits|no_hit:previous", CROWD, F(1 + 1 + 0, 3), "0/0 counts as the one before"),
    ("average_precision@2|denominator:hits|no_hit:previous|users:both", many(("10", 1), ("", 1), ("00", 1)), F(1),
     "the one before who is averaged over: not the one without a list"),
    ("average_precision@2|denominator:hits|no_hit:ends_all", CROWD, F(0), "0/0 makes everything 0"),
    ("recall@1|users:one_relevant", many(("1", 1), ("1", 3)), F(1), "exactly one relevant item"),
    ("recall@1|pooling:weighted|weight:relevant", many(("1", 1), ("1", 3)), (1 * 1 + 3 * F(1, 3)) / 4, "weighted by r"),
    ("precision@2|pooling:weighted|weight:list_length", many(("1", 1), ("101", 2)), (F(1, 2) + 3 * F(1, 2)) / 4,
     "weighted by the list"),
]  # fmt: skip

REPEATED = make([(1, 1, 5.0), (1, 2, 4.0), (1, 1, 3.0), (1, 3, 2.0)], [(1, 1, 1.0), (1, 3, 1.0)])
"""Items 1 2 1 3; relevant are 1 and 3."""
GRADED = make([(1, item, -float(item)) for item in range(5)], [(1, i, g) for i, g in enumerate((0.0, 1.0, 2.0, 3.0))],
              threshold=2.0)  # fmt: skip
INPUTS: list[Row] = [
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
    ("hit_rate@5|counts:hits|counted_scores:nonzero", GRADED, F(3), "item 0 scores 0"),
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
    ("reciprocal_rank@3|ties:average", one("100", 1, scores="555"), (1 + F(1, 2) + F(1, 3)) / 3, "three orders"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("signature", "case", "expected", "source"),
    [*SETS, *RANKS, *GAINS, *AREAS, *CELLS, *ERRORS, *AVERAGES, *INPUTS],
    ids=lambda entry: entry if isinstance(entry, str) else "",
)
def test_by_hand(signature: str, case: Case, expected: F | float, source: str) -> None:
    assert value(signature, case) == pytest.approx(float(expected), rel=1e-12, abs=1e-12), source


@pytest.mark.parametrize(
    ("signature", "printed", "case"),
    [
        ("ndcg@2|ideal:all", ".339", B), ("ndcg@2", ".613", B), ("ndcg@3|ideal:ones", ".469", A),
        ("ndcg@5", ".390", C), ("ndcg@2|gain:linear", ".797", INVERTED), ("ndcg@2|gain:exp2", ".710", INVERTED),
        ("ndcg@2", ".631", one("01", 1)), ("ndcg@2|discount:log2_off_by_one", ".792", one("01", 1)),
        ("average_precision@5|denominator:cumulative", ".071", C),
        ("average_precision@3|indicator:dropped|denominator:k", ".611", A),
    ],
)  # fmt: skip
def test_the_separating_experiments_print_what_the_taxonomy_says(signature: str, printed: str, case: Case) -> None:
    assert f"{value(signature, case):.3f}".lstrip("0") == printed
