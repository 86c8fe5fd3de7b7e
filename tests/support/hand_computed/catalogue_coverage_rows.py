"""Values worked out by hand for reference/metrics/catalogue_coverage.py."""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.hand_computed.item_cases import ASCENDING, NOTHING, SHOP, TIED, TWICE
from tests.support.hand_computed.shorthand import Row

GE = "Ge, Delgado-Battenfeld & Jannach 2010"
SHANI = "Shani & Gunawardana 2011, §8.3.3.2"

ROWS: list[Row] = [
    ("catalogue_coverage@2", SHOP, F(4, 8), f"{GE}: 12, 20, 10 and 11 of eight items"),
    ("catalogue_coverage@1", SHOP, F(2, 8), "12 and 11"),
    ("catalogue_coverage|cutoff:none", SHOP, F(5, 8), "13 too"),
    ("catalogue_coverage@2|denominator:train", SHOP, F(4, 4), "four items of the train data"),
    ("catalogue_coverage@2|denominator:train|counted:denominator", SHOP, F(3, 4), "without 20"),
    ("catalogue_coverage@2|denominator:truth", SHOP, F(4, 2), "12 and 30 are in the truth"),
    ("catalogue_coverage@2|denominator:truth|counted:denominator", SHOP, F(1, 2), "12"),
    ("catalogue_coverage@2|denominator:known", SHOP, F(4, 5), "10 to 13, and 20"),
    ("catalogue_coverage@2|denominator:catalogue_plus_1", SHOP, F(4, 9), "of nine"),
    ("catalogue_coverage@2|denominator:one", SHOP, F(4), "the number of items"),
    ("catalogue_coverage@2|unit:percent", SHOP, F(50), "of a hundred"),
    ("catalogue_coverage@2|users:both", SHOP, F(2, 8), "user 1 alone: 12 and 20"),
    ("catalogue_coverage@2", NOTHING, F(0), "nothing is shown"),
    ("catalogue_coverage@2", TWICE, F(1, 4), "10, twice"),
    ("catalogue_coverage@2|duplicates:first_closed_up", TWICE, F(2, 4), "10 and 12"),
    ("catalogue_coverage@1|denominator:one|users:both", TIED, F(0), "nobody has truth rows"),
    ("user_coverage", SHOP, F(1, 2), f"{SHANI}: of users 1 and 3, user 1"),
    ("user_coverage|counted:all", SHOP, F(3, 2), "users 1, 2 and 5 over users 1 and 3"),
    ("user_coverage|denominator:train", SHOP, F(2, 4), "users 1 and 2 of four"),
    ("user_coverage|denominator:train|counted:all", SHOP, F(3, 4), "user 5 too"),
    ("user_coverage|denominator:all", SHOP, F(3, 5), "of users 1 to 5"),
    ("user_coverage|denominator:one", SHOP, F(3), "the number of users"),
    ("user_coverage|denominator:all", ASCENDING, F(1, 4), "user 1 of those who have train rows"),
]
