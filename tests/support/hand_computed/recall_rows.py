"""Values worked out by hand for reference/metrics/recall.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import many
from tests.support.hand_computed.shorthand import TAMM, B, Row

ROWS: list[Row] = [
    ("recall@2", B, F(1, 5), f"{TAMM} §4.1: H/r"),
    ("recall@2|denominator:min", B, F(1, 2), "Liang et al. 2018, in Tamm et al. 2021 §5"),
    ("recall@1|pooling:pooled", many(("1", 1), ("1", 3)), F(1 + 1, 1 + 3), "two users of unequal r, micro-averaged"),
    ("recall@1", many(("1", 1), ("1", 3)), F(2, 3), "the same, (1 + 1/3) / 2"),
]  # fmt: skip
