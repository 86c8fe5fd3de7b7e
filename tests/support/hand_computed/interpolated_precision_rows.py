"""Values worked out by hand for reference/metrics/interpolated_precision.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import many, one
from tests.support.hand_computed.shorthand import Row

ROWS: list[Row] = [
    # Hits at ranks 1, 3 and 6: precision 1, 2/3, 1/2; recall 1/3, 2/3, 1 (Manning et al. 2008, §8.4).
    ("interpolated_precision", one("101001", 3), (4 * F(1) + 3 * F(2, 3) + 4 * F(1, 2)) / 11,
     "recall 0 to .3 from rank 1, .4 to .6 from rank 3, .7 to 1 from rank 6"),
    ("interpolated_precision|needed:plus_0.9", one("101001", 3),
     (4 * F(1) + 4 * F(2, 3) + 3 * F(1, 2)) / 11,
     "in floating point 0.7 · 3 + 0.9 is below 3: two hits do"),
    ("interpolated_precision|needed:nearest", one("101001", 3), (5 * F(1) + 4 * F(2, 3) + 2 * F(1, 2)) / 11,
     "1.2 rounds to 1 hit, 1.5 to 2, 2.4 to 2, 2.7 to 3"),
    ("interpolated_precision|at:0.5", one("101001", 3), F(2, 3), "1.5 hits are two"),
    ("interpolated_precision|at:0", one("0110", 4), F(2, 3), "the best precision anywhere"),
    ("interpolated_precision|at:1", one("011", 3), F(0), "one of three is never found"),
    ("interpolated_precision|at:0.4|needed:nearest", one("100", 1), F(1),
     "0.4 hits are none: precision at the first"),
    ("interpolated_precision", many(("01", 1), ("0011", 2)), F(1, 2), "1/2 at all recalls, of both"),
]  # fmt: skip
