"""The last stages: who is averaged, how, and what an unusual user counts as, from probes of several users."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np

from audit.observations import probe_tables
from audit.observations.evidence import Heard, kept
from audit.observations.fit import Fit, Waiting, distinct, stopped, widen
from audit.observations.observation import Tolerance
from reference.cases import Kind
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import takes_one_ranking
from reference.metrics import METRICS
from reference.space.metric import is_stacked

Choices = Callable[[dict[str, str], str], list[dict[str, str]]]

LISTED: Kind = "listed_crowd"
"""Crowds whose relevant items all stand in their lists: for those who take no others."""
KINDS: tuple[Kind, ...] = ("crowd", "unit_crowd", "above_crowd", "rated_crowd", LISTED)
"""All kinds of crowds."""
_POLICIES = ("0", "1", "half", "nan", "error")
_MANY, _AT_LAST = 6000, 20_000
"""So many definitions are looked at, at most, at one step of the crowds; and so many where nothing makes them fewer."""


def _averaging(values: Mapping[str, str], metric: str) -> list[dict[str, str]]:
    """Which mean over ordinary users, and whether rows are one ranking."""
    family = METRICS[metric]
    out: list[dict[str, str]] = []
    meaningless = family.refusal(values)  # until its relevance is known: what is refused besides is not tried
    for base in probe_tables.expand(dict(values), metric, (*family.across_users, "pooling", "weight", "mean")):
        if family.refusal(base) != meaningless:
            continue
        if is_stacked(METRICS[metric], base):
            # Whose rows are in it is told by users without truth or list; nothing is pooled or weighed.
            rest = {name: family.canonical[name] for name in ("pooling", "weight", "mean")}
            out.append({**base, **rest})
        else:
            out += [{**base, "users": users} for users in ("truth", "one_relevant", "hits")]
    return out + [each for each in map(_counted_in_r, out) if each not in out]


def _counted_in_r(values: dict[str, str]) -> dict[str, str]:
    """What counts copies once, with copies that count in r: a weight by r shows them where no formula reads r."""
    weighed = (values.get("truth_duplicates"), values["pooling"], values["weight"]) == ("once", "weighted", "relevant")
    return {**values, "truth_duplicates": "r_only"} if weighed else values


def _chosen(values: dict[str, str], metric: str) -> list[dict[str, str]]:
    """Whose values are given."""
    return [{**values, "users": users} for users in ("truth", "one_relevant", "hits")]


def _policies(axis: str) -> Choices:
    def choices(values: dict[str, str], metric: str) -> list[dict[str, str]]:
        return probe_tables.expand(values, metric, (axis,))

    return choices


def by_formula(values: Mapping[str, str], metric: str) -> bool:
    """Whether what a formula gives for an unusual user may be neither 0 nor NaN, or now this and now that."""
    return not METRICS[metric].proportional or values.get("cutoff", "k") in ("none", "k_minus_1")


def _undefined(values: dict[str, str], metric: str) -> list[dict[str, str]]:
    """Users without truth: left out, refused, averaged over with some value; whether one ranking has their rows."""
    if is_stacked(METRICS[metric], values):
        return [values, {**values, "users": "all"}]
    out = [values, {**values, "undefined": "error"}]
    if values["users"] == "truth":
        policies = (*_POLICIES, "formula") if by_formula(values, metric) else _POLICIES
        out += [{**values, "users": "all", "undefined": policy} for policy in policies]
    return out


def _no_list(values: dict[str, str], metric: str) -> list[dict[str, str]]:
    """Users without recommendations: left out, refused, or averaged over with some value."""
    without = {"truth": "both", "all": "predictions"}
    if is_stacked(METRICS[metric], values):
        return [values, {**values, "users": without.get(values["users"], values["users"])}]
    policies = ("previous", "ends_all", "formula") if by_formula(values, metric) else ("previous", "ends_all")
    if values["users"] == "one_relevant":
        policies = ("skip", *policies)  # of others, who has no list is left out by who is averaged over
    out = [{**values, "no_list": policy} for policy in (*_POLICIES, *policies)]
    if values["users"] in without:
        out.append({**values, "users": without[values["users"]]})
    # A ratio of sums over one denominator is the mean of ratios, but for what is carried over: both its terms.
    pooled = {**values, "pooling": "pooled", "no_list": "previous"}
    if (values["pooling"], values["mean"]) == ("user", "arithmetic") and METRICS[metric].same_denominator(pooled):
        out.append(pooled)
    return out


_EDGES: dict[str, Choices] = {
    "no_hit": _policies("no_hit"),
    "no_negatives": _policies("no_negatives"),
    "undefined": _undefined,
    "no_list": _no_list,
}
# The crowds of each step, by position, and the axes that the step lets go of; an edge that some of these crowds show
# first, under what a definition takes for relevant or for a list, is let go of there, too.
_STEPS: tuple[tuple[slice, tuple[str, ...]], ...] = (
    (slice(0, 2), ("users", "pooling", "weight", "mean")),
    (slice(2, 4), ("no_hit",)),
    (slice(8, 9), ("no_negatives",)),
    (slice(4, 6), ("undefined",)),
    (slice(6, 8), ("no_list",)),
    (slice(9, None), ()),
)


def _let_go(step: int, metric: str, crowd: Kind, average: Choices) -> Callable[[dict[str, str]], list[dict[str, str]]]:
    """What a definition can become at a step of the crowds."""
    chosen, axes = _STEPS[step]

    def choices(values: dict[str, str]) -> list[dict[str, str]]:
        if is_stacked(METRICS[metric], values):
            shown = {axis for axis in axes if axis in ("undefined", "no_list")}
            shown |= probe_tables.states(metric, values, crowd, chosen) & set(axes)
        else:
            shown = set(probe_tables.states(metric, values, crowd, chosen))
            for earlier, _ in _STEPS[:step]:
                shown -= probe_tables.states(metric, values, crowd, earlier)
        out = [values] if step else average(values, metric)
        for axis, choose in _EDGES.items():
            out = [made for each in out for made in choose(each, metric)] if axis in shown else out
        return out

    return choices


def unshown(definition: Definition, crowds: Iterable[Kind], blind: Collection[str]) -> list[Definition]:
    """A definition with every policy for states that no crowd of these kinds has a user in, under what it takes for
    relevant and for a gain; itself first. What counts as 0 may also be what the formula gives, which is 0 wherever it
    is not 0/0: nobody is in two unusual states at once in a crowd. What is ``blind`` stays as it is."""
    metric = definition.metric
    # One ranking of all rows is in an unusual state only where everybody is.
    kinds: Iterable[Kind] = ("sole",) if takes_one_ranking(definition) else crowds

    def choices(values: dict[str, str]) -> list[dict[str, str]]:
        shown = set(blind).union(
            *(probe_tables.states(metric, values, kind, chosen) for kind in kinds for chosen, _ in _STEPS)
        )
        out = [values]
        for axis, choose in _EDGES.items():
            if axis in values and axis not in shown:
                out = [made for each in out for made in choose(each, metric)]
        for axis in ("undefined", "no_list"):
            if axis in values and axis not in blind:
                out += [{**each, axis: "formula"} for each in out if each[axis] == "0"]
        return out

    return distinct([definition, *widen([definition], choices)], edges_known=True)


def _alone(number: int, metric: str) -> Callable[[dict[str, str]], list[dict[str, str]]]:
    """What one ranking of all rows can become where it is itself in an unusual state."""
    chosen = slice(number, number + 1)

    def choices(values: dict[str, str]) -> list[dict[str, str]]:
        if not is_stacked(METRICS[metric], values):
            return [values]
        shown = set(probe_tables.states(metric, values, "sole", chosen))
        for earlier in range(number):
            shown -= probe_tables.states(metric, values, "sole", slice(earlier, earlier + 1))
        # What nobody relevant counts as may tell users apart that are the same where that is left out.
        without = {"truth": "all", "both": "predictions"} if "undefined" in shown else {}
        others = [values, *({**values, "users": without[u]} for u in (values["users"],) if u in without)]
        return [made for each in others for made in probe_tables.expand(each, metric, tuple(shown))]

    return choices


def _of_one(candidates: list[Definition], sole: Heard, width: Tolerance) -> tuple[list[Definition], tuple[str, ...]]:
    """One ranking of all rows is in an unusual state only where everybody is: what it counts as then. Where nothing
    fits what was heard there (of rated items only it may be empty or without a relevant one, say), the edges that
    decide are as they are usually, and are named beside the candidates: they are not known."""
    metric, unknown = candidates[0].metric, set[str]()
    for number in range(len(sole.probes)):
        chosen = slice(number, number + 1)
        step = sole.only(chosen)
        if step.silent:
            continue
        staying = kept(widen(candidates, _alone(number, metric)), step, width, lone=False)[0]
        if not staying:
            for each in filter(takes_one_ranking, candidates):
                unknown |= probe_tables.states(metric, each.axes, "sole", chosen)
        candidates = staying or [_usual(each, unknown) for each in candidates]
    return candidates, tuple(axis.name for axis in candidates[0].family.all_axes if axis.name in unknown)


def _usual(definition: Definition, edges: Collection[str]) -> Definition:
    """A definition with some edges as they are in the canonical one."""
    return definition.with_(**{edge: definition.family.canonical[edge] for edge in edges})


def from_crowds(
    heard: Heard, candidates: list[Definition], width: Tolerance, asked: int, sole: Heard, start: int = 0,
    many: int = _MANY,
) -> Fit:  # fmt: skip
    """The candidates with the averaging and the edge policies that fit the crowds, after ``asked`` cases in all;
    ``sole`` is what was heard where everybody is in one state. ``start`` is the step from which on they are still to
    be followed (see ``Waiting``), ``many`` how many can be."""
    if heard.silent:
        # Neither averaging nor what an unusual user counts as has been seen.
        unseen = tuple(axis.name for axis in candidates[0].family.all_axes if axis.part in ("averaging", "edges"))
        return Fit(tuple(distinct(candidates, edges_known=True)), 0.0, width, asked, blind=unseen, of_users=True)
    if not heard.refused[_STEPS[0][0]].any():
        return _followed(heard, candidates, width, asked, sole, start, many)
    metric, kind = candidates[0].metric, heard.probes[0].kind
    if any(probe_tables.states(metric, each.axes, kind, _STEPS[0][0]) for each in candidates):
        # To this formula not all of them are ordinary: it may be an edge that is refused.
        fit = _followed(heard, candidates, width, asked, sole, start, many)
        if fit.definitions:
            return fit
    # Ordinary users are refused together: a refusal says nothing of the unusual ones.
    return _followed(heard.unrefused(), candidates, width, asked, sole, start, many)


def _followed(
    heard: Heard, candidates: list[Definition], width: Tolerance, asked: int, sole: Heard, start: int, many: int
) -> Fit:
    """The same, step by step. Where the answers tell too little apart for all that a step could be to be looked at,
    all wait until they are fewer."""
    kind, worst, waits_at = heard.probes[0].kind, 0.0, None
    blind = _unseen(heard, candidates[0])
    of_users = bool(blind)
    average = _chosen if of_users else _averaging
    for number, (chosen, axes) in enumerate(_STEPS[start:], start):
        step = heard.only(chosen)
        choices = _let_go(number, candidates[0].metric, kind, average)
        if waits_at is None and not step.silent and _too_many(candidates, choices, many):
            waits_at = number
        if step.silent or waits_at is not None:
            # It could not be asked, or waits for what was too many: the axes stay canonical, and that is said.
            blind += tuple(axis for axis in axes if axis in candidates[0].axes and axis not in blind)
            continue
        tried = widen(candidates, choices)
        staying, gap = kept(tried, step, width, lone=False)
        if not staying:
            return stopped("crowd", step, tried, width, asked)
        candidates, worst = staying, max(worst, gap)
    if waits_at is None and any(map(takes_one_ranking, candidates)):
        candidates, unknown = _of_one(candidates, sole, width)
        blind += tuple(axis for axis in unknown if axis not in blind)
    fitting = tuple(distinct(candidates, edges_known=waits_at is None))
    waiting = None if waits_at is None else Waiting(kind, waits_at)
    return Fit(fitting, worst, width, asked, blind=blind, of_users=of_users, waiting=waiting)


def further(fit: Fit, heard: Heard, sole: Heard, *, looked_at: bool = True) -> Fit:
    """What was too many to be followed through all crowds, followed on once it is less; ``heard`` are those crowds.
    Unless all that the step at which they wait could be is ``looked_at``, the canonical-most of them are followed, as
    many as can be; where none of those fits, all pass the step as they are."""
    assert fit.waiting is not None
    kind, start = fit.waiting
    candidates, unknown = list(fit.definitions), tuple[str, ...]()
    if not looked_at:
        few = _few(candidates, start, kind, _chosen if fit.of_users else _averaging)
        made = from_crowds(heard, few, fit.tolerance, fit.cases, sole, start, _AT_LAST)
        if made.definitions:
            return replace(made, deviation=max(fit.deviation, made.deviation), blind=_dropped(candidates, made))
        chosen, unknown = _STEPS[start]
        step = heard.only(chosen).spoken(candidates)
        candidates, _ = kept(candidates, step, fit.tolerance, lone=False)
        if not candidates:
            return replace(stopped("crowd", step, list(fit.definitions), fit.tolerance, fit.cases), blind=fit.blind)
        start += 1
    open_ = {axis for _, axes in _STEPS[start:] for axis in axes}
    made = from_crowds(heard, candidates, fit.tolerance, fit.cases, sole, start)
    blind = dict.fromkeys((*(axis for axis in fit.blind if axis not in open_), *unknown, *made.blind))
    blind = {axis: None for axis in blind if axis in candidates[0].axes}
    return replace(made, deviation=max(fit.deviation, made.deviation), blind=tuple(blind))


def _few(candidates: list[Definition], step: int, crowd: Kind, average: Choices) -> list[Definition]:
    """The first of the candidates, as many as can be followed from a step of the crowds on; one at least."""
    choices = _let_go(step, candidates[0].metric, crowd, average)
    count = np.cumsum([len(choices(each.axes)) for each in candidates])
    return candidates[: max(1, int((count <= _AT_LAST).sum()))]


def _dropped(candidates: list[Definition], fit: Fit) -> tuple[str, ...]:
    """What is not known of a fit for which not all candidates were followed: the axes, too, on which those differ."""
    open_ = [axis for axis in candidates[0].axes if len({each.axes[axis] for each in candidates}) > 1]
    return (*fit.blind, *(axis for axis in open_ if axis not in fit.blind))


def _too_many(
    candidates: list[Definition], choices: Callable[[dict[str, str]], list[dict[str, str]]], many: int
) -> bool:
    count = 0
    for each in candidates:
        count += len(choices(each.axes))
        if count > many:
            return True
    return False


def _unseen(heard: Heard, definition: Definition) -> tuple[str, ...]:
    """Axes from users to the mean, which per-user values alone do not show: only who has a value is seen."""
    if heard.known.any() or not heard.split.any():
        return ()
    names = (*definition.family.across_users, "pooling", "weight", "mean")
    return tuple(axis.name for axis in definition.family.all_axes if axis.name in names)
