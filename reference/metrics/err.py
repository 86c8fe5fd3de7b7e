"""Expected reciprocal rank: a reader who stops when satisfied.

ERR = sum over ranks j of (1 / j) · R_j · product over i < j of (1 - R_i), R = (2^g - 1) / 2^g_max. Chapelle, Metzler,
Zhang & Grinspan 2009, Expected reciprocal rank for graded relevance. :mod:`reference.metrics.pfound` and
:mod:`reference.metrics.nerr` weigh the same reader's steps otherwise.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import Axis, axis
from recsys_metric_audit.reference.space.lists import Floats, Lists, Ratio
from recsys_metric_audit.reference.space.metric import NO_NEGATIVES, Metric, Values, refuse_all_relevant

_SATISFACTION = {
    "exp2": "(2^g - 1) / 2^g_max, g_max the top of the scale",
    "linear": "g / g_max",
    "binary": "1/2",
    "gain": "g itself, which should be a probability",
}


# fmt: off
TOP = axis("top", "the top grade g_max", {"scale": "the top of the rating scale"}, slug="other-top-grade",
    numeric=(0.5, 100.0), of_number="{}, whatever the scale")
# fmt: on


def satisfaction_axis(canonical: str) -> Axis:
    """Return the axis of how an item's gain becomes the probability that it satisfies, its canonical value first."""
    ordered = {canonical: _SATISFACTION[canonical], **_SATISFACTION}
    return axis(
        "satisfaction", "probability that an item of gain g satisfies", ordered, slug="graded-gain",
        sources={"gain": "CatBoost's documentation of ERR and PFound: the label is the probability"},
    )  # fmt: skip


def stops(lists: Lists, satisfaction: str, top: str) -> Floats:
    """Return for each hit the probability that a reader who sees it stops there."""
    gain = lists.hits.gain
    highest = lists.highest[lists.hits.list] if top == TOP.canonical else np.full(len(gain), float(top))
    return {
        "exp2": (np.exp2(gain) - 1) / np.exp2(highest),
        "linear": gain / highest,
        "binary": np.full(len(gain), 0.5),
        "gain": gain,
    }[satisfaction]


def reached(lists: Lists, stop: Floats) -> Floats:
    """Return for each hit the probability that no hit above has stopped the reader."""
    hits, out = lists.hits, np.ones(len(stop))
    for number in range(2, int(hits.count.max(initial=0)) + 1):
        here = np.flatnonzero(hits.ordinal == number)
        out[here] = out[here - 1] * (1 - stop[here - 1])
    return out


def refuse_satisfaction(values: Values) -> str | None:
    """Return why a satisfaction is meaningless with the other values, or None."""
    top = values["top"]
    if top != TOP.canonical and values["satisfaction"] in ("binary", "gain"):
        return f"satisfaction:{values['satisfaction']} reads no top grade"
    if top != TOP.canonical and float(top) <= 0:
        return f"a top grade is above 0, not {top}"
    if values["satisfaction"] == "gain" and values.get("relevance") == "equal_1":
        return "satisfaction:gain with relevance:equal_1 has every hit satisfy for certain: only the first one counts"
    return refuse_all_relevant(values) if values["satisfaction"] == "binary" else None


def err(lists: Lists, *, satisfaction: str, top: str) -> Ratio:
    """Return the sum over the hits of the probability to stop there, divided by the rank. Chapelle et al. 2009."""
    stop = stops(lists, satisfaction, top)
    return Ratio(lists.hits.sum(reached(lists, stop) * stop / lists.hits.rank), np.ones(len(lists)))


_WHY = "the satisfaction of Chapelle et al. 2009"
_AXES = (satisfaction_axis("exp2"), TOP)
ERR = Metric("err", "Expected reciprocal rank", _AXES, err, _WHY, NO_NEGATIVES, refuse=refuse_satisfaction)
