"""From what fits to what is said: verdict, classes, claim, witness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from audit.behaviours.responses import Refused, Response, Returned, response_of, same_values
from audit.findings.attribution import decompose
from audit.findings.per_user import scatter
from audit.identification.data_recheck import Settled, settle
from audit.libraries.function import Function
from audit.observations.canonical import canonical, classes, differing
from audit.observations.counterexample import witness
from audit.observations.fit import Fit
from audit.observations.observation import Observation, Tolerance
from audit.process.protocol import Crashed, Errored, Measured, NotOffered, Outcome, TimedOut, Unaskable
from reference.cases import PROBES
from reference.catalogue import is_documented
from reference.definitions.definition import Definition, parse
from reference.evaluation.evaluate import Problem
from reports.model.result import NOT_RECORDED, Evidence, Finding, Nearest, Status, Verdict


@dataclass(frozen=True)
class Subject:
    """Whose function a finding is about."""

    library: str
    version: str
    function: Function


def unmeasured(subject: Subject, k: int | None, status: Status, reason: str) -> Finding:
    """A row that keeps its place and says why it has no value."""
    own = subject.function
    return Finding(
        library=subject.library, version=subject.version, function=own.name, metric=own.metric, k=k, status=status,
        reason=reason, claimed=own.claims,
    )  # fmt: skip


def describe(outcome: Outcome) -> tuple[Status, str]:
    """Status and reason of what is no measurement."""
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


_UNHEARD = Measured(None, None, None, "", 0.0)


def finding(
    subject: Subject, k: int | None, observation: Observation | None, fit: Fit | None, data: Problem
) -> Finding:
    """What one function computes at one cut-off."""
    if observation is None:
        return unmeasured(subject, k, "failed", "the adapter gave no answer for it")
    unheard = k not in observation.data and observation.failure() is None
    outcome = _UNHEARD if unheard else observation.data.get(k) or observation.failure()
    if not isinstance(outcome, Measured):
        return unmeasured(subject, k, *describe(outcome or NotOffered("never answered")))
    if fit is None:
        return unmeasured(subject, k, "failed", "answered on the data, but on no probe")
    settled = settle(fit, outcome, data.at(k))
    fitting = settled.definitions
    chosen = fitting[0] if fitting else fit.nearest or (fit.definitions[0] if fit.definitions else None)
    verdict = _verdict(observation, fit, fitting, subject.function)
    shown = chosen.with_(k=k) if chosen is not None and chosen.k is not None and k is not None else chosen
    own = subject.function
    named = verdict not in ("unexplained", "unstable")
    evidence = _evidence(fit, settled, chosen)
    if unheard:
        evidence = evidence.model_copy(update={"range": {**evidence.range, "data": NOT_RECORDED}})
    return Finding(
        library=subject.library, version=subject.version, function=own.name, metric=own.metric, k=k, status="measured",
        value=outcome.mean, verdict=verdict, signature=shown.signature() if shown and named else None,
        definition=shown.axes if shown and named else {}, differs_on=differing(shown, own) if shown and named else (),
        classes=classes(shown, own) if shown and named else (),
        equivalent=tuple(other.signature() for other in fitting[1:]) if named else (),
        claimed=own.claims, matches_claim=_matches(own.claims, shown) if shown and named else None,
        witness=witness(observation, canonical(own), chosen if named else None), evidence=evidence,
        decomposition=decompose(canonical(own, k), shown, data.at(k)) if shown and named else (),
        scatter=scatter(canonical(own, k), outcome, data.at(k)),
    )  # fmt: skip


def _verdict(observation: Observation, fit: Fit, fitting: Sequence[Definition], own: Function) -> Verdict:
    if _unstable(observation, fit):
        return "unstable"
    if not fitting:
        return "unexplained"
    if len(fitting) > 1:
        return "ambiguous"
    if not differing(fitting[0], own):
        return "agrees"
    return "variant" if is_documented(fitting[0]) else "undocumented"


def _unstable(observation: Observation, fit: Fit) -> bool:
    """Whether the same ask was answered otherwise: another value of anyone, or an error only once.

    What came too late is no other answer: a busy machine may be to blame.
    """
    return any(
        _apart(response_of(observation.probes[name]), response_of(other), fit.tolerance)
        for name, others in observation.again.items()
        for other in others
    )


def _apart(one: Response, other: Response, tolerance: Tolerance) -> bool:
    if isinstance(one, Returned) and isinstance(other, Returned):
        return not same_values(one, other, tolerance)
    told = [
        isinstance(each, Returned) or (isinstance(each, Refused) and each.how in ("raises", "crashes"))
        for each in (one, other)
    ]
    return all(told) and isinstance(one, Returned) != isinstance(other, Returned)


def _matches(claim: str | None, definition: Definition | None) -> bool | None:
    """Whether the formula is the claimed one, and every other axis that the claim names."""
    if claim is None or definition is None:
        return None
    claimed = parse(claim).simplified()
    if claimed.metric != definition.metric:
        return False
    formula = {axis.name for axis in definition.family.axes}
    asked = formula | set(claimed.differs_on)
    return all(claimed.axes[name] == definition.axes[name] for name in asked)


def _evidence(fit: Fit, settled: Settled, chosen: Definition | None) -> Evidence:
    nearest, note, fitting = None, fit.note, settled.definitions
    if not fitting and chosen is not None:
        residual = fit.residual if not isnan(fit.residual) else settled.gap
        nearest = Nearest(signature=chosen.signature(), deviation=residual)
        note = note or "fits every probe, but not the data"
    shown = {"returned as": fit.tolerance.why, "data": settled.compared}
    if note and (fit.failing is not None or not fitting):
        failing = f"; smallest probe that shows it: {fit.failing.name}" if fit.failing else ""
        shown["stage"] = f"{note}{failing}"
    return Evidence(
        cases=fit.cases, tolerance=fit.tolerance.width, nearest=nearest, range={**_RANGE, **shown}, blind=fit.blind,
        largest_deviation=max(fit.deviation, settled.gap) if fitting else None, fitted_value=settled.value,
        separating_case=fit.separating or None,
    )  # fmt: skip


def _range() -> dict[str, str]:
    gains = [float(gain) for probe in PROBES for gain in probe.case.truth.gain]
    longest = max(len(probe.case.predictions.user) for probe in PROBES if len(probe.users) < 2)
    return {
        "gains": f"{min(gains):g} to {max(gains):g}",
        "k": f"1 to {max(probe.k for probe in PROBES)}",
        "list length": f"0 to {longest}",
        "relevant items": f"0 to {max(len(probe.case.truth.user) for probe in PROBES if len(probe.users) < 2)}",
    }


_RANGE = _range()
