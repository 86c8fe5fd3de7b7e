"""Concordant pairs: of two items that a user rates differently, is the better one scored higher?

FCP = n_c / (n_c + n_d), n_c the pairs of a user's rated items whose scores stand in the order of the ratings, n_d those
whose do not, both summed over users: Koren & Sill 2013 (Collaborative filtering on ordinal user feedback), §5.2.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.input_axes import RELEVANCE_BY_RULE
from recsys_metric_audit.reference.space.lists import Floats, Lists, Ratio
from recsys_metric_audit.reference.space.metric import Metric, Values, never

# fmt: off
TIED_SCORES = axis("tied_scores", "a pair of equal scores and different ratings",
    {"lose": "is discordant", "half": "is half of each", "dropped": "does not count"}, slug="tied-scores")
OF = axis("of", "what is put together", {
    "sums": "the numbers of pairs of all users",
    "means": "the mean number of concordant pairs of who has one, and of discordant pairs of who has one",
}, slug="means-apart")
# fmt: on


_PAIRS_AT_ONCE = 1_000_000
"""Lists of one length are compared together, up to so many pairs of places."""


def fcp(lists: Lists, *, tied_scores: str, of: str) -> Ratio:
    """Return concordant pairs over pairs, of the user's items that have both a score and a true rating.

    ``of`` acts where users are put together (:mod:`reference.evaluation.evaluate`). Koren & Sill 2013, §5.2.
    """
    listed, won, level, all_pairs = lists.listed, *np.zeros((3, len(lists)))
    start = np.cumsum(listed.count) - listed.count
    for count in np.unique(listed.count[listed.count > 1]).tolist():
        alike = np.flatnonzero(listed.count == count)
        for own in np.array_split(alike, len(alike) * count**2 // _PAIRS_AT_ONCE + 1):
            places = start[own, None] + np.arange(count)
            score, gain = lists.score[places], listed.gain[places]
            better = gain[:, :, None] > gain[:, None, :]
            all_pairs[own] = better.sum((1, 2))
            won[own] = (better & (score[:, :, None] > score[:, None, :])).sum((1, 2))
            level[own] = (better & (score[:, :, None] == score[:, None, :])).sum((1, 2))
    if tied_scores == "half":
        won = won + level / 2
    return Ratio(won, all_pairs - level if tied_scores == "dropped" else all_pairs)


def means(lists: Lists, *, tied_scores: str, of: str) -> tuple[Ratio, Ratio]:
    """Return the numbers of concordant and of discordant pairs, each over 1 for a user who has some, else over 0."""
    pairs = fcp(lists, tied_scores=tied_scores, of=of)
    won, lost = pairs.numerator, pairs.denominator - pairs.numerator
    return Ratio(won, (won > 0).astype(float)), Ratio(lost, (lost > 0).astype(float))


def _combined(concordant: Floats, discordant: Floats, values: Values) -> Floats:
    """Return the mean number of concordant pairs over the sum of both means.

    A mean over nobody counts as 0; the result is NaN if both are.
    """
    won, lost = np.nan_to_num(concordant), np.nan_to_num(discordant)
    return Ratio(won, won + lost).value


def _refuse(values: Values) -> str | None:
    if values["of"] == "means" and values["pooling"] != "pooled":
        return "of:means puts means over all users together, which leaves none to be averaged"
    if values["users"] == "one_relevant":
        return "users:one_relevant leaves one item a user, and one item makes no pair"
    alike = values["relevance"] == "equal_1"
    return "relevance:equal_1 leaves one rating, and no pair of different ones" if alike else None


FCP = Metric(
    "fcp", "Fraction of concordant pairs", (TIED_SCORES, OF), fcp,
    "over the pairs of all users, as Koren & Sill 2013 sum them; that equal scores lose is Surprise's reading",
    inert=frozenset({"positions", "cutoff", "no_negatives", "ties", "truth", "relevance"}), inputs=(RELEVANCE_BY_RULE,),
    canonical_overrides={"pooling": "pooled"}, uses_k=never,
    across_users=("of",), operands=means, combine=_combined, refuse=_refuse,
)  # fmt: skip
