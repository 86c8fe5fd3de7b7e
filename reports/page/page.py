"""The content of ``index.html``: a pure function of the result, printed by the templates."""

from __future__ import annotations

from dataclasses import dataclass

from recsys_metric_audit.reports.edges.edge_matrix import EdgeMatrix, edge_matrix
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.page.decision_impact import Decision, decision
from recsys_metric_audit.reports.page.definition_winners import DefinitionWinners, definition_winners
from recsys_metric_audit.reports.page.formula_pages import FormulaPage, MetricPage, formula_pages, metric_pages
from recsys_metric_audit.reports.page.library_pages import LibraryPage, library_pages
from recsys_metric_audit.reports.page.matrix import Agreement, Matrix, agreements, matrices
from recsys_metric_audit.reports.paper.reaudit import Reaudit, reaudit
from recsys_metric_audit.reports.paper.then_and_now import tables_then_and_now
from recsys_metric_audit.reports.plots.plots import draw_scatters
from recsys_metric_audit.reports.tables.table import Table


@dataclass(frozen=True)
class Page:
    """Holds what ``index.html`` shows of a result, part by part."""

    result: Result
    matrices: tuple[Matrix, ...]
    agreements: tuple[tuple[str, str, tuple[Agreement, ...]], ...]
    edges: EdgeMatrix | None
    tables: tuple[Table, ...]
    paper: Reaudit
    decision: Decision | None
    winners: DefinitionWinners | None
    metrics: tuple[MetricPage, ...]
    meanings: tuple[FormulaPage, ...]
    libraries: tuple[LibraryPage, ...]


def build_page(result: Result) -> Page:
    """Return the content of the page of ``result``."""
    drawn = draw_scatters(result)
    found = formula_pages(result, drawn)
    return Page(
        result=result,
        matrices=matrices(result),
        agreements=agreements(result, result.k[0]) if result.k else (),
        edges=edge_matrix(result),
        tables=tables_then_and_now(result),
        paper=reaudit(result),
        decision=decision(result),
        winners=definition_winners(result),
        metrics=metric_pages(result, found, drawn),
        meanings=found,
        libraries=library_pages(result),
    )
