"""Values worked out by hand for reference/metrics/rating.py.

"1001" is a list with hits at ranks 1 and 4; the number after it is r. The arithmetic stands in the rows.
"""

from __future__ import annotations

import math
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

from tests.support.generated_inputs import make
from tests.support.hand_computed.shorthand import SCHROEDER, Row

RATED = make([(1, 10, 4.0), (1, 11, 2.0)], [(1, 10, 5.0), (1, 11, 4.0)])
HALF_RATED = make([(1, 10, 4.0)], [(1, 10, 5.0), (1, 11, 4.0)])
RATED_ONE_TWICE = make([(1, 10, 4.0), (1, 10, 4.0)], [(1, 10, 5.0), (1, 11, 4.0)])
OUTSIDE = make([(1, 10, 7.0), (1, 11, 0.0)], [(1, 10, 5.0), (1, 11, 2.0)])

ROWS: list[Row] = [
    ("mae", RATED, F(1 + 2, 2), f"{SCHROEDER} §4.1"),
    ("mae|missing:zero_error", HALF_RATED, F(1 + 0, 2), "one error of 1, one rating without a score"),
    ("mae|missing:lowest", HALF_RATED, F(1 + 3, 2), "an error of 1; a rating of 4 without a score, the lowest is 1"),
    ("mse|missing:lowest", HALF_RATED, F(1 + 9, 2), "squared: 1 and 3²"),
    ("mse|missing:lowest|clipped:yes", OUTSIDE, F(0 + 1, 2), "no rating lacks a score"),
    ("rmse|missing:lowest", RATED_ONE_TWICE, math.sqrt(F(1 + 1 + 9, 3)), "a row twice, and a rating of 4 without one"),
    ("nmae|missing:lowest", HALF_RATED, F(1 + 3, 2) / (5 - 1), "ratings from 1 to 5"),
    ("mae", HALF_RATED, F(1), "the rating without a score is left out"),
    ("mae|clipped:yes", OUTSIDE, F(0 + 1, 2), "7 and 0 count as 5 and 1"),
    ("mae", OUTSIDE, F(2 + 2, 2), "ratings 5 and 2"),
    ("mse", RATED, F(1 + 4, 2), f"{SCHROEDER} §4.1"),
    ("rmse", RATED, math.sqrt(5 / 2), f"{SCHROEDER} §4.1"),
    ("nmae", RATED, F(3, 2) / (5 - 1), f"{SCHROEDER} §4.1, ratings from 1 to 5"),
    ("r_squared", RATED, 1 - F(5) / F(1, 2), "mean rating 4.5"),
    ("explained_variance", RATED, 1 - F(1, 2) / F(1, 2), "errors -1 and -2"),
    ("log_loss", make([(1, 10, 0.8), (1, 11, 0.25)], [(1, 10, 1.0), (1, 11, 0.0)]),
     -(math.log(0.8) + math.log(0.75)) / 2, "probabilities of the true labels"),
    ("log_loss|clip:1e-11", make([(1, 10, 0.0), (1, 11, 0.5)], [(1, 10, 1.0), (1, 11, 0.0)]),
     -(math.log(1e-11) + math.log(0.5)) / 2, "the score of 0 counts as 1e-11"),
]  # fmt: skip
