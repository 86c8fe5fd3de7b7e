"""Makes ``docs/then-and-now.md``: the paper's libraries then and now, and what changed in every library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reports.headlines.library_differences import list_in_words
from recsys_metric_audit.reports.model.level_meaning import LEVEL_TITLES, Move
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.paper.published import (
    PAPER_K,
    PAPER_TITLES,
    PAPER_VERSIONS,
    PublishedCell,
    published_cells,
)
from recsys_metric_audit.reports.pins.expectation import VersionExpectation
from recsys_metric_audit.reports.pins.meaning_changes import (
    FormulaChange,
    FormulaWitness,
    HandlingChange,
    LibraryMeanings,
    OfferChange,
    VersionStep,
)
from recsys_metric_audit.reports.renderers.markdown import code_span, escape
from recsys_metric_audit.reports.wording.axis_words import value_meaning
from recsys_metric_audit.reports.wording.formatting import rounded
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import count, joined, metric_title
from recsys_metric_audit.reports.wording.meanings import formula, headline_findings

_SHOWN = 4
"""Most functions that a line names."""


def library_sections(libraries: Sequence[LibraryMeanings]) -> list[str]:
    """Return the parts of a page: a section for each library that changed, then the others in a paragraph each."""
    changed = [each for each in libraries if each.changed]
    same = [each for each in libraries if not each.changed and each.steps]
    single = [each for each in libraries if not each.steps]
    parts = [f"## What changed ({count(len(changed), 'library', 'libraries')})", *map(_section, changed)]
    if same:
        parts += ["## No change of meaning between the versions compared", "\n".join(map(_same, same))]
    if single:
        names = joined([f"{escape(each.title)} {', '.join(_versions(each))}".strip() for each in single])
        parts += ["## One version only", f"Nothing to compare with: {names}."]
    return parts


def _section(library: LibraryMeanings) -> str:
    lines = [f"### {escape(library.title)}", "", f"Compared: {_compared(library)}", ""]
    for step in reversed(library.steps):
        lines += _step(step)
    return "\n".join(lines).rstrip()


def _same(library: LibraryMeanings) -> str:
    last = library.steps[-1]
    added = [line.removeprefix("- ") for step in library.steps for line in _new_and_gone(step)]
    more = f" {' '.join(added)}" if added else ""
    return f"- **{escape(library.title)}** {_compared(library)} {count(last.compared, 'function')} in the newest.{more}"


def _compared(library: LibraryMeanings) -> str:
    without = [f"{escape(name)} ({escape(why)})" for name, why in library.without.items()]
    left = f"; not {joined(without)}" if without else ""
    return ", ".join(_versions(library)) + left + "."


def _versions(library: LibraryMeanings) -> list[str]:
    return [escape(pin.version) for pin in library.pins]


def _step(step: VersionStep) -> Iterator[str]:
    """Yield what changed in one step, the formulas first; nothing for a step without anything to tell."""
    lines = [
        *(line for change in step.formulas for line in _formula(change)),
        *(line for change in step.offers if change.gone for line in _offer(change)),
        *(line for change in step.handling for line in _handling(change)),
        *_new_and_gone(step),
    ]
    if lines:
        both = count(step.compared, "function") if step.compared else "no function under the same name"
        yield f"**{escape(step.after)}**, compared with {escape(step.before)} ({both}):"
        yield ""
        yield from lines
        yield ""


def _formula(change: FormulaChange) -> Iterator[str]:
    title = escape(metric_title(change.metric))
    was, now = (_words(change.metric, each) for each in (change.old, change.new))
    yield f"- **{title}**, formula: {was} → {now} ({_names(change.functions)})"
    if change.witness is not None:
        yield f"  - Witness: {_witness(change.witness)}"
    else:
        yield "  - No list of up to five rows that both versions take shows it."


def _offer(change: OfferChange) -> Iterator[str]:
    title = escape(metric_title(change.metric))
    gone = joined([_words(change.metric, each) for each in change.gone])
    came = joined([_words(change.metric, each) for each in change.came])
    instead = f"; instead: {came}" if came else ""
    yield f"- **{title}**, formula: no function computes any more: {gone}{instead}"
    if change.witness is not None:
        yield f"  - Witness: {_witness(change.witness)}"


def _words(metric: str, signature: str) -> str:
    return f"{escape(formula_words(metric, signature) or 'canonical')} ({code_span(signature)})"


def _witness(found: FormulaWitness) -> str:
    shown = escape(list_in_words(found.ranked, found.missed))
    return f"{shown}, k = {found.k}: {rounded(found.old)} before, {rounded(found.new)} now"


def _handling(change: HandlingChange) -> Iterator[str]:
    metric = next(iter(change.functions.values()))
    levels = dict.fromkeys(LEVEL_TITLES[move.level] for move in change.moves)
    titles = ", ".join(dict.fromkeys(escape(metric_title(each)) for each in change.functions.values()))
    moved = "; ".join(_move(metric, move) for move in change.moves)
    yield f"- **{titles}**, {joined(list(levels))}: {moved} ({_names(tuple(change.functions))})"
    if change.witness:
        yield f"  - Witness: {escape(change.witness)}"


def _move(metric: str, move: Move) -> str:
    was, now = (_value(metric, move.name, each) for each in (move.old, move.new))
    return f"{code_span(move.name)}: {was} → {now}"


def _value(metric: str, axis: str, value: str) -> str:
    return "by no known rule" if value == "other" else escape(value_meaning(metric, axis, value) or value)


def _new_and_gone(step: VersionStep) -> Iterator[str]:
    """Yield a line for formulas that are offered since, for functions that came or went, and for those not compared."""
    for change in step.offers:
        if not change.gone:
            came = joined([_words(change.metric, each) for each in change.came])
            yield f"- Also computed since {escape(step.after)}, as {escape(metric_title(change.metric))}: {came}."
    if step.new_metrics:
        yield f"- New in {escape(step.after)}: {_titles(step.new_metrics)}."
    if step.gone_metrics:
        yield f"- Gone in {escape(step.after)}: {_titles(step.gone_metrics)}."
    if step.not_compared:
        yield f"- Not compared, because one version has no known formula: {_names(step.not_compared)}."


def _titles(metrics: Sequence[str]) -> str:
    return joined([escape(metric_title(each)) for each in metrics])


def _names(functions: Sequence[str]) -> str:
    shown = [code_span(each) for each in functions[:_SHOWN]]
    more = len(functions) - len(shown)
    return ", ".join([*shown, f"{more} more"] if more else shown)


_HEAD = """# Then and now

