"""Judges the claims of a paper on libraries by the definitions that an audit found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Data, Outcome, no_data
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.paper.arithmetic import CheckResult, is_close
from recsys_metric_audit.reports.paper.causes import CauseExperiment, try_cause
from recsys_metric_audit.reports.paper.claims import (
    Beside,
    Claim,
    ClaimSubject,
    Effect,
    Setting,
    load_claims,
    paper_keys,
)
from recsys_metric_audit.reports.paper.published import PAPER_K, PAPER_TITLES, RE_AUDITED, published_value
from recsys_metric_audit.reports.paper.sample_data import equal_on
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.meanings import formula


@dataclass(frozen=True)
class JudgedFinding:
    """One finding by which a claim is judged.

    Attributes:
        finding: The finding.
        verdict: Its verdict on the claim.
        equal_in: Settings in which every fitting definition equals the claimed one.
        unequal_in: Settings in which no fitting definition equals it.
        undecided_in: Settings in which some fitting definitions equal it and some do not.
        differences: Axes on which the identified definition is not the claimed one, as ``axis:value``.
        reason: Why the finding does not decide; empty if it does.
    """

    finding: Finding
    verdict: Answer
    equal_in: tuple[Setting, ...] = ()
    unequal_in: tuple[Setting, ...] = ()
    undecided_in: tuple[Setting, ...] = ()
    differences: tuple[str, ...] = ()
    reason: str = ""


def judge_finding(finding: Finding, subject: ClaimSubject, settings: Sequence[Setting]) -> JudgedFinding:
    """Return the verdict of one finding on the claim about ``subject``.

    Args:
        finding: The finding.
        subject: The claimed definition.
        settings: The settings to compare in; the first is the paper's.
    """
    if subject.fails:
        return _judge_failure(finding)
    fitting, reason = fitting_definitions(finding)
    if reason:
        return JudgedFinding(finding, Answer.unknown, reason=reason)
    if any(each.metric != subject.metric for each in fitting):
        differences = (fitting[0].metric,)
        return JudgedFinding(finding, Answer.no, unequal_in=tuple(settings), differences=differences)
    equal = [{setting for setting in settings if equal_on(each, subject.claimed, setting)} for each in fitting]
    equal_in = tuple(setting for setting in settings if all(setting in each for each in equal))
    unequal_in = tuple(setting for setting in settings if not any(setting in each for each in equal))
    undecided_in = tuple(setting for setting in settings if setting not in equal_in + unequal_in)
    if settings[0] in undecided_in:
        reason = f"of what fits ({_first_of(fitting)}) some is as claimed"
        return JudgedFinding(finding, Answer.unknown, equal_in, unequal_in, undecided_in, reason=reason)
    verdict = Answer.no if settings[0] in unequal_in else Answer.yes_but if unequal_in else Answer.yes
    return JudgedFinding(finding, verdict, equal_in, unequal_in, undecided_in, _differences(fitting[0], subject))


def _differences(identified: Definition, subject: ClaimSubject) -> tuple[str, ...]:
    """Return the axes on which the two definitions differ, of formula and averaging and of the claim's own."""
    claimed = subject.claimed.axes
    parts = ("formula", "averaging")
    compared = {axis.name for axis in identified.family.all_axes if axis.part in parts} | set(subject.expects)
    return tuple(f"{axis}:{value}" for axis, value in identified.values if axis in compared and value != claimed[axis])


def fitting_definitions(finding: Finding) -> tuple[tuple[Definition, ...], str]:
    """Return every definition that fits a finding and an empty reason, or no definition and the reason."""
    if finding.verdict is None:
        return (), f"{finding.status.replace('_', ' ')}: {finding.reason}"
    if finding.signature is None:
        near = finding.evidence.nearest
        more = f"; the nearest is {near.signature}, off by up to {near.deviation:.2g}" if near else ""
        return (), f"{finding.verdict}: what it computes is not identified{more}"
    if finding.verdict == "ambiguous" and not finding.equivalent:
        return (), "several definitions fit, and this file holds only one of them"
    try:
        return tuple(parse(each) for each in (finding.signature, *finding.equivalent)), ""
    except SignatureError as error:
        return (), f"the signature is of another version of this tool: {error}"


def _first_of(fitting: Sequence[Definition]) -> str:
    more = f" or {len(fitting) - 1} more" if len(fitting) > 1 else ""
    return f"{fitting[0].signature()}{more}"


def _judge_failure(finding: Finding) -> JudgedFinding:
    """Return the verdict on the claim that there is no value: an error, or NaN on the data, bears it out."""
    is_nan = finding.value is not None and math.isnan(finding.value)
    if finding.status in ("failed", "crashed", "timed_out") or is_nan:
        return JudgedFinding(finding, Answer.yes)
    if finding.value is None:
        reason = "it answers user by user; whether a mean fails was not asked"
        return JudgedFinding(finding, Answer.unknown, reason=reason)
    return JudgedFinding(finding, Answer.no)


CANONICAL = "computes the canonical formula"


@dataclass(frozen=True)
class MeasuredEffect:
    """Holds the effect of one change alone on the mean of one function, on the data of the run: before and after."""

    label: str
    library: str
    version: str
    data: str
    before: float
    after: float


