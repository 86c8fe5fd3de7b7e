"""The making of a finding: one row of the result for one function at one cut-off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from recsys_metric_audit.audit.findings.attribution import (
    bin_per_user_values,
    decompose,
    definitions_of_effect,
    effect,
    moved_axes,
)
from recsys_metric_audit.audit.findings.evidence_summary import summarise_evidence, unpredicted_case
from recsys_metric_audit.audit.findings.verdict import (
    ByLevel,
    claimed_definition,
    decide_verdict,
    is_unstable,
    matches_claim,
    split_by_level,
    who_documents,
)
from recsys_metric_audit.audit.identification.data_recheck import recheck_on_data
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.canonical import (
    canonical_definition,
    definitions_under_contract,
    difference_classes,
    differing_axes,
)
from recsys_metric_audit.audit.observations.counterexample import witness
from recsys_metric_audit.audit.observations.fit import Fit, Fitting
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.observations.values_on_data import values_on_data
from recsys_metric_audit.audit.process.protocol import (
    Crashed,
    Errored,
    Measured,
    NotOffered,
    Outcome,
    TimedOut,
    Unaskable,
)
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reports.model.result import NOT_RECORDED, USERS_DRAWN, Finding, Status, Witness
from recsys_metric_audit.reports.model.statement import axis_statements


@dataclass(frozen=True)
class Subject:
    """The function that a finding is about, with its library and version."""

    library: str
    version: str
    function: Function


def unmeasured_finding(subject: Subject, k: int | None, status: Status, reason: str) -> Finding:
    """Return the finding of a function that has no value at ``k``, with the reason."""
    own = subject.function
    return Finding(
        library=subject.library, version=subject.version, function=own.name, metric=own.metric, k=k, status=status,
        reason=reason, claimed=own.claims, documented_call=own.documented_call, claim_says=own.says,
    )  # fmt: skip


def status_and_reason(outcome: Outcome) -> tuple[Status, str]:
    """Return the status of ``outcome`` and, if it is not a measurement, the reason in words."""
    match outcome:
        case NotOffered(why) | Unaskable(why):
            return "not_offered", why
        case TimedOut(seconds):
            return "timed_out", f"no answer within {seconds:g} s"
        case Crashed(code, stderr):
            return "crashed", f"the process died (exit code {code}): {stderr.strip()[-300:]}"
        case Errored(error, message, _):
            return "failed", f"{error}: {message}"
        case Measured():
            return "measured", ""


_NOT_RECORDED = Measured(None, None, None, "", 0.0)


def make_finding(
    subject: Subject, k: int | None, observation: Observation | None, fit: Fit | None, data: Problem,
    trial: Trial | None = None,
) -> Finding:  # fmt: skip
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
    if not isinstance(outcome, Measured):
        return unmeasured_finding(subject, k, *status_and_reason(outcome or NotOffered("never answered")))
    if fit is None:
        return unmeasured_finding(subject, k, "failed", "answered on the data, but on no probe")
    recheck = recheck_on_data(fit, outcome, data.at(k))
    own, canonical = subject.function, canonical_definition(subject.function)
    fitting = recheck.definitions
    first = fit.definitions[0] if isinstance(fit, Fitting) else fit.nearest
    chosen = fitting[0] if fitting else first
    evidence = summarise_evidence(fit, recheck, chosen, trial, unpredicted_case(fit, observation))
    if not_recorded:
        evidence = evidence.model_copy(update={"range": {**evidence.range, "data": NOT_RECORDED}})
    valued, valued_data = values_on_data(observation, k, data)
    assert isinstance(valued, Measured | None)  # all were answered, or some
    scatter = bin_per_user_values(canonical_definition(own, k), valued, valued_data) if valued else ()
    if scatter and valued is not outcome:
        evidence = evidence.model_copy(update={"range": {**evidence.range, USERS_DRAWN: valued_data.cases[0].why}})
    unstable = is_unstable(observation, fit.tolerance)
    by_level = _by_level(fit, fitting, own) if isinstance(fit, Fitting) and fitting and not unstable else None
    documented_by = who_documents(by_level, own) if by_level else ()
    as_claimed = matches_claim(own.claims, by_level)
    refuted = claimed_definition(own.claims, chosen) if own.claims and chosen and as_claimed is False else None
    return Finding(
        library=subject.library, version=subject.version, function=own.name, metric=own.metric, k=k, status="measured",
        value=outcome.mean, verdict="unstable" if unstable else decide_verdict(by_level, documented_by, own),
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


def _refuting_witness(observation: Observation, canonical: Definition, fit: Fit) -> Witness | None:
    """Return the held-out case that refutes the formula, worked by hand; None if none does."""
    if isinstance(fit, Fitting) or fit.stage != "held-out input":
        return None
    probe = fit.counterexample
    if probe is None or probe.name not in observation.probes:
        return None
    only = replace(observation, probes={probe.name: observation.probes[probe.name]}, further_probes=(probe,))
    nearest = fit.nearest or canonical
    return witness(only, canonical, nearest) or witness(only, nearest)


def _by_level(fit: Fitting, fitting: Sequence[Definition], function: Function) -> ByLevel:
    ambiguity = fit.ambiguity
    return split_by_level(
        fitting,
        fit.unidentified_axes,
        ruled_out=function.ruled_out,
        per_user=fit.user_values_only,
        tested=fit.assumed,
        inseparable=ambiguity.text if ambiguity and ambiguity.inseparable else "",
    )


def _identified(by_level: ByLevel, function: Function, k: int | None, data: Problem) -> dict[str, Any]:
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
