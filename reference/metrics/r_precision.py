"""R-precision: precision at a cut-off of r.

R-precision = hits among the first r / r. Manning, Raghavan & Schütze 2008, §8.4.
"""

from __future__ import annotations

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Ints, Lists, Ratio
from recsys_metric_audit.reference.space.metric import SET_AXES, Metric, Values, refuse_all_relevant

# fmt: off
CUT = axis("cut", "how deep, and what hits are divided by",
    {"r": "r", "min": "min(k, r)", "min_over_r": "min(k, r), but divided by r"}, slug="cut-off")
# fmt: on


def _depth(lists: Lists, cut: str) -> Ints:
    return lists.relevant if cut == "r" else lists.reachable


def _hits(lists: Lists, *, cut: str) -> Ints:
    """Return the number of relevant items among the first r (or min(k, r)) of each list."""
    return lists.listed.where(lists.listed.rank <= _depth(lists, cut)[lists.listed.list]).count


def r_precision(lists: Lists, *, cut: str) -> Ratio:
    """Return the hits among the first r (or min(k, r)) over that number (or over r). Manning et al. 2008, §8.4."""
    over = _depth(lists, cut) if cut == "min" else lists.relevant
    return Ratio(_hits(lists, cut=cut).astype(float), over.astype(float))


def _uses_k(values: Values) -> bool:
    return values["cut"] != "r"


R_PRECISION = Metric(
    "r_precision", "R-precision", (CUT,), r_precision, "cut at r: the textbook's (Manning et al. 2008, §8.4)",
    inert=SET_AXES | {"no_hit", "cutoff"}, uses_k=_uses_k, refuse=refuse_all_relevant, hits=_hits,
)  # fmt: skip
