"""Coverage of items and of users: how much of what there is any list shows, and who is shown anything.

Catalogue coverage = |items shown in any list| / |items that exist|. Ge, Delgado-Battenfeld & Jannach 2010, §3.1. User
coverage = |users with recommendations| / |users|: Shani & Gunawardana 2011, §8.3.3.2. Neither reads what is relevant.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.item_axes import NOTHING_SHOWN, WHOLE
from recsys_metric_audit.reference.space.lists import Floats, Ratio
from recsys_metric_audit.reference.space.metric import Metric, Values, never
from recsys_metric_audit.reference.space.shown_items import ShownItems

# fmt: off
DENOMINATOR = axis("denominator", "what the items shown are divided by", {
    "catalogue": "items that exist", "train": "items of the train data", "truth": "items of the truth",
    "known": "items of the train data or recommended", "catalogue_plus_1": "items that exist and one more",
    "one": "nothing: they are counted",
}, slug="wrong-denominator", sources={
    "train": "RePlay, docstring of replay.metrics.Coverage: the number of distinct items in train dataset",
    "one": "RecTools, docstring of rectools.metrics.CatalogCoverage: count (or share) of items",
})
COUNTED = axis("counted", "which of the items shown count",
    {"all": "all", "denominator": "those among the items that they are divided by"}, slug="unknown-items-left-out")
UNIT = axis("unit", "in which unit", {"share": "a share of 1", "percent": "percent"}, slug="percent",
    sources={"percent": "recmetrics, docstring of catalog_coverage: as a percent"})
COVERED = axis("denominator", "what the users with recommendations are divided by", {
    "truth": "users with truth rows", "train": "users with train rows", "all": "users with rows of any kind",
    "one": "nothing: they are counted",
}, slug="wrong-denominator")
COUNTED_USERS = axis("counted", "which of the users with recommendations count",
    {"denominator": "those among the users that they are divided by", "all": "all"}, slug="other-users-counted")
# fmt: on


def catalogue_coverage(shown: ShownItems, *, denominator: str, counted: str, unit: str) -> Ratio:
    """Return the items shown over the items that exist, for each case. Ge et al. 2010, §3.1."""
    seen, sizes = shown.times > 0, shown.sizes
    if counted == "denominator":
        seen = seen & {"truth": shown.in_truth, "train": shown.had > 0}.get(denominator, seen)
    under = {"catalogue": sizes.catalogue, "train": sizes.train, "truth": sizes.truth, "known": sizes.known}
    under["catalogue_plus_1"] = sizes.catalogue + 1
    return Ratio(shown.of_case(seen) * (100.0 if unit == "percent" else 1.0), _over(under, denominator, shown))


def user_coverage(shown: ShownItems, *, denominator: str, counted: str) -> Ratio:
    """Return the users with recommendations over the users, for each case. Shani & Gunawardana 2011, §8.3.3.2."""
    covered, sizes = shown.shown > 0, shown.sizes
    if counted == "denominator":
        covered = covered & {"truth": shown.rated > 0, "train": shown.trained}.get(denominator, covered)
    under = {"truth": sizes.truth_users, "train": sizes.train_users, "all": sizes.all_users}
    return Ratio(shown.sum_of_users(covered), _over(under, denominator, shown))


def _over(under: dict[str, np.ndarray], denominator: str, shown: ShownItems) -> Floats:
    """Return the denominator of each case: 1 where nothing is divided by."""
    made: Floats = under.get(denominator, np.ones(shown.cases)).astype(np.float64)
    return made


def _refuse_items(values: Values) -> str | None:
    if values["denominator"] != "one":
        return None
    if values["unit"] == "percent":
        return "unit:percent is of a share, and denominator:one counts"
    return "denominator:one divides by no items among which others could be" if values["counted"] != "all" else None


CATALOGUE_COVERAGE = Metric(
    "catalogue_coverage", "Catalogue coverage", (DENOMINATOR, COUNTED, UNIT), catalogue_coverage,
    "the share of the available items that are recommended to anybody (Ge et al. 2010, §3.1)",
    inputs=tuple(axis for axis in WHOLE if axis is not NOTHING_SHOWN), reads="items", refuse=_refuse_items,
)  # fmt: skip
USER_COVERAGE = Metric(
    "user_coverage", "User coverage", (COVERED, COUNTED_USERS), user_coverage,
    "the share of the users to be served for whom there are recommendations (Shani & Gunawardana 2011, §8.3.3.2)",
    inputs=(), reads="items", uses_k=never,
)  # fmt: skip
