"""Tables 1 and 2 then and now as tidy rows: one row a finding and published cell, every digit kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.paper.published import PAPER_K, PAPER_VERSIONS, PublishedCell, published_cells
from recsys_metric_audit.reports.paper.then_and_now import table_1_metrics
from recsys_metric_audit.reports.wording.headline_findings import findings_at, headline_findings
from recsys_metric_audit.reports.wording.meanings import open_cutoff

COLUMNS = (
    "library", "version", "function", "k", "metric", "value", "verdict", "signature", "recorded", "paper_column",
    "paper_version", "paper_printed", "paper_value", "paper_variant",
)  # fmt: skip


def tidy_then_and_now(result: Result, number: int) -> list[dict[str, Any]]:
    """Return Table 1 or 2 with the paper's values as rows with the keys of ``COLUMNS``.

    A finding without a published cell has one row with empty paper columns.
    """
    k = PAPER_K if PAPER_K in result.k else result.k[0]
    chosen = (
        headline_findings(result, k)
        if number == 1
        else [each for each in findings_at(result, k) if each.metric == "auc"]
    )
    metrics = table_1_metrics() if number == 1 else {"auc"}
    paper = [cell for cell in published_cells() if cell.table == number] if k == PAPER_K else []
    rows = []
    for finding in chosen:
        if finding.metric in metrics:
            own = [cell for cell in paper if (cell.library, cell.metric) == (finding.library, finding.metric)]
            rows += [_row(finding, cell) for cell in _cells_beside(finding, own, number)]
    return rows


def _cells_beside(finding: Finding, cells: Sequence[PublishedCell], number: int) -> Sequence[PublishedCell | None]:
    """Return the published cells beside a finding: in Table 2 those that claim its scope and its list; or None."""
    if number == 1:
        return cells or [None]
    own = finding.definition.get("scope"), finding.definition.get("list")
    matching = [
        cell
        for cell in cells
        if cell.variant and (parse(cell.variant).axes["scope"], parse(cell.variant).axes["list"]) == own
    ]
    return matching or [None]


def _row(finding: Finding, cell: PublishedCell | None) -> dict[str, Any]:
    found = {
        "library": finding.library, "version": finding.version, "function": finding.function, "k": finding.k,
        "metric": finding.metric, "value": finding.value, "verdict": finding.verdict or finding.status,
        "signature": open_cutoff(finding.signature) if finding.signature else None, "recorded": not finding.live,
    }  # fmt: skip
    paper = {} if cell is None else {
        "paper_column": cell.column, "paper_version": PAPER_VERSIONS[cell.library], "paper_printed": cell.printed,
        "paper_value": cell.full, "paper_variant": cell.variant,
    }  # fmt: skip
    return dict.fromkeys(COLUMNS) | found | paper
