"""Table 2 of the paper: the values of AUC, by the meaning of what each library computes under this name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from recsys_metric_audit.reference.definitions.definition import SignatureError, parse
from recsys_metric_audit.reports.model.result import Finding, Reference, Result
from recsys_metric_audit.reports.tables.finding_cells import finding_cell, library_row, reference_row
from recsys_metric_audit.reports.tables.table import EMPTY, Cell, Column, Table
from recsys_metric_audit.reports.tables.table_key import table_key
from recsys_metric_audit.reports.wording.headline_findings import ABSENT, findings_at, gives_a_number
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.meanings import formula, open_cutoff
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters

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
    rows = [reference_row([canonical if _is_canonical(key, canonical) else None for key in columns])]
    for entry in result.libraries:
        own = {key: each for (library, version, key), each in found.items()
               if (library, version) == (entry.library, entry.version)}  # fmt: skip
        if own:
            rare = [
                finding_cell(each, marks, canonical) for key, each in own.items() if key == _OTHER or key not in columns
            ]
            cells = (_joined(rare) if key == _OTHER else _in_column(own.get(key), marks, canonical) for key in columns)
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
    try:
        definition = parse(signature)
    except SignatureError:
        return "AUC"
    if definition.metric != "auc":
        return metric_title(definition.metric)
    axes = definition.axes
    names = {"limited": "LAUC", "limited_hits": "LAUC", "top_negatives": "pAUC", "top_both": "pAp"}
    name = "SAUC" if axes["scope"] == "stacked" else names.get(axes["list"], "GAUC")
    averaged = {"weighted": "weighted ", "pooled": "pooled "}.get(axes["pooling"], "")
    return f"{averaged}{name}" if axes["list"] == "full" else f"{averaged}{name}@{k}"


def _is_canonical(key: str, canonical: Reference | None) -> bool:
    return canonical is not None and key == open_cutoff(canonical.signature)


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
