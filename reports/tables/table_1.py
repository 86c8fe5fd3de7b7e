"""Table 1 of the paper: the value of every metric by every library, with a mark for what it means."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.tables.finding_cells import finding_cell, library_row, reference_row
from recsys_metric_audit.reports.tables.table import EMPTY, Column, Table
from recsys_metric_audit.reports.tables.table_key import table_key
from recsys_metric_audit.reports.wording.headline_findings import findings_at, headline_findings
from recsys_metric_audit.reports.wording.labels import PAPER_METRICS, metric_title
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters


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
