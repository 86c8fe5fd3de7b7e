"""Texts on a terminal of 40 columns."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

from rich.console import Console

from recsys_metric_audit.reports.handbook.console_layout import (
    print_choices,
    print_heading,
    print_paragraph,
    print_table,
    print_term,
)


def at_40(show: Callable[[Console], None]) -> list[str]:
    output = StringIO()
    show(Console(file=output, width=40, color_system=None, highlight=False))
    return [line.rstrip() for line in output.getvalue().splitlines()]


def test_a_heading_is_not_wrapped() -> None:
    long = "heading " * 8
    assert at_40(lambda console: print_heading(console, long)) == ["", long.rstrip()]


def test_a_paragraph_is_wrapped_and_indented() -> None:
    told = "The share of relevant items that are in the first k."
    assert at_40(lambda console: print_paragraph(console, told)) == [
        "  The share of relevant items that are", "  in the first k.",
    ]  # fmt: skip


def test_a_term_is_never_wrapped_and_its_explanation_stands_below() -> None:
    signature = "ndcg@20|gain:exp2|ideal:all|users:both|ties:given"
    assert at_40(lambda console: print_term(console, signature, "one definition")) == [
        "  " + signature, "    one definition",
    ]  # fmt: skip


def test_columns_of_a_table_are_as_wide_as_their_longest_cell() -> None:
    rows = [("recall", "1/3"), ("r", "0")]
    assert at_40(lambda console: print_table(console, ("metric", "value"), rows)) == [
        "  metric  value", "  recall  1/3", "  r       0",
    ]  # fmt: skip


def test_choices_are_aligned() -> None:
    pairs = [("k", "the cut-off"), ("min", "the smaller")]
    assert at_40(lambda console: print_choices(console, pairs)) == ["    k    the cut-off", "    min  the smaller"]


def test_foreign_control_characters_are_shown() -> None:
    assert at_40(lambda console: print_paragraph(console, "a\x1b[2Jb")) == ["  a\\x1b[2Jb"]
