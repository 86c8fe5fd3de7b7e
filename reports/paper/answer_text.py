"""The verdict on a claim in sentences: which library does as the paper says, which does not, and why."""

from __future__ import annotations

from collections.abc import Sequence

from recsys_metric_audit.reports.paper.arithmetic import CheckResult
from recsys_metric_audit.reports.paper.causes import CauseExperiment
from recsys_metric_audit.reports.paper.claims import Setting
from recsys_metric_audit.reports.paper.effects import MeasuredEffect
from recsys_metric_audit.reports.paper.judged_finding import ClaimVerdict, JudgedFinding
from recsys_metric_audit.reports.paper.judging import JudgedClaim, JudgedSubject
from recsys_metric_audit.reports.paper.sample_data import SETTING_LABELS
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.labels import joined, metric_title
from recsys_metric_audit.reports.wording.meanings import open_cutoff

_LEADS = {
    ClaimVerdict.contradicted: "Not as the paper says",
    ClaimVerdict.versions: "As the paper says in some versions only",
    ClaimVerdict.way: "As the paper says for its way of calling, not for every one",
    ClaimVerdict.reproduced: "As the paper says",
    ClaimVerdict.open: "Not verifiable",
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
    if judged.verdict is ClaimVerdict.open:
        return f"not verifiable: {one_line(judged.reason)[:200]}"
    if judged.verdict is ClaimVerdict.contradicted:
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


def _settings(settings: Sequence[Setting]) -> str:
    return joined([SETTING_LABELS[setting] for setting in settings])


def _subjects_in_words(judged: JudgedClaim, verdict: ClaimVerdict) -> str:
    """Return the sentence on the libraries with one verdict; empty if none has it."""
    metrics: dict[str, list[str]] = {}
    for subject in judged.subjects:
        if subject.verdict is verdict:
            metrics.setdefault(_library_in_words(subject), []).append(metric_title(subject.about.metric))
    several = len({subject.about.metric for subject in judged.subjects}) > 1
    parts = [library + (f" ({joined(names)})" if several else "") for library, names in metrics.items()]
    return f"{_LEADS[verdict]}: {'; '.join(parts)}." if parts else ""


def _library_in_words(subject: JudgedSubject) -> str:
    """Return a library's name with the versions that decide, and how they differ from the claim."""
    name = one_line(subject.title)
    if subject.verdict is ClaimVerdict.open:
        return f"{name}: {one_line(subject.reason)[:160]}" if subject.audited else f"{name}, which was not audited"
    own, every = (
        [each for each in findings if each.verdict is not ClaimVerdict.open]
        for findings in (subject.paper_findings, subject.findings)
    )
    deciding = every if subject.verdict is ClaimVerdict.versions else own or every
    versions: dict[str, dict[str, None]] = {}
    for each in deciding:
        versions.setdefault(_detail(each, subject.verdict), {})[each.finding.version] = None
    parts = [f"{joined(list(names))}{detail}" for detail, names in versions.items()]
    recorded = ", recorded, not run here" if deciding and not any(each.finding.live for each in deciding) else ""
    other = "" if own else f", not the paper's {subject.about.version}"
    reason = f"; {subject.reason}" if subject.paper_findings and subject.reason else ""
    return f"{name} {', '.join(parts)}{recorded}{other}{reason}"


def _detail(judged: JudgedFinding, verdict: ClaimVerdict) -> str:
    """Return in brackets how one finding differs from the claim; empty if the claim holds for the library."""
    if verdict is ClaimVerdict.reproduced:
        return ""
    if judged.verdict is ClaimVerdict.reproduced and verdict is ClaimVerdict.versions:
        return " (as claimed)"
    found = ", ".join(judged.differences) or judged.finding.verdict or judged.finding.status
    where = f", which shows on {_settings(judged.unequal_in)}" if judged.verdict is ClaimVerdict.way else ""
    differs = judged.differences or judged.verdict is ClaimVerdict.contradicted
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
