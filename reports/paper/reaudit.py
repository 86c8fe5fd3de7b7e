"""Tells what became of each claim of a paper: the answer, the reason in a sentence, and the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.experiments.outcome import Answer, Data, no_data
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.paper.arithmetic import CheckResult
from recsys_metric_audit.reports.paper.causes import CauseExperiment
from recsys_metric_audit.reports.paper.claims import ClaimSubject, PaperHead, Setting, load_claims
from recsys_metric_audit.reports.paper.digits import Digits, compare_digits
from recsys_metric_audit.reports.paper.judging import (
    JudgedClaim,
    JudgedFinding,
    JudgedSubject,
    MeasuredEffect,
    fitting_definitions,
    judge_claims,
)
from recsys_metric_audit.reports.paper.published import RE_AUDITED
from recsys_metric_audit.reports.paper.sample_data import SETTING_LABELS, equal_on
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.formula_words import axis_contrast, axis_phrase
from recsys_metric_audit.reports.wording.labels import joined, metric_title
from recsys_metric_audit.reports.wording.meanings import open_cutoff

_LEADS = {
    Answer.no: "Not as the paper says",
    Answer.in_part: "As the paper says in some versions only",
    Answer.yes_but: "As the paper says for its way of calling, not for every one",
    Answer.yes: "As the paper says",
    Answer.unknown: "Not verifiable",
}


def answer_in_words(judged: JudgedClaim) -> str:
    """Return the verdict on a claim in sentences: libraries by verdict, then causes, then the paper's own values.

    Empty for a claim that experiments alone decide: their reasons say it all.
    """
    sentences = [_subjects_in_words(judged, verdict) for verdict in _LEADS]
    causes = [(each, each.cause) for each in judged.subjects if each.cause and each.cause.confirmed is not None]
    sentences += [_cause_in_words(subject, cause) for subject, cause in causes]
    sentences += [
        f"The paper's own numbers {'bear it out' if check.holds else 'speak against it'}: {check.statement}."
        for check in judged.checks
    ]
    if not judged.subjects and not judged.outcomes:
        sentences.append("Which paper was counted where is not published, so the counts themselves cannot be audited.")
    return " ".join(dict.fromkeys(filter(None, sentences)))


def standing_in_words(judged: JudgedFinding) -> str:
    """Return in words how one finding compares with the claim."""
    if judged.verdict is Answer.unknown:
        return f"not verifiable: {one_line(judged.reason)[:200]}"
    if judged.verdict is Answer.no:
        return "not as claimed"
    undecided = f"; on {_settings(judged.undecided_in)} it is not known" if judged.undecided_in else ""
    if judged.unequal_in:
        return f"as claimed on {_settings(judged.equal_in)}, not on {_settings(judged.unequal_in)}{undecided}"
    return f"as claimed{undecided}"


def check_in_words(check: CheckResult) -> str:
    """Return the outcome of a check on the paper's values as one line."""
    return f"{'True' if check.holds else 'Not true'}: {check.statement} ({check.numbers})"


def trials_in_words(subject: JudgedSubject, cause: CauseExperiment) -> list[str]:
    """Return one line for each trial: the change, and how the value moved.

    Lines about the baseline do not name the library, so that equal lines of several libraries can be merged.
    """
    library = f"{one_line(subject.title)}: "
    lines = []
    for trial in cause.named:
        effect = f"{rounded(trial.before)} becomes {rounded(trial.after)}" if trial.matters else "nothing changes"
        lines.append(f"{cause.baseline} with {trial.change} alone: {effect}")
    for trial in cause.found:
        effect = f"{rounded(trial.before)} becomes {rounded(trial.after)}"
        goal = f", which is {open_cutoff(cause.baseline)}" if trial.suffices else ""
        computed = open_cutoff(cause.computed)
        lines.append(f"{library}what was found, {computed}, with {trial.change} alone: {effect}{goal}")
    return lines


