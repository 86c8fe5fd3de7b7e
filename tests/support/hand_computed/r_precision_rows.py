"""Values worked out by hand for reference/metrics/r_precision.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import many, one
from tests.support.hand_computed.shorthand import Row

ROWS: list[Row] = [
    ("r_precision", one("101", 2), F(1, 2), "Manning et al. 2008, §8.4: one hit in the first two"),
    ("r_precision@1|cut:min", one("101", 2), F(1), "the first min(1, 2)"),
    ("r_precision|users:hits", many(("10", 1), ("01", 1)), F(1), "the second user's hit stands below r"),
]  # fmt: skip
