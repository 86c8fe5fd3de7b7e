"""Values worked out by hand for reference/metrics/auc.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

import numpy as np

from tests.support.generated_inputs import make, many, one
from tests.support.hand_computed.shorthand import SCHROEDER, TAMM, Row

TIES = one("0101", 2, scores="5533")
STRADDLE = one("1000", 1, scores="5555")
TRAIN = make([(1, item, -float(item)) for item in (10, 11, 12, 13)], [(1, 11, 1.0)], [(1, 50), (1, 51)])
WIDE = replace(TRAIN, catalogue=np.array([10, 11, 12, 13, 14, 15, 16, 17, 50, 51]))
"""Ten items, two of them seen in training, one relevant."""
SHORT_OF_FOUR = make([(1, 10, -1.0), (1, 11, -2.0)], [(1, 11, 1.0), (1, 13, 1.0)])
SHORT_OF_TEN_ITEMS = replace(SHORT_OF_FOUR, catalogue=np.arange(10, 20))
"""A miss, then a hit; another relevant item is not listed; eight of ten items are irrelevant."""
TWO_LISTS = make([(1, 1, 2.0), (1, 2, 1.0), (2, 1, 4.0), (2, 2, 3.0)], [(1, 1, 1.0), (2, 1, 1.0)])

ROWS: list[Row] = [
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
    ("auc|negatives:every_row|tied_scores:win", one("101", 2), F(3 + 1, 2 * 3), "none and two of three rows above"),
    ("auc|negatives:plus_one", TRAIN, F(4 - 1, 4), "one more"),
    ("auc|negatives:minus_one", TRAIN, F(2 - 1, 2), "one less"),
    ("auc|negatives:with_train_plus_one", TRAIN, F(6 - 1, 6), "and two train items, and one"),
    ("auc|negatives:with_train", TRAIN, F(5 - 1, 5), "and two train items"),
    ("auc|unlisted:dropped|pooling:weighted|weight:listed", many(("10", 2), ("0101", 3)), (F(1) + 0 + F(1, 2)) / 3,
     "pairs won by each listed relevant item: all, none of two, one of two"),
    ("auc|negatives:catalogue", WIDE, F(7 - 1, 7), "seven of ten items are neither relevant nor seen"),
    ("auc|negatives:catalogue_plus_one", WIDE, F(8 - 1, 8), "one more"),
    ("auc|negatives:catalogue_with_train", WIDE, F(9 - 1, 9), "nine of ten items are not relevant"),
    ("auc@4|list:limited|negatives:catalogue", SHORT_OF_TEN_ITEMS, (0 + F(1 + 2, 2) * (8 - 1)) / 16, "a miss, a hit"),
    ("auc@4|list:limited|negatives:catalogue|short:filled", SHORT_OF_TEN_ITEMS,
     (2 + F(1 + 2, 2) * (8 - 3)) / 16, "implicit 0.7.3, evaluation.pyx: places 3 and 4 count as misses"),
    ("auc|pooling:weighted|weight:relevant", many(("10", 1), ("0111", 3)), F(1 * 1 + 0 * 3, 4), "areas 1 and 0"),
]  # fmt: skip