def effect_in_words(effect: MeasuredEffect) -> str:
    """Return what a change did to the value of a function on the data of the run."""
    moved = f"{rounded(effect.before)} becomes {rounded(effect.after)} ({effect.after - effect.before:+.4f})"
    return f"{effect.library} {effect.version}, {effect.label} on {effect.data}: {moved}"


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the second text of each pair by the first, each once, in their order."""
    return grouped(dict.fromkeys(pairs))


def _settings(settings: Sequence[Setting]) -> str:
    return joined([SETTING_LABELS[setting] for setting in settings])


def _subjects_in_words(judged: JudgedClaim, verdict: Answer) -> str:
    """Return the sentence on the libraries with one verdict; empty if none has it."""
    metrics = _grouped(
        (_library_in_words(subject), metric_title(subject.about.metric))
        for subject in judged.subjects
        if subject.verdict is verdict
    )
    several = len({subject.about.metric for subject in judged.subjects}) > 1
    parts = [library + (f" ({joined(names)})" if several else "") for library, names in metrics.items()]
    return f"{_LEADS[verdict]}: {'; '.join(parts)}." if parts else ""


def _library_in_words(subject: JudgedSubject) -> str:
    """Return a library's name with the versions that decide, and how they differ from the claim."""
    name = one_line(subject.title)
    if subject.verdict is Answer.unknown:
        return f"{name}: {one_line(subject.reason)[:160]}" if subject.audited else f"{name}, which was not audited"
    own, every = (
        [each for each in findings if each.verdict is not Answer.unknown]
        for findings in (subject.paper_findings, subject.findings)
    )
    deciding = every if subject.verdict is Answer.in_part else own or every
    versions = _grouped((_detail(each, subject.verdict), each.finding.version) for each in deciding)
    parts = [f"{joined(names)}{detail}" for detail, names in versions.items()]
    recorded = ", recorded, not run here" if deciding and not any(each.finding.live for each in deciding) else ""
    other = "" if own else f", not the paper's {subject.about.version}"
    reason = f"; {subject.reason}" if subject.paper_findings and subject.reason else ""
    return f"{name} {', '.join(parts)}{recorded}{other}{reason}"


def _detail(judged: JudgedFinding, verdict: Answer) -> str:
    """Return in brackets how one finding differs from the claim; empty if the claim holds for the library."""
    if verdict is Answer.yes:
        return ""
    if judged.verdict is Answer.yes and verdict is Answer.in_part:
        return " (as claimed)"
    found = ", ".join(judged.differences) or judged.finding.verdict or judged.finding.status
    where = f", which shows on {_settings(judged.unequal_in)}" if judged.verdict is Answer.yes_but else ""
    differs = judged.differences or judged.verdict is Answer.no
    return f" ({found}{where})" if differs else " (as claimed)"


def _cause_in_words(subject: JudgedSubject, cause: CauseExperiment) -> str:
    library = one_line(subject.title)
    if cause.confirmed:
        effect = "the cause that the paper names makes the difference; that change alone leads to what was found"
        return f"{library}: {effect}."
    idle = [trial.change for trial in cause.named if not trial.matters]
    real = [trial.change for trial in cause.found if trial.suffices] or [trial.change for trial in cause.found]
    first = f"moving {joined(idle)} changes nothing" if idle else "the cause that the paper names leads elsewhere"
    second = f", while moving {joined(real)} in what was found does" if real else ""
    return f"{library}: {first}{second}."


_VERDICTS = {
    Answer.no: "contradicted",
    Answer.in_part: "true for these versions only",
    Answer.yes_but: "true only for the paper's way of calling",
    Answer.yes: "reproduced",
    Answer.unknown: "not verifiable",
}
"""What the re-audit of 2021 says of an answer."""

_WHERE: dict[Setting, str] = {
    "full": "",
    "threshold": "with a threshold of 4.5",
    "short": "on lists shorter than k",
    "undefined": "for users without a class",
}


def reason_in_words(judged: JudgedClaim) -> str:
    """Return the reason for an answer in a sentence, the most telling part first.

    It is from findings, from the paper's values and from sources.
    """
    reason = "; ".join(dict.fromkeys(filter(None, _reasons(judged))))
    return reason[:1].upper() + reason[1:] + "."


def _reasons(judged: JudgedClaim) -> Iterable[str]:
    """Yield the parts of the reason: what speaks against the claim, then what limits it, then what bears it out."""
    checks = sorted(judged.checks, key=lambda check: check.holds)
    yield from (check.short or check.numbers for check in checks if check.short or not check.holds)
    yield from (outcome.reason for outcome in judged.outcomes)
    yield from (f"{effect.label} moves it by {effect.after - effect.before:+.3f} here" for effect in judged.effects[:1])
    yield from _found(judged.subjects, Answer.no)
    yield from _found(judged.subjects, Answer.yes_but)
    yield from _other_versions(judged.subjects)
    yield from judged.beside
    yield from (_first_sentence(note) for note in judged.claim.notes if _stands_alone(judged))
    yield from _undecided(judged.subjects)
    yield _borne_out(judged)


