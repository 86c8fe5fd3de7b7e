"""Finds the probes that a function is not asked, and values on probes that its contract or adapter decides, not it."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.canonical import definitions_under_contract
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.questions.item_cases import item_questions, reads_items
from recsys_metric_audit.audit.questions.whole_gains import has_whole_gains
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import evaluate
from recsys_metric_audit.reference.metrics import FAMILIES


def is_asked(function: Function, probe: Probe, kept: Collection[str] = ()) -> bool:
    """Return True if a probe can show anything of a function that its contract, or its adapter, leaves open.

    Args:
        function: The function.
        probe: The probe.
        kept: Names of probes that are asked in any case: what contradicts a contract must be asked for.
    """
    if (probe.kind.variant == "shown_items") != reads_items(function):
        return False
    if reads_items(function) and probe.name not in {each.name for each in item_questions(function.metric)}:
        return False
    if probe.name in kept or not (function.ruled_out or function.takes.whole_gains_only):
        return True
    if not allows_gains_of(function, probe):
        return False
    shown = shown_axes(probe)
    open_axes = FAMILIES[function.metric].canonical.keys() - function.ruled_out.keys()
    return not shown or bool(shown & open_axes)


def allows_gains_of(function: Function, probe: Probe) -> bool:
    """Return True if the contract of a function allows the gains of a probe."""
    return not function.takes.whole_gains_only or has_whole_gains(probe.case)


def is_decided_elsewhere(function: Function, definition: Definition, probe: Probe) -> bool:
    """Return True if what the contract or the adapter decides changes the value of a definition on a probe.

    A signature is silent of what they decide, and its evaluation puts the canonical rule there: its value on such a
    probe is none that the library gives.
    """
    problem = problem_of([probe])

    def value(each: Definition) -> float:
        made = evaluate(each, problem)
        return float("nan") if made.refused[0] else float(made.mean[0])

    others, shown = definitions_under_contract(definition, function), value(definition)
    return any(not np.isclose(value(each), shown, rtol=0, atol=1e-9, equal_nan=True) for each in others)


def shown_axes(probe: Probe) -> frozenset[str]:
    """Return the axes of input handling that a probe is asked for; none for one that is asked for the formula."""
    match probe.kind.role:
        case "truth_duplicates" | "duplicates" as axis:
            return frozenset({axis})
        case "relevance":
            return _shown_by_gains_and_scores(probe)
        case "order":
            return _shown_by_rows(probe)
        case "fractions":
            return frozenset({"relevance"})
        case "seen":
            return frozenset({"candidates"})
        case _:
            return frozenset()


def _shown_by_rows(probe: Probe) -> frozenset[str]:
    """Return the axes that the rows of one user show: their order, if scores do not descend, and ties."""
    score = probe.case.predictions.score
    unsorted = bool((np.diff(score) > 0).any())
    tied = len(np.unique(score)) < len(score)
    return frozenset({"order"} if unsorted else ()) | frozenset({"ties", "tied_scores"} if tied else ())


def _shown_by_gains_and_scores(probe: Probe) -> frozenset[str]:
    case = probe.case
    crosses_zero = bool((case.predictions.score <= 0).any())
    shown = {"counted_scores"} if crosses_zero else set()
    return frozenset(shown | ({"relevance"} if not crosses_zero or (case.truth.gain < case.threshold).any() else set()))
