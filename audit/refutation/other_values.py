"""Other values of the axes that act on blamed features: a definition with one may predict the answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import numpy as np

from recsys_metric_audit.audit.observations.candidates import distinct
from recsys_metric_audit.audit.observations.evidence import Evidence, contradictions, evidence_on, gather_evidence
from recsys_metric_audit.audit.observations.fit import Fit
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.refutation.unusual_features import FEATURES
from recsys_metric_audit.reference.cases import Kind
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from recsys_metric_audit.reference.space.user_outcomes import averages_at

_KINDS = (
    Kind("single_user"), Kind("order"), Kind("duplicates"), Kind("truth_duplicates"), Kind("relevance"),
    Kind("fractions"), Kind("multi_user"), Kind("rated_users"), Kind("exhaustive"),
)  # fmt: skip
_BLAMED_FIRST = (
    "truth_duplicates", "duplicates", "candidates", "counted_scores", "tied_scores", "ties", "order", "short_lists",
    "relevance", "no_negatives", "no_hit", "undefined", "no_list", "users",
)  # fmt: skip
"""Orders features that act only together: the axis that acts on fewer inputs is blamed."""
_MOST = 400
"""Limits the combinations of other values that are tried."""


def blamed_axes(fit: Fit, features: frozenset[str]) -> tuple[str, ...]:
    """Return the axis to blame where a case with these features is mispredicted; none if it is the formula."""
    acting = set(_acting(fit, features))
    users = fit.definitions[0].axes["users"]
    acting -= {edge for edge in ("no_list", "undefined") if not averages_at(users, edge)}
    return next(((axis,) for axis in _BLAMED_FIRST if axis in acting), ())


def other_values(fit: Fit, features: frozenset[str], observation: Observation) -> list[Definition]:
    """Return the definitions with other values on the axes that act on some features.

    None contradicts an answer to a probe that the fitting definition does not contradict.
    """
    first, axes = fit.definitions[0], _acting(fit, features)
    names = [[name for name in first.family.axis(axis).names if name not in WITHOUT_RULE] for axis in axes]
    changed = islice(product(*names), _MOST)
    tried = (first.with_(**dict(zip(axes, values, strict=True))) for values in changed)
    legal = distinct(each for each in tried if each.family.refusal(each.axes) is None)
    earlier = list(_earlier(observation))
    before = [_wrong(first, each, fit) for each in earlier]
    return [
        each
        for each in legal
        if each != shortest(first)
        and not any((_wrong(each, known, fit) & ~old).any() for known, old in zip(earlier, before, strict=True))
    ]


def _acting(fit: Fit, features: frozenset[str]) -> list[str]:
    """Return the known axes that act on some features, in the order of the definition."""
    axes = {axis for name in features for axis in FEATURES[name].axes}
    return [axis for axis in fit.definitions[0].axes if axis in axes and axis not in fit.unidentified_axes]


def _earlier(observation: Observation) -> Iterator[Evidence]:
    yield from (evidence_on(observation, kind).without_refusals() for kind in _KINDS)
    if observation.further_probes:
        yield gather_evidence(observation.probes, observation.further_probes).without_refusals()


def _wrong(definition: Definition, evidence: Evidence, fit: Fit) -> np.ndarray:
    return contradictions(definition, evidence, fit.tolerance)
