"""From what fits to what is said: verdict, classes, claim, witness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from audit import space
from audit.identify import Fit
from audit.manifest import Function
from audit.observation import Observation, scalar
from audit.protocol import Crashed, Errored, Measured, NotOffered, Outcome, TimedOut
from reference.cases import PROBES, Probe
from reference.catalogue import documents
from reference.definition import Definition, parse
from reference.evaluate import Problem, evaluate
from reports.result import Evidence, Finding, Nearest, Status, Verdict, Witness, WitnessItem, WitnessUser


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
        case NotOffered(why):
            return "not_offered", why
        case TimedOut(seconds):
            return "timed_out", f"no answer within {seconds:g} s"
        case Crashed(code, stderr):
            return "crashed", f"the process died (exit code {code}): {stderr.strip()[-300:]}"
        case Errored(error, message, _):
            return "failed", f"{error}: {message}"
        case Measured():
            return "measured", ""


def finding(
    subject: Subject, k: int | None, observation: Observation | None, fit: Fit | None, data: Problem
) -> Finding:
    """What one function computes at one cut-off."""
    if observation is None:
        return unmeasured(subject, k, "failed", "the adapter gave no answer for it")
    outcome = observation.data.get(k) or observation.failure()
    if not isinstance(outcome, Measured):
        return unmeasured(subject, k, *describe(outcome or NotOffered("never answered")))
    if fit is None:
        return unmeasured(subject, k, "failed", "answered on the data, but on no probe")
    fitting, gap, value = _on_data(fit, outcome, data, k)
    chosen = fitting[0] if fitting else fit.nearest or (fit.definitions[0] if fit.definitions else None)
    verdict = _verdict(observation, fit, fitting)
    shown = chosen.with_(k=k) if chosen is not None and chosen.k is not None and k is not None else chosen
    own = subject.function
    named = verdict not in ("unexplained", "unstable")
    return Finding(
        library=subject.library, version=subject.version, function=own.name, metric=own.metric, k=k, status="measured",
        value=outcome.mean, verdict=verdict, signature=shown.signature() if shown and named else None,
        definition=shown.axes if shown and named else {}, differs_on=shown.differs_on if shown and named else (),
        classes=_classes(shown, own.metric) if shown and named else (),
        equivalent=tuple(other.signature() for other in fitting[1:]) if named else (),
        claimed=own.claims, matches_claim=_matches(own.claims, shown) if shown and named else None,
        witness=witness(observation, own.metric, own.cutoff), evidence=_evidence(fit, fitting, gap, value, chosen),
    )  # fmt: skip


def _on_data(fit: Fit, outcome: Measured, data: Problem, k: int | None) -> tuple[list[Definition], float, float | None]:
    """Definitions that also fit the data, their largest deviation there, and the first one's value."""
    fitting, worst, value = [], 0.0, None
    problem = data.at(k)
    for definition in fit.definitions:
        made = evaluate(definition, problem)
        predicted = made.mean[:1]
        if outcome.mean is None or outcome.values is None or outcome.users is None:
            observed = np.array([scalar(outcome)], dtype=float)
            good = outcome.mean is None or bool(fit.tolerance.close(predicted, observed)[0])
        else:
            observed = np.array([outcome.mean])
            good = bool(fit.tolerance.close(predicted, observed)[0])
        if good:
            fitting.append(definition)
            if outcome.mean is not None and not isnan(outcome.mean):
                worst = max(worst, abs(float(predicted[0]) - outcome.mean))
            value = float(predicted[0]) if value is None else value
    return fitting, worst, value


def _verdict(observation: Observation, fit: Fit, fitting: Sequence[Definition]) -> Verdict:
    if _unstable(observation, fit):
        return "unstable"
    if not fitting:
        return "unexplained"
    if len(fitting) > 1:
        return "ambiguous"
    if not fitting[0].differs_on:
        return "agrees"
    return "variant" if documents(fitting[0]) else "undocumented"


