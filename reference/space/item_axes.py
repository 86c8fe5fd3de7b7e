"""The axes that metrics of recommended items share: whose lists, which rows of them, and what nobody counts as.

Such a metric does not read which items are relevant. Its axes bear the names of those of other metrics, but have only
the values that can act.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from recsys_metric_audit.reference.space.averaging import NOBODY, POOLING
from recsys_metric_audit.reference.space.axis import Axis, Value, axis
from recsys_metric_audit.reference.space.input_axes import CUTOFF, DUPLICATES, ORDER, TIES
from recsys_metric_audit.reference.space.metric import Metric


def _with_values(whole: Axis, *names: str) -> Axis:
    """Return an axis with some of its values only."""
    return replace(whole, values=tuple(whole.value(name) for name in names), numeric=None)


# fmt: off
USERS = axis("users", "whose recommendations are looked at", {
    "predictions": "users with recommendations",
    "both": "users with truth rows and recommendations",
}, slug="averaged-users", part="averaging")
AVERAGED_USERS = axis("users", "who is averaged over", {
    "predictions": "users with recommendations",
    "both": "users with truth rows and recommendations",
    "truth": "users with truth rows",
    "all": "users with either",
}, slug="averaged-users", part="averaging")
NO_LIST = axis("no_list", "a user without recommendations, where such users are averaged over",
    {"0": "counts as 0", "nan": "counts as NaN"},
    slug="missing-recommendations", part="edges")
ITEMS_POOLING = _with_values(POOLING, "user", "pooled")
ITEMS_ORDER = ORDER
ITEMS_TIES = _with_values(TIES, "given", "reversed", "item_asc", "item_desc", "text_asc", "text_desc")
ITEMS_CUTOFF = replace(_with_values(CUTOFF, "k", "none"), meaning="how many rows of a list are shown")
REPEATS = replace(
    _with_values(DUPLICATES, "counted", "first_in_place", "first_closed_up", "error"),
    values=(
        replace(DUPLICATES.value("counted"), meaning="every place counts"),
        replace(DUPLICATES.value("first_in_place"), meaning="later places stay, but do not count"),
        DUPLICATES.value("first_closed_up"),
        DUPLICATES.value("error"),
    ),
)

TRUTH_COPIES = axis("truth_duplicates", "an item shown to a user whose truth lists it twice", {
    "once": "it is shown once",
    "counted": "it counts as two rows of one rank, as lists joined with the truth have it",
    "error": "the library refuses the input",
}, slug="truth-duplicates", part="order")
# fmt: on
ROWS: tuple[Axis, ...] = (ITEMS_ORDER, ITEMS_TIES, REPEATS, ITEMS_CUTOFF)
"""The axes that decide which rows of a list are shown, of every metric of recommended items."""
SHOWN: tuple[Axis, ...] = (*ROWS, TRUTH_COPIES)
"""All axes that decide so, of any metric."""
_ONE_MINUS_NOTHING = Value("1", "1, as where 1 minus a sum of nothing is returned", "nobody-left")
NOTHING_SHOWN = replace(
    NOBODY,
    meaning="what comes out where the formula is 0/0, as without any recommendation",
    values=(*NOBODY.values, _ONE_MINUS_NOTHING),
)
WHOLE: tuple[Axis, ...] = (USERS, NOTHING_SHOWN, *ROWS)
"""The shared axes of metrics with one value for all users together."""
PER_USER: tuple[Axis, ...] = (AVERAGED_USERS, ITEMS_POOLING, NO_LIST, NOBODY, *ROWS)
"""The shared axes of metrics that average a value of each user."""
MEANS_ONLY: tuple[Axis, ...] = tuple(each for each in PER_USER if each is not ITEMS_POOLING)
"""The shared axes of metrics that average a value of each user and are in no source one ratio of sums."""
metric_of_items = partial(Metric, inputs=WHOLE, reads="items")
metric_of_lists = partial(Metric, inputs=PER_USER, reads="lists")
