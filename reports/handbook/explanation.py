"""Explains a definition or a function: formula, axes, sources, a worked example and equal definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import StringIO

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from recsys_metric_audit.reference.cases import DEGENERATE, PROBES
from recsys_metric_audit.reference.catalogue import CATALOGUE, documents_formula, find_variant, names_of
from recsys_metric_audit.reference.catalogue.everyday_names import parse_named
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.axis_meanings import axis_question, value_meaning_in
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.worked_example import Worked, work
from recsys_metric_audit.reference.formula_text import averaging_lines, formula_lines, template_of
from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth
from recsys_metric_audit.reference.space.axis import Value
from recsys_metric_audit.reports.handbook.metric_entries import Reference, reference_of
from recsys_metric_audit.reports.wording.formatting import printable

INDENT = 2
"""Columns that text below a heading is indented by; twice as many below a term."""


def print_heading(console: Console, text: str) -> None:
    """Print a heading with an empty line above; a long one is not wrapped."""
    console.print()
    console.print(Text(printable(text), style="bold"), soft_wrap=True)


def print_paragraph(console: Console, text: str, indent: int = INDENT) -> None:
    """Print an indented paragraph, wrapped at the width of the console."""
    console.print(Padding(Text(printable(text)), (0, 0, 0, indent), expand=False))


def print_term(console: Console, term: str, explanation: str) -> None:
    """Print a term on a line of its own, never wrapped, and its explanation further indented below."""
    console.print(Text(" " * INDENT + printable(term), style="cyan"), soft_wrap=True)
    print_paragraph(console, explanation, 2 * INDENT)


def print_table(console: Console, headings: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
    """Print an indented table without borders; long cells are folded."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in headings:
        table.add_column(Text(printable(name)), overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console.print(Padding(table, (0, 0, 0, INDENT), expand=False))


def print_choices(console: Console, choices: Iterable[tuple[str, str]]) -> None:
    """Print pairs (name, meaning) as two aligned columns, indented like the explanation of a term."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name, meaning in choices:
        grid.add_row(Text(printable(name), style="cyan"), Text(printable(meaning)))
    console.print(Padding(grid, (0, 0, 0, 2 * INDENT), expand=False))


@dataclass(frozen=True)
class NonCanonicalAxis:
    """One axis on which a definition has another value than the canonical one; ``about`` is the axis' meaning."""

    axis: str
    about: str
    value: Value
    canonical: str


@dataclass(frozen=True, repr=False)
class Explanation:
    """One definition explained; it shows itself as ``audit explain`` prints it.

    ``example_k`` is the cut-off of the worked ``example`` (None if no cut-off acts), which ``example_text`` tells.
    ``simplified`` is the shortest signature of an equal definition where that differs. ``inactive`` are axis values
    ("axis:value") that would change no result here; ``equals`` are signatures of documented definitions that agree with
    it on every probe.

    >>> from recsys_metric_audit import explain
    >>> explain("recall@3|denominator:min").formula
    ('recall@3 = H / min(k, r)',)
    """

    signature: str
    long: str
    title: str
    names: tuple[str, ...]
    measures: str
    status: str
    why: str
    formula: tuple[str, ...]
    averaging: str
    non_canonical: tuple[NonCanonicalAxis, ...]
    differs: str
    references: tuple[Reference, ...]
    example_k: int | None
    example: Worked
    example_text: str
    simplified: str
    inactive: tuple[str, ...]
    equals: tuple[str, ...]

    def __repr__(self) -> str:
        out = StringIO()
        self.print_on(Console(file=out))
        return "\n".join(line.rstrip() for line in out.getvalue().strip("\n").split("\n"))

    def print_on(self, console: Console) -> None:
        """Print formula, axes that are not canonical, sources, a worked example, equalities."""
        print_heading(console, self.signature)
        print_paragraph(console, f"{self.title}: {self.measures}")
        known = f"Known as {', '.join(self.names)}. " if self.names else ""
        differs = f" {self.differs}" if self.differs else ""
        print_paragraph(console, f"{known}It is {self.status}.{differs}")
        self.print_formula(console)
        if self.non_canonical:
            print_heading(console, "Where it is not canonical")
            rows = [
                (f"{each.axis}:{each.value.name}", f"{each.about}: {each.value.meaning}", each.canonical)
                for each in self.non_canonical
            ]
            print_table(console, ("axis", "meaning", "canonical"), rows)
        self._print_sources(console)
        self.print_example(console)
        self._print_equalities(console)

    def print_formula(self, console: Console) -> None:
        """Print the formula, and how users become one number."""
        print_heading(console, "Formula")
        for line in self.formula:
            print_paragraph(console, line)
        print_paragraph(console, f"From users to the one number: {self.averaging}.")

    def _print_sources(self, console: Console) -> None:
        cited = [
            f"{each.axis}:{each.value.name}: {each.value.source}" for each in self.non_canonical if each.value.source
        ]
        if self.references or cited:
            print_heading(console, "Sources")
        for each in self.references:
            print_paragraph(console, f"{each.text}: {each.title}" + (f". {each.link}" if each.link else ""))
        for line in cited:
            print_paragraph(console, line)

    def print_example(self, console: Console) -> None:
        """Print the worked example: the places that its sums read, and the sums."""
        worked = self.example
        print_heading(console, f"Worked example: {worked.signature}")
        print_paragraph(console, self.example_text)
        rows = [(str(row.rank), row.item, *row.cells) for row in worked.rows]
        if rows:
            print_table(console, ("rank", "item", *worked.columns), rows)
        for line in worked.lines:
            print_paragraph(console, line)

    def _print_equalities(self, console: Console) -> None:
        print_heading(console, "What else it equals")
        if self.simplified:
            print_paragraph(console, f"Written simpler, it is {self.simplified}.")
        if self.inactive:
            print_paragraph(console, f"These would change no result: {', '.join(self.inactive)}.")
        if self.equals:
            print_paragraph(console, f"On every probe case it has the value of {', '.join(self.equals)}.")
        if not (self.simplified or self.inactive or self.equals):
            print_paragraph(console, "Nothing that is documented.")


ITEMS = ("ale", "bun", "cod", "dal", "egg", "fig")
"""Names of items 0 to 5 of the example."""
EXAMPLE = Case(
    "example",
    Predictions(np.ones(5, np.int64), np.arange(5), np.array([5.0, 4.0, 3.0, 2.0, 1.0])),
    Truth(np.ones(4, np.int64), np.array([0, 2, 4, 5]), np.array([1.0, 3.0, 2.0, 2.0])),
    catalogue=np.arange(8),
)
"""One user. Five items are shown; the first, third and fifth are relevant, and one that is not shown is too."""
EXAMPLE_TEXT = "One user is shown ale, bun, cod, dal, egg; relevant are ale (gain 1), cod (3), egg (2) and fig (2)."
SHOP = Case(
    "example of three users",
    Predictions(
        np.array([1, 1, 1, 2, 2, 3], np.int64), np.array([0, 1, 2, 0, 3, 4]), np.array([3.0, 2.0, 1.0, 2.0, 1.0, 1.0])
    ),
    Truth(np.array([1, 2, 4], np.int64), np.array([5, 0, 1]), np.ones(3)),
    Train(np.array([4, 5, 6, 7, 4, 5, 6, 4], np.int64), np.array([0, 0, 0, 0, 1, 1, 2, 3])),
    catalogue=np.arange(8),
)
"""Three users, whose items are had by four, two, one and no other users."""
SHOP_TEXT = (
    "User 1 is shown ale, bun and cod, user 2 ale and dal, user 3 egg; of eight items and four users in the train data,"
    " four have ale, two bun, one each cod and dal, and nobody egg."
)
LIKED = replace(
    SHOP,
    name="example of a user with a history",
    truth=Truth(np.ones(2, np.int64), np.array([5, 1]), np.ones(2)),
    train=Train(np.array([4, 5, 6, 7, 4, 5, 6, 4, 1], np.int64), np.array([0, 0, 0, 0, 1, 1, 2, 3, 3])),
)
"""User 1 has an item that some who have the items shown have, too."""
LIKED_TEXT = (
    "User 1 is shown ale, bun and cod, has dal, and has bun and fig in the truth; of eight items, users 4 to 7 have"
    " ale, 4 and 5 bun, 6 cod, and 4 dal as well."
)
KNOWN = replace(
    LIKED,
    name="example of a user who has an item shown",
    train=Train(np.array([4, 5, 6, 7, 4, 1, 6, 4], np.int64), np.array([0, 0, 0, 0, 1, 1, 2, 3])),
)
"""User 1 has the item of the second place."""
KNOWN_TEXT = "User 1 is shown ale, bun and cod, and has bun; users 4 to 7 have other items."
_EXAMPLES = {
    "serendipity": (LIKED, LIKED_TEXT),
    "expected_novelty": (LIKED, LIKED_TEXT),
    "new_share": (KNOWN, KNOWN_TEXT),
}
_CUTOFF = 3
_TOLERANCE = 1e-9


def explain(definition: str | Definition) -> Explanation:
    """Return the explanation of one definition: its formula, sources, a worked example, and what it equals.

    Args:
        definition: A signature, an everyday name of a metric (its canonical definition), or a definition. The worked
            example uses its own cut-off where the example's list of five is long enough, else 3.

    Raises:
        SignatureError: if a signature does not parse.

    >>> explained = explain("ndcg@3|gain:exp2")
    >>> print(*explained.formula, sep=chr(10))
    NDCG@3 = DCG / IDCG
    DCG = the sum of (2^g_j - 1) / log2(j + 1) over the hits
    IDCG = the sum of (2^g_j - 1) / log2(j + 1) over the min(k, r) best relevant items
    >>> explained.example_text
    'One user is shown ale, bun, cod, dal, egg; relevant are ale (gain 1), cod (3), egg (2) and fig (2).'
    >>> explained.example.lines[-1]
    'value = (9/2) / 10.3928 = 0.432993'
    """
    definition = parse_named(definition) if isinstance(definition, str) else definition
    simplified, metric = shortest(definition), definition.family
    usual = (EXAMPLE, EXAMPLE_TEXT) if metric.reads == "relevance" else (SHOP, SHOP_TEXT)
    case, text = _EXAMPLES.get(metric.name, usual)
    variant = find_variant(definition)
    cutoff = definition.k if isinstance(definition.k, int) and definition.k <= len(ITEMS) - 1 else _CUTOFF
    at_cutoff = definition if definition.k is None else definition.with_(k=cutoff)
    written = simplified.signature()
    return Explanation(
        signature=definition.signature(),
        long=definition.signature(long=True),
        title=metric.title,
        names=names_of(definition),
        measures=template_of(definition).measures,
        status=_status(definition),
        why=metric.why_canonical,
        formula=tuple(line.text for line in formula_lines(definition)),
        averaging="; ".join(line.text for line in averaging_lines(definition)),
        non_canonical=tuple(_non_canonical(definition, name) for name in definition.differs_on),
        differs=variant.differs if variant is not None else "",
        references=tuple(map(reference_of, (*variant.citations, *variant.in_code))) if variant is not None else (),
        example_k=None if at_cutoff.k is None else cutoff,
        example=work(at_cutoff, case, label=ITEMS.__getitem__),
        example_text=text,
        simplified=written if written != definition.signature() else "",
        inactive=_inactive(simplified),
        equals=_equals(simplified),
    )


def _status(definition: Definition) -> str:
    """Return where the definition stands, in words that follow "It is"."""
    variant, formula, simplified = find_variant(definition), formula_of(definition), shortest(definition)
    if variant is not None and variant.citations and simplified.differs_on:
        return "documented"
    if not documents_formula(definition):
        return "stated by no source of the catalogue"
    word = "documented" if formula.differs_on else "canonical"
    return word if formula == simplified else f"{word} in its formula"


def _non_canonical(definition: Definition, name: str) -> NonCanonicalAxis:
    axis, canonical = definition.family.axis(name), definition.family.canonical[name]
    value = axis.value(definition.axes[name])
    told = replace(value, meaning=value_meaning_in(definition, name, value.name))
    return NonCanonicalAxis(name, axis_question(definition, name), told, canonical)


def _inactive(simplified: Definition) -> tuple[str, ...]:
    """Return the axis values with which the definition gives what it gives without them."""
    metric, out = simplified.family, []
    for axis in metric.all_axes:
        for value in axis.names:
            if value == simplified.axes[axis.name] or metric.refusal({**simplified.axes, axis.name: value}):
                continue
            if are_equal(simplified.with_(**{axis.name: value}), simplified):
                out.append(f"{axis.name}:{value}")
    return tuple(out)


def _equals(simplified: Definition) -> tuple[str, ...]:
    """Return the signatures of documented definitions, of any metric, with the same value on every probe."""
    if simplified.k is not None and not isinstance(simplified.k, str):
        simplified = simplified.with_(k="k")
    problem, documented = _documented_values()
    own = _on_probes(simplified, problem)
    # Few are equal, and to write a definition shortest takes longer than to evaluate it.
    equal = (
        shortest(each)
        for each, values in documented.items()
        if np.allclose(values, own, rtol=_TOLERANCE, atol=_TOLERANCE, equal_nan=True)
    )
    return tuple(dict.fromkeys(each.signature() for each in equal if each != simplified))


def _on_probes(definition: Definition, probes: Problem) -> NDArray[np.float64]:
    """Return the value on each probe, shape (probes,): infinity where the input is refused."""
    evaluated = evaluate(definition, probes)
    return np.where(evaluated.refused, np.inf, evaluated.mean)


@cache  # saves 5.2 of 17 seconds where all metrics are explained
def _documented_values() -> tuple[Problem, Mapping[Definition, NDArray[np.float64]]]:
    """Return all probes, and what each documented definition gives on them."""
    every = (*PROBES, *DEGENERATE)
    problem = Problem.of([probe.case for probe in every], [probe.k for probe in every])
    return problem, {each.definition: _on_probes(each.definition, problem) for each in CATALOGUE}
