"""Values worked out by hand for reference/metrics/average_precision.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

import math
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import many, one
from tests.support.hand_computed.shorthand import SCHROEDER, TAMM, A, B, C, Row

ROWS: list[Row] = [
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
    ("average_precision|denominator:r|cutoff:none", one("1001", 3), (1 + F(2, 4)) / 3, "all of the list: trec_eval"),
    # MAP@R: 1 / r times P(i) at the hits i <= r (Musgrave et al. 2020, §3.2).
    ("average_precision|denominator:r|indicator:first_r|cutoff:none", one("1001", 3), F(1, 3), "MAP@R: rank 4 > r = 3"),
    ("average_precision|denominator:r|indicator:first_r|cutoff:none", one("01011", 4), (F(1, 2) + F(2, 4)) / 4,
     "MAP@R: hits at ranks 2 and 4, the one at 5 is none"),
    ("average_precision|denominator:r|indicator:first_r|cutoff:none", one("1", 2), F(1, 2), "a list shorter than r"),
    ("average_precision|denominator:r|indicator:first_r|cutoff:none", many(("10", 1), ("0110", 2)),
     (1 + F(1, 2) / 2) / 2, "1 and 1/4: each user's own r"),
    ("average_precision@2|indicator:first_r", one("0111", 4), F(1, 2) / 2, "also cut at k = 2, over min(2, 4)"),
    ("average_precision@3|denominator:hits|indicator:first_r", one("011", 2), F(1, 2), "one hit counts: 1/2 over 1"),
    ("average_precision@3|indicator:first_r|users:hits", many(("01", 1), ("1", 1)), F(1),
     "the hit at rank 2 > r = 1 is none, so that its user is not averaged"),
    ("average_precision@2|users:predictions|undefined:1", many(("00", 1), ("00", 0)), F(1, 2), "0 and 1: XGBoost"),
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
    ("average_precision@1|denominator:hits|ties:average", one("10", 1, scores="55"), F(1, 2),
     "one order has the hit, the other has 0/0, which counts as 0"),
]  # fmt: skip
