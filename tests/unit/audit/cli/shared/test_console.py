"""Widths of consoles, whatever COLUMNS says."""

from __future__ import annotations

import pytest

from audit.cli.shared.console import WIDEST, make_console
from tests.support.command_line import audit


@pytest.mark.parametrize(("columns", "width"), [("80", 80), ("1", 1), ("0", 1), ("99999999", WIDEST), ("x", 80)])
def test_a_width_that_makes_sense(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert make_console().width == width


def test_tables_that_need_more_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert make_console(at_least=100).width == 100


def test_lines_are_not_padded_to_a_width_that_nobody_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300000")
    done = audit("explain", "ndcg@20|gain:exp2")
    assert done.exit_code == 0
    assert max(map(len, done.stdout.splitlines())) <= WIDEST
