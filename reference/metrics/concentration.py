"""Concentration of recommendations: how unequally often the items are shown.

With p(i) the share of all rows shown that show item i, and items in ascending order of it, Gini index =
sum of (2j - n - 1) p(i_j) / (n - 1), and Shannon entropy = -sum of p(i) log p(i). Shani & Gunawardana 2011, §8.3.3.1.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.item_axes import metric_of_items
from recsys_metric_audit.reference.space.lists import Floats, Ints, Ratio
from recsys_metric_audit.reference.space.shown_items import ShownItems

# fmt: off
OVER = axis("over", "which items are compared", {
    "catalogue": "items that exist: those never shown are shown 0 times", "shown": "items that are shown",
    "train": "items of the train data; others that are shown do not count",
    "catalogue_plus_1": "items that exist and one more, which is never shown",
}, slug="other-items-compared")
DENOMINATOR = axis("denominator", "what the sum of differences is divided by, n the items compared",
    {"n_minus_1": "n - 1: one item that takes all rows gives 1", "n": "n", "n_plus_1": "n + 1"},
    slug="wrong-denominator", sources={"n": "RecBole, docstring of recbole.evaluator.metrics.GiniIndex"})
DIRECTION = axis("direction", "which way the number points",
    {"concentration": "1 is a single item that is always shown", "diversity": "1 minus that: 1 is all items alike"},
    slug="complement")
LOG = axis("log", "base of the logarithm", {"log2": "2", "ln": "e", "log10": "10"}, slug="log-base",
    sources={"log2": "Shani & Gunawardana 2011, §8.3.3.1, as cited by MS Recommenders", "ln": "RecBole, "
         "recbole/evaluator/metrics.py, ShannonEntropy"})
PROBABILITY = axis("probability", "what an item's rows are divided by", {
    "rows": "all rows shown", "places": "users with recommendations times k",
    "users": "users with recommendations: the share of lists that show it",
}, slug="other-probability")
MEAN_OVER = axis("mean_over", "over what the logarithms are averaged", {
    "items": "items, each by its probability",
    "lists": "users with recommendations, each by the mean over the rows of the list",
}, slug="other-mean")
DIVIDED = axis("divided", "what the sum is divided by", {
    "one": "nothing", "shown": "the number of items shown: the mean of their terms",
    "log_shown": "the entropy of as many items alike", "log_catalogue": "the entropy of all items alike",
}, slug="normalised", sources={"shown": "RecBole, recbole/evaluator/metrics.py, ShannonEntropy.get_entropy"})
# fmt: on


def gini(shown: ShownItems, *, over: str, denominator: str, direction: str) -> Ratio:
    """Return the Gini index of how often items are shown, for each case. Shani & Gunawardana 2011, §8.3.3.1."""
    counts = np.where(shown.had > 0, shown.times, 0) if over == "train" else shown.times
    count = {"catalogue": shown.sizes.catalogue, "train": shown.sizes.train}
    count["catalogue_plus_1"] = shown.sizes.catalogue + 1
    items = count.get(over, shown.of_case(counts > 0)).astype(np.float64)
    place = _places(shown.case_of_item, counts, shown.cases) + items[shown.case_of_item]
    unequal = shown.of_case((2 * place - items[shown.case_of_item] - 1) * counts)
    under = shown.of_case(counts) * (items + {"n": 0, "n_plus_1": 1}.get(denominator, -1))
    return Ratio(under - unequal if direction == "diversity" else unequal, under)


def _places(of: Ints, counts: Ints, cases: int) -> Ints:
    """Return each item's place in ascending order of counts, counted from the end: 0 for the largest, -1, -2, ..."""
    order = np.lexsort((counts, of))
    last = np.cumsum(np.bincount(of, minlength=cases)) - 1
    out = np.empty(len(order), dtype=np.int64)
    out[order] = np.arange(len(order)) - last[of[order]]
    return out


def shannon_entropy(shown: ShownItems, *, log: str, probability: str, mean_over: str, divided: str) -> Ratio:
    """Return the entropy of how often items are shown, for each case. Shani & Gunawardana 2011, §8.3.3.1."""
    listed = shown.shown > 0
    rows, lists = shown.of_case(shown.times), shown.sum_of_users(listed)
    places = shown.sum_of_users(np.where(listed, shown.k, 0))
    whole = {"rows": rows, "places": places, "users": lists}[probability]
    p = shown.times / np.maximum(whole, 1)[shown.case_of_item]
    weight = p
    if mean_over == "lists":
        of_lists = np.bincount(shown.item, weights=1 / shown.shown[shown.user], minlength=len(p))
        weight = of_lists / np.maximum(lists, 1)[shown.case_of_item]
    terms = -weight * _log(np.where(p > 0, p, 1.0), log)
    different = shown.of_case(shown.times > 0)
    under = {
        "shown": different,
        "log_shown": _log(np.maximum(different, 1), log),
        "log_catalogue": _log(np.maximum(shown.sizes.catalogue, 1).astype(np.float64), log),
    }.get(divided, np.ones(shown.cases))
    return Ratio(shown.of_case(terms), np.where(rows > 0, under, 0.0))


def _log(values: Floats, base: str) -> Floats:
    taken = {"log2": np.log2, "ln": np.log, "log10": np.log10}[base](values)
    return np.asarray(taken, dtype=np.float64)


_WHY_GINI = "over all items that exist, 1 where one item takes all rows (Shani & Gunawardana 2011, §8.3.3.1)"
GINI = metric_of_items("gini", "Gini index", (OVER, DENOMINATOR, DIRECTION), gini, _WHY_GINI)
_WHY_SHANNON_ENTROPY = "in bits, of the share of rows that show an item (Shani & Gunawardana 2011, §8.3.3.1)"
SHANNON_ENTROPY = metric_of_items(
    "shannon_entropy", "Shannon entropy", (LOG, PROBABILITY, MEAN_OVER, DIVIDED), shannon_entropy, _WHY_SHANNON_ENTROPY
)
