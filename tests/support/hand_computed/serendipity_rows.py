"""Values worked out by hand for reference/metrics/serendipity.py.

Users 1 and 2 have items 10 and 11: 12 is like them by 1/2 and 0, that is 1/4. User 5 has nothing. By train rows the
places are 1 for item 10, 2 for 11, and 3 for 12 and 13. The truth of user 1 holds 12, that of others nothing shown.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import make
from tests.support.hand_computed.item_cases import NOTHING, SHOP, TWICE
from tests.support.hand_computed.shorthand import Row

ZHANG = "Zhang et al. 2012, as MS Recommenders cites it"
BELOW = replace(SHOP, threshold=2.0)
"""The one truth row of user 1 is below the threshold."""
RECTOOLS = make(
    [(1, 1, 2.0), (1, 2, 1.0), (2, 2, 2.0), (2, 3, 1.0), (3, 3, 1.0), (4, 2, 2.0), (4, 3, 1.0)],
    [(1, 1, 1.0), (1, 2, 1.0), (2, 2, 1.0), (2, 3, 1.0), (3, 2, 1.0), (4, 2, 1.0)],
    [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)],
    catalogue=[1, 2, 3, 4],
)
"""The example in the docstring of rectools.metrics.Serendipity."""

ROWS: list[Row] = [
    ("serendipity@2", SHOP, F(F(3, 4) / 2 + 0, 2), f"{ZHANG}: 12 of user 1; user 5 has no history"),
    ("serendipity@2|no_history:unexpected", SHOP, F(F(3, 8) + 0 + 0, 3), "user 5 is shown nothing useful"),
    ("serendipity@1|useful:all", SHOP, F(F(3, 4) + F(3, 4), 2), "12 and 12"),
    ("serendipity@1|useful:all|no_history:unexpected", SHOP, F(F(3, 2) + 1, 3), "11 of user 5 counts as 1"),
    ("serendipity@2|useful:all|users:both", SHOP, F(F(3, 4) + 1, 2), "12, and 20, which nobody has"),
    ("serendipity@2", BELOW, F(3, 16), "a truth row is enough"),
    ("serendipity@2|useful:relevant", BELOW, F(0), "below the threshold"),
    ("serendipity@2|useful:relevant", SHOP, F(3, 16), "from the threshold up"),
    ("serendipity@2|unexpected:not_popular", SHOP, F(F(1, 2) + 0 + 0, 3), "Ge et al. 2010: two items stand before 12"),
    ("serendipity@2|unexpected:not_popular|useful:all", SHOP, F(1 + F(1, 2) + 0, 3), "12 and 20; 12; 11 is popular"),
    ("serendipity@2|unexpected:popularity", SHOP, F(F(3 - 1, 8) / 2 + 0 + 0, 3), "of eight items"),
    ("serendipity@2|unexpected:popularity|useful:all", SHOP,
     F(F(F(2, 8) + F(7, 8), 2) + F(F(2, 8) + 0, 2) + F(1, 8), 3), "12 and 20, first and second; 12 and 10; 11"),
    ("serendipity@2|unexpected:popularity|useful:all|denominator:k", SHOP,
     F(F(9, 16) + F(1, 8) + F(1, 16), 3), "user 5 is shown one row of two"),
    ("serendipity@2|unexpected:popularity|denominator:k", SHOP, F(F(2, 8) / 2 + 0 + 0, 3), "12 of user 1"),
    ("serendipity@1|unexpected:popularity", RECTOOLS, F(F(1, 4) + F(1, 4), 4), "RecTools: 0, 1/4, 0, 1/4"),
    ("serendipity@2|unexpected:popularity", RECTOOLS, F(F(1, 2) + F(1, 8), 4), "RecTools: 0, 1/2, 0, 1/8"),
    ("serendipity@2|users:both", SHOP, F(3, 8), "user 1"),
    ("serendipity@2|users:truth", SHOP, F(F(3, 8) + 0, 2), "users 1 and 3"),
    ("serendipity@2|nobody:0", NOTHING, F(0), "counts as 0"),
    ("serendipity@3", TWICE, F(F(3, 4), 3), "12 is the third of three"),
    ("serendipity@3|duplicates:first_in_place", TWICE, F(F(3, 4), 2), "the second 10 does not count"),
    ("serendipity@3|unexpected:popularity", TWICE, F(0), "12 stands third, and is third by popularity"),
    ("serendipity@2|unexpected:popularity|duplicates:first_closed_up", TWICE, F(F(1, 4), 2), "12 moves up: 1 of 4"),
]  # fmt: skip
