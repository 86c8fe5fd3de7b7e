"""Prints the explanation of one definition in a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO

from rich.console import Console

from recsys_metric_audit.reference.evaluation.worked_example import Worked
from recsys_metric_audit.reports.handbook.console_layout import print_heading, print_paragraph, print_table
from recsys_metric_audit.reports.handbook.metric_entries import Choice, Reference


@dataclass(frozen=True)
class NonCanonicalAxis:
    """One axis on which a definition has another value than the canonical one; ``about`` is the axis' meaning."""

    axis: str
    about: str
    value: Choice
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
