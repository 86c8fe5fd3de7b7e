"""The making of a finding: one row of the result for one function at one cut-off."""

from __future__ import annotations

from dataclasses import dataclass

from audit.findings.attribution import decompose
from audit.findings.evidence_summary import summarise_evidence
from audit.findings.per_user import bin_per_user_values
from audit.findings.verdict import decide_verdict, matches_claim
from audit.identification.data_recheck import recheck_on_data
from audit.libraries.function import Function
from audit.observations.canonical import canonical_definition, difference_classes, differing_axes
from audit.observations.counterexample import witness
from audit.observations.fit import Fit
from audit.observations.observation import Observation
from audit.process.protocol import Crashed, Errored, Measured, NotOffered, Outcome, TimedOut, Unaskable
from reference.evaluation.evaluate import Problem
from reports.model.result import NOT_RECORDED, Finding, Status


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
        reason=reason, claimed=own.claims,
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
    subject: Subject, k: int | None, observation: Observation | None, fit: Fit | None, data: Problem
) -> Finding:
    """Return the finding of one function at one cut-off.

    Args:
        subject: The function.
        k: The cut-off; None for a function that takes none.
        observation: The function's answers; None if the adapter gave none.
        fit: The definitions that fit the probes; None if no probe was answered.
        data: The data of the run.
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
    fitting = recheck.definitions
    chosen = fitting[0] if fitting else fit.nearest or (fit.definitions[0] if fit.definitions else None)
    verdict = decide_verdict(observation, fit.tolerance, fitting, subject.function)
    shown = chosen.with_(k=k) if chosen is not None and chosen.k is not None and k is not None else chosen
    own = subject.function
    named = verdict not in ("unexplained", "unstable")
    evidence = summarise_evidence(fit, recheck, chosen)
    if not_recorded:
        evidence = evidence.model_copy(update={"range": {**evidence.range, "data": NOT_RECORDED}})
    return Finding(
        library=subject.library, version=subject.version, function=own.name, metric=own.metric, k=k, status="measured",
        value=outcome.mean, verdict=verdict, signature=shown.signature() if shown and named else None,
        definition=shown.axes if shown and named else {},
        differs_on=differing_axes(shown, own) if shown and named else (),
        classes=difference_classes(shown, own) if shown and named else (),
        equivalent=tuple(other.signature() for other in fitting[1:]) if named else (),
        claimed=own.claims, matches_claim=matches_claim(own.claims, shown) if shown and named else None,
        witness=witness(observation, canonical_definition(own), chosen if named else None), evidence=evidence,
        decomposition=decompose(canonical_definition(own, k), shown, data.at(k)) if shown and named else (),
        scatter=bin_per_user_values(canonical_definition(own, k), outcome, data.at(k)),
    )  # fmt: skip
