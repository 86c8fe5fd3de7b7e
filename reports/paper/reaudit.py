"""The paper re-audited, as plain values: every claim with its answer in words and what it stands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reports.model.result import Result
from reports.paper.arithmetic import Sum
from reports.paper.causes import Cause
from reports.paper.claims import Way, claims
from reports.paper.digits import Digits, compared
from reports.paper.judging import Answer, Ground, Subject, Verdict, judge
from reports.paper.sample_data import WORDS
from reports.wording.formatting import one_line, rounded
from reports.wording.labels import joined, metric_title
from reports.wording.meanings import open_cutoff


@dataclass(frozen=True)
class Evidence:
    """One finding behind an answer: what was found, how it stands to the claim, and its witness in a sentence."""

    function: str
    version: str
    recorded: bool
    paper_version: bool
    found: str
    stands: str
    value: float | None
    witness: str


@dataclass(frozen=True)
class About:
    """One library and metric of a claim."""

    library: str
    metric: str
    paper_version: str
    verdict: str
    why: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class Told:
    """One claim: what the paper says, what became of it, in plain words, and what that stands on."""

    number: int
    title: str
    text: str
    citation: str
    verdict: str
    words: str
    about: tuple[About, ...]
    experiments: tuple[str, ...]
    arithmetic: tuple[str, ...]


@dataclass(frozen=True)
class Reaudit:
    """All claims, Table 3, and the single papers that the paper speaks of."""

    told: tuple[Told, ...]
    table3: tuple[tuple[str, str], ...]
    papers: tuple[tuple[str, str], ...]
    digits: tuple[Digits, ...] = ()
    """On the paper's own data, its values beside those of the run."""


def reaudit(result: Result) -> Reaudit:
    """Return the re-audit of the paper by what ``result`` found."""
    data = claims()
    papers = sum(column.papers for column in data.table3)
    return Reaudit(
        tuple(_told(answer) for answer in judge(result)),
        tuple((column.column, f"{column.papers}/{papers}") for column in data.table3),
        tuple((each.name, each.says) for each in data.paper),
        compared(result),
    )


def _told(answer: Answer) -> Told:
    claim = answer.claim
    causes = [(subject, subject.cause) for subject in answer.subjects if subject.cause is not None]
    return Told(
        claim.number, claim.title, claim.text, claim.citation, str(answer.verdict), _words(answer),
        tuple(_about(subject) for subject in answer.subjects),
        tuple(dict.fromkeys(line for subject, cause in causes for line in _experiments(subject, cause))),
        tuple(_sum(each) for each in answer.sums),
    )  # fmt: skip


def _about(subject: Subject) -> About:
    about = subject.about
    return About(
        one_line(subject.title), metric_title(about.metric), about.version, str(subject.verdict), one_line(subject.why),
        tuple(_evidence(ground, about.version) for ground in subject.grounds),
    )  # fmt: skip


def _evidence(ground: Ground, paper: str) -> Evidence:
    finding = ground.finding
    shown = finding.witness
    witness = "" if shown is None else (
        f"{one_line(shown.text).rstrip('.')}; library {_number(shown.library_value)}, "
        f"canonical {_number(shown.canonical_value)} (case {one_line(shown.case)}, k = {shown.k})"
    )  # fmt: skip
    more = len(finding.equivalent)
    fits = open_cutoff(finding.signature) + (f" or {more} more" if more else "") if finding.signature else ""
    return Evidence(
        one_line(finding.function), finding.version, not finding.live, finding.version == paper,
        fits or finding.verdict or finding.status.replace("_", " "), _stands(ground), finding.value, witness,
    )  # fmt: skip


def _number(value: float | None) -> str:
    return "nothing" if value is None else rounded(value)


def _stands(ground: Ground) -> str:
    if ground.verdict is Verdict.open:
        return f"not verifiable: {one_line(ground.why)[:200]}"
    if ground.verdict is Verdict.contradicted:
        return "not as claimed"
    unsure = f"; on {_ways(ground.unsure)} it is not known" if ground.unsure else ""
    if ground.others:
        return f"as claimed on {_ways(ground.ways)}, not on {_ways(ground.others)}{unsure}"
    return f"as claimed{unsure}"


def _ways(ways: Sequence[Way]) -> str:
    return joined([WORDS[way] for way in ways])


def _sum(each: Sum) -> str:
    return f"{'True' if each.holds else 'Not true'}: {each.says} ({each.numbers})"


