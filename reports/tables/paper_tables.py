"""The paper's Tables 1 and 2, for any data and any versions of the libraries."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reports.model.result import NOT_RECORDED, Finding, Library, Reference, Result
from reports.tables.table import EMPTY, Cell, Column, Mark, Row, State, Table
from reports.wording.formatting import exact, one_line, rounded
from reports.wording.labels import PAPER, SIGNS, STATUSES, VERDICTS, title
from reports.wording.variant_letters import ABSENT, Variants, at, headline, meaning, open_cutoff, variants


def tables(result: Result) -> tuple[Table, ...]:
    """Return Table 1 and Table 2 at every cut-off of the run; Table 2 where any library offers an AUC."""
    marks = variants(result)
    several = len(result.k) > 1
    found: list[Table] = []
    for k in result.k:
        found.append(table_1(result, k, marks, several))
        if any(finding.metric == "auc" for finding in at(result, k)):
            found.append(table_2(result, k, marks, several))
    return tuple(found)


def shown(result: Result) -> tuple[Finding, ...]:
    """Return the findings that the tables are made of."""
    return tuple(each for k in result.k for each in (*headline(result, k), *_first_of_pairs(_aucs(result, k)).values()))


def table_1(result: Result, k: int, marks: Variants, several: bool = False) -> Table:
    """Return the paper's Table 1 at ``k``: a row per library version, a column per metric."""
    heads = {(f.library, f.version, f.metric): f for f in headline(result, k)}
    metrics = _metrics(result, k)
    canonical = {row.metric: row for row in result.reference if row.k in (k, None)}
    rows = [_reference_row([canonical.get(metric) for metric in metrics])] if canonical else []
    for entry in result.libraries:
        shown = [heads.get((entry.library, entry.version, metric)) for metric in metrics]
        rows.append(_library_row(entry, tuple(cell(finding, marks) for finding in shown)))
    asked = [finding for finding in heads.values() if finding.metric in metrics]
    return Table(
        name=f"Table 1 (k = {k})" if several else "Table 1",
        caption=f"The same predictions at k = {k}, as each library reports them.",
        columns=tuple(Column(title(metric)) for metric in metrics),
        rows=tuple(rows),
        key=_key(asked, metrics, marks, k),
    )


def _metrics(result: Result, k: int) -> list[str]:
    """Return the paper's seven metrics in its order, those of the run; all others have their findings below. Where the
    run has none of the seven, it has the stage to itself."""
    asked = dict.fromkeys(finding.metric for finding in at(result, k))
    return [metric for metric in PAPER if metric in asked] or list(asked)


def cell(finding: Finding | None, marks: Variants) -> Cell:
    """Return what a table shows of one finding; a dash where there is none."""
    if finding is None:
        return EMPTY
    if finding.status == "not_offered":
        return Cell("–", state="empty", more=one_line(finding.reason or ""))
    if finding.verdict is None:
        why = one_line(finding.reason or "")[:200]
        return Cell(STATUSES[finding.status], state="broken", more=why)
    no_value = "not recorded" if finding.evidence.range.get("data") == NOT_RECORDED else "per user"
    text = no_value if finding.value is None else rounded(finding.value)
    more = f"{one_line(finding.function)} = {exact(finding.value)}: {VERDICTS[finding.verdict]}"
    return Cell(text, marks.mark(finding), _state(finding), more)


def _state(finding: Finding) -> State:
    if finding.verdict in SIGNS:
        return "unsure"
    return "canonical" if finding.verdict == "agrees" else "variant"


def _reference_row(rows: Sequence[Reference | None]) -> Row:
    return Row("Canonical", "reference", tuple(_reference_cell(row) for row in rows), kind="reference")


def _reference_cell(row: Reference | None) -> Cell:
    return Cell(rounded(row.value), more=f"{row.signature} = {exact(row.value)}") if row else EMPTY


def _library_row(entry: Library, cells: tuple[Cell, ...]) -> Row:
    detail = one_line(entry.version) + ("" if entry.live else " (recorded)") + (" !" if entry.caution else "")
    if entry.status == "audited":
        return Row(one_line(entry.title), detail, cells)
    note = f"{entry.status}: {one_line(entry.reason or '')}"
    return Row(one_line(entry.title), detail, cells, note=note if len(note) <= 120 else note[:119] + "…")