def measured_effects(effects: tuple[Effect, ...], result: Result) -> tuple[MeasuredEffect, ...]:
    """Return each change as measured in the first finding that was decomposed so far; none where no finding was."""
    found = (_measured(effect, result) for effect in effects)
    return tuple(each for each in found if each is not None)


def _measured(effect: Effect, result: Result) -> MeasuredEffect | None:
    for finding in result.findings:
        if finding.library == effect.library and effect.function.search(finding.function):
            steps = finding.decomposition
            moved = [place for place, step in enumerate(steps) if step.axis in effect.axes]
            if moved and set(effect.axes) <= {step.axis for step in steps}:
                before, after = steps[moved[0] - 1].value, steps[moved[-1]].value
                data = one_line(result.dataset.name)
                return MeasuredEffect(effect.label, finding.library, one_line(finding.version), data, before, after)
    return None


def findings_beside(beside: tuple[Beside, ...], result: Result) -> tuple[str, ...]:
    """Return what the functions beside a claim compute, in words, if they were audited."""
    return tuple(f"{each.label}: {words}" for each in beside if (words := _computed(each, result)))


def _computed(beside: Beside, result: Result) -> str:
    meant = [
        each
        for each in result.findings
        if (each.library, each.metric, each.version) == (beside.library, beside.metric, beside.version)
        and beside.function.search(each.function)
    ]
    words = dict.fromkeys(_in_words(each) for each in meant)
    return " or ".join(filter(None, words))


def _in_words(finding: Finding) -> str:
    if finding.verdict in (None, "unexplained", "unstable", "ambiguous"):
        return ""
    return formula_words(finding.metric, formula(finding)) or CANONICAL


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
    verdict: Answer
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
    verdict: Answer
    subjects: tuple[JudgedSubject, ...]
    checks: tuple[CheckResult, ...]
    effects: tuple[MeasuredEffect, ...] = ()
    beside: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


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
    found = {subject.verdict for subject in subjects} | {outcome.answer for outcome in outcomes}
    if any(not check.holds for check in checks):
        found.add(Answer.no)
    elif found <= {Answer.unknown} and any(check.decides for check in checks):
        found.add(Answer.yes)
    worst = next((verdict for verdict in Answer if verdict in found), Answer.unknown)
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
    own = [each for each in result.findings if (each.library, each.metric) == (subject.library, subject.metric)]
    measured = [each for each in own if each.k in (k, None) and each.status not in ("not_offered", "unavailable")]
    return [each for each in measured if subject.function.search(each.function)]


def _over_versions(
    subject: ClaimSubject, findings: Sequence[JudgedFinding], entries: Sequence[Library]
) -> tuple[Answer, str]:
    """Return the verdict over all versions of one library; the paper's version counts before the others.

    Other versions can bear a claim out and cannot refute it.
    """
    by_version = {
        version: _over_functions([each for each in findings if each.finding.version == version])
        for version in dict.fromkeys(each.finding.version for each in findings)
    }
    own = by_version.pop(subject.version, Answer.unknown)
    others = {each for each in by_version.values() if each is not Answer.unknown}
    if own is Answer.yes and Answer.no in others:
        return Answer.in_part, ""
    if own is not Answer.unknown:
        return own, ""
    reason = _why_undecided(subject, findings, entries)
    if not others:
        return Answer.unknown, reason
    if others == {Answer.no}:
        return Answer.unknown, f"{reason}; the versions that were audited compute something else"
    if Answer.no in others:
        return Answer.in_part, reason
    return min(others, key=list(Answer).index), reason


def _over_functions(findings: Sequence[JudgedFinding]) -> Answer:
    """Return the verdict over all functions of one version; where they differ, it depends on the function called."""
    found = {each.verdict for each in findings} - {Answer.unknown}
    if not found:
        return Answer.unknown
    return found.pop() if len(found) == 1 else Answer.yes_but


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
    known = [each for each in findings if each.verdict is not Answer.unknown]
    own = [each for each in known if each.finding.version == subject.version]
    chosen = own or [each for each in known if each.verdict in (Answer.yes, Answer.yes_but)]
    return fitting_definitions(chosen[0].finding)[0] if chosen else ()


def _respect_paper_values(subjects: tuple[JudgedSubject, ...]) -> tuple[JudgedSubject, ...]:
    """Return ``subjects`` with a contradiction weakened where the paper's own value speaks against it.

    If the paper's value of a contradicted library equals that of a library for which the claim holds, the paper called
    the library in a way in which the claim does hold.
    """
    holding = [_paper_value(each) for each in subjects if each.verdict in (Answer.yes, Answer.yes_but)]
    reason = (
        "the paper's own number is that of the libraries for which the claim stands, so it was called in another way "
        "than the library's own program does"
    )
    return tuple(
        replace(each, verdict=Answer.yes_but, reason=reason)
        if each.verdict is Answer.no and _is_among(_paper_value(each), holding)
        else each
        for each in subjects
    )


def _paper_value(subject: JudgedSubject) -> float | None:
    return published_value(subject.about.library, subject.about.metric)


def _is_among(value: float | None, others: Sequence[float | None]) -> bool:
    return value is not None and any(other is not None and is_close(value, other, 1e-12) for other in others)
