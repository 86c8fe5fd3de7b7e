"""The choice of generated inputs that tell definitions apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from recsys_metric_audit.audit.observations.evidence import cases_at_edges, evaluate_cached
from recsys_metric_audit.audit.questions.case_features import FEATURE_OF_AXIS
from recsys_metric_audit.audit.questions.generated_cases import EACH_CONFIRMED, pool
from recsys_metric_audit.audit.questions.value_comparison import (
    count_distinct,
    refine,
    undescribed_features,
    value_classes,
)
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Bools
from recsys_metric_audit.reference.space.edges import AXES as EDGES
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE

MAX_COMPARED = 60
"""If more definitions than this fit, inputs are chosen that tell the first ones apart: the answers eliminate others."""


def distinguishing_inputs(
    definitions: Sequence[Definition],
    asked: frozenset[str],
    *,
    per_user: bool = False,
    all_listed: bool = False,
    at_most: int = 4,
    ruled_out: Collection[str] = (),
    whole_gains: bool = False,
    refused: Collection[str] = (),
) -> tuple[Probe, ...]:
    """Choose inputs on which some definitions differ: as few as possible, with as few unusual features as possible.

    Inputs are chosen greedily: each one splits the definitions into as many groups as possible.

    Args:
        definitions: Definitions to be told apart. If one has ``other`` on an axis, no input is chosen with the feature
            that would show this axis.
        asked: Names of inputs that are not chosen.
        per_user: Compare the values of the users instead of the mean.
        all_listed: Choose only inputs whose relevant items are all listed.
        at_most: Choose no more inputs than this.
        ruled_out: Axes that the function's contract or its adapter decides: no input is chosen that would show one.
        whole_gains: Choose only inputs whose gains are whole numbers from 0 up.
        refused: Features of inputs that the function refused: inputs with one are chosen only after all others.

    Returns:
        The chosen inputs, best first; none if no generated input tells any two definitions apart.
    """
    definitions = definitions[:MAX_COMPARED]
    probes, features = pool().probes, pool().features
    classes = value_classes(definitions, per_user)
    allowed = (pool().all_listed | (not all_listed)) & _without_features_of(ruled_out)
    allowed &= pool().has_whole_gains | (not whole_gains)
    order = _usable(definitions, asked, allowed)
    doubtful = [number for number in order if not features[number].isdisjoint(refused)]
    group = np.zeros(len(definitions), dtype=np.int64)
    chosen: list[Probe] = []
    for numbers in ([number for number in order if features[number].isdisjoint(refused)], doubtful):
        while numbers and len(chosen) < at_most and (groups := int(count_distinct(group))) < len(definitions):
            counts = count_distinct(refine(group[:, np.newaxis], classes[:, numbers]))
            best = numbers[int(counts.argmax())]
            if counts.max() == groups:
                break
            group = np.unique(refine(group, classes[:, best]), return_inverse=True)[1]
            chosen.append(probes[best])
            numbers.remove(best)
    return tuple(chosen)


def one_of_equals(definitions: Sequence[Definition], *, per_user: bool = False) -> tuple[Definition, ...]:
    """Return the first of all definitions that no generated input tells apart; more than are compared stay as they are.

    Args:
        definitions: The definitions, canonical-most first.
        per_user: Compare the values of the users instead of the mean.
    """
    if len(definitions) > MAX_COMPARED:
        return tuple(definitions)
    first: dict[bytes, Definition] = {}
    for row, each in zip(value_classes(definitions, per_user), definitions, strict=True):
        first.setdefault(row.tobytes(), each)
    return tuple(first.values())


def differing_inputs(
    definitions: Sequence[Definition],
    *,
    per_user: bool = False,
    ruled_out: Collection[str] = (),
    whole_gains: bool = False,
) -> tuple[tuple[Probe, frozenset[str]], ...]:
    """Return every generated input on which some of the definitions differ, with its unusual features.

    Inputs with a feature of which some definition says nothing are left out, as in :func:`distinguishing_inputs`; so
    are inputs that would show an axis in ``ruled_out``, which the function's contract or its adapter decides, and with
    ``whole_gains`` inputs with other gains than whole numbers from 0 up.
    """
    definitions = definitions[:MAX_COMPARED]
    probes, features = pool().probes, pool().features
    differ = count_distinct(value_classes(definitions, per_user)) > 1
    barred = undescribed_features(definitions)
    allowed = allowed_cases(ruled_out) & (pool().has_whole_gains | (not whole_gains))
    return tuple(
        (probe, features[number])
        for number, probe in enumerate(probes)
        if allowed[number] and not features[number] & barred and differ[number]
    )


def allowed_cases(ruled_out: Collection[str]) -> Bools:
    """Return a mask of the generated cases that show no axis that the contract or the adapter decides."""
    return (pool().all_listed | ("unlisted" not in ruled_out)) & _without_features_of(ruled_out)


def _usable(definitions: Sequence[Definition], asked: frozenset[str], allowed: Bools) -> list[int]:
    """Return the numbers of the generated cases that can be chosen, ordered by their number of unneeded features."""
    probes, features = pool().probes, pool().features
    barred = undescribed_features(definitions)
    acting = {
        feature for axis, feature in FEATURE_OF_AXIS.items() if len({each.axes.get(axis) for each in definitions}) > 1
    }
    acting |= {"rated misses" for each in definitions if each.axes.get("candidates") == "test_only"}
    usable = [
        number
        for number, probe in enumerate(probes)
        if probe.name not in asked and not features[number] & barred and allowed[number]
    ]
    return sorted(usable, key=lambda number: (len(features[number] - acting), len(features[number])))


def _without_features_of(ruled_out: Collection[str]) -> Bools:
    """Return a mask of the generated cases that show no axis which is ruled out."""
    barred = {FEATURE_OF_AXIS[axis] for axis in ruled_out if axis in FEATURE_OF_AXIS}
    barred |= {"short list"} if "short_lists" in ruled_out else set()
    return pool().without_features(barred)


def independent_cases(
    definitions: Sequence[Definition], asked: Problem, unidentified: Collection[str], *, per_user: bool = False
) -> Bools:
    """Return a mask of the cases whose values do not depend on an unidentified axis, under any of the definitions.

    Args:
        definitions: The definitions.
        asked: The cases.
        unidentified: Axes that are not known yet; without an edge among them, every case is independent.
        per_user: Whether users' values are compared, so that averaging does not matter.
    """
    out = np.ones(len(asked.cases), dtype=bool)
    if not any(axis.name in unidentified for axis in EDGES):
        return out
    for each in definitions:
        made = evaluate_cached(each, asked)
        out &= ~cases_at_edges(made, asked)
        if len(made.value) != len(asked.placement):  # all rows are one ranking: one value a case
            out &= not per_user and "pooling" not in unidentified
        elif not per_user and "pooling" in unidentified:
            out &= np.bincount(asked.placement.case, minlength=len(out)) == 1
    return out


def confirming_inputs(
    definition: Definition, asked: frozenset[str], ruled_out: Collection[str] = ()
) -> tuple[Probe, ...]:
    """Return held-out inputs that show the axes of order and input on which a definition is not canonical.

    These axes were decided on few probes. No input is returned if the definition has ``other`` on an axis.

    Args:
        definition: The only definition that fits.
        asked: Names of inputs that were asked and are left out.
        ruled_out: Axes that the function's contract or its adapter decides: nothing is confirmed of them.
    """
    if not WITHOUT_RULE.isdisjoint(definition.axes.values()):
        return ()
    axes = {axis.name for axis in definition.family.all_axes if axis.part == "order"}
    axes &= FEATURE_OF_AXIS.keys() - set(ruled_out)
    moved = (axis for axis in definition.differs_on if axis in axes)
    probes, features = pool().probes, pool().features
    chosen = [
        [probe for probe, own in zip(probes, features, strict=True) if own == {feature}][:EACH_CONFIRMED]
        for feature in dict.fromkeys(FEATURE_OF_AXIS[axis] for axis in moved)
    ]
    return tuple(probe for own in chosen for probe in own if probe.name not in asked)