What the functions of each library meant in its earlier versions, and what they mean today. Made by `make docs` from
the pins of all versions (`adapters/*/expected/`), from the recorded run and from the values that the paper of 2021
printed; nothing here is typed by hand. Of one library: `audit history rs_metrics`.

A version is one that is pinned here, and a change may have come in a release between two of them; `audit bisect`
finds it. A witness is the smallest input that shows a change, with both values by the reference."""

_CAPTION = """*Then* is the version that the paper measured, *now* the newest that is pinned, in bold where the formula
is another one. The values in print are of MovieLens-20M, those in brackets of {data} at k = {k}: formulas can be
compared across a row, values between *then* and *now* only. The paper's words are judged in [paper.md](paper.md). AUC,
of which a library has several, is in `audit table 2`."""

_CANONICAL = "canonical"


@dataclass(frozen=True)
class _Found:
    """Holds a formula in words, with the value on the run's data in brackets if the run has one."""

    words: str
    value: str = ""

    @property
    def text(self) -> str:
        return f"{escape(self.words)} [{self.value}]" if self.value else escape(self.words)


@dataclass(frozen=True)
class _PaperRow:
    """Holds one published value: what the paper says that it is, and what was found then and in the newest version."""

    cell: PublishedCell
    said: str
    then: _Found
    newest: str
    now: _Found | None

    @property
    def plain(self) -> bool:
        """True if the formula is canonical in the paper's words, in its version and in the newest."""
        return {self.said, self.then.words, (self.now or self.then).words} == {_CANONICAL}


