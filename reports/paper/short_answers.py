"""Answers each claim on one line, with the reason in a sentence, for the one screen of ``audit paper``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.paper.claims import ClaimSubject, Setting
from recsys_metric_audit.reports.paper.judged_finding import ClaimVerdict, JudgedFinding, fitting_definitions
from recsys_metric_audit.reports.paper.judging import JudgedClaim, JudgedSubject
from recsys_metric_audit.reports.paper.sample_data import equal_on
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import axis_contrast, axis_phrase
from recsys_metric_audit.reports.wording.labels import metric_title

ANSWERS = {
    ClaimVerdict.reproduced: "yes",
    ClaimVerdict.way: "yes, but",
    ClaimVerdict.versions: "in part",
    ClaimVerdict.contradicted: "no",
    ClaimVerdict.open: "unknown",
}
"""Maps the verdict on a claim to the answer."""

_WHERE: dict[Setting, str] = {
    "full": "",
    "threshold": "with a threshold of 4.5",
    "short": "on lists shorter than k",
    "undefined": "for users without a class",
}


@dataclass(frozen=True)
class ShortAnswer:
    """Holds the answer to one claim and the reason in a sentence, the most telling part first."""

    number: int
    title: str
    answer: str
    reason: str


def short_answer(judged: JudgedClaim) -> ShortAnswer:
    """Return the answer to a claim and the reason for it, from findings, from the paper's values and from sources."""
    claim = judged.claim
    reason = "; ".join(dict.fromkeys(filter(None, _reasons(judged))))
    return ShortAnswer(claim.number, claim.title, ANSWERS[judged.verdict], reason[:1].upper() + reason[1:] + ".")


def _reasons(judged: JudgedClaim) -> Iterable[str]:
    """Yield the parts of the reason: what speaks against the claim, then what limits it, then what bears it out."""
    checks = sorted(judged.checks, key=lambda check: check.holds)
    yield from (check.short or check.numbers for check in checks if check.short or not check.holds)
    yield from (outcome.reason for outcome in judged.outcomes)
    yield from (f"{effect.label} moves it by {effect.after - effect.before:+.3f} here" for effect in judged.effects[:1])
    yield from _found(judged.subjects, ClaimVerdict.contradicted)
    yield from _found(judged.subjects, ClaimVerdict.way)
    yield from _other_versions(judged.subjects)
    yield from (f"{each.label}: {each.words}" for each in judged.beside if each.words)
    yield from (_first_sentence(note) for note in judged.claim.notes if _stands_alone(judged))
    yield from _undecided(judged.subjects)
    yield _borne_out(judged)


def _stands_alone(judged: JudgedClaim) -> bool:
    """Return True if no finding and no check tells the reason, so that the sources must."""
    return (
        not judged.outcomes
        and not any(check.short for check in judged.checks)
        and judged.verdict in (ClaimVerdict.open, ClaimVerdict.reproduced)
    )


def _first_sentence(note: str) -> str:
    return note.partition(" (")[0].partition(": ")[0]


def _found(subjects: Sequence[JudgedSubject], verdict: ClaimVerdict) -> Iterable[str]:
    """Yield what the libraries with one verdict compute instead, each difference once with all that have it."""
    groups: dict[str, dict[str, None]] = {}
    for subject in subjects:
        if subject.verdict is verdict:
            for judged in subject.paper_findings or subject.findings:
                if judged.verdict in (ClaimVerdict.contradicted, ClaimVerdict.way):
                    groups.setdefault(_difference(judged, subject.about), {})[one_line(subject.title)] = None
    for words, libraries in groups.items():
        yield f"{', '.join(libraries)}: {words}" if words else ""


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
        groups: dict[str, dict[str, None]] = {}
        for judged in subject.findings:
            if judged.verdict is ClaimVerdict.contradicted and judged.finding.version != subject.about.version:
                groups.setdefault(_difference(judged, subject.about), {})[one_line(judged.finding.version)] = None
        for words, versions in groups.items():
            yield f"{one_line(subject.title)} {', '.join(versions)}: {words}"


def _undecided(subjects: Sequence[JudgedSubject]) -> Iterable[str]:
    """Yield why libraries do not decide, each reason once with all libraries that it holds for."""
    groups: dict[str, dict[str, None]] = {}
    for subject in subjects:
        if subject.verdict is ClaimVerdict.open:
            reason = one_line(subject.reason) if subject.audited else "not in this audit"
            groups.setdefault(reason, {})[one_line(subject.title)] = None
    return [f"{', '.join(libraries)}: {reason}" for reason, libraries in groups.items()]


def _borne_out(judged: JudgedClaim) -> str:
    """Return what bears a claim out that nothing limits: the libraries that were found as claimed."""
    names = [
        f"{one_line(subject.title)} {subject.about.version}"
        for subject in judged.subjects
        if subject.verdict is ClaimVerdict.reproduced and subject.paper_findings
    ]
    if judged.verdict is ClaimVerdict.reproduced and names:
        return f"found so in {', '.join(dict.fromkeys(names))}"
    held = [check.statement for check in judged.checks if check.holds]
    return "" if judged.subjects or not held else f"{held[0]}; which paper was counted where is not published"
