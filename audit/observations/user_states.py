"""Tells the unusual states that users are in under a definition: edges, where a policy acts; rows without a rule."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

import numpy as np

from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.observations.probe_tables import problem
from recsys_metric_audit.audit.process.protocol import Errored, Measured
from recsys_metric_audit.reference.cases import KINDS, Kind, of_kind
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Bools
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space import edges
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE

_DECIDES_NO_STATE = frozenset({"users", "pooling", "weight", "mean", "undefined", "no_hit", "no_negatives", "no_list"})
"""Lists the axes of averaging and edges: their values do not change the state that a user is in."""


def shown_states(metric: str, values: dict[str, str], kind: Kind, chosen: slice) -> frozenset[str]:
    """Return the unusual states that users of some multi-user probes are in, as names of edge axes.

    Args:
        metric: Name of the metric.
        values: The definition's values on the axes.
        kind: The kind of multi-user probes.
        chosen: Which of the probes of that kind.
    """
    stacked = METRICS[metric].stacked
    deciding = tuple(
        (name, value)
        for name, value in values.items()
        if name not in _DECIDES_NO_STATE or (stacked and name == stacked[0])
    )
    return frozenset(name for name, where in _states(metric, deciding, kind).items() if where[chosen].any())


@cache
def _states(metric: str, values: tuple[tuple[str, str], ...], kind: Kind) -> dict[str, Bools]:
    """Return for every unusual state a mask of the probes of a kind that have a user in it."""
    known, chosen = METRICS[metric], dict(values)
    stacked = known.stacked is not None and chosen[known.stacked[0]] == known.stacked[1]
    asked = problem(kind)
    lists = asked.lists(chosen, stacked=stacked)
    case = asked.placement_for(chosen, stacked=stacked).case[lists.owner]
    own = {axis.name: chosen[axis.name] for axis in known.axes}
    negatives = known.negatives(lists, **own) if known.negatives is not None else None
    defined = known.formula(lists, **own).denominator != 0
    if known.zero_by_convention(chosen):
        defined &= lists.hits.count > 0
    found = edges.edge_states(lists.relevant, known.list_rows(lists), negatives, defined)
    return {name: np.bincount(case[where], minlength=len(asked.cases)) > 0 for name, where in found.items()}


def refuses_ordinary_users(metric: str, observation: Observation) -> bool:
    """Return True if probes of several ordinary users are refused, but for no edge.

    It may be an edge if some of these users are unusual to the metric, or if those are refused, and no others, of which
    some are unusual under another rule of relevance.
    """
    outcomes = {name: observation.probes.get(name) for name in _ordinary_and_unusual(metric, "")}
    refused = {name for name, outcome in outcomes.items() if isinstance(outcome, Errored)}
    answered = {name for name, outcome in outcomes.items() if isinstance(outcome, Measured)}
    if not refused or any(_ordinary_and_unusual(metric, "").values()):
        return False
    rules = METRICS[metric].axis("relevance").names if answered and "relevance" in METRICS[metric].canonical else ()
    every = (_ordinary_and_unusual(metric, rule) for rule in rules)
    return not any({name for name in refused | answered if unusual[name]} == refused for unusual in every)


def _ordinary_and_unusual(metric: str, rule: str) -> Mapping[str, bool]:
    """Return the probes of several ordinary users, the first two of each kind: names, and if some user is unusual.

    Args:
        metric: Name of the metric to which they may be unusual.
        rule: The rule of relevance; empty for the canonical one.
    """
    values = {**METRICS[metric].canonical, **({"relevance": rule} if rule else {})}
    return {
        probe.name: bool(shown_states(metric, values, kind, slice(number, number + 1)))
        for kind in KINDS
        if kind.role == "multi_user"
        for number, probe in enumerate(of_kind(kind)[:2])
    }


def undescribed_axes(definition: Definition) -> frozenset[str]:
    """Return the axes on which the definition has no rule: ``other``, ``unspecified``."""
    return frozenset(axis for axis, value in definition.values if value in WITHOUT_RULE)


@lru_cache(maxsize=1000)
def undescribed_cases(axes: frozenset[str], asked: Problem) -> Bools:
    """Return a mask of the cases with a user of whom a definition without a rule on some axes says nothing."""
    placement = asked.placement
    out = np.zeros(len(asked.cases), dtype=np.bool_)
    out[placement.case[_undescribed(axes, asked)]] = True
    return out


def undescribed_users(definition: Definition, asked: Problem) -> Bools:
    """Return a mask of users with ties or repeats of which the definition has no rule."""
    return _undescribed(undescribed_axes(definition), asked)


def _undescribed(axes: frozenset[str], asked: Problem) -> Bools:
    placement, out = asked.placement, np.zeros(len(asked.placement), dtype=np.bool_)
    if not axes.isdisjoint({"ties", "tied_scores"}):
        out[placement.user[placement.tied > 1]] = True
    if "duplicates" in axes:
        out |= placement.repeats > 0
    if "truth_duplicates" in axes:
        out[placement.user[placement.copy > 0]] = True
    return out
