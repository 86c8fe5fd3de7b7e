"""Values worked out by hand for reference/metrics/hit_rate.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import many, one
from tests.support.hand_computed.shorthand import TAMM, Row

ROWS: list[Row] = [
    ("hit_rate@4", one("1100", 3), F(1), f"{TAMM} §4.2: any"),
    ("hit_rate@4|counts:hits", one("1100", 3), F(2), f"{TAMM} §4.2: the count"),
    ("hit_rate@4|counts:recall", one("1100", 3), F(2, 3), f"{TAMM} §4.2 on CoupledCF, TriRank"),
    ("hit_rate@4|counts:precision", one("1100", 3), F(1, 2), "count / k"),
    ("hit_rate@2|counts:only", many(("01", 1), ("11", 2)), F(1, 2), "the second user has two relevant items"),
]  # fmt: skip
