"""The evidence that a finding reports: cases, deviation, tolerance, range of the probes, and the unpredicted case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from recsys_metric_audit.audit.identification.data_recheck import DataRecheck
from recsys_metric_audit.audit.observations.evidence import contradictions, gather_evidence, smallest_probe
from recsys_metric_audit.audit.observations.fit import Contradicted, Fit, Fitting, Stage
from recsys_metric_audit.audit.observations.observation import Observation, scalar
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.reference.cases import EXHAUSTIVE, MIXED, PROBES, Kind, Probe, Role, Variant
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reports.model.result import EvidenceSummary, Nearest

_INPUTS: Mapping[Role, str] = {
    "single_user": "lists of one user without ties and repeats",
    "order": "ties and rows out of order",
    "duplicates": "items that are recommended twice",
    "truth_duplicates": "relevant items that the truth lists twice",
    "relevance": "gains around the threshold and scores of 0 and less",
    "fractions": "gains between whole numbers",
    "seen": "recommended items that were seen in training",
    "multi_user": "several users, some without relevant items, a list or a hit",
    "rated_users": "users with rated items of which none is relevant",
    "degenerate": "one user without relevant items, a list or a hit",
    "exhaustive": "the smallest lists",
    "distinguishing": "inputs made to tell definitions apart",
    "mixed": "inputs with everything mixed",
    "held_out": "held-out inputs",
}
_ONLY: Mapping[Variant, str] = {
    "unit_gains": "gains of 1 only", "above_threshold": "gains above the threshold only",
    "all_listed": "all relevant items listed", "rated_misses": "some items rated below the threshold",
    "shown_items": "train data that say how many users have each item",
    "one_relevant": "one relevant item each", "one_relevant_unit_gain": "one relevant item each, of gain 1",
}  # fmt: skip
"""Says what all inputs of a variant have in common."""


def input_words(kind: Kind) -> str:
    """Return which inputs the probes of a kind are, in words."""
    only = f"; {_ONLY[kind.variant]}" if kind.variant in _ONLY else ""
    return f"{_INPUTS[kind.role]}{only}"


def stage_words(stage: Stage) -> str:
    """Return the stage that no definition survived, in words."""
    match stage:
        case "formula":
            return "no formula fits"
        case "every small list" | "distinguishing input" | "held-out input" | "data":
            return stage
        case role:
            return input_words(Kind(role))


def unpredicted_case(fit: Fit, observation: Observation) -> str:
    """Say in a sentence which case no definition predicts; empty if one fits or none came near enough to be compared.

    Args:
        fit: The outcome of identification.
        observation: The answers of the function.
    """
    if isinstance(fit, Fitting) or fit.nearest is None:
        return ""
    nearest = fit.nearest
    probe = fit.counterexample or _smallest_contradiction(nearest, fit, observation)
    if probe is None or probe.name not in observation.probes:
        return ""
    cut = f", k = {probe.k}" if nearest.k is not None else ""
    given, predicted = _both_in_words(observation.probes[probe.name], nearest, probe)
    return (
        f"No definition predicts what it gives on {input_words(probe.kind)}, such as {probe.case.why}{cut}: the"
        f" function {given}, the nearest definition {predicted}."
    )


def _smallest_contradiction(nearest: Definition, fit: Fit, observation: Observation) -> Probe | None:
    """Return the smallest of all cases asked that contradicts the nearest definition, if identification met none."""
    every = (*PROBES, *EXHAUSTIVE, *MIXED, *observation.further_probes)
    asked = tuple(probe for probe in every if probe.name in observation.probes)
    wrong, _ = contradictions(nearest, gather_evidence(observation.probes, asked), fit.tolerance)
    return smallest_probe(asked, wrong)


def _both_in_words(outcome: Outcome, definition: Definition, probe: Probe) -> tuple[str, str]:
    """Return what a function and a definition give on a case, in digits that tell them apart."""
    made = evaluate(definition, Problem.of([probe.case], [probe.k]))
    value = scalar(outcome) if isinstance(outcome, Measured) else None
    returned = outcome.values if isinstance(outcome, Measured) else None
    given, mean = _told_apart(np.nan if value is None else value, made.mean[0])
    values, users = _told_apart(() if returned is None else returned, made.value[made.counted])
    beside = f" ({users} for its users)" if len(probe.users) > 1 else ""
    predicted = "an error" if made.refused[0] else f"{mean}{beside}"
    match outcome:
        case Errored(error, message):
            return f"raises {error} ({message[:200]})", predicted
        case Measured() if value is not None or returned is None:
            return f"gives {given}" if value is not None else "gives no number", predicted
        case Measured():
            return f"gives {values} for its users", predicted
        case _:
            return "gives no answer", predicted


def _told_apart(one: ArrayLike, other: ArrayLike) -> tuple[str, str]:
    first, second = (text.replace("nan", "NaN") or "nothing" for text in told_apart(one, other))
    return first, second


NOT_TRIED = "not tried on held-out inputs"
"""Beginning of the text that says why a finding was not tried."""


def summarise_evidence(
    fit: Fit, recheck: DataRecheck, chosen: Definition | None, trial: Trial | None = None, unpredicted: str = ""
) -> EvidenceSummary:
    """Return the evidence behind a finding.

    Args:
        fit: The outcome of identification on the probes.
        recheck: The comparison of the fitting definitions with the library's answer on the data.
        chosen: The definition that the finding shows: the first that fits, or the nearest.
        trial: What was tried on held-out inputs; None if nothing was.
        unpredicted: The case that no definition predicts, in words.
    """
    nearest, fitting = None, recheck.definitions
    deviation, ambiguity = (fit.deviation, fit.ambiguity) if isinstance(fit, Fitting) else (recheck.deviation, None)
    compared = {"returned as": fit.tolerance.why, "data": recheck.compared}
    if not fitting and chosen is not None:
        residual = recheck.deviation if isinstance(fit, Fitting) or isnan(fit.residual) else fit.residual
        nearest = Nearest(signature=chosen.signature(), deviation=residual)
        if isinstance(fit, Fitting):
            compared["stage"] = "fits every probe, but not the data"
            unpredicted = f"{chosen.signature()} predicts every case, but not the data: off by {residual:.3g}."
    if isinstance(fit, Contradicted):
        failing = f"; smallest probe that shows it: {fit.counterexample.name}" if fit.counterexample else ""
        compared["stage"] = f"{stage_words(fit.stage)}{failing}"
    return EvidenceSummary(
        cases=fit.cases, tolerance=fit.tolerance.width, nearest=nearest, range={**_PROBE_RANGE, **compared},
        blind=fit.unidentified_axes, largest_deviation=max(deviation, recheck.deviation) if fitting else None,
        fitted_value=recheck.value, unpredicted=unpredicted,
        separating_case=ambiguity.text if ambiguity else None, **_held_out(trial),
    )  # fmt: skip


def _held_out(trial: Trial | None) -> dict[str, Any]:
    """Return the fields of the evidence that tell of held-out inputs."""
    if trial is None:
        return {"held_out": f"{NOT_TRIED}: the function was not asked"}
    if trial.why_not:
        return {"held_out": f"{NOT_TRIED}: {trial.why_not}", "refuted": dict(trial.refuted)}
    without = f"without {', '.join(trial.left_out)}" if trial.left_out else ""
    return {
        "held_out_users": trial.users, "held_out_cases": trial.cases, "held_out": without,
        "refuted": dict(trial.refuted),
    }  # fmt: skip


def probe_range(probes: Sequence[Probe]) -> dict[str, str]:
    """Return in words what probes hold: gains, cut-offs, and how long the lists and the truth of a user are."""
    gains = [float(gain) for probe in probes for gain in probe.case.truth.gain]
    of_one = [probe.case for probe in probes if len(probe.users) < 2]
    return {
        "gains": f"{min(gains):g} to {max(gains):g}",
        "k": f"{min(probe.k for probe in probes)} to {max(probe.k for probe in probes)}",
        "list length": f"0 to {max((len(case.predictions.user) for case in of_one), default=0)}",
        "relevant items": f"0 to {max((len(case.truth.user) for case in of_one), default=0)}",
    }


_PROBE_RANGE = probe_range(PROBES)
