"""Reads the rule for a result of which nobody is left from the answers, once all else is identified.

During identification every definition has the canonical rule, and answers where nobody is left contradict none: a
definition with each rule in the place of each would tell nothing of the formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isnan

from recsys_metric_audit.audit.observations.evidence import Evidence, evaluate_cached, evidence_on
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.reference.cases import KINDS, Kind
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.projection import leaves_somebody
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reference.space.levels import level_of

_ROLES = ("single_user", "exhaustive", "multi_user", "rated_users", "degenerate")
_KINDS: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind.role in _ROLES)
"""Kinds of probes of which nobody may be left, and which have no other feature that a function may refuse."""
_DECIDING = frozenset({"pooling", "weight", "relevance", "truth", "candidates", "counted_scores"})
"""Axes besides those of who counts that decide whether anybody is left."""


def with_rule_for_nobody(fit: Fitting, observation: Observation, further: Iterable[Evidence] = ()) -> Fitting:
    """Return a fit whose definitions tell what comes out where nobody is left; unidentified if the answers do not.

    Nothing is asked where somebody always counts, or where all rows are one ranking, which is then at an edge.

    Args:
        fit: The fit, identified in all else.
        observation: The function's answers.
        further: Answers to inputs that are no probes.
    """
    open_ = [each for each in fit.definitions if not leaves_somebody(each)]
    if not open_ or fit.user_values_only:
        return fit
    answers = (*(evidence_on(observation, kind) for kind in _KINDS), *further)
    rule = None if _is_open(fit) else _only_rule(open_, answers)
    if rule is None:
        return replace(fit, unidentified_axes=tuple(dict.fromkeys((*fit.unidentified_axes, NOBODY.name))))
    return replace(fit, definitions=tuple(shortest(each.with_(nobody=rule)) for each in fit.definitions))


def _is_open(fit: Fitting) -> bool:
    """Return True if an axis is not identified that decides whether anybody is left."""
    return any(axis in _DECIDING or level_of(axis) == "who_counts" for axis in fit.unidentified_axes)


def _only_rule(definitions: Sequence[Definition], answers: Iterable[Evidence]) -> str | None:
    """Return the value of the axis that fits all answers where nobody is left; None without one, or without answers."""
    rules = {rule for evidence in answers for definition in definitions for rule in _rules(definition, evidence)}
    return rules.pop() if len(rules) == 1 else None


def _rules(definition: Definition, evidence: Evidence) -> set[str | None]:
    """Return the values of the axis that the answers show; None among them for another number."""
    made = evaluate_cached(definition, evidence.problem)
    silent = made.nobody & ~made.refused
    numbers = evidence.value[silent & evidence.measured].tolist()
    shown: set[str | None] = {"nan" if isnan(each) else "0" if each == 0 else None for each in numbers}
    return shown | ({"error"} if (silent & evidence.refused).any() else set())
