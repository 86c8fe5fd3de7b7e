"""The matrix of library versions by metrics, and the groups of versions that compute one formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reference.space.levels import LEVELS
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import Finding, Library, Reference, Result
from recsys_metric_audit.reports.wording.anchors import finding_anchor, fragment, library_anchor
from recsys_metric_audit.reports.wording.formatting import exact, one_line, rounded, shortened
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import (
    METRIC_TITLES,
    STATUS_LABELS,
    VERDICT_MEANINGS,
    VERDICT_SIGNS,
    joined,
    metric_title,
)
from recsys_metric_audit.reports.wording.meanings import (
    ABSENT,
    findings_at,
    formula,
    gives_canonical_value,
    headline_findings,
    meaning,
)
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters, assign_letters

_SHORT = {"ambiguous": "several fit", "unexplained": "none fits", "unstable": "unstable"}

_LONGEST_LABEL, _LONGEST_NOTE = 48, 140


@dataclass(frozen=True)
class MatrixCell:
    """One cell of the matrix.

    Attributes:
        text: The value, or the status in its place.
        mark: Mark of the formula.
        label: The formula in words, or the verdict, short.
        verdict: Verdict, or the status.
        more: Text on hovering.
        link: Anchor of the finding.
        sort: The value for sorting, or empty.
        also: Number of further functions of the metric, which are on the metric's page.
        equal: Whether the value equals the canonical one, whatever the definition, or there is none.
        levels: Initials of the levels on which it differs: `f`, `w`, `i`.
    """

    text: str
    mark: str = ""
    label: str = ""
    verdict: str = "not_offered"
    more: str = ""
    link: str = ""
    sort: str = ""
    also: int = 0
    equal: bool = False
    levels: str = ""


@dataclass(frozen=True)
class MatrixRow:
    """The row of one library version; versions with the same meanings share the number ``same``."""

    title: str
    version: str
    library: str
    link: str
    newest: bool
    same: int
    note: str
    cells: tuple[MatrixCell, ...]


@dataclass(frozen=True)
class Share:
    """The number of cells with one verdict or status; ``x`` and ``width`` of its bar are thousandths of all cells."""

    verdict: str
    name: str
    words: str
    count: int
    x: float
    width: float


@dataclass(frozen=True)
class Matrix:
    """All library versions by all metrics at one cut-off.

    Attributes:
        k: The cut-off.
        metrics: Title and anchor of each column.
        canonical: The row of canonical values.
        rows: The rows of library versions.
        shares: Number of cells with each verdict, then with each status.
    """

    k: int
    metrics: tuple[tuple[str, str], ...]
    canonical: tuple[MatrixCell, ...]
    rows: tuple[MatrixRow, ...]
    shares: tuple[Share, ...]

    @property
    def libraries(self) -> tuple[tuple[str, str], ...]:
        """Every library once: its name and its title."""
        return tuple({row.library: (row.library, row.title) for row in self.rows}.values())

    @property
    def versions(self) -> tuple[str, ...]:
        """Every version once, in the order of the rows."""
        return tuple(dict.fromkeys(row.version for row in self.rows))


def matrices(result: Result) -> tuple[Matrix, ...]:
    """Return one matrix for every cut-off of the run."""
    marks = assign_letters(result)
    return tuple(matrix(result, k, marks) for k in result.k)


def matrix(result: Result, k: int, marks: VariantLetters) -> Matrix:
    """Return the matrix at cut-off ``k``, with the function of each library that Table 1 shows."""
    heads = {(f.library, f.version, f.metric): f for f in headline_findings(result, k)}
    metrics = columns(list(heads.values()))
    references = {row.metric: row for row in result.reference if row.k in (k, None)}
    also = Counter((f.library, f.version, f.metric) for f in findings_at(result, k) if f.status not in ABSENT)
    same = meaning_numbers(result)
    newest = {entry.library: entry.version for entry in reversed(result.libraries)}
    rows = []
    for entry in result.libraries:
        keys = [(entry.library, entry.version, metric) for metric in metrics]
        cells = tuple(matrix_cell(heads.get(key), also[key], marks, references.get(key[2])) for key in keys)
        is_newest = newest[entry.library] == entry.version
        rows.append(_row(entry, cells, same[entry.library, entry.version], is_newest))
    return Matrix(
        k=k,
        metrics=tuple((metric_title(metric), fragment("metric", metric)) for metric in metrics),
        canonical=tuple(_canonical(references.get(metric)) for metric in metrics),
        rows=tuple(rows),
        shares=_shares(heads.values()),
    )


def columns(findings: Sequence[Finding]) -> list[str]:
    """Return the metrics of ``findings``: the paper's metrics in its order, then the others in order of appearance."""
    asked = dict.fromkeys(finding.metric for finding in findings)
    return [
        *(metric for metric in METRIC_TITLES if metric in asked),
        *(metric for metric in asked if metric not in METRIC_TITLES),
    ]


