"""Tables 1 and 2 of the paper, made of a run: cells, marks and keys; rows of equal versions joined."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.level_meaning import parsed
from recsys_metric_audit.reports.model.result import NOT_RECORDED, Finding, Library, Reference, Result
from recsys_metric_audit.reports.tables.table import EMPTY, HALF_LINE, Cell, CellState, Column, KeyEntry, Row, Table
from recsys_metric_audit.reports.wording.formatting import one_line, rounded, shortened
from recsys_metric_audit.reports.wording.formula_words import (
    USUAL,
    formula_contrast,
    formula_words,
    nan_words,
    reading_lines,
    reading_marks,
)
from recsys_metric_audit.reports.wording.labels import (
    PAPER_METRICS,
    PER_USER,
    SIGN_MEANINGS,
    STATUS_LABELS,
    VERDICT_SIGNS,
    metric_title,
)
from recsys_metric_audit.reports.wording.library_groups import ALL_GROUPS, only_versions, shown_title, shown_versions
from recsys_metric_audit.reports.wording.meanings import (
    ABSENT,
    findings_at,
    formula,
    gives_a_number,
    gives_canonical_value,
    headline_findings,
    open_cutoff,
)
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters, assign_letters

RECORDED = " (recorded)"
"""Remark on a version that was replayed from a recording."""

_LONGEST_NOTE = 120


def finding_cell(finding: Finding | None, marks: VariantLetters, canonical: Reference | None) -> Cell:
    """Return the cell of one finding: its value with its marks, or why it has none; a dash if there is no finding.

    Args:
        finding: The finding that is shown.
        marks: The letters of the run.
        canonical: The canonical value of its metric; None if there is none.
    """
    if finding is None or finding.status == "not_offered":
        return EMPTY
    if finding.verdict is None:
        return Cell(STATUS_LABELS[finding.status], state="broken")
    no_value = "not recorded" if finding.evidence.range.get("data") == NOT_RECORDED else PER_USER
    text = no_value if finding.value is None else rounded(finding.value)
    return Cell(text, marks.mark(finding) + reading_marks(finding), _state(finding, canonical))


def _state(finding: Finding, canonical: Reference | None) -> CellState:
    """Return how a cell looks: calm only where the formula is canonical and the number is the canonical one."""
    if finding.verdict in VERDICT_SIGNS:
        return "unsure"
    alike = finding.value is None or canonical is None or gives_canonical_value(finding, canonical)
    return "canonical" if finding.verdict == "agrees" and alike else "variant"


def reference_row(references: Sequence[Reference | None]) -> Row:
    """Return the row of the canonical values; a dash for each None."""
    cells = tuple(Cell(rounded(reference.value)) if reference else EMPTY for reference in references)
    return Row("Canonical", "reference", cells, kind="reference")


def library_row(entry: Library, cells: tuple[Cell, ...]) -> Row:
    """Return the row of one library version, with a note in place of the cells if it did not run."""
    detail = one_line(entry.version) + ("" if entry.live else RECORDED) + (" !" if entry.caution else "")
    if entry.status == "audited":
        return Row(one_line(entry.title), detail, cells)
    note = f"{entry.status}: {one_line(entry.reason or '')}"
    return Row(one_line(entry.title), detail, cells, note=shortened(note, _LONGEST_NOTE))


MOST_LINES = 12
"""Most lines of the key of a table, in a terminal of a hundred columns; short entries stand two on a line."""

_LINE = 98
"""Characters of an entry on each of its lines, less what wrapping leaves blank."""


@dataclass
class _Letter:
    """One letter of one metric: its words, and the findings of the table that bear it."""

    metric: str
    letter: str
    words: str
    findings: list[Finding] = field(default_factory=list)


def table_key(
    findings: Sequence[Finding],
    metrics: Sequence[str],
    marks: VariantLetters,
    canonical: Mapping[str, float],
    elsewhere: Mapping[str, str] | None = None,
) -> tuple[KeyEntry, ...]:
    """Return the key of a table: letters in the order of the columns, then who counts and whole lists, then signs.

    Letters of one meaning in words share an entry. If the key would be longer than ``MOST_LINES``, letters of the
    fewest library versions are left out, and among these the values nearest to the canonical one; a last entry names
    them.

    Args:
        findings: The findings whose cells stand in the table.
        metrics: The metrics of its columns, in their order.
        marks: The letters of the run.
        canonical: The canonical value by metric.
        elsewhere: Metrics whose letters another table explains, each with the words that say so.
    """
    letters = _letters(findings, metrics, marks)
    shown = list(grouped((each.words, each) for each in letters if each.metric not in (elsewhere or {})).values())
    referrals = _referrals([each for each in letters if each.metric in (elsewhere or {})], elsewhere or {})
    users = [KeyEntry("", mark, words, "") for mark, words in reading_lines(findings)]
    empty = _nan_entries(findings, metrics)
    # One line more is for the signs, which stand side by side.
    room = MOST_LINES - len(users) - 1
    kept = _commonest(shown, room, [*referrals, *empty], canonical)
    rare = [letter for entry in shown if entry not in kept for letter in entry]
    return (*map(_entry, kept), *referrals, *_left_out(rare), *empty, *users, *_signs(findings))


def _letters(findings: Sequence[Finding], metrics: Sequence[str], marks: VariantLetters) -> list[_Letter]:
    """Return the letters of the table, sorted by column and letter."""
    found: dict[tuple[int, int, str], _Letter] = {}
    for finding in findings:
        mark = marks.mark(finding)
        if mark and finding.metric in metrics and finding.verdict not in VERDICT_SIGNS:
            words = formula_contrast(finding.metric, formula(finding)) or USUAL
            place = (metrics.index(finding.metric), len(mark), mark)
            found.setdefault(place, _Letter(finding.metric, mark, words)).findings.append(finding)
    return [found[place] for place in sorted(found)]


def _commonest(
    entries: list[list[_Letter]], room: int, others: Sequence[KeyEntry], canonical: Mapping[str, float]
) -> list[list[_Letter]]:
    """Return the ``entries`` that fit into ``room`` lines with ``others``, in their order.

    Entries of the most findings stay, then entries with the values furthest from the canonical one.
    """

    def rank(entry: list[_Letter]) -> tuple[int, float]:
        found = [finding for letter in entry for finding in letter.findings]
        return len(found), max(_distance(finding, canonical.get(finding.metric)) for finding in found)

    ranked = sorted(entries, key=rank, reverse=True)
    while ranked and _lines([*map(_entry, ranked), *others]) + (len(ranked) < len(entries)) > room:
        ranked.pop()
    return [entry for entry in entries if entry in ranked]


def _lines(entries: Sequence[KeyEntry]) -> int:
    """Return the number of lines that ``entries`` need: short ones stand two on a line."""
    lengths = [len(entry.brief_line) for entry in entries]
    short = sum(length <= HALF_LINE for length in lengths)
    return (short + 1) // 2 + sum(-(-length // _LINE) for length in lengths if length > HALF_LINE)


def _distance(finding: Finding, canonical: float | None) -> float:
    """Return how far a value is from the canonical one, as a part of it; 0 if there is no such number."""
    if finding.value is None or not canonical or not (math.isfinite(finding.value) and math.isfinite(canonical)):
        return 0.0
    return abs(finding.value - canonical) / abs(canonical)


def _entry(entry: Sequence[_Letter]) -> KeyEntry:
    *others, last = entry
    column = ", ".join([*(f"{metric_title(each.metric)} {each.letter}" for each in others), metric_title(last.metric)])
    brief = formula_words(last.metric, formula(last.findings[0]))
    return KeyEntry(column, last.letter, last.words, "", brief)


def _referrals(letters: Sequence[_Letter], elsewhere: Mapping[str, str]) -> list[KeyEntry]:
    by_metric = grouped((each.metric, each.letter) for each in letters)
    return [
        KeyEntry(metric_title(metric), "", f"{' '.join(found)}: {elsewhere[metric]}", "")
        for metric, found in by_metric.items()
    ]


def _left_out(letters: Sequence[_Letter]) -> list[KeyEntry]:
    """Return an entry that names the letters without an entry of their own; none if there are none."""
    by_title = grouped((metric_title(each.metric), each.letter) for each in letters)
    names = ", ".join(f"{title} {' '.join(found)}" for title, found in by_title.items())
    return [KeyEntry("others", "", f"{names}: see the page", "")] if names else []


def _nan_entries(findings: Sequence[Finding], metrics: Sequence[str]) -> list[KeyEntry]:
    """Return an entry for each column with a mean that is NaN: why it is."""
    words = {metric: nan_words([each for each in findings if each.metric == metric]) for metric in metrics}
    return [KeyEntry(metric_title(metric), "", f"nan: {why}", "") for metric, why in words.items() if why]


def _signs(findings: Sequence[Finding]) -> list[KeyEntry]:
    verdicts = {finding.verdict for finding in findings}
    return [
        KeyEntry("", sign, SIGN_MEANINGS[verdict], "") for verdict, sign in VERDICT_SIGNS.items() if verdict in verdicts
    ]


def table_1(result: Result, k: int, marks: VariantLetters, several: bool = False, group: str = "") -> Table:
    """Return Table 1 at ``k``: a row per library version, a column per metric.

    A version that offers none of the metrics has no row. The letters of AUC are explained by Table 2, whose columns
    they are.

    Args:
        result: The run.
        k: One of its cut-offs.
        marks: The letters of the run.
        several: Write the cut-off into the table's name, because the run has several.
        group: The title of the group of libraries that the rows are of; empty for all.
    """
    heads = {(f.library, f.version, f.metric): f for f in headline_findings(result, k)}
    metrics = _metrics(result, k)
    canonical = {row.metric: row for row in result.reference if row.k in (k, None)}
    values = {metric: row.value for metric, row in canonical.items()}
    rows = [reference_row([canonical.get(metric) for metric in metrics])] if canonical else []
    for entry in result.libraries:
        shown = [heads.get((entry.library, entry.version, metric)) for metric in metrics]
        cells = (finding_cell(each, marks, canonical.get(metric)) for each, metric in zip(shown, metrics, strict=True))
        row = library_row(entry, tuple(cells))
        rows += [row] if row.note or set(row.cells) != {EMPTY} else []
    asked = [finding for finding in heads.values() if finding.metric in metrics]
    by = f"by {group}" if group else "as each library reports them"
    return Table(
        name=f"Table 1 (k = {k})" if several else "Table 1",
        caption=f"The same predictions at k = {k}, {by}; letters mark other formulas.",
        columns=tuple(Column(metric_title(metric)) for metric in metrics),
        rows=tuple(rows),
        key=table_key(asked, metrics, marks, values, {"auc": "see the columns of Table 2"}),
    )


def _metrics(result: Result, k: int) -> list[str]:
    """Return the metrics of the run that are among the paper's seven, in its order; all metrics if none is."""
    asked = dict.fromkeys(finding.metric for finding in findings_at(result, k))
    return [metric for metric in PAPER_METRICS if metric in asked] or list(asked)


