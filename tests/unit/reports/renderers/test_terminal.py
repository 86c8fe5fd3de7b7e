"""The terminal, against texts written by hand and against hostile input."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len
from rich.console import Console

from reports.renderers import terminal
from reports.tables.paper_tables import paper_tables
from reports.tables.table import Cell, Column, Row, Table
from tests.support.result_samples import (
    hostile,
    many,
    result,
    small_result,
)

TEXT = """\
No. Of 1 metric that 2 library versions computed from the same predictions, they differ on 1; MAP
alone is computed in 2 ways, with values from 0.032 to 0.039.
! Furthest from the canonical value (1): MAP of Beta 2_3, 0.032 for 0.039

Table 1. The same predictions at k = 20, as each library reports them.
━━━━━━━━━━━━━━━━━━━━━━━━━━
             MAP    Recall
──────────────────────────
Canonical  0.039     0.096
┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈
Alpha 1.0  0.039       nan
Beta 2_3   0.032 a  failed
━━━━━━━━━━━━━━━━━━━━━━━━━━
MAP  a  average_precision@20|denominator:r  wrong-denominator
"""


def test_the_terminal_says_the_answer_then_surprises_then_tables() -> None:
    assert terminal.render_report(small_result()) == TEXT


@pytest.mark.parametrize("made", [result, hostile, many])
def test_the_terminal_fits_a_hundred_columns(made: object) -> None:
    lines = terminal.render_report(made()).splitlines()  # type: ignore[operator]
    assert max(map(cell_len, lines)) <= 100


GOLDEN = """\
Table 1. The same predictions at k = 20, as each library reports them.
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
                      HitRate    MAP      MRR     NDCG    Precision   Recall      AUC
───────────────────────────────────────────────────────────────────────────────────────
Canonical             0.475    0.039    0.186    0.093      0.058    0.096      0.705
┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈
Alpha 1.0             0.475    0.039    0.186    0.093      0.058    0.096      0.705
Beta 2.3.1            1.151 a  0.032 a  0.186    0.093      0.058    0.096      0.687 a
Gamma 0.4 (recorded)   failed  0.003 ?  0.275 a  0.463 a    0.058 ~  0.096 !  timed out
Delta 3.0                 –    0.023 b  0.186    crashed      nan    0.096      0.283 b
Omega 9               unavailable: Python 3.7 was not found.
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
HitRate  a  hit_rate@20|counts:hits                       hit-rate-as-count
MAP      a  average_precision@20|denominator:r            wrong-denominator
MAP      b  average_precision@20|denominator:k            wrong-denominator
MRR      a  reciprocal_rank@20|ranks:sum                  sum-of-reciprocals
NDCG     a  ndcg@20|ideal:none                            missing-idcg, documented nowhere
AUC      a  auc|scope:stacked                             stacked-auc
AUC      b  auc@20|list:topk                              cut-off-upstream
         ~  several definitions fit all that was asked
         ?  no definition fits
         !  gives different answers to the same question
"""


def test_the_terminal_shows_it_as_printed_here() -> None:
    assert terminal.render_table(paper_tables(result())[0]) == GOLDEN


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_the_terminal_is_never_overrun(width: int) -> None:
    for made in (result(), hostile()):
        for table in paper_tables(made):
            lines = terminal.render_table(table, width).splitlines()
            assert max(map(cell_len, lines)) <= width


def test_twelve_columns_stand_in_two_blocks_of_a_hundred() -> None:
    cells = tuple(Cell("0.123", "a") for _ in range(12))
    columns = tuple(Column(f"Metric {n:02}") for n in range(12))
    shown = terminal.render_table(Table("Table 1", "Wide.", columns, (Row("Some library", "1.0", cells),), ()))
    assert re.findall(r"Metric \d\d", shown) == [c.heading for c in columns]
    assert shown.count("Some library 1.0") == 2


def test_the_terminal_is_not_driven_by_foreign_text() -> None:
    console = Console(width=100, force_terminal=True, color_system="truecolor")
    with console.capture() as capture:
        terminal.print_report(hostile(), console)
    plain = re.sub(r"\x1b\[[\d;]*m", "", capture.get())
    assert "\x1b" not in plain
    assert "\\x1b[31mred" in plain
    assert "[bold]markup[/bold]" in plain
    assert "\u202e" not in plain
