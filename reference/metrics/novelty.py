"""Novelty, popularity, share of the long tail: how well known the items of a user's list are, from who has them.

Novelty = the mean self-information of the items shown, log2(users / users who have the item): Zhou et al. 2010,
"Surprisal/novelty". Average popularity = the mean number of users who have them: Abdollahpouri et al. 2019, ARP.
Share of the long tail = the share of the items shown that are not popular: there, APLT.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.item_axes import metric_of_lists
from recsys_metric_audit.reference.space.lists import Bools, Floats, Ratio
from recsys_metric_audit.reference.space.shown_items import ShownItems

# fmt: off
POPULARITY = axis("popularity", "what the train rows of an item are divided by",
    {"users": "users of the train data: the share who have it", "rows": "all rows of the train data"},
    slug="other-probability",
    sources={"rows": "Castells, Vargas & Wang 2011, the item choice model, as cited by MS Recommenders"})
LOG = axis("log", "base of the logarithm", {"log2": "2", "ln": "e", "log10": "10"}, slug="log-base")
SCALE = axis("scale", "what the self-information is divided by",
    {"one": "nothing", "log_users": "that of an item that one user has: 1 is the most"}, slug="normalised",
    sources={"log_users": "RePlay, docstring of replay.metrics.Surprisal"})
UNSEEN = axis("unseen", "an item without train rows", {
    "one_row": "counts as if one user had it", "zero": "adds 0",
    "left_out": "is left out, and so is a user who is shown nothing else", "error": "the library refuses the input",
}, slug="unseen-items",
    sources={"one_row": "RePlay, docstring of replay.metrics.Surprisal: cold items as if rated by 1 user"})
DENOMINATOR = axis("denominator", "what the sum over the items shown is divided by", {
    "shown": "the number of items shown", "k": "k, also where fewer are shown",
    "items": "the number of items that exist",
}, slug="wrong-denominator")
COUNT_SCALE = axis("scale", "how popular an item is: what its number of train rows is divided by", {
    "one": "nothing: it is a count", "rows": "all rows of the train data", "users": "users of the train data",
    "most": "the train rows of the item that has the most",
    "quantile": "nothing: its place among the train items, from the least popular, over their number counts;"
    " equally popular ones share the mean of their places",
}, slug="normalised", sources={
    "rows": "RecTools, docstring of rectools.metrics.AvgRecPopularity, normalize",
    "quantile": "LensKit, docstring of lenskit.metrics.ranking.MeanPopRank",
})
COUNTED = axis("counted", "which of the items shown count",
    {"all": "all", "judged": "those with a truth row of the user; others add 0"}, slug="hits-only")
COUNT_DENOMINATOR = axis("denominator", "what the sum over the items shown is divided by", {
    "shown": "the number of items shown", "k": "k, also where fewer are shown",
    "truth": "the number of truth rows of the user; without any, the sum counts as 0",
}, slug="wrong-denominator")
COUNT_UNSEEN = axis("unseen", "an item without train rows",
    {"zero": "adds 0", "left_out": "is left out, and so is a user who is shown nothing else"}, slug="unseen-items")
TAIL = axis("tail", "which items are the long tail", {
    "beyond_80": "all but the most popular, which have four fifths of the train rows; of ties, not the lower id",
    "tenth": "the tenth of the train items that has the fewest rows, one at least; of ties, the lower id",
}, slug="other-tail",
    sources={"tenth": "RecBole, docstring of recbole.evaluator.metrics.TailPercentage: tail_ratio, by default 0.1"})
TAIL_UNSEEN = axis("unseen", "an item without train rows",
    {"tail": "is in the long tail", "zero": "is no tail item", "left_out": COUNT_UNSEEN.value("left_out").meaning},
    slug="unseen-items")
TAIL_DENOMINATOR = axis("denominator", "what the number of tail items shown is divided by", {
    "shown": "the number of items shown", "k": "k, also where fewer are shown",
    "one": "nothing: it is a number of items",
}, slug="wrong-denominator", sources={"one": "Abdollahpouri et al. 2019, ACLT"})
# fmt: on


def novelty(shown: ShownItems, *, popularity: str, log: str, scale: str, unseen: str, denominator: str) -> Ratio:
    """Return the mean self-information of the items that each user is shown. Zhou et al. 2010."""
    sizes, case = shown.sizes, shown.case_of_item
    whole = sizes.train_users if popularity == "users" else sizes.train_rows
    taken = {"log2": np.log2, "ln": np.log, "log10": np.log10}[log]
    with np.errstate(divide="ignore", invalid="ignore"):  # without any train row, the share of an item is 1 / 0
        information = taken(whole)[case] - taken(np.maximum(shown.had, 1))
        if scale == "log_users":
            information = information / taken(sizes.train_users)[case]
            information = np.where((shown.had == 0) & (popularity == "users"), 1.0, information)
    if unseen != "one_row":
        information = np.where(shown.had > 0, information, 0.0)
    return _mean_of_rows(shown, information[shown.item], unseen, denominator)


def average_popularity(shown: ShownItems, *, scale: str, counted: str, unseen: str, denominator: str) -> Ratio:
    """Return the mean number of train rows of the items that each user is shown. Abdollahpouri et al. 2019."""
    sizes, case = shown.sizes, shown.case_of_item
    under = {"rows": sizes.train_rows, "users": sizes.train_users, "most": sizes.most}
    by = np.maximum(under.get(scale, np.ones(shown.cases)), 1)[case]
    popularity = _quantiles(shown) if scale == "quantile" else shown.had / by
    popularity = popularity[shown.item]
    return _mean_of_rows(shown, popularity * (shown.judged if counted == "judged" else 1), unseen, denominator)


def _quantiles(shown: ShownItems) -> Floats:
    """Return for each item the mean place, from the bottom, of train items with as many rows, over their number."""
    of_train, items = np.append(shown.train.fewer, 0), shown.sizes.train[shown.case_of_item]
    at_most = items - np.append(shown.train.above, 0)[shown.train_item]
    place = (of_train[shown.train_item] + 1 + at_most) / 2
    return np.where(shown.had > 0, place / np.maximum(items, 1), 0.0)


def tail_share(shown: ShownItems, *, tail: str, unseen: str, denominator: str) -> Ratio:
    """Return the share of the long tail among the items that each user is shown. Abdollahpouri et al. 2019, APLT."""
    in_tail = np.append(tail_items(shown, tail), unseen == "tail")[shown.train_item]
    return _mean_of_rows(shown, in_tail[shown.item].astype(np.float64), unseen, denominator)


def tail_items(shown: ShownItems, tail: str) -> Bools:
    """Tell which items of the train data are the long tail; shape (train items,)."""
    train, sizes, case = shown.train, shown.sizes, shown.train_case
    if tail == "tenth":
        return np.asarray(train.behind < np.maximum(sizes.train // 10, 1)[case])
    return np.asarray(5 * train.before >= 4 * sizes.train_rows[case])


def _mean_of_rows(shown: ShownItems, values: Floats, unseen: str, denominator: str) -> Ratio:
    """Return the mean over the rows of each user of a value of each row."""
    counts = (shown.had[shown.item] > 0) | (unseen not in ("left_out", "error"))
    kept = shown.of_user(counts)
    items = shown.sizes.catalogue[shown.case_of_user]
    divisors = {"k": shown.k, "items": items, "truth": np.maximum(shown.rated, 1), "one": np.ones(len(kept))}
    over = divisors.get(denominator, kept)
    return Ratio(shown.of_user(np.where(counts, values, 0.0)), np.where(kept > 0, over, 0.0))


_WHY_NOVELTY = "the mean self-information in bits, by the share of users who have an item (Zhou et al. 2010)"
NOVELTY = metric_of_lists("novelty", "Novelty", (POPULARITY, LOG, SCALE, UNSEEN, DENOMINATOR), novelty, _WHY_NOVELTY)
_COUNT_AXES = (COUNT_SCALE, COUNTED, COUNT_UNSEEN, COUNT_DENOMINATOR)
_WHY_POPULARITY = "the mean number of users who have the items shown (Abdollahpouri et al. 2019, ARP)"
AVERAGE_POPULARITY = metric_of_lists(
    "average_popularity", "Average popularity", _COUNT_AXES, average_popularity, _WHY_POPULARITY
)
_WHY_TAIL_SHARE = "the share of items that are not among the most popular ones (Abdollahpouri et al. 2019, APLT)"
TAIL_SHARE = metric_of_lists(
    "tail_share", "Share of the long tail", (TAIL, TAIL_UNSEEN, TAIL_DENOMINATOR), tail_share, _WHY_TAIL_SHARE
)
