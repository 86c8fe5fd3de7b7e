"""The matrix: what every library version computes under the name of every metric, at a glance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reports.model.result import Finding, Library, Reference, Result
from reports.wording.anchors import finding_anchor, fragment, library_anchor
from reports.wording.axis_words import axis_differences, variant_label
from reports.wording.formatting import exact, one_line, rounded
from reports.wording.headline_findings import ABSENT, headline_findings
from reports.wording.labels import METRIC_TITLES, STATUS_LABELS, VERDICT_MEANINGS, VERDICT_SIGNS, joined, metric_title
from reports.wording.meaning_groups import hue
from reports.wording.meanings import meaning
from reports.wording.variant_letters import VariantLetters, assign_letters

_SHORT = {"ambiguous": "several fit", "unexplained": "none fits", "unstable": "unstable"}


@dataclass(frozen=True)
class Square:
    """One cell: value, mark and short label of what is computed. ``sort`` is the value for sorting, or empty."""

    text: str
    mark: str = ""
    label: str = ""
    hue: str = ""
    verdict: str = "not_offered"
    more: str = ""
    link: str = ""
    sort: str = ""
    also: int = 0
    """Further functions of this metric, which are on the metric's page."""
    equal: bool = False
    """Whether the value is the canonical one, whatever the definition."""


@dataclass(frozen=True)
class Line:
    """One library version. ``same`` is a number that all versions with the same meanings share."""

    title: str
    version: str
    library: str
    link: str
    newest: bool
    same: int
    note: str
    squares: tuple[Square, ...]


@dataclass(frozen=True)
class Share:
    """How many cells have a verdict or status; ``x`` and ``width`` are thousandths of all of them."""

    verdict: str
    name: str
    words: str
    count: int
    x: float
    width: float


@dataclass(frozen=True)
class Matrix:
    """All library versions by all metrics at one cut-off; ``canonical`` is the row above them."""

    k: int
    metrics: tuple[tuple[str, str], ...]
    """Title and anchor of each column."""
    canonical: tuple[Square, ...]
    lines: tuple[Line, ...]
    shares: tuple[Share, ...]
    """How many cells have each verdict, then each status."""

    @property
    def libraries(self) -> tuple[tuple[str, str], ...]:
        """Every library once: its name and its title."""
        return tuple({line.library: (line.library, line.title) for line in self.lines}.values())

    @property
    def versions(self) -> tuple[str, ...]:
        """Every version once, in the order of the rows."""
        return tuple(dict.fromkeys(line.version for line in self.lines))


def matrices(result: Result) -> tuple[Matrix, ...]:
    """Return one matrix for every cut-off of the run."""
    marks = assign_letters(result)
    return tuple(matrix(result, k, marks) for k in result.k)


def matrix(result: Result, k: int, marks: VariantLetters) -> Matrix:
    """Return the matrix at ``k``: of each library the function that Table 1 shows, on the metric's page the others."""
    heads = {(f.library, f.version, f.metric): f for f in headline_findings(result, k)}
    metrics = columns(list(heads.values()))
    references = {row.metric: row for row in result.reference if row.k in (k, None)}
    also: dict[tuple[str, str, str], int] = {}
    for finding in result.findings:
        if finding.k in (k, None) and finding.status not in ABSENT:
            key = (finding.library, finding.version, finding.metric)
            also[key] = also.get(key, 0) + 1
    same = alike(result)
    newest = {entry.library: entry.version for entry in reversed(result.libraries)}
    return Matrix(
        k=k,
        metrics=tuple((metric_title(metric), fragment("metric", metric)) for metric in metrics),
        canonical=tuple(_canonical(references.get(metric)) for metric in metrics),
        lines=tuple(_line(e, metrics, heads, also, marks, same, newest, references) for e in result.libraries),
        shares=_shares(heads.values()),
    )  # fmt: skip


def columns(findings: Sequence[Finding]) -> list[str]:
    """Return the metrics of ``findings``: the known ones in the order of the paper, then the others as they come."""
    asked = dict.fromkeys(finding.metric for finding in findings)
    return [
        *(metric for metric in METRIC_TITLES if metric in asked),
        *(metric for metric in asked if metric not in METRIC_TITLES),
    ]


def _canonical(row: Reference | None) -> Square:
    if row is None:
        return Square("–")
    return Square(rounded(row.value), more=f"{row.signature} = {exact(row.value)}", verdict="agrees", label="canonical")


def _line(
    entry: Library, metrics: Sequence[str], heads: Mapping[tuple[str, str, str], Finding],
    also: Mapping[tuple[str, str, str], int], marks: VariantLetters, same: Mapping[tuple[str, str], int],
    newest: Mapping[str, str], references: Mapping[str, Reference],
) -> Line:  # fmt: skip
    keys = [(entry.library, entry.version, metric) for metric in metrics]
    note = "" if entry.status == "audited" else f"{entry.status}: {one_line(entry.reason or '')}"
    return Line(
        title=one_line(entry.title),
        version=one_line(entry.version) + ("" if entry.live else " (recorded)"),
        library=entry.library,
        link=library_anchor(entry),
        newest=newest[entry.library] == entry.version,
        same=same[entry.library, entry.version],
        note=note if len(note) <= 140 else note[:139] + "…",
        squares=tuple(square(heads.get(key), also.get(key, 0), marks, references.get(key[2])) for key in keys),
    )