def history_page(libraries: Sequence[LibraryMeanings], result: Result) -> str:
    """Return the page in Markdown.

    Args:
        libraries: Every library with its pins and changes.
        result: The recorded run.
    """
    rows = _paper_rows({each.library: each for each in libraries}, result)
    parts = [_HEAD, _counts(libraries), "## The libraries of the paper of 2021"]
    parts += [_CAPTION.format(data=escape(result.dataset.name), k=PAPER_K), _paper_table(rows), _plain_rows(rows)]
    return "\n\n".join([*parts, *library_sections(libraries)]) + "\n"


def _counts(libraries: Sequence[LibraryMeanings]) -> str:
    several = [each for each in libraries if each.steps]
    moved = [each for each in several if _gone(each) or any(step.formulas for step in each.steps)]
    versions = sum(len(each.pins) for each in several)
    names = joined([escape(each.title) for each in moved])
    return (
        f"{count(len(several), 'library', 'libraries')} with {count(versions, 'version')} are compared. The formula of "
        f"a metric changed in {len(moved)} of them: {names}."
    )


def _gone(library: LibraryMeanings) -> bool:
    return any(change.gone for step in library.steps for change in step.offers)


def _paper_rows(libraries: Mapping[str, LibraryMeanings], result: Result) -> list[_PaperRow]:
    k = PAPER_K if PAPER_K in result.k else result.k[0]
    shown = {(each.library, each.version, each.metric): each for each in headline_findings(result, k)}
    rows = []
    for cell in published_cells():
        library = libraries.get(cell.library)
        if cell.table != 1 or cell.metric == "auc" or library is None or not library.pins:
            continue
        then, newest = PAPER_VERSIONS[cell.library], library.pins[-1].version
        said = formula_words(cell.metric, cell.variant) or _CANONICAL
        both = {version: shown.get((cell.library, version, cell.metric)) for version in (then, newest)}
        names = [finding.function for finding in both.values() if finding is not None]
        found = [_found(finding, _pin(library, version), names, cell.metric) for version, finding in both.items()]
        rows.append(_PaperRow(cell, said, found[0], newest, found[1] if len(found) > 1 else None))
    return rows


def _pin(library: LibraryMeanings, version: str) -> VersionExpectation | None:
    return next((pin for pin in library.pins if pin.version == version), None)


def _found(
    finding: Finding | None,
    pin: VersionExpectation | None,
    names: Sequence[str],
    metric: str,
) -> _Found:
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


def _paper_table(rows: Sequence[_PaperRow]) -> str:
    lines = ["| library | metric | in print | says the paper | then | now |", "|---|---|---:|---|---|---|"]
    for row in rows:
        if not row.plain:
            version = PAPER_VERSIONS[row.cell.library]
            now = "no other version" if row.now is None else f"{escape(row.newest)}: {_bold(row)}"
            cells = (
                escape(PAPER_TITLES[row.cell.library]), escape(metric_title(row.cell.metric)), escape(row.cell.printed),
                escape(row.said), f"{escape(version)}: {row.then.text}", now,
            )  # fmt: skip
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _bold(row: _PaperRow) -> str:
    """Return what the newest version computes, in bold if it is another formula."""
    assert row.now is not None
    return row.now.text if row.now.words == row.then.words else f"**{row.now.text}**"


def _plain_rows(rows: Sequence[_PaperRow]) -> str:
    by_library: dict[str, list[str]] = {}
    for row in rows:
        if row.plain:
            by_library.setdefault(row.cell.library, []).append(metric_title(row.cell.metric))
    named = [f"{escape(PAPER_TITLES[name])} ({', '.join(metrics)})" for name, metrics in by_library.items()]
    return f"Canonical as the paper says, in its version and in the newest: {'; '.join(named)}."
