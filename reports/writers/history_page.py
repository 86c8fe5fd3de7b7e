"""Makes ``docs/then-and-now.md``: the paper's libraries then and now, and what changed in every library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from recsys_metric_audit.reports.headlines.library_differences import list_in_words
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.level_meaning import levels_in_words
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.paper.published import (
    PAPER_K,
    PAPER_TITLES,
    PAPER_VERSIONS,
    PublishedCell,
    published_cells,
)
from recsys_metric_audit.reports.pins.expectation import VersionExpectation
from recsys_metric_audit.reports.pins.meaning_changes import LibraryMeanings, VersionStep
from recsys_metric_audit.reports.renderers.markdown import code_list, code_span, escape, fill_template
from recsys_metric_audit.reports.wording.axis_words import value_meaning
from recsys_metric_audit.reports.wording.formatting import rounded
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import joined, metric_title
from recsys_metric_audit.reports.wording.meanings import formula, headline_findings

_CANONICAL = "canonical"


def history_page(libraries: Sequence[LibraryMeanings], result: Result) -> str:
    """Return the page in Markdown.

    Args:
        libraries: Every library with its pins and changes.
        result: The recorded run.
    """
    rows = _paper_rows({each.library: each for each in libraries}, result)
    return fill_template(
        "then_and_now.md.j2",
        run=result,
        paper_k=PAPER_K,
        rows=rows,
        plain=grouped((row.title, row.cell.metric) for row in rows if row.plain),
        several=[each for each in libraries if each.steps],
        moved_formulas=[each.title for each in libraries if any(_moves_a_formula(step) for step in each.steps)],
        changed=[each for each in libraries if each.changed],
        same=[each for each in libraries if not each.changed and each.steps],
        single=[f"{each.title} {_versions(each)}".strip() for each in libraries if not each.steps],
        compared=_compared,
        formulas=_formulas,
        news=_news,
        levels_in_words=levels_in_words,
        list_in_words=list_in_words,
        rounded=rounded,
        value_meaning=value_meaning,
    )


def _moves_a_formula(step: VersionStep) -> bool:
    return bool(step.formulas) or any(change.gone for change in step.offers)


def _versions(library: LibraryMeanings) -> str:
    return ", ".join(pin.version for pin in library.pins)


def _compared(library: LibraryMeanings) -> str:
    without = joined([f"{name} ({why})" for name, why in library.without.items()])
    return f"{_versions(library)}{'; not ' if without else ''}{without}."


def _formulas(metric: str, signatures: Sequence[str]) -> Markup:
    """Return formulas in words, each with its signature."""
    return Markup(
        joined([f"{escape(formula_words(metric, each) or _CANONICAL)} ({code_span(each)})" for each in signatures])
    )


def _news(step: VersionStep) -> Iterator[Markup]:
    """Yield a line for formulas that are offered since, for functions that came or went, and for those not compared."""
    after = escape(step.after)
    for change in step.offers:
        if not change.gone:
            came = _formulas(change.metric, change.came)
            yield Markup(f"Also computed since {after}, as {escape(metric_title(change.metric))}: {came}.")
    for what, metrics in (("New", step.new_metrics), ("Gone", step.gone_metrics)):
        if metrics:
            yield Markup(f"{what} in {after}: {escape(joined([*map(metric_title, metrics)]))}.")
    if step.not_compared:
        yield Markup(f"Not compared, because one version has no known formula: {code_list(step.not_compared)}.")


@dataclass(frozen=True)
class _Found:
    """Holds a formula in words, with the value on the run's data if the run has one."""

    words: str
    value: str = ""


@dataclass(frozen=True)
class _PaperRow:
    """Holds one published value: what the paper says that it is, and what was found then and in the newest version."""

    cell: PublishedCell
    said: str
    then: _Found
    newest: str
    now: _Found | None

    @property
    def title(self) -> str:
        """Return the library's name as the paper writes it."""
        return PAPER_TITLES[self.cell.library]

    @property
    def version(self) -> str:
        """Return the version that the paper measured."""
        return PAPER_VERSIONS[self.cell.library]

    @property
    def plain(self) -> bool:
        """True if the formula is canonical in the paper's words, in its version and in the newest."""
        return {self.said, self.then.words, (self.now or self.then).words} == {_CANONICAL}


def _paper_rows(libraries: Mapping[str, LibraryMeanings], result: Result) -> list[_PaperRow]:
    k = PAPER_K if PAPER_K in result.k else result.k[0]
    shown = {(each.library, each.version, each.metric): each for each in headline_findings(result, k)}
    rows = []
    for cell in published_cells():
        library = libraries.get(cell.library)
        if cell.table != 1 or cell.metric == "auc" or library is None or not library.pins:
            continue
        pins = {pin.version: pin for pin in library.pins}
        then, newest = PAPER_VERSIONS[cell.library], library.pins[-1].version
        both = {version: shown.get((cell.library, version, cell.metric)) for version in (then, newest)}
        names = [finding.function for finding in both.values() if finding is not None]
        found = [_found(finding, pins.get(version), names, cell.metric) for version, finding in both.items()]
        said = formula_words(cell.metric, cell.variant) or _CANONICAL
        rows.append(_PaperRow(cell, said, found[0], newest, found[1] if len(found) > 1 else None))
    return rows


def _found(finding: Finding | None, pin: VersionExpectation | None, names: Sequence[str], metric: str) -> _Found:
    """Return what a version computes by the run; if it is not in the run, by the pin.

    Of a pin's functions those called ``names`` are told, as far as there are any, else all that bear the metric's name.
    """
    if finding is not None and (signature := formula(finding)):
        value = "" if finding.value is None else rounded(finding.value)
        return _Found(formula_words(metric, signature) or _CANONICAL, value)
    functions = pin.functions if pin is not None else {}
    own = {name: each for name, each in functions.items() if each.metric == metric and each.formulas}
    chosen = {name: each for name, each in own.items() if name in names} or own
    formulas = dict.fromkeys(formula_words(metric, each.formulas[0]) or _CANONICAL for each in chosen.values())
    return _Found(" or ".join(formulas) or "not known")