def square(finding: Finding | None, functions: int, marks: VariantLetters, row: Reference | None) -> Square:
    """Return the cell of one finding; a dash where there is none."""
    if finding is None:
        return Square("–")
    link, name = finding_anchor(finding), one_line(finding.function)
    if finding.verdict is None:
        text = STATUS_LABELS[finding.status]
        why = one_line(finding.reason or "")
        return Square(text, verdict=finding.status, more=f"{name}: {why[:160]}", link=link)
    mark = marks.mark(finding)
    differs = axis_differences(finding, row.definition if row else {}) if meaning(finding) else ()
    return Square(
        text="per user" if finding.value is None else rounded(finding.value),
        mark=mark,
        label=_SHORT.get(finding.verdict) or variant_label(differs) or "canonical",
        hue=hue(mark),
        verdict=finding.verdict,
        more=f"{name} = {exact(finding.value)}: {finding.verdict}",
        link=link,
        sort="" if finding.value is None else repr(finding.value),
        also=max(functions - 1, 0),
        equal=row is not None and finding.value is not None and math.isclose(finding.value, row.value, rel_tol=1e-9),
    )


def _shares(findings: Iterable[Finding]) -> tuple[Share, ...]:
    counts: Counter[str] = Counter(finding.verdict or finding.status for finding in findings)
    words = {**VERDICT_MEANINGS, **dict.fromkeys(STATUS_LABELS, "")}
    shares, x = [], 0.0
    for name in words:
        if counts[name]:
            width = round(1000 * counts[name] / counts.total(), 1)
            shares.append(Share(name, name.replace("_", " "), words[name], counts[name], round(x, 1), width))
            x += width
    return tuple(shares)


def alike(result: Result) -> dict[tuple[str, str], int]:
    """Return a number for every library version: the same for those of which everything is known to be the same.

    Versions are the same when each of their metrics has the same identified meaning at every cut-off; a metric that
    was measured and not identified is like no other.
    """
    kinds: dict[object, int] = {}
    found = {}
    shown = {(f.library, f.version, f.metric, f.k): f for k in result.k for f in headline_findings(result, k)}
    for entry in result.libraries:
        own = {key[2:]: f for key, f in shown.items() if key[:2] == (entry.library, entry.version)}
        key = tuple(sorted((str(place), meaning(finding)) for place, finding in own.items() if finding.verdict))
        unsure = not key or any(finding.verdict in VERDICT_SIGNS for finding in own.values())
        kind: object = (entry.library, entry.version) if unsure else key
        found[entry.library, entry.version] = kinds.setdefault(kind, len(kinds) + 1)
    return found


@dataclass(frozen=True)
class Agreement:
    """Library versions that compute the same under the name of a metric; ``mark`` is that of their meaning."""

    mark: str
    hue: str
    label: str
    link: str
    who: str
    versions: int


def agreements(result: Result, k: int) -> tuple[tuple[str, str, tuple[Agreement, ...]], ...]:
    """Return for each metric its title, its anchor, and who agrees with whom at ``k``, the largest group first."""
    marks = assign_letters(result)
    titles = {(entry.library, entry.version): one_line(entry.title) for entry in result.libraries}
    references = {row.metric: row for row in result.reference if row.k in (k, None)}
    found = []
    heads = headline_findings(result, k)
    for metric in columns(heads):
        sets: dict[str, list[Finding]] = {}
        for finding in heads:
            if finding.metric == metric and meaning(finding):
                sets.setdefault(meaning(finding), []).append(finding)
        made = [_agreement(text, who, marks, titles, references.get(metric)) for text, who in sets.items()]
        if made:
            made.sort(key=lambda each: -each.versions)
            found.append((metric_title(metric), fragment("metric", metric), tuple(made)))
    return tuple(found)


def _agreement(
    text: str, findings: Sequence[Finding], marks: VariantLetters, titles: Mapping[tuple[str, str], str],
    row: Reference | None,
) -> Agreement:  # fmt: skip
    first = findings[0]
    mark = marks.mark(first)
    by_title: dict[str, list[str]] = {}
    for finding in findings:
        by_title.setdefault(titles[finding.library, finding.version], []).append(one_line(finding.version))
    who = "; ".join(f"{name} {joined(versions)}" for name, versions in by_title.items())
    words = variant_label(axis_differences(first, row.definition if row else {})) or "canonical"
    return Agreement(mark, hue(mark), words, fragment("meaning", first.metric, text), who, len(findings))