MOST_COLUMNS = 8
"""Limits the columns of the table; rare formulas stand together in the last one."""

_OTHER = ""
"""Key of the last column: rare formulas, and functions whose formula is not known."""


def table_2(result: Result, k: int, marks: VariantLetters, several: bool = False) -> Table:
    """Return Table 2 at ``k``: a row per library version that offers an AUC, a column per formula.

    The canonical formula stands first, then formulas by the number of library versions. Formulas that do not fit into
    ``MOST_COLUMNS``, and functions without a known formula, stand in a last column with their marks.

    Args:
        result: The run.
        k: One of its cut-offs.
        marks: The letters of the run.
        several: Write the cut-off into the table's name, because the run has several.
    """
    found = auc_findings(result, k)
    canonical = next((row for row in result.reference if row.metric == "auc" and row.k in (k, None)), None)
    columns = _columns(list(found.values()), canonical, marks, k)
    own = open_cutoff(canonical.signature) if canonical else None
    rows = [reference_row([canonical if key == own else None for key in columns])]
    for entry in result.libraries:
        offered = {key: each for (library, version, key), each in found.items()
               if (library, version) == (entry.library, entry.version)}  # fmt: skip
        if offered:
            rare = [
                finding_cell(each, marks, canonical)
                for key, each in offered.items()
                if key == _OTHER or key not in columns
            ]
            cells = (
                _joined(rare) if key == _OTHER else _in_column(offered.get(key), marks, canonical) for key in columns
            )
            rows.append(library_row(entry, tuple(cells)))
    return Table(
        name=f"Table 2 (k = {k})" if several else "Table 2",
        caption="AUC, by the meaning of what each library computes under this name.",
        columns=tuple(columns.values()),
        rows=tuple(rows if canonical else rows[1:]),
        key=table_key(list(found.values()), ["auc"], marks, {"auc": canonical.value} if canonical else {}),
    )


