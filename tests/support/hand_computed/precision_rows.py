"""Values worked out by hand for reference/metrics/precision.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import many, one
from tests.support.hand_computed.shorthand import SCHROEDER, TAMM, A, B, C, Row

ROWS: list[Row] = [
    ("precision@3", A, F(1, 3), f"{TAMM} §4.1: H/k"),
    ("precision@5", C, F(1, 5), f"{TAMM} §4.1: a short list is divided by k all the same"),
    ("precision@5|denominator:shown", C, F(1, 2), f"{SCHROEDER} §4.2: tp / (tp + fp)"),
    ("precision@3|denominator:min", A, F(1, 1), "H / min(k, r)"),
    ("precision@2|denominator:min", B, F(1, 2), "H / min(k, r)"),
    ("precision@5|denominator:min_shown", one("10", 4), F(1, 2), "H / min(r, n): a list of two can hold two hits"),
    ("precision@2|pooling:pooled", many(("11", 2), ("1", 1)), F(3, 4), "Manning et al. 2008, §13.6: 3 hits of 4 shown"),
    ("precision@2|denominator:shown|pooling:pooled", many(("11", 2), ("0", 1)), F(2, 3), "Manning et al. 2008, §13.6"),
]  # fmt: skip
