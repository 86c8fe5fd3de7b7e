"""Cells and key entries of a table as plain text."""

from __future__ import annotations

from recsys_metric_audit.reports.tables.table import EMPTY, Cell, KeyEntry


def test_behind_a_figure_stand_its_mark_and_the_published_value() -> None:
    assert Cell("0.1").beside == EMPTY.beside == ""
    assert Cell("0.1", "a†").beside == "a†"
    assert Cell("0.1", "a", published="0.2").beside == "a [0.2]"


def test_an_entry_of_the_key_is_told_whole_or_in_brief() -> None:
    entry = KeyEntry("MAP", "a", "divides by r, not by k", "says the paper", "divides by r")
    assert entry.line == "MAP a  divides by r, not by k"
    assert entry.brief_line == "MAP a  divides by r"
    assert KeyEntry("", "†", "averages other users", "").brief_line == "†  averages other users"
