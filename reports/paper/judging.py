"""Judges each claim of a paper, from what an audit found and from the claim's experiments.

A claim states a definition; an audit identified one, or several that fit. Both are evaluated in the claim's settings
(:mod:`reports.paper.sample_data`), and the claim holds where every fitting definition gives the claimed values. A
function's name, its documentation and its source play no part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Data, Outcome, no_data
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.paper.arithmetic import CheckResult, is_close
from recsys_metric_audit.reports.paper.causes import CauseExperiment, try_cause
from recsys_metric_audit.reports.paper.claims import Claim, ClaimSubject, load_claims, paper_keys
from recsys_metric_audit.reports.paper.effects import BesideFinding, MeasuredEffect, findings_beside, measured_effects
from recsys_metric_audit.reports.paper.judged_finding import (
    ClaimVerdict,
    JudgedFinding,
    fitting_definitions,
    judge_finding,
)
from recsys_metric_audit.reports.paper.published import PAPER_K, PAPER_TITLES, RE_AUDITED, published_value


@dataclass(frozen=True)
class JudgedSubject:
    """The verdict on a claim for one library and metric.

    Attributes:
        about: The library, the metric and the claimed definition.
        title: The library's name.
        verdict: The verdict over all audited versions.
        findings: The findings by which it is judged.
        reason: Why the paper's version does not decide; empty if it does.
        cause: The trials on the cause that the paper names; None if it names none.
        audited: Whether any version of the library was audited.
    """

    about: ClaimSubject
    title: str
    verdict: ClaimVerdict
    findings: tuple[JudgedFinding, ...]
    reason: str
    cause: CauseExperiment | None
    audited: bool

    @property
    def paper_findings(self) -> tuple[JudgedFinding, ...]:
        """The findings on the version that the paper used."""
        return tuple(each for each in self.findings if each.finding.version == self.about.version)


@dataclass(frozen=True)
class JudgedClaim:
    """The verdict on one claim, with its subjects and the checks on the paper's values."""

    claim: Claim
    verdict: ClaimVerdict
    subjects: tuple[JudgedSubject, ...]
    checks: tuple[CheckResult, ...]
    effects: tuple[MeasuredEffect, ...] = ()
    beside: tuple[BesideFinding, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


_VERDICTS = {
    Answer.no: ClaimVerdict.contradicted,
    Answer.in_part: ClaimVerdict.versions,
    Answer.yes_but: ClaimVerdict.way,
    Answer.yes: ClaimVerdict.reproduced,
    Answer.unknown: ClaimVerdict.open,
}
"""The verdict that each answer of an experiment stands for."""


def judge_claims(
    result: Result, key: str = RE_AUDITED, data: Data = no_data, number: int | None = None
) -> tuple[JudgedClaim, ...]:
    """Return the verdict on every claim of a paper, in the order of their numbers.

    Args:
        result: The result of an audit.
        key: The paper.
        data: Where experiments take predictions from.
        number: The only claim to judge; None for all.
    """
    bench = Bench(result, data)
    return tuple(_judge_claim(claim, bench) for claim in load_claims(key).claim if number in (None, claim.number))


def judged_findings(result: Result) -> tuple[Finding, ...]:
    """Return the findings of ``result`` by which any claim of any paper is judged."""
    claims = [claim for key in paper_keys() for claim in load_claims(key).claim]
    about = [each for claim in claims for subject in claim.about for each in _meant_findings(subject, result)]
    needed = [each for claim in claims for experiment in claim.experiment for each in experiment.needs(result)]
    return (*about, *needed)


def _judge_claim(claim: Claim, bench: Bench) -> JudgedClaim:
    result = bench.result
    subjects = _respect_paper_values(tuple(_judge_subject(subject, claim, result) for subject in claim.about))
    checks = tuple(check.run() for check in claim.arithmetic)
    outcomes = tuple(experiment.run(bench) for experiment in claim.experiment)
    found = {subject.verdict for subject in subjects} | {_VERDICTS[outcome.answer] for outcome in outcomes}
    if any(not check.holds for check in checks):
        found.add(ClaimVerdict.contradicted)
    elif found <= {ClaimVerdict.open} and any(check.decides for check in checks):
        found.add(ClaimVerdict.reproduced)
    worst = next((verdict for verdict in ClaimVerdict if verdict in found), ClaimVerdict.open)
    effects, beside = measured_effects(claim.effects, result), findings_beside(claim.beside, result)
    return JudgedClaim(claim, worst, subjects, checks, effects, beside, outcomes)


def _judge_subject(subject: ClaimSubject, claim: Claim, result: Result) -> JudgedSubject:
    entries = [entry for entry in result.libraries if entry.library == subject.library]
    findings = tuple(judge_finding(each, subject, claim.settings) for each in _meant_findings(subject, result))
    verdict, reason = _over_versions(subject, findings, entries)
    cause = None
    baseline = {axis: value for axis, value in claim.baseline.items() if axis in subject.claimed.axes}
    if baseline:
        cause = try_cause(subject, baseline, _identified(subject, findings), claim.settings)
    title = entries[0].title if entries else PAPER_TITLES.get(subject.library, subject.library)
    audited = any(entry.status == "audited" for entry in entries)
    return JudgedSubject(subject, title, verdict, findings, reason, cause, audited)


def _meant_findings(subject: ClaimSubject, result: Result) -> list[Finding]:
    """Return the findings that a claim means, at the paper's cut-off if the run has it, else at the run's first."""
    k = PAPER_K if PAPER_K in result.k else next(iter(result.k), None)
    return [
        each for each in result.findings
        if (each.library, each.metric) == (subject.library, subject.metric) and each.k in (k, None)
        and each.status not in ("not_offered", "unavailable") and re.search(subject.function, each.function)
    ]  # fmt: skip


def _over_versions(
    subject: ClaimSubject, findings: Sequence[JudgedFinding], entries: Sequence[Library]
) -> tuple[ClaimVerdict, str]:
    """Return the verdict over all versions of one library; the paper's version counts before the others.

    Other versions can bear a claim out and cannot refute it.
    """
    by_version = {
        version: _over_functions([each for each in findings if each.finding.version == version])
        for version in dict.fromkeys(each.finding.version for each in findings)
    }
    own = by_version.pop(subject.version, ClaimVerdict.open)
    others = {each for each in by_version.values() if each is not ClaimVerdict.open}
    if own is ClaimVerdict.reproduced and ClaimVerdict.contradicted in others:
        return ClaimVerdict.versions, ""
    if own is not ClaimVerdict.open:
        return own, ""
    reason = _why_undecided(subject, findings, entries)
    if not others:
        return ClaimVerdict.open, reason
    if others == {ClaimVerdict.contradicted}:
        return ClaimVerdict.open, f"{reason}; the versions that were audited compute something else"
    if ClaimVerdict.contradicted in others:
        return ClaimVerdict.versions, reason
    return min(others, key=list(ClaimVerdict).index), reason


def _over_functions(findings: Sequence[JudgedFinding]) -> ClaimVerdict:
    """Return the verdict over all functions of one version; where they differ, it depends on the function called."""
    found = {each.verdict for each in findings} - {ClaimVerdict.open}
    if not found:
        return ClaimVerdict.open
    return found.pop() if len(found) == 1 else ClaimVerdict.way


def _why_undecided(subject: ClaimSubject, findings: Sequence[JudgedFinding], entries: Sequence[Library]) -> str:
    """Return why the paper's version does not decide the claim."""
    entry = next((entry for entry in entries if entry.version == subject.version), None)
    if entry is None:
        return f"{subject.version}, the paper's version, is not in this audit"
    if entry.status != "audited":
        return f"{subject.version}, the paper's version, is {entry.status}: {entry.reason}"
    own = [each for each in findings if each.finding.version == subject.version]
    return own[0].reason if own else f"{subject.version} does not offer it"


def _identified(subject: ClaimSubject, findings: Sequence[JudgedFinding]) -> tuple[Definition, ...]:
    """Return the definitions of the first identified function of the paper's version.

    Without one, of the first function of another version for which the claim holds; empty if there is none.
    """
    known = [each for each in findings if each.verdict is not ClaimVerdict.open]
    own = [each for each in known if each.finding.version == subject.version]
    chosen = own or [each for each in known if each.verdict in (ClaimVerdict.reproduced, ClaimVerdict.way)]
    return fitting_definitions(chosen[0].finding)[0] if chosen else ()


def _respect_paper_values(subjects: tuple[JudgedSubject, ...]) -> tuple[JudgedSubject, ...]:
    """Return ``subjects`` with a contradiction weakened where the paper's own value speaks against it.

    If the paper's value of a contradicted library equals that of a library for which the claim holds, the paper called
    the library in a way in which the claim does hold.
    """
    holding = [_paper_value(each) for each in subjects if each.verdict in (ClaimVerdict.reproduced, ClaimVerdict.way)]
    reason = (
        "the paper's own number is that of the libraries for which the claim stands, so it was called in another way "
        "than the library's own program does"
    )
    return tuple(
        replace(each, verdict=ClaimVerdict.way, reason=reason)
        if each.verdict is ClaimVerdict.contradicted and _is_among(_paper_value(each), holding)
        else each
        for each in subjects
    )


def _paper_value(subject: JudgedSubject) -> float | None:
    return published_value(subject.about.library, subject.about.metric)


def _is_among(value: float | None, others: Sequence[float | None]) -> bool:
    return value is not None and any(other is not None and is_close(value, other, 1e-12) for other in others)
