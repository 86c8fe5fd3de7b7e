"""Share of new items: how much of a user's list the user does not have yet.

RePlay calls it novelty: the fraction of the items shown that the user's train data do not hold. It is the novelty of
an item to one user, where self-information is that to all.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recsys_metric_audit.reference.space.axis import Axis, Value, axis
from recsys_metric_audit.reference.space.item_axes import MEANS_ONLY
from recsys_metric_audit.reference.space.lists import Ratio
from recsys_metric_audit.reference.space.metric import Metric
from recsys_metric_audit.reference.space.shown_items import ShownItems

# fmt: off
DENOMINATOR = axis("denominator", "what the number of new items shown is divided by",
    {"shown": "the number of items shown", "k": "k, also where fewer are shown"}, slug="wrong-denominator",
    sources={"k": "RePlay, docstring of replay.metrics.Novelty: / K"})
# fmt: on
_MORE = {
    "users": Value("train", "users with train rows", "averaged-users"),
    "no_list": Value("1", "counts as 1: nothing that is shown is known", "missing-recommendations"),
}


def _with_more(shared: Axis) -> Axis:
    """Return a shared axis with the value that only this metric has."""
    return replace(shared, values=(*shared.values, _MORE[shared.name])) if shared.name in _MORE else shared


def new_share(shown: ShownItems, *, denominator: str) -> Ratio:
    """Return the share of the items that each user is shown which the user does not have. RePlay, Novelty."""
    under = np.where(shown.shown > 0, shown.k, 0) if denominator == "k" else shown.shown
    return Ratio(shown.of_user(~shown.in_history), under.astype(np.float64))


NEW_SHARE = Metric(
    "new_share", "Share of new items", (DENOMINATOR,), new_share,
    "the share of the items shown that the user does not have in the train data",
    inputs=tuple(map(_with_more, MEANS_ONLY)), reads="lists",
)  # fmt: skip