def _stands_alone(judged: JudgedClaim) -> bool:
    """Return True if no finding and no check tells the reason, so that the sources must."""
    return (
        not judged.outcomes
        and not any(check.short for check in judged.checks)
        and judged.verdict in (Answer.unknown, Answer.yes)
    )


def _first_sentence(note: str) -> str:
    return note.partition(" (")[0].partition(": ")[0]


def _found(subjects: Sequence[JudgedSubject], verdict: Answer) -> Iterable[str]:
    """Return what the libraries with one verdict compute instead, each difference once with all that have it."""
    groups = _grouped(
        (_difference(judged, subject.about), one_line(subject.title))
        for subject in subjects
        if subject.verdict is verdict
        for judged in subject.paper_findings or subject.findings
        if judged.verdict in (Answer.no, Answer.yes_but)
    )
    return [f"{', '.join(libraries)}: {words}" for words, libraries in groups.items() if words]


def _difference(judged: JudgedFinding, about: ClaimSubject) -> str:
    """Return how a finding differs from the claim: the axes that move the value, and on which input they do."""
    fitting, _ = fitting_definitions(judged.finding)
    if not fitting or fitting[0].metric != about.metric:
        return f"is {metric_title(fitting[0].metric)}" if fitting else ""
    told: dict[str, None] = {}
    parts = []
    for setting in judged.unequal_in:
        axes = [axis for axis in _moving_axes(fitting[0], about.claimed, setting) if axis not in told]
        if setting == "undefined":  # who is averaged and as what acts together: no axis moves the value alone
            axes = [axis for axis in _differing_users(fitting[0], about.claimed) if axis not in told] or axes
        told |= dict.fromkeys(axes)
        words = ", ".join(_phrase(fitting[0], axis) for axis in axes)
        parts.append(f"{words} {_WHERE[setting]}".strip() if words else "")
    return ", ".join(filter(None, parts))


def _moving_axes(found: Definition, claimed: Definition, setting: Setting) -> list[str]:
    """Return the axes on which two definitions differ and that, moved alone, change the value in ``setting``."""
    claimed = claimed.with_(k=found.k or "k")
    differing = [axis for axis, value in found.values if claimed.axes[axis] != value]
    moving = [axis for axis in differing if not equal_on(found, found.with_(**{axis: claimed.axes[axis]}), setting)]
    return moving or [axis for axis in differing if level_of(axis) != "input"]


def _differing_users(found: Definition, claimed: Definition) -> list[str]:
    """Return the axes of users without a value on which two definitions differ."""
    return [axis for axis in ("undefined", "no_negatives") if found.axes.get(axis) != claimed.axes.get(axis)]


def _phrase(definition: Definition, axis: str) -> str:
    """Return what a definition does on ``axis``; if that is canonical, as the contrast of others names it."""
    value = definition.axes[axis]
    contrast = axis_contrast(definition.metric, axis).removeprefix("not ")
    usual = value == definition.family.canonical[axis]
    return contrast if usual and contrast else axis_phrase(definition.metric, axis, value)


def _other_versions(subjects: Sequence[JudgedSubject]) -> Iterable[str]:
    """Yield the definitions of versions other than the paper's that contradict the claim."""
    for subject in subjects:
        groups = _grouped(
            (_difference(judged, subject.about), one_line(judged.finding.version))
            for judged in subject.findings
            if judged.verdict is Answer.no and judged.finding.version != subject.about.version
        )
        for words, versions in groups.items():
            yield f"{one_line(subject.title)} {', '.join(versions)}: {words}"


def _undecided(subjects: Sequence[JudgedSubject]) -> Iterable[str]:
    """Return why libraries do not decide, each reason once with all libraries that it holds for."""
    groups = _grouped(
        (one_line(subject.reason) if subject.audited else "not in this audit", one_line(subject.title))
        for subject in subjects
        if subject.verdict is Answer.unknown
    )
    return [f"{', '.join(libraries)}: {reason}" for reason, libraries in groups.items()]


def _borne_out(judged: JudgedClaim) -> str:
    """Return what bears a claim out that nothing limits: the libraries that were found as claimed."""
    names = [
        f"{one_line(subject.title)} {subject.about.version}"
        for subject in judged.subjects
        if subject.verdict is Answer.yes and subject.paper_findings
    ]
    if judged.verdict is Answer.yes and names:
        return f"found so in {', '.join(dict.fromkeys(names))}"
    held = [check.statement for check in judged.checks if check.holds]
    return "" if judged.subjects or not held else f"{held[0]}; which paper was counted where is not published"


