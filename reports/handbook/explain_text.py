"""Definitions in a terminal: formula, axes, sources, a worked example; readable from 80 columns on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from reference import Definition, Worked
from reference.catalogue import Variant
from reports.handbook.definition_view import EXAMPLE_TEXT, Explained, explained
from reports.handbook.handbook import AxisEntry, VariantEntry, entry
from reports.wording.formatting import printable

_INDENT = 2


def show_definition(definition: Definition, console: Console) -> None:
    """Print all there is to say about one definition."""
    told = explained(definition)
    heading(console, told.signature)
    _say(console, f"{told.title}: {told.measures}")
    known = f"Known as {', '.join(told.names)}. " if told.names else ""
    _say(console, f"{known}It is {told.status}." + (f" {told.differs}" if told.differs else ""))
    _formula(console, told)
    if told.moved:
        heading(console, "Where it is not canonical")
        rows = [
            (f"{each.axis}:{each.value.name}", f"{each.about}: {each.value.meaning}", each.canonical)
            for each in told.moved
        ]
        _table(console, ("axis", "meaning", "canonical"), rows)
    _sources(console, told)
    _worked(console, told.worked)
    _equal(console, told)


def show_metric(metric: str, console: Console) -> None:
    """Print what a metric is: canonical definition, axes with all values, documented variants."""
    told, book = explained(Definition.of(metric)), entry(metric)
    heading(console, f"{book.title} ({metric})")
    _say(console, book.measures)
    _say(console, f"Canonical: {book.signature}, {book.why}.")
    _formula(console, told)
    _worked(console, told.worked)
    heading(console, "Axes and their values, the canonical one first")
    for axis in book.axes:
        _axis(console, axis)
    heading(console, "Documented variants")
    for variant in book.variants:
        _variant(console, variant)
    if not book.variants:
        _say(console, "none beside the canonical one")
    _say(console, f"One of them in full: audit explain '{book.variants[-1].signature if book.variants else metric}'")


def show_list(variants: Sequence[Variant], console: Console) -> None:
    """Print documented variants by metric."""
    metric = ""
    for variant in variants:
        if variant.definition.metric != metric:
            metric = variant.definition.metric
            heading(console, metric)
        _pair(console, variant.signature, f"{variant.name}. {variant.differs or 'Canonical.'} [{variant.source}]")


def heading(console: Console, text: str) -> None:
    """Print a heading with an empty line above."""
    console.print()
    console.print(Text(printable(text), style="bold"), soft_wrap=True)


def say(console: Console, text: str) -> None:
    """Print a paragraph, indented."""
    _say(console, text)


def _say(console: Console, text: str, indent: int = _INDENT) -> None:
    console.print(Padding(Text(printable(text)), (0, 0, 0, indent), expand=False))


def _pair(console: Console, head: str, body: str) -> None:
    console.print(Padding(Text(printable(head), style="cyan"), (0, 0, 0, _INDENT), expand=False), soft_wrap=True)
    _say(console, body, 2 * _INDENT)


def _formula(console: Console, told: Explained) -> None:
    heading(console, "Formula")
    for line in told.formula:
        _say(console, line)
    _say(console, f"From users to the one number: {told.averaging}.")


def _sources(console: Console, told: Explained) -> None:
    cited = [f"{each.axis}:{each.value.name}: {each.value.source}" for each in told.moved if each.value.source]
    if told.references or cited:
        heading(console, "Sources")
    for each in told.references:
        _say(console, f"{each.text}: {each.title}" + (f". {each.link}" if each.link else ""))
    for line in cited:
        _say(console, line)


def _worked(console: Console, worked: Worked) -> None:
    heading(console, f"Worked example: {worked.signature}")
    _say(console, EXAMPLE_TEXT)
    rows = [(str(row.rank), row.item, *row.cells) for row in worked.rows]
    if rows:
        _table(console, ("rank", "item", *worked.columns), rows)
    for line in worked.lines:
        _say(console, line)


def _equal(console: Console, told: Explained) -> None:
    heading(console, "What else it equals")
    if told.simpler:
        _say(console, f"Written simpler, it is {told.simpler}, by proof.")
    if told.idle:
        _say(console, f"By proof these would change nothing: {', '.join(told.idle)}.")
    if told.equals:
        _say(console, f"On every probe case it has the value of {', '.join(told.equals)}.")
    if not (told.simpler or told.idle or told.equals):
        _say(console, "Nothing that is documented.")


def _axis(console: Console, axis: AxisEntry) -> None:
    _say(console, f"{axis.name}: {axis.meaning}")
    grid = Table.grid(padding=(0, 2, 0, 0))
    for choice in sorted(axis.choices, key=lambda choice: not choice.canonical):
        grid.add_row(Text(printable(choice.name), style="cyan"), Text(printable(choice.meaning)))
    console.print(Padding(grid, (0, 0, 0, 2 * _INDENT), expand=False))


def _variant(console: Console, variant: VariantEntry) -> None:
    cited = "; ".join(each.text for each in variant.references) or "in use; no text that we know states it"
    _pair(console, variant.signature, f"{variant.name}. {variant.differs or 'Canonical.'} [{cited}]")


def _table(console: Console, headings: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in headings:
        table.add_column(Text(name), overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console.print(Padding(table, (0, 0, 0, _INDENT), expand=False))
