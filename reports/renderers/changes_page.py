"""Writes in Markdown what changed in each library from one pinned version to the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recsys_metric_audit.reports.headlines.library_differences import list_in_words
from recsys_metric_audit.reports.model.level_meaning import LEVEL_TITLES, Move
from recsys_metric_audit.reports.pins.formula_witness import FormulaWitness
from recsys_metric_audit.reports.pins.library_meanings import LibraryMeanings
from recsys_metric_audit.reports.pins.meaning_changes import FormulaChange, HandlingChange, OfferChange, VersionStep
from recsys_metric_audit.reports.renderers.markdown import code_span, escape
from recsys_metric_audit.reports.wording.axis_words import value_meaning
from recsys_metric_audit.reports.wording.formatting import rounded
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import count, joined, metric_title

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
