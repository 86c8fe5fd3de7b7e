"""What was found of each metric, as plain values: its meanings, and who computes which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.anchors import anchor, fragment, library_anchor
from reports.plain import Pairs, Passage, brief, exact, one_line, passage, rounded, web_link
from reports.result import Finding, Library, Reference, Result, Witness
from reports.variants import Variants, meaning, variants
from reports.words import STATUSES, VERDICTS, count, title

Libraries = Mapping[tuple[str, str], Library]


@dataclass(frozen=True)
class Difference:
    """One axis on which a definition is not the canonical one."""

    axis: str
    value: str
    canonical: str


@dataclass(frozen=True)
class Entry:
    """One function of one library version at one cut-off. ``value`` is short, ``exact`` has every digit."""

    anchor: str
    library: str
    version: str
    library_anchor: str
    function: str
    k: str
    value: str
    exact: str
    verdict: str
    reason: Passage | None
    claim: str
    claimed: str
    claim_text: str
    claim_link: str | None
    equivalent: tuple[str, ...]
    evidence: Pairs
    nearest: str
    live: bool
    witness: Witness | None


@dataclass(frozen=True)
class Meaning:
    """All functions that compute the same: what they compute, and who they are."""

    anchor: str
    mark: str
    verdict: str
    heading: str
    signature: str
    classes: tuple[str, ...]
    differences: tuple[Difference, ...]
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Metric:
    """All meanings of one metric: canonical first, then lettered, then what has no meaning or no value."""

    anchor: str
    title: str
    canonical: Pairs
    summary: str
    meanings: tuple[Meaning, ...]


def metrics(result: Result) -> tuple[Metric, ...]:
    """Return all metrics of ``result`` in the order in which they were asked."""
    marks = variants(result)
    entries = {(entry.library, entry.version): entry for entry in result.libraries}
    return tuple(
        _metric(metric, [f for f in result.findings if f.metric == metric], result, marks, entries)
        for metric in dict.fromkeys(finding.metric for finding in result.findings)
    )


def _metric(metric: str, findings: Sequence[Finding], result: Result, marks: Variants, entries: Libraries) -> Metric:
    rows = [row for row in result.reference if row.metric == metric]
    groups: dict[tuple[int, str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_place(finding, marks), []).append(finding)
    meanings = [_meaning(metric, groups[place], rows, marks, entries) for place in sorted(groups)]
    known = sum(1 for place in groups if place[0] < 2)
    return Metric(
        anchor=fragment("metric", metric),
        title=title(metric),
        canonical=tuple((row.signature, exact(row.value)) for row in rows),
        summary=f"{count(known, 'meaning')} identified in {count(len(findings), 'finding')}",
        meanings=tuple(meanings),
    )


def _place(finding: Finding, marks: Variants) -> tuple[int, str, str]:
    """Return where a finding stands in its metric: canonical, lettered, not identified, without value."""
    mark = marks.mark(finding)
    if finding.verdict == "agrees":
        return (0, meaning(finding), "")
    if meaning(finding):
        return (1, mark.rjust(4), meaning(finding))
    return (2, finding.verdict, "") if finding.verdict else (3, finding.status, "")


def _meaning(
    metric: str, group: Sequence[Finding], rows: Sequence[Reference], marks: Variants, entries: Libraries
) -> Meaning:
    first = group[0]
    canonical = rows[0].definition if rows else {}
    name = first.verdict or first.status
    return Meaning(
        anchor=fragment("meaning", metric, meaning(first) or name),
        mark=marks.mark(first),
        verdict=name,
        heading=VERDICTS[first.verdict] if first.verdict else STATUSES[first.status].replace("–", "not offered"),
        signature=meaning(first),
        classes=first.classes,
        differences=tuple(
            Difference(axis, first.definition.get(axis, ""), canonical.get(axis, "")) for axis in first.differs_on
        ),
        entries=tuple(_entry(finding, entries[finding.library, finding.version]) for finding in group),
    )


def _entry(finding: Finding, entry: Library) -> Entry:
    source = entry.claims.get(finding.function, "")
    nearest = finding.evidence.nearest
    return Entry(
        anchor=anchor(finding),
        library=one_line(entry.title),
        version=entry.version,
        library_anchor=library_anchor(entry),
        function=finding.function,
        k="–" if finding.k is None else str(finding.k),
        value="–" if finding.value is None else rounded(finding.value),
        exact=exact(finding.value),
        verdict=finding.verdict or finding.status,
        reason=passage(finding.reason) if finding.reason else None,
        claim=_claim(finding),
        claimed=finding.claimed or "",
        claim_text=source,
        claim_link=web_link(source),
        equivalent=finding.equivalent,
        evidence=_evidence(finding),
        nearest=f"{nearest.signature}, off by up to {brief(nearest.deviation)}" if nearest else "",
        live=finding.live,
        witness=finding.witness,
    )


def _claim(finding: Finding) -> str:
    if finding.claimed is None:
        return ""
    if finding.matches_claim is None:
        return "Its documentation says"
    return "As its documentation says:" if finding.matches_claim else "Not what its documentation says:"


def _evidence(finding: Finding) -> Pairs:
    """Return the evidence as name and words, without what the finding does not have."""
    if finding.verdict is None:
        return ()
    seen = finding.evidence
    rows = [
        ("Cases asked", f"{seen.cases:,}"),
        ("Largest deviation", brief(seen.largest_deviation) if seen.largest_deviation is not None else ""),
        ("Tolerance", brief(seen.tolerance) if seen.tolerance is not None else ""),
        (
            "Identified definition on the data",
            exact(seen.fitted_value) if seen.fitted_value is not None else "",
        ),
        ("Asked up to", "; ".join(f"{name} {words}" for name, words in seen.range.items())),
        ("Would tell them apart", seen.separating_case or ""),
        ("Not told by what was asked", ", ".join(seen.blind)),
    ]
    return tuple((name, words) for name, words in rows if words)
