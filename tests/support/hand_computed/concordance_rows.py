"""Values worked out by hand for reference/metrics/concordance.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import make
from tests.support.hand_computed.shorthand import Row

PAIRS = make(
    [(1, 10, 4.0), (1, 11, 4.0), (1, 12, 5.0), (2, 10, 3.0), (2, 11, 1.0)],
    [(1, 10, 5.0), (1, 11, 3.0), (1, 12, 4.0), (2, 10, 4.0), (2, 11, 2.0)],
)
"""User 1 rates 5, 3, 4 what scores 4, 4, 5: 10 before 11 is level, 10 before 12 lost, 12 before 11 won. User 2 wins."""

ROWS: list[Row] = [
    ("fcp", PAIRS, F(1 + 1, 3 + 1), "one of three pairs won, one of one"),
    ("fcp|tied_scores:half", PAIRS, (1 + F(1, 2) + 1) / 4, "the level one is won by half"),
    ("fcp|tied_scores:dropped", PAIRS, F(2, 3), "the level one is no pair"),
    ("fcp|of:means", PAIRS, F(1, 1 + 2), "two users have one pair won, and one has two that are not"),
    ("fcp|pooling:user", PAIRS, (F(1, 3) + 1) / 2, "per user"),
]  # fmt: skip