def _experiments(subject: Subject, cause: Cause) -> list[str]:
    """What was changed, and what came out; equal lines of several libraries are told once."""
    who = f"{one_line(subject.title)}: "
    lines = []
    for trial in cause.named:
        then = f"{rounded(trial.before)} becomes {rounded(trial.after)}" if trial.matters else "nothing changes"
        lines.append(f"{cause.baseline} with {trial.change} alone: {then}")
    for trial in cause.found:
        then = f"{rounded(trial.before)} becomes {rounded(trial.after)}"
        full = f", which is {open_cutoff(cause.baseline)}" if trial.suffices else ""
        lines.append(f"{who}what was found, {open_cutoff(cause.computed)}, with {trial.change} alone: {then}{full}")
    return lines


def _words(answer: Answer) -> str:
    """The answer in plain words: who does as claimed, who does not and what instead, who could not be judged."""
    said = [_group(answer, verdict, lead) for verdict, lead in _LEADS.items()]
    causes = [(s, s.cause) for s in answer.subjects if s.cause is not None and s.cause.stands is not None]
    said += [_cause(subject, cause) for subject, cause in causes]
    said += [f"The paper's own numbers {'bear it out' if each.holds else 'speak against it'}: {each.says}."
             for each in answer.sums]  # fmt: skip
    if not answer.subjects:
        said.append("Which paper was counted where is not published, so the counts themselves cannot be audited.")
    return " ".join(dict.fromkeys(filter(None, said)))


_LEADS = {
    Verdict.contradicted: "Not as the paper says",
    Verdict.versions: "As the paper says in some versions only",
    Verdict.way: "As the paper says for its way of calling, not for every one",
    Verdict.reproduced: "As the paper says",
    Verdict.open: "Not verifiable",
}


def _group(answer: Answer, verdict: Verdict, lead: str) -> str:
    chosen = [subject for subject in answer.subjects if subject.verdict is verdict]
    metrics: dict[str, list[str]] = {}
    for subject in chosen:
        metrics.setdefault(_who(subject), []).append(metric_title(subject.about.metric))
    several = len({subject.about.metric for subject in answer.subjects}) > 1
    said = [who + (f" ({joined(names)})" if several else "") for who, names in metrics.items()]
    return f"{lead}: {'; '.join(said)}." if said else ""


def _who(subject: Subject) -> str:
    name = one_line(subject.title)
    own, every = ([each for each in of if each.verdict is not Verdict.open] for of in (subject.own, subject.grounds))
    if subject.verdict is Verdict.open:
        return f"{name}: {one_line(subject.why)[:160]}" if subject.audited else f"{name}, which was not audited"
    telling = every if subject.verdict is Verdict.versions else own or every
    versions: dict[str, list[str]] = {}
    for each in telling:
        if each.finding.version not in versions.setdefault(_detail(each, subject.verdict), []):
            versions[_detail(each, subject.verdict)].append(each.finding.version)
    said = [f"{joined(names)}{detail}" for detail, names in versions.items()]
    recorded = ", recorded, not run here" if telling and not any(each.finding.live for each in telling) else ""
    other = "" if own else f", not the paper's {subject.about.version}"
    why = f"; {subject.why}" if subject.own and subject.why else ""
    return f"{name} {', '.join(said)}{recorded}{other}{why}"


def _detail(ground: Ground, verdict: Verdict) -> str:
    if verdict is Verdict.reproduced:
        return ""
    if ground.verdict is Verdict.reproduced and verdict is Verdict.versions:
        return " (as claimed)"
    found = ", ".join(ground.differs) or ground.finding.verdict or ground.finding.status
    on = f", which shows on {_ways(ground.others)}" if ground.verdict is Verdict.way else ""
    return f" ({found}{on})" if ground.differs or ground.verdict is Verdict.contradicted else " (as claimed)"


def _cause(subject: Subject, cause: Cause) -> str:
    who = one_line(subject.title)
    if cause.stands:
        return f"{who}: the cause that the paper names makes the difference; that change alone leads to what was found."
    idle = [trial.change for trial in cause.named if not trial.matters]
    real = [trial.change for trial in cause.found if trial.suffices] or [trial.change for trial in cause.found]
    first = f"moving {joined(idle)} changes nothing" if idle else "the cause that the paper names leads elsewhere"
    second = f", while moving {joined(real)} in what was found does" if real else ""
    return f"{who}: {first}{second}."
