"""Puts together the re-audit of a paper as plain values: every claim with its verdict in words and its evidence.

The fields of the classes here are the keys of ``audit paper --format json``.
"""

from __future__ import annotations

from dataclasses import dataclass

from recsys_metric_audit.reports.experiments.outcome import Data, no_data
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.paper.answer_text import (
    answer_in_words,
    check_in_words,
    effect_in_words,
    standing_in_words,
    trials_in_words,
)
from recsys_metric_audit.reports.paper.claims import PaperHead, load_claims
from recsys_metric_audit.reports.paper.digits import Digits, compare_digits
from recsys_metric_audit.reports.paper.judged_finding import JudgedFinding
from recsys_metric_audit.reports.paper.judging import JudgedClaim, JudgedSubject, judge_claims
from recsys_metric_audit.reports.paper.published import RE_AUDITED
from recsys_metric_audit.reports.paper.short_answers import short_answer
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.meanings import open_cutoff


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
    claim, short = judged.claim, short_answer(judged)
    verdict = str(judged.verdict) if key == RE_AUDITED else short.answer
    causes = [(subject, subject.cause) for subject in judged.subjects if subject.cause is not None]
    return ClaimView(
        claim.number, claim.title, claim.text, claim.citation, verdict,
        answer_in_words(judged),
        tuple(_subject_view(subject) for subject in judged.subjects),
        (
            *dict.fromkeys(line for subject, cause in causes for line in trials_in_words(subject, cause)),
            *map(effect_in_words, judged.effects),
            *(f"{each.label}: {each.words}" for each in judged.beside if each.words),
            *(line for outcome in judged.outcomes for line in outcome.lines),
            *claim.notes,
        ),
        tuple(check_in_words(each) for each in judged.checks),
        short.answer, short.reason, claim.unverified,
    )  # fmt: skip


def _subject_view(subject: JudgedSubject) -> SubjectView:
    about = subject.about
    return SubjectView(
        one_line(subject.title), metric_title(about.metric), about.version, str(subject.verdict),
        one_line(subject.reason),
        tuple(_finding_view(each, about.version) for each in subject.findings),
    )  # fmt: skip


def _finding_view(judged: JudgedFinding, paper_version: str) -> FindingView:
    finding = judged.finding
    shown = finding.witness
    witness = "" if shown is None else (
        f"{one_line(shown.text).rstrip('.')}; library {_number(shown.library_value)}, "
        f"canonical {_number(shown.canonical_value)} (case {one_line(shown.case)}, k = {shown.k})"
    )  # fmt: skip
    more = len(finding.equivalent)
    fits = open_cutoff(finding.signature) + (f" or {more} more" if more else "") if finding.signature else ""
    return FindingView(
        one_line(finding.function), finding.version, not finding.live, finding.version == paper_version,
        fits or finding.verdict or finding.status.replace("_", " "), standing_in_words(judged), finding.value, witness,
    )  # fmt: skip


def _number(value: float | None) -> str:
    return "nothing" if value is None else rounded(value)