def _key(shown: Sequence[Finding], metrics: Sequence[str], marks: Variants, k: int) -> tuple[Mark, ...]:
    """Return the letters that stand in the table by column and letter, then the signs."""
    lettered: dict[tuple[int, int, str], Mark] = {}
    signs: dict[str, Mark] = {}
    for finding in shown:
        mark = marks.mark(finding)
        if finding.verdict is not None and finding.verdict in SIGNS:
            signs[mark] = Mark("", mark, VERDICTS[finding.verdict], "")
        elif mark and finding.metric in metrics:
            place = (metrics.index(finding.metric), len(mark), mark)
            lettered[place] = Mark(title(finding.metric), mark, meaning(finding).replace("@k", f"@{k}"), kind(finding))
    return (
        *(lettered[place] for place in sorted(lettered)),
        *(signs[s] for s in SIGNS.values() if s in signs),
    )


def kind(finding: Finding) -> str:
    """Return in words what kind of deviation an identified finding is: its classes, and who documents it."""
    unknown = ("documented nowhere",) if finding.verdict == "undocumented" else ()
    return ", ".join((*finding.classes, *unknown))


def table_2(result: Result, k: int, marks: Variants, several: bool = False) -> Table:
    """Return the paper's Table 2: values of AUC, a column per distinct meaning.

    A library with several functions that count the same pairs of the same ranking shows the first. What has no known
    meaning (not identified, or no value at all) stands in a last column of its own.
    """
    first = _first_of_pairs(_aucs(result, k))
    asked = list(first.values())
    canonical = next((row for row in result.reference if row.metric == "auc" and row.k in (k, None)), None)
    columns = _meanings(asked, canonical, marks, k)
    if any(not meaning(finding) for finding in asked):
        columns[""] = Column("unknown")
    rows = [_reference_row(_canonical_cells(canonical, columns))] if canonical else []
    for entry in result.libraries:
        found = [first.get((entry.library, entry.version, key)) for key in columns]
        if any(found):
            rows.append(_library_row(entry, tuple(_told_by_column(cell(f, marks)) for f in found)))
    return Table(
        name=f"Table 2 (k = {k})" if several else "Table 2",
        caption="AUC, by the meaning of what each library computes under this name.",
        columns=tuple(columns.values()),
        rows=tuple(rows),
        key=_key(asked, ["auc"], marks, k),
    )


def _aucs(result: Result, k: int) -> list[Finding]:
    return [each for each in at(result, k) if each.metric == "auc" and each.status not in ABSENT]


def _first_of_pairs(asked: Sequence[Finding]) -> dict[tuple[str, str, str], Finding]:
    """Return by library, version and meaning the first function of each version for every choice of pairs, one that
    gives a mean before others: what differs in ties or repeats only is in the report."""
    first: dict[tuple[str, ...], Finding] = {}
    for finding in sorted(asked, key=lambda each: each.value is None):
        axes = ("scope", "list", "candidates") if meaning(finding) else ()
        pairs = (finding.definition.get(axis, "") for axis in axes)
        first.setdefault((finding.library, finding.version, *pairs), finding)
    return {(each.library, each.version, meaning(each)): each for each in first.values()}


def _meanings(asked: Sequence[Finding], canonical: Reference | None, marks: Variants, k: int) -> dict[str, Column]:
    """Return a column per distinct meaning: the canonical one, then the others as they come."""
    columns: dict[str, Column] = {}
    if canonical:
        name = _auc_name(canonical.signature, canonical.definition, k)
        columns[open_cutoff(canonical.signature)] = Column(name, "canonical")
    for finding in asked:
        if finding.signature and meaning(finding) not in ("", *columns):
            name = _auc_name(finding.signature, finding.definition, k)
            columns[meaning(finding)] = Column(name, marks.mark(finding) or "canonical")
    return columns


def _auc_name(signature: str, definition: Mapping[str, str], k: int) -> str:
    """Return the paper's name of a meaning: SAUC, GAUC, GAUC@k, LAUC@k; the letter tells the rest."""
    family = re.split(r"[@|]", signature, maxsplit=1)[0]
    if family != "auc":
        return title(family)
    items = definition.get("list", "full")
    of_users = "LAUC" if items.startswith("limited") else "GAUC"
    name = "SAUC" if definition.get("scope") == "stacked" else of_users
    return name if items == "full" else f"{name}@{k}"


def _canonical_cells(canonical: Reference, columns: Mapping[str, Column]) -> list[Reference | None]:
    own = open_cutoff(canonical.signature)
    return [canonical if key == own else None for key in columns]


def _told_by_column(shown: Cell) -> Cell:
    """Return the cell without the letter that its column's heading carries already."""
    return replace(shown, mark="", state="canonical") if shown.state == "variant" else shown