def auc_findings(result: Result, k: int) -> dict[tuple[str, str, str], Finding]:
    """Return the findings that Table 2 shows at ``k``, by library, version and formula.

    Of a version's functions with one formula, the first that gives a number is taken, or else the first. A function
    whose formula is not known is left out if it could not be measured and another function of the version could.
    """
    offered = [each for each in findings_at(result, k) if each.metric == "auc" and each.status not in ABSENT]
    first: dict[tuple[str, str, str], Finding] = {}
    for finding in sorted(offered, key=lambda each: (not gives_a_number(each), each.verdict is None)):
        first.setdefault((finding.library, finding.version, formula(finding)), finding)
    known = {(library, version) for (library, version, key), each in first.items() if each.verdict is not None}
    kept = {key: each for key, each in first.items() if each.verdict is not None or key[:2] not in known}
    order = {id(each): place for place, each in enumerate(offered)}
    return dict(sorted(kept.items(), key=lambda pair: order[id(pair[1])]))


def _columns(asked: Sequence[Finding], canonical: Reference | None, marks: VariantLetters, k: int) -> dict[str, Column]:
    """Return the columns by formula: the canonical one, then the commonest, then one for all others."""
    counts = Counter(formula(finding) for finding in asked if formula(finding))
    unknown = any(not formula(finding) for finding in asked)
    own = open_cutoff(canonical.signature) if canonical else ""
    ranked = [key for key, _ in counts.most_common() if key != own]
    if own:
        ranked = [own, *ranked]
    if len(ranked) + unknown > MOST_COLUMNS:
        ranked, unknown = ranked[: MOST_COLUMNS - 1], True
    letters = {formula(finding): marks.mark(finding) for finding in asked}
    columns = {key: Column(_auc_name(key, k), letters.get(key) or "canonical") for key in ranked}
    return columns | ({_OTHER: Column("other")} if unknown else {})


