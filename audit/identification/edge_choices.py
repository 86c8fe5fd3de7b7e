"""Lists the averages and the edge policies that are tried for a candidate at each multi-user stage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from audit.observations.candidates import Choices, Values, distinct, expand, widen
from audit.observations.user_states import shown_states
from reference.cases import KINDS, Kind
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import takes_one_ranking
from reference.metrics import METRICS
from reference.space import edges
from reference.space.averaged_users import also_asking, not_asking
from reference.space.edges import policies_at
from reference.space.metric import is_stacked

AxisChoices = Callable[[Values, str], list[Values]]
"""Returns all that a definition with these values may be on one axis, given its metric."""

MULTI_USER_KINDS = tuple(kind for kind in KINDS if kind.role == "multi_user")
"""Lists all kinds of multi-user probes."""
_AVERAGED_USERS = ("truth", "one_relevant", "hits")


class Stage(NamedTuple):
    """One multi-user stage: the probes of a kind that it reads, by position, and the axes that it decides."""

    chosen: slice
    axes: tuple[str, ...]


STAGES = (
    Stage(slice(0, 2), ("users", "pooling", "weight", "mean")),
    Stage(slice(2, 4), ("no_hit",)),
    Stage(slice(8, 9), ("no_negatives",)),
    Stage(slice(4, 6), ("undefined",)),
    Stage(slice(6, 8), ("no_list",)),
    Stage(slice(9, None), ()),
)
"""The multi-user stages in their order. An edge that some probes show earlier, given what a definition takes for
relevant or for a list, is decided there, too."""


def averaging_choices(values: Values, metric: str) -> list[Values]:
    """Return every mean over ordinary users, and, if the metric can, one ranking of all rows."""
    family = METRICS[metric]
    out: list[Values] = []
    refusal = family.refusal(values)  # halfway through a search some values are refused anyhow: only others count
    for base in expand(dict(values), metric, (*family.across_users, "pooling", "weight", "mean")):
        if family.refusal(base) != refusal:
            continue
        if is_stacked(family, base):
            # Users without truth or list show whose rows are in the ranking; nothing is pooled or weighted.
            rest = {name: family.canonical[name] for name in ("pooling", "weight", "mean")}
            out.append({**base, **rest})
        else:
            out += averaged_users_choices(base, metric)
    return out + [each for each in map(_copies_in_r_only, out) if each not in out]


def _copies_in_r_only(values: Values) -> Values:
    """Return values whose copies count in r only, if r weights the mean: otherwise no formula reads the copies."""
    weighted = (values.get("truth_duplicates"), values["pooling"], values["weight"]) == ("once", "weighted", "relevant")
    return {**values, "truth_duplicates": "r_only"} if weighted else values


def averaged_users_choices(values: Values, metric: str) -> list[Values]:
    """Return every choice of averaged users, with the mean left as it is."""
    return [{**values, "users": users} for users in _AVERAGED_USERS]


def formula_decides_edges(values: Mapping[str, str], metric: str) -> bool:
    """Return whether the formula itself may give an unusual user a number that is neither 0 nor NaN."""
    return not METRICS[metric].proportional(values) or values.get("cutoff", "k") in ("none", "k_minus_1")


def _any_policy(axis: str) -> AxisChoices:
    def choices(values: Values, metric: str) -> list[Values]:
        return expand(values, metric, (axis,))

    return choices


def _undefined(values: Values, metric: str) -> list[Values]:
    """Return every treatment of users without relevant items: left out, refused, or averaged with some value."""
    if is_stacked(METRICS[metric], values):
        return [values, {**values, "users": "all"}]
    out = [values, {**values, "undefined": "error"}]
    if values["users"] == "truth":
        formula = () if formula_decides_edges(values, metric) else ("formula",)
        policies = policies_at(edges.UNDEFINED, without=("skip", *formula))
        out += [{**values, "users": "all", "undefined": policy} for policy in policies]
    return out


def _no_list(values: Values, metric: str) -> list[Values]:
    """Return every treatment of users without recommendations: left out, refused, or averaged with some value."""
    listed = {**values, "users": also_asking(values["users"], "listed")}
    if is_stacked(METRICS[metric], values):
        return [values, listed]
    formula = () if formula_decides_edges(values, metric) else ("formula",)
    # But for users with one relevant item, to leave out users without a list is a choice of averaged users.
    skip = () if values["users"] == "one_relevant" else ("skip",)
    out = [{**values, "no_list": policy} for policy in policies_at(edges.NO_LIST, without=(*formula, *skip))]
    if listed != values:
        out.append(listed)
    # If all ratios have one denominator, the ratio of sums is the mean of ratios, but for the previous user's terms
    # that are carried over: both of them, not the ratio.
    pooled = {**values, "pooling": "pooled", "no_list": "previous"}
    if (values["pooling"], values["mean"]) == ("user", "arithmetic") and METRICS[metric].same_denominator(pooled):
        out.append(pooled)
    return out


_EDGES: dict[str, AxisChoices] = {
    "no_hit": _any_policy("no_hit"),
    "no_negatives": _any_policy("no_negatives"),
    "undefined": _undefined,
    "no_list": _no_list,
}


def _with_policies(out: list[Values], metric: str, shown: Collection[str]) -> list[Values]:
    """Try every policy of the edges in ``shown``."""
    for axis, choices in _EDGES.items():
        out = [made for each in out for made in choices(each, metric)] if axis in shown else out
    return out


def stage_choices(number: int, metric: str, kind: Kind, average: AxisChoices) -> Choices:
    """Return the choices of a multi-user stage.

    Args:
        number: The number of the stage.
        metric: Name of the metric.
        kind: The kind of multi-user probes.
        average: The choices of averaging, tried at the first stage.
    """
    chosen, axes = STAGES[number]

    def choices(values: Values) -> list[Values]:
        if is_stacked(METRICS[metric], values):
            shown = {axis for axis in axes if axis in ("undefined", "no_list")}
            shown |= shown_states(metric, values, kind, chosen) & set(axes)
        else:
            shown = set(shown_states(metric, values, kind, chosen))
            for earlier in STAGES[:number]:
                shown -= shown_states(metric, values, kind, earlier.chosen)
        return _with_policies([values] if number else average(values, metric), metric, shown)

    return choices


def with_unshown_policies(
    definition: Definition, kinds: Iterable[Kind], unidentified: Collection[str]
) -> list[Definition]:
    """Return a definition, itself first, with every policy for states that no multi-user probe has shown.

    A policy of 0 may also be the formula's own value, which is 0 wherever it is not 0/0: no user of multi-user probes
    is in two unusual states at once. One policy for users without relevant items, a hit or a list may also be that for
    users without relevant items alone, if only listed items count as relevant.

    Args:
        definition: The definition.
        kinds: The kinds of multi-user probes that were asked.
        unidentified: Axes that stay as they are.
    """
    metric = definition.metric
    # One ranking of all rows is in an unusual state only if all users are.
    kinds_asked: Iterable[Kind] = (Kind("degenerate"),) if takes_one_ranking(definition) else kinds

    def choices(values: Values) -> list[Values]:
        shown = set(unidentified).union(
            *(shown_states(metric, values, kind, stage.chosen) for kind in kinds_asked for stage in STAGES)
        )
        out = _with_policies([values], metric, {axis for axis in _EDGES if axis in values and axis not in shown})
        for axis in ("undefined", "no_list"):
            if axis in values and axis not in unidentified:
                out += [{**each, axis: "formula"} for each in out if each[axis] == "0"]
        return [*out, *_listed_only(values, metric, unidentified)]

    return distinct([definition, *widen([definition], choices)], edges_known=True)


def _listed_only(values: Values, metric: str, unidentified: Collection[str]) -> list[Values]:
    """Return the choices under which only listed items are relevant, if one policy is that of all users without any."""
    policies = {values.get(axis) for axis in ("undefined", "no_hit", "no_list")}
    usual = values["users"] == "all" and "truth" in values and values["truth"] == METRICS[metric].canonical["truth"]
    if len(policies) > 1 or not usual or not policies.isdisjoint(("0", None)) or "no_hit" in unidentified:
        return []
    bases = [{**values, "truth": "listed", "no_hit": "0", "no_list": no_list} for no_list in ("0", values["no_list"])]
    return _with_policies(bases, metric, ("no_hit",))


def one_ranking_choices(number: int, metric: str) -> Choices:
    """Return the choices for one ranking of all rows, given the number of a probe with all users in one state."""

    def choices(values: Values) -> list[Values]:
        if not is_stacked(METRICS[metric], values):
            return [values]
        shown = set(shown_states(metric, values, Kind("degenerate"), slice(number, number + 1)))
        for earlier in range(number):
            shown -= shown_states(metric, values, Kind("degenerate"), slice(earlier, earlier + 1))
        # A policy for users without relevant items may also tell apart who is averaged: so try both choices.
        others = [values]
        if "undefined" in shown and values["users"] in ("truth", "both"):
            others.append({**values, "users": not_asking(values["users"], "rated")})
        return [made for each in others for made in expand(each, metric, tuple(shown))]

    return choices