def _canonical(row: Reference | None) -> MatrixCell:
    if row is None:
        return MatrixCell("–")
    more = f"{row.signature} = {exact(row.value)}"
    return MatrixCell(rounded(row.value), more=more, verdict="agrees", label="canonical")


def _row(entry: Library, cells: tuple[MatrixCell, ...], same: int, newest: bool) -> MatrixRow:
    note = "" if entry.status == "audited" else f"{entry.status}: {one_line(entry.reason or '')}"
    return MatrixRow(
        title=one_line(entry.title),
        version=one_line(entry.version) + ("" if entry.live else " (recorded)"),
        library=entry.library,
        link=library_anchor(entry),
        newest=newest,
        same=same,
        note=shortened(note, _LONGEST_NOTE),
        cells=cells,
    )


def matrix_cell(finding: Finding | None, functions: int, marks: VariantLetters, row: Reference | None) -> MatrixCell:
    """Return the cell of one finding; a dash without a finding.

    Args:
        finding: The finding.
        functions: Number of functions of the metric in this library version.
        marks: The marks of all meanings.
        row: The canonical value of the metric.
    """
    if finding is None:
        return MatrixCell("–")
    link, name = finding_anchor(finding), one_line(finding.function)
    if finding.verdict is None:
        text = STATUS_LABELS[finding.status]
        why = one_line(finding.reason or "")
        return MatrixCell(text, verdict=finding.status, more=f"{name}: {why[:160]}", link=link)
    mark = marks.mark(finding)
    words = formula_words(finding.metric, formula(finding)) if formula(finding) else ""
    return MatrixCell(
        text="per user" if finding.value is None else rounded(finding.value),
        mark=mark,
        label=_SHORT.get(finding.verdict) or shortened(words, _LONGEST_LABEL) or "canonical",
        verdict=finding.verdict,
        more=f"{name} = {exact(finding.value)}: {finding.verdict}",
        link=link,
        sort="" if finding.value is None else repr(finding.value),
        also=max(functions - 1, 0),
        equal=finding.value is None or gives_canonical_value(finding, row),
        levels="".join(level[0] for level in LEVELS if finding.levels.get(level)),
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


def meaning_numbers(result: Result) -> dict[tuple[str, str], int]:
    """Return a number for every library version; versions with the same meanings share a number.

    Two versions have the same meanings if every metric has one identified meaning in both at every cut-off. A version
    with a metric that was measured and not identified shares its number with no other.
    """
    kinds: dict[object, int] = {}
    found = {}
    shown = {(f.library, f.version, f.metric, f.k): f for k in result.k for f in headline_findings(result, k)}
    for entry in result.libraries:
        own = {key[2:]: f for key, f in shown.items() if key[:2] == (entry.library, entry.version)}
        key = tuple(sorted((str(place), meaning(finding)) for place, finding in own.items() if finding.verdict))
        unidentified = not key or any(finding.verdict in VERDICT_SIGNS for finding in own.values())
        kind: object = (entry.library, entry.version) if unidentified else key
        found[entry.library, entry.version] = kinds.setdefault(kind, len(kinds) + 1)
    return found


@dataclass(frozen=True)
class Agreement:
    """Names the library versions that compute one formula under the name of a metric.

    Attributes:
        mark: Letter of the formula.
        label: The formula in words.
        link: Anchor of its page.
        libraries: The libraries with their versions, in words.
        versions: Number of library versions.
        names: The libraries' names, for filters.
    """

    mark: str
    label: str
    link: str
    libraries: str
    versions: int
    names: tuple[str, ...]


def agreements(result: Result, k: int) -> tuple[tuple[str, str, tuple[Agreement, ...]], ...]:
    """Return for each metric its title, its anchor and its groups at cut-off ``k``, the largest group first."""
    marks = assign_letters(result)
    titles = {(entry.library, entry.version): one_line(entry.title) for entry in result.libraries}
    found = []
    heads = headline_findings(result, k)
    for metric in columns(heads):
        groups = grouped((formula(each), each) for each in heads if each.metric == metric and formula(each))
        made = [_agreement(text, group, marks, titles) for text, group in groups.items()]
        if made:
            made.sort(key=lambda each: -each.versions)
            found.append((metric_title(metric), fragment("metric", metric), tuple(made)))
    return tuple(found)


def _agreement(
    text: str, findings: Sequence[Finding], marks: VariantLetters, titles: Mapping[tuple[str, str], str]
) -> Agreement:
    first = findings[0]
    mark = marks.mark(first)
    by_title = grouped((titles[each.library, each.version], one_line(each.version)) for each in findings)
    libraries = "; ".join(f"{name} {joined(versions)}" for name, versions in by_title.items())
    words = formula_words(first.metric, text) or ("canonical" if first.verdict == "agrees" else "the usual formula")
    link, names = fragment("meaning", first.metric, text), tuple(dict.fromkeys(each.library for each in findings))
    return Agreement(mark, words, link, libraries, len(findings), names)