@dataclass(frozen=True)
class FindingView:
    """One finding behind a verdict.

    Attributes:
        function: Name of the function.
        version: Version of the library.
        recorded: Whether it was replayed from a recording.
        paper_version: Whether the paper used this version.
        found: The identified definition, or the verdict or status in its place.
        stands: How it compares with the claim, in words.
        value: The library's mean on the data.
        witness: Its witness in a sentence; empty without one.
    """

    function: str
    version: str
    recorded: bool
    paper_version: bool
    found: str
    stands: str
    value: float | None
    witness: str


@dataclass(frozen=True)
class SubjectView:
    """One library and metric of a claim."""

    library: str
    metric: str
    paper_version: str
    verdict: str
    why: str
    evidence: tuple[FindingView, ...]


@dataclass(frozen=True)
class ClaimView:
    """One claim: what the paper says, the verdict and its explanation in words, and the evidence behind it."""

    number: int
    title: str
    text: str
    citation: str
    verdict: str
    words: str
    about: tuple[SubjectView, ...]
    experiments: tuple[str, ...]
    arithmetic: tuple[str, ...]
    answer: str
    """The verdict in a word or two."""
    reason: str
    """The reason for it in a sentence."""
    unverified: tuple[str, ...] = ()
    """What of the claim cannot be checked here, and why."""


@dataclass(frozen=True)
class Reaudit:
    """Holds all claims of one paper; of the 2021 paper also Table 3, and what it says about single papers."""

    key: str
    """The paper, as the command line names it."""
    paper: PaperHead
    told: tuple[ClaimView, ...]
    table3: tuple[tuple[str, str], ...]
    papers: tuple[tuple[str, str], ...]
    digits: tuple[Digits, ...] = ()
    """Holds the paper's values beside the values of the run, if the run is on the paper's data."""


def reaudit(result: Result, key: str = RE_AUDITED, data: Data = no_data, number: int | None = None) -> Reaudit:
    """Return the re-audit of a paper.

    Args:
        result: The result of an audit.
        key: The paper.
        data: Where experiments take predictions from.
        number: The only claim to judge; None for all.
    """
    claims = load_claims(key)
    papers = sum(column.papers for column in claims.table3)
    return Reaudit(
        key,
        claims.paper,
        tuple(_claim_view(judged, key) for judged in judge_claims(result, key, data, number)),
        tuple((column.column, f"{column.papers}/{papers}") for column in claims.table3),
        tuple((each.name, each.says) for each in claims.described),
        compare_digits(result) if key == RE_AUDITED else (),
    )


def _claim_view(judged: JudgedClaim, key: str) -> ClaimView:
    claim, answer = judged.claim, str(judged.verdict)
    verdict = _VERDICTS[judged.verdict] if key == RE_AUDITED else answer
    causes = [(subject, subject.cause) for subject in judged.subjects if subject.cause is not None]
    return ClaimView(
        claim.number, claim.title, claim.text, claim.citation, verdict,
        answer_in_words(judged),
        tuple(_subject_view(subject) for subject in judged.subjects),
        (
            *dict.fromkeys(line for subject, cause in causes for line in trials_in_words(subject, cause)),
            *map(effect_in_words, judged.effects),
            *judged.beside,
            *(line for outcome in judged.outcomes for line in outcome.lines),
            *claim.notes,
        ),
        tuple(check_in_words(each) for each in judged.checks),
        answer, reason_in_words(judged), claim.unverified,
    )  # fmt: skip


def _subject_view(subject: JudgedSubject) -> SubjectView:
    about, title, why = subject.about, one_line(subject.title), one_line(subject.reason)
    evidence = tuple(_finding_view(each, about.version) for each in subject.findings)
    return SubjectView(title, metric_title(about.metric), about.version, _VERDICTS[subject.verdict], why, evidence)


def _finding_view(judged: JudgedFinding, paper_version: str) -> FindingView:
    finding, witness = judged.finding, ""
    if shown := finding.witness:
        values = f"library {_number(shown.library_value)}, canonical {_number(shown.canonical_value)}"
        witness = f"{one_line(shown.text).rstrip('.')}; {values} (case {one_line(shown.case)}, k = {shown.k})"
    more = len(finding.equivalent)
    fits = open_cutoff(finding.signature) + (f" or {more} more" if more else "") if finding.signature else ""
    found, of_paper = fits or finding.verdict or finding.status.replace("_", " "), finding.version == paper_version
    name, stands = one_line(finding.function), standing_in_words(judged)
    return FindingView(name, finding.version, not finding.live, of_paper, found, stands, finding.value, witness)


def _number(value: float | None) -> str:
    return "nothing" if value is None else rounded(value)
