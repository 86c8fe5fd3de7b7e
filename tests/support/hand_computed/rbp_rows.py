"""Values worked out by hand for reference/metrics/rbp.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import one
from tests.support.hand_computed.shorthand import Row

ROWS: list[Row] = [
    ("rbp@3|persistence:0.5", one("101", 2), F(1, 2) * (1 + F(1, 4)), "Moffat & Zobel 2008"),
    ("rbp@3|persistence:0.5|normalised:yes", one("101", 2), (1 + F(1, 4)) / (1 + F(1, 2)), "over two best places"),
    ("rbp@5|persistence:0.5|normalised:shown", one("10", 4), 1 / (1 + F(1, 2)), "two rows shown, four relevant items"),
    ("rbp@3|persistence:0.85", one("101", 2), F(3, 20) * (1 + F(17, 20) ** 2), "LensKit's p, 17/20"),
    ("rbp@3", one("101", 2), (1 - F(4, 5)) * (1 + F(16, 25)), "Moffat & Zobel 2008, p = 0.8"),
]  # fmt: skip