def _auc_name(signature: str, k: int) -> str:
    """Return the usual name of a formula of AUC, such as GAUC, SAUC or LAUC@20; another metric's title if it is none.

    GAUC is the mean over users, SAUC one ranking of all users, LAUC the limited AUC (Schröder et al. 2011), pAUC the
    partial one and pAp@k its variant with the best relevant items only.
    """
    definition = parsed(signature)
    if definition is None:
        return "AUC"
    if definition.metric != "auc":
        return metric_title(definition.metric)
    axes = definition.axes
    names = {"limited": "LAUC", "limited_hits": "LAUC", "top_negatives": "pAUC", "top_both": "pAp"}
    name = "SAUC" if axes["scope"] == "stacked" else names.get(axes["list"], "GAUC")
    averaged = {"weighted": "weighted ", "pooled": "pooled "}.get(axes["pooling"], "")
    return f"{averaged}{name}" if axes["list"] == "full" else f"{averaged}{name}@{k}"


def _in_column(finding: Finding | None, marks: VariantLetters, canonical: Reference | None) -> Cell:
    """Return a cell without its letter and colour, which its column's heading shows already."""
    cell = finding_cell(finding, marks, canonical)
    if finding is None or cell.state not in ("canonical", "variant"):
        return cell
    return replace(cell, mark=cell.mark.removeprefix(marks.mark(finding)), state="canonical")


def _joined(cells: Sequence[Cell]) -> Cell:
    """Return the cells of one row and the last column as one: a single one as it is, several as text."""
    if len(cells) < 2:
        return cells[0] if cells else EMPTY
    return Cell(", ".join(f"{cell.text} {cell.mark}".strip() for cell in cells), state=cells[0].state)


def paper_tables(result: Result, group: str | None = ALL_GROUPS) -> tuple[Table, ...]:
    """Return Table 1 and Table 2 at every cut-off of the run; Table 2 only if a library was asked for an AUC.

    Args:
        result: The run.
        group: The group of libraries that have rows (:func:`reports.wording.library_groups.shown_versions`). Letters
            are those of the whole run.
    """
    marks = assign_letters(result)
    several = len(result.k) > 1
    shown = only_versions(result, shown_versions(result, group))
    title = shown_title(result, group)
    tables: list[Table] = []
    for k in result.k:
        tables.append(table_1(shown, k, marks, several, title))
        if any(finding.metric == "auc" for finding in findings_at(shown, k)):
            tables.append(table_2(shown, k, marks, several))
    return tuple(tables)


def findings_shown(result: Result) -> tuple[Finding, ...]:
    """Return the findings that the tables are made of; one may occur twice."""
    return tuple(each for k in result.k for each in (*headline_findings(result, k), *auc_findings(result, k).values()))


LONGEST_LABEL = 34
"""Most characters of a joined row's label and versions, with a sign in place of each ``RECORDED``."""


def join_equal_versions(table: Table) -> Table:
    """Return ``table`` with equal rows of one library that follow each other joined: ``RePlay 0.22.0, 0.18.1``.

    Rows with a note, and rows whose label would be longer than ``LONGEST_LABEL``, stay apart.
    """
    rows: list[Row] = []
    for row in table.rows:
        joined = _joined_rows(rows[-1], row) if rows else None
        rows = [*rows[:-1], joined] if joined else [*rows, row]
    return replace(table, rows=tuple(rows))


def _joined_rows(one: Row, other: Row) -> Row | None:
    if (one.kind, one.label, one.cells) != (other.kind, other.label, other.cells) or one.note or other.note:
        return None
    detail = f"{one.detail}, {other.detail}"
    label = f"{one.label} {detail}".replace(RECORDED, "°")
    return replace(one, detail=detail) if len(label) <= LONGEST_LABEL else None
