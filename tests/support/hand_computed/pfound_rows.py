"""Values worked out by hand for reference/metrics/pfound.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import one
from tests.support.hand_computed.shorthand import Row

ROWS: list[Row] = [
    # Stopping with 1/5 and 5/5 of gains 1 and 5; d = 17/20 (Gulin et al. 2009).
    ("pfound@3", one("101", 2, gains={1: 1.0, 3: 5.0}), F(1, 5) + F(17, 20) ** 2 * F(4, 5),
     "1/5, then 4/5 get to a sure hit"),
    ("pfound@2", one("101", 2, gains={1: 1.0, 3: 5.0}), F(1, 5), "rank 3 is cut off"),
    ("pfound@3|decay:0.5", one("011", 2, gains={2: 2.0, 3: 3.0}), F(1, 2) * F(2, 5) + F(1, 4) * F(3, 5) * F(3, 5),
     "both on the scale to 5"),
    ("pfound@2|satisfaction:binary", one("11", 2), F(1, 2) + F(17, 20) * F(1, 2) * F(1, 2),
     "half of those who get there"),
    ("pfound@1|satisfaction:exp2", one("1", 1, gains={1: 5.0}), F(31, 32), "(2^5 - 1) / 2^5"),
    ("pfound@3|satisfaction:gain", one("011", 2, gains={2: 0.5, 3: 0.25}),
     F(17, 20) * F(1, 2) + F(17, 20) ** 2 * F(1, 2) * F(1, 4), "CatBoost: the label is the probability"),
    ("pfound@4|satisfaction:gain", one("0101", 2, gains={2: 3.0, 4: 3.0}), F(17, 20) * 3 - F(17, 20) ** 3 * 2 * 3,
     "labels above 1 are no probabilities: the sum falls below 0"),
]  # fmt: skip
