"""The content of ``index.html`` as plain values: a pure function of the result, printed by the templates."""

from __future__ import annotations

from dataclasses import dataclass

from recsys_metric_audit.reference.catalogue.bibliography import Citation
from recsys_metric_audit.reference.formula_text import NOTATION
from recsys_metric_audit.reports.edges.edge_matrix import EdgeMatrix, edge_matrix
from recsys_metric_audit.reports.handbook.choosing import QUESTIONS, SOURCE, Figure, Question, figures
from recsys_metric_audit.reports.handbook.metric_entries import AxisEntry, shared_axes
from recsys_metric_audit.reports.headlines.headlines import QUESTION, answer, metric_headlines
from recsys_metric_audit.reports.model.result import Dataset, Experiment, Result
from recsys_metric_audit.reports.page.decision_impact import Decision, decision
from recsys_metric_audit.reports.page.formula_pages import FormulaPage, MetricPage, formula_pages, metric_pages
from recsys_metric_audit.reports.page.library_pages import LibraryPage, library_pages
from recsys_metric_audit.reports.page.matrix import Agreement, Matrix, agreements, matrices
from recsys_metric_audit.reports.paper.reaudit import Reaudit, reaudit
from recsys_metric_audit.reports.paper.then_and_now import tables_then_and_now
from recsys_metric_audit.reports.plots.plots import draw_scatters
from recsys_metric_audit.reports.tables.table import Table
from recsys_metric_audit.reports.wording.formatting import Pairs


@dataclass(frozen=True)
class Page:
    """The whole content of ``index.html``; ``chosen_by`` cites the source of ``questions`` and ``figures``."""

    question: str
    answer: str
    headlines: tuple[str, ...]
    run: Pairs
    data: Pairs
    choices: tuple[str, ...]
    facts: tuple[str, ...]
    unidentified_axes: Pairs
    matrices: tuple[Matrix, ...]
    agreements: tuple[tuple[str, str, tuple[Agreement, ...]], ...]
    edges: EdgeMatrix | None
    tables: tuple[Table, ...]
    paper: Reaudit
    decision: Decision | None
    metrics: tuple[MetricPage, ...]
    meanings: tuple[FormulaPage, ...]
    libraries: tuple[LibraryPage, ...]
    shared_axes: tuple[AxisEntry, ...]
    notation: Pairs
    questions: tuple[Question, ...]
    figures: tuple[Figure, ...]
    chosen_by: Citation
    experiments: tuple[Experiment, ...]


def build_page(result: Result) -> Page:
    """Return the content of the page of ``result``."""
    drawn = draw_scatters(result)
    found = formula_pages(result, drawn)
    return Page(
        question=QUESTION,
        answer=answer(result),
        headlines=metric_headlines(result),
        run=_run(result),
        data=_data(result.dataset),
        choices=tuple(
            words if name.isdigit() else f"{name}: {words}" for name, words in result.dataset.choices.items()
        ),
        facts=result.dataset.facts,
        unidentified_axes=tuple(result.blind.items()),
        matrices=matrices(result),
        agreements=agreements(result, result.k[0]) if result.k else (),
        edges=edge_matrix(result),
        tables=tables_then_and_now(result),
        paper=reaudit(result),
        decision=decision(result),
        metrics=metric_pages(result, found, drawn),
        meanings=found,
        libraries=library_pages(result),
        shared_axes=shared_axes(),
        notation=NOTATION,
        questions=QUESTIONS,
        figures=figures(),
        chosen_by=SOURCE,
        experiments=result.experiments,
    )


def _run(result: Result) -> Pairs:
    return (
        ("Command", result.command),
        ("Time", result.time.strftime("%Y-%m-%d %H:%M UTC")),
        ("Tool", f"recsys-metric-audit {result.tool}"),
        ("Platform", result.platform),
        ("Cut-off k", ", ".join(str(k) for k in result.k)),
    )


def _data(data: Dataset) -> Pairs:
    return (
        ("Data", data.name),
        ("Users", f"{data.users:,}"),
        ("Items", f"{data.items:,}"),
        ("Relevant pairs", f"{data.pairs:,}"),
        ("Recommended rows", f"{data.rows:,}"),
        ("Digest", data.digest),
    )
