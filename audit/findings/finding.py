"""The making of a finding: one row of the result for one function at one cut-off, with its evidence.

The evidence tells cases, deviation, tolerance, the range of the probes, and the case that no definition predicts: its
kind of input, and what function and nearest definition give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from recsys_metric_audit.audit.findings import verdict
from recsys_metric_audit.audit.findings.attribution import (
    bin_per_user_values,
    decompose,
    definitions_of_effect,
    effect,
    moved_axes,
)
from recsys_metric_audit.audit.identification.data_recheck import DataRecheck, recheck_on_data
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.canonical import (
    canonical_definition,
    definitions_under_contract,
    difference_classes,
    differing_axes,
)
from recsys_metric_audit.audit.observations.counterexample import witness
from recsys_metric_audit.audit.observations.evidence import contradictions, gather_evidence, smallest_probe
from recsys_metric_audit.audit.observations.fit import Contradicted, Fit, Fitting, Stage
from recsys_metric_audit.audit.observations.observation import Observation, scalar
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.observations.values_on_data import values_on_data
from recsys_metric_audit.audit.process import protocol
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.reference.cases import EXHAUSTIVE, MIXED, PROBES, Kind, Probe, Role, Variant
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reports.model import result
from recsys_metric_audit.reports.model.statement import axis_statements

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
    wrong = contradictions(nearest, gather_evidence(observation.probes, asked), fit.tolerance)
    return smallest_probe(asked, wrong)


def _both_in_words(outcome: protocol.Outcome, definition: Definition, probe: Probe) -> tuple[str, str]:
    """Return what a function and a definition give on a case, in digits that tell them apart."""
    made = evaluate(definition, problem_of([probe]))
    value = scalar(outcome)
    returned = outcome.values if isinstance(outcome, protocol.Measured) else None
    given, mean = _both_told_apart(np.nan if value is None else value, made.mean[0])
    values, users = _both_told_apart(() if returned is None else returned, made.value[made.counted])
    beside = f" ({users} for its users)" if len(probe.users) > 1 else ""
    predicted = "an error" if made.refused[0] else f"{mean}{beside}"
    match outcome:
        case protocol.Errored(error, message):
            return f"raises {error} ({message[:200]})", predicted
        case protocol.Measured() if value is not None or returned is None:
            return f"gives {given}" if value is not None else "gives no number", predicted
        case protocol.Measured():
            return f"gives {values} for its users", predicted
        case _:
            return "gives no answer", predicted


def _both_told_apart(one: ArrayLike, other: ArrayLike) -> tuple[str, str]:
    first, second = (text.replace("nan", "NaN") or "nothing" for text in told_apart(one, other))
    return first, second


NOT_TRIED = "not tried on held-out inputs"
"""Beginning of the text that says why a finding was not tried."""


def summarise_evidence(
    fit: Fit, recheck: DataRecheck, chosen: Definition | None, trial: Trial | None = None, unpredicted: str = ""
) -> result.EvidenceSummary:
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
        nearest = result.Nearest(signature=chosen.signature(), deviation=residual)
        if isinstance(fit, Fitting):
            compared["stage"] = "fits every probe, but not the data"
            unpredicted = f"{chosen.signature()} predicts every case, but not the data: off by {residual:.3g}."
    if isinstance(fit, Contradicted):
        failing = f"; smallest probe that shows it: {fit.counterexample.name}" if fit.counterexample else ""
        compared["stage"] = f"{stage_words(fit.stage)}{failing}"
    return result.EvidenceSummary(
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


@dataclass(frozen=True)
class Subject:
    """The function that a finding is about, with its library and version."""

    library: str
    version: str
    function: Function


def unmeasured_finding(subject: Subject, k: int | None, status: result.Status, reason: str) -> result.Finding:
    """Return the finding of a function that has no value at ``k``, with the reason."""
    own = subject.function
    return result.Finding(
        library=subject.library, version=subject.version, function=own.name, metric=own.metric, k=k, status=status,
        reason=reason, claimed=own.claims, documented_call=own.documented_call, claim_says=own.says,
    )  # fmt: skip


def status_and_reason(outcome: protocol.Outcome) -> tuple[result.Status, str]:
    """Return the status of ``outcome`` and, if it is not a measurement, the reason in words."""
    match outcome:
        case protocol.NotOffered(why) | protocol.Unaskable(why):
            return "not_offered", why
        case protocol.TimedOut(seconds):
            return "timed_out", f"no answer within {seconds:g} s"
        case protocol.Crashed(code, stderr):
            return "crashed", f"the process died (exit code {code}): {stderr.strip()[-300:]}"
        case protocol.Errored(error, message, _):
            return "failed", f"{error}: {message}"
        case protocol.Measured():
            return "measured", ""


_NOT_RECORDED = protocol.Measured(None, None, None, "", 0.0)


def make_finding(
    subject: Subject, k: int | None, observation: Observation | None, fit: Fit | None, data: Problem,
    trial: Trial | None = None,
) -> result.Finding:  # fmt: skip
    """Return the finding of one function at one cut-off.

    Args:
        subject: The function.
        k: The cut-off; None for a function that takes none.
        observation: The function's answers; None if the adapter gave none.
        fit: The definitions that fit the probes; None if no probe was answered.
        data: The data of the run.
        trial: What was tried on held-out inputs; None if nothing was.
    """
    if observation is None:
        return unmeasured_finding(subject, k, "failed", "the adapter gave no answer for it")
    not_recorded = k not in observation.data and observation.failure() is None
    outcome = _NOT_RECORDED if not_recorded else observation.data.get(k) or observation.failure()
    if not isinstance(outcome, protocol.Measured):
        return unmeasured_finding(subject, k, *status_and_reason(outcome or protocol.NotOffered("never answered")))
    if fit is None:
        return unmeasured_finding(subject, k, "failed", "answered on the data, but on no probe")
    recheck = recheck_on_data(fit, outcome, data.at(k))
    own, canonical = subject.function, canonical_definition(subject.function)
    fitting = recheck.definitions
    first = fit.definitions[0] if isinstance(fit, Fitting) else fit.nearest
    chosen = fitting[0] if fitting else first
    evidence = summarise_evidence(fit, recheck, chosen, trial, unpredicted_case(fit, observation))
    if not_recorded:
        why = f"{result.REFUSED}{observation.refusal}" if observation.refusal else result.NOT_RECORDED
        evidence = evidence.model_copy(update={"range": {**evidence.range, "data": why}})
    valued, valued_data = values_on_data(observation, k, data)
    assert isinstance(valued, protocol.Measured | None)  # all were answered, or some
    scatter = bin_per_user_values(canonical_definition(own, k), valued, valued_data) if valued else ()
    if scatter and valued is not outcome:
        evidence = evidence.model_copy(
            update={"range": {**evidence.range, result.USERS_DRAWN: valued_data.cases[0].why}}
        )
    unstable = verdict.is_unstable(observation, fit.tolerance)
    by_level = _by_level(fit, fitting, own) if isinstance(fit, Fitting) and fitting and not unstable else None
    documented_by = verdict.who_documents(by_level, own) if by_level else ()
    as_claimed = verdict.matches_claim(own.claims, by_level)
    refuted = verdict.claimed_definition(own.claims, chosen) if own.claims and chosen and as_claimed is False else None
    return result.Finding(
        library=subject.library, version=subject.version, function=own.name, metric=own.metric, k=k, status="measured",
        value=outcome.mean, verdict="unstable" if unstable else verdict.decide_verdict(by_level, documented_by, own),
        takes=own.takes.model_dump(), called_with=tuple(made.what for made in own.called_with),
        documented_call=own.documented_call,
        claimed=own.claims, claim_says=own.says, matches_claim=as_claimed, documented_by=documented_by,
        claim_witness=witness(observation, refuted, chosen) if refuted else None,
        witness=_refuting_witness(observation, canonical, fit) or witness(
            observation, canonical, chosen if by_level else None, definitions_under_contract(canonical, own, chosen)
        ),
        evidence=evidence,
        scatter=scatter,
        effect=effect(canonical_definition(own, k), _at(fitting[0], k), outcome.mean, data.at(k), fit.tolerance)
        if by_level else None,
        **_identified(by_level, own, k, data) if by_level else {},
    )  # fmt: skip


def told_definitions(function: Function, k: int | None, fit: Fit | None) -> list[Definition]:
    """Return the definitions whose means a finding tells if the data leave what fits the small inputs."""
    canonical = canonical_definition(function, k)
    if not isinstance(fit, Fitting) or not fit.definitions:
        return [canonical]
    shown = _at(_by_level(fit, fit.definitions, function).shown, k)
    steps = [definition for _, definition in moved_axes(canonical, shown)]
    first = _at(fit.definitions[0], k)
    return [canonical, *fit.definitions, *definitions_of_effect(canonical, first), *steps]


def _refuting_witness(observation: Observation, canonical: Definition, fit: Fit) -> result.Witness | None:
    """Return the held-out case that refutes the formula, worked by hand; None if none does."""
    if isinstance(fit, Fitting) or fit.stage != "held-out input":
        return None
    probe = fit.counterexample
    if probe is None or probe.name not in observation.probes:
        return None
    only = replace(observation, probes={probe.name: observation.probes[probe.name]}, further_probes=(probe,))
    nearest = fit.nearest or canonical
    return witness(only, canonical, nearest) or witness(only, nearest)


def _by_level(fit: Fitting, fitting: Sequence[Definition], function: Function) -> verdict.ByLevel:
    ambiguity = fit.ambiguity
    return verdict.split_by_level(
        fitting,
        fit.unidentified_axes,
        ruled_out=function.ruled_out,
        per_user=fit.user_values_only,
        tested=fit.assumed,
        inseparable=ambiguity.text if ambiguity and ambiguity.inseparable else "",
    )


def _identified(by_level: verdict.ByLevel, function: Function, k: int | None, data: Problem) -> dict[str, Any]:
    """Return the fields of a finding that tell the identified definition."""
    shown = _at(by_level.shown, k)
    differs_on = tuple(axis for axis in differing_axes(shown, function) if axis in by_level.stated)
    others = by_level.formulas[1:]
    return {
        "signature": shown.signature(), "formula": _at(by_level.formulas[0], k).signature(),
        "axes": axis_statements(
            by_level.definition, differs_on, by_level.unknown, by_level.cannot_matter, by_level.does_not_apply,
            by_level.assumed,
        ),
        "classes": difference_classes(shown, function),
        "equivalent": tuple(_at(other, k).signature() for other in others),
        "decomposition": decompose(canonical_definition(function, k), shown, data.at(k)),
    }  # fmt: skip


def _at(definition: Definition, k: int | None) -> Definition:
    """Return ``definition`` at cut-off ``k``, if it has one."""
    return definition if definition.k is None or k is None else definition.with_(k=k)