def _unstable(observation: Observation, fit: Fit) -> bool:
    for name, others in observation.again.items():
        first = observation.probes[name]
        for other in others:
            if isinstance(first, Measured) != isinstance(other, Measured):
                return True
            if isinstance(first, Measured) and isinstance(other, Measured):
                pair = [np.array([scalar(each)], dtype=float) for each in (first, other)]
                if not fit.tolerance.close(*pair)[0]:
                    return True
    return False


def _classes(definition: Definition, metric: str) -> tuple[str, ...]:
    other = ("name-is-not-the-metric",) if definition.metric != metric else ()
    return (*other, *definition.classes)


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


def _evidence(
    fit: Fit, fitting: Sequence[Definition], gap: float, value: float | None, chosen: Definition | None
) -> Evidence:
    nearest, note = None, fit.note
    if not fitting and chosen is not None:
        residual = fit.residual if not isnan(fit.residual) else gap
        nearest = Nearest(signature=chosen.signature(), deviation=residual)
        note = note or "fits every probe, but not the data"
    shown = {"returned as": fit.tolerance.why}
    if fit.blind:
        shown["data"] = "not compared: the function gives per-user values and no mean"
    if note and (fit.failing is not None or not fitting):
        failing = f"; smallest probe that shows it: {fit.failing.name}" if fit.failing else ""
        shown["stage"] = f"{note}{failing}"
    return Evidence(
        cases=fit.cases, tolerance=fit.tolerance.width, nearest=nearest, range={**_RANGE, **shown}, blind=fit.blind,
        largest_deviation=max(fit.deviation, gap) if fitting else None, fitted_value=value,
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


def witness(observation: Observation, metric: str, has_k: bool) -> Witness | None:
    """The smallest probe on which the library and the canonical definition of the metric differ."""
    canonical = Definition.of(metric)
    if not has_k and canonical.k is not None:
        canonical = Definition.of(metric, {"cutoff": "none"})
    best: tuple[int, Probe, float, float] | None = None
    for kind in ("plain", "order", "duplicates", "truth_duplicates", "relevance", "crowd"):
        made = evaluate(canonical, space.problem(kind))
        for column, probe in enumerate(space.probes(kind)):
            outcome = observation.probes.get(probe.name)
            value = scalar(outcome) if isinstance(outcome, Measured) else None
            if value is None or abs(value - made.mean[column]) <= 1e-4 * max(1, abs(value)):
                continue
            if isnan(value) and isnan(made.mean[column]):
                continue
            if best is None or probe.size < best[0]:
                best = (probe.size, probe, value, float(made.mean[column]))
    return None if best is None else _told(best[1], best[2], best[3], canonical, has_k)


def _told(probe: Probe, value: float, right: float, canonical: Definition, has_k: bool) -> Witness:
    k = probe.k if has_k else None
    shown = f"{canonical.signature()} is {right:.6g}, the library says {value:.6g}: {probe.case.why}"
    return Witness(
        case=probe.name, k=k, users=tuple(_users(probe)), library_value=value, canonical_value=right, text=shown
    )


def _users(probe: Probe) -> list[WitnessUser]:
    rec, rel = probe.case.predictions, probe.case.truth
    out = []
    for user in np.union1d(rec.user, rel.user).tolist():
        gains = dict(zip(rel.item[rel.user == user].tolist(), rel.gain[rel.user == user].tolist(), strict=True))
        rows = [
            WitnessItem(item=str(item), gain=gains.get(item), hit=item in gains, score=score)
            for item, score in zip(
                rec.item[rec.user == user].tolist(), rec.score[rec.user == user].tolist(), strict=True
            )
        ]
        listed = set(rec.item[rec.user == user].tolist())
        missing = [WitnessItem(item=str(i), gain=g, hit=True) for i, g in gains.items() if i not in listed]
        relevant = int((rel.user == user).sum())
        out.append(WitnessUser(user=str(user), items=tuple(rows), missing=tuple(missing), r=relevant))
    return out
