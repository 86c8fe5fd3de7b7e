"""The terminal, against texts written by hand and against hostile input."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len
from rich.console import Console

from recsys_metric_audit.reports.model.result_file import PACKAGED_RUN, read_result
from recsys_metric_audit.reports.renderers import terminal
from recsys_metric_audit.reports.tables.paper_tables import paper_tables
from recsys_metric_audit.reports.tables.table import Cell, Column, Row, Table
from recsys_metric_audit.reports.wording.library_groups import DEFAULT_GROUP
from tests.support.extreme_results import hostile, many
from tests.support.result_samples import finding, result, small_result

TEXT = """\
No. Of 1 metric that 2 library versions computed from the same predictions, they differ on the
formula of 1; MAP alone has 2 formulas, with values from 0.032 to 0.039.
- MAP: 1 of 2 computes the canonical formula (0.039); 1 other: Beta 0.032 (divides by r).
- Recall: 1 of 2 computes the canonical formula (0.096; Alpha nan); Beta failed.

Table 1. The same predictions at k = 20, as each library reports them; letters mark other formulas.
━━━━━━━━━━━━━━━━━━━━━━━━━━
             MAP    Recall
──────────────────────────
Canonical  0.039     0.096
┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈
Alpha 1.0  0.039       nan
Beta 2_3   0.032 a  failed
━━━━━━━━━━━━━━━━━━━━━━━━━━
MAP a  divides by r, not by min(k, r)
"""


def test_the_terminal_says_the_answer_then_headlines_then_tables() -> None:
    assert terminal.render_report(small_result()) == TEXT


@pytest.mark.parametrize("made", [result, hostile, many])
@pytest.mark.slow
def test_the_terminal_fits_a_hundred_columns(made: object) -> None:
    lines = terminal.render_report(made()).splitlines()  # type: ignore[operator]
    assert max(map(cell_len, lines)) <= 100


GOLDEN = """\
Table 1. The same predictions at k = 20, as each library reports them; letters mark other formulas.
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
            HitRate    MAP      MRR     NDCG    Precision   Recall      AUC
─────────────────────────────────────────────────────────────────────────────
Canonical   0.475    0.039    0.186    0.093      0.058    0.096      0.705
┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈
Alpha 1.0   0.475    0.039    0.186    0.093      0.058    0.096      0.705
Beta 2.3.1  1.151 a  0.032 a  0.186    0.093      0.058    0.096      0.687 a
Gamma 0.4°   failed  0.003 ?  0.275 a  0.463 a    0.058 ~  0.096 !  timed out
Delta 3.0       –    0.023 b  0.186    crashed      nan    0.096      0.283 b
Omega 9     unavailable: Python 3.7 was not found.
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
HitRate a  counts the hits, not 1 for any hit
MAP a  divides by r, not by min(k, r)
MAP b  divides by k, not by min(k, r)
MRR a  sums 1 / rank of all hits, not 1 / rank of the first hit
NDCG a  divides by 1 (plain DCG), not by the ideal DCG at k
AUC  a b: see the columns of Table 2
~ not known which formula   ? no formula fits   ! not reproducible   ° recorded
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


def test_table_1_of_the_usual_run_fits_on_a_screen() -> None:
    lines = terminal.render_table(paper_tables(read_result(PACKAGED_RUN), DEFAULT_GROUP)[0], 100).splitlines()
    assert len(lines) <= 50
    assert max(map(cell_len, lines)) <= 100
    assert sum("HitRate" in line and "AUC" in line for line in lines) == 1, "all columns stand side by side"


def test_columns_move_together_only_where_that_saves_a_block() -> None:
    cells = tuple(Cell("0.123") for _ in range(4))
    table = Table("T", "C.", tuple(Column(f"M{n}xxx") for n in range(4)), (Row("Some", "1", cells),), ())
    # A label of 6 and four columns of 5: 34 columns wide with gaps of two, 30 with gaps of one.
    for width, heads in ((34, "  M0xxx  M1xxx"), (33, " M0xxx M1xxx"), (30, " M0xxx M1xxx")):
        shown = terminal.render_table(table, width)
        assert heads in shown and shown.count("Some 1") == 1
    assert terminal.render_table(table, 29).count("Some 1") == 2


def test_long_words_are_short_in_the_terminal_and_explained() -> None:
    shown = terminal.render_table(paper_tables(result(findings=(finding("ndcg", "gamma", "0.4", value=None),)))[0])
    assert "Gamma 0.4°" in shown and " /user" in shown and "per user" not in shown
    assert shown.splitlines()[-1] == "/user no mean   ° recorded"


def test_the_terminal_is_not_driven_by_foreign_text() -> None:
    console = Console(width=100, force_terminal=True, color_system="truecolor")
    with console.capture() as capture:
        terminal.print_report(hostile(), console)
    plain = re.sub(r"\x1b\[[\d;]*m", "", capture.get())
    assert "\x1b" not in plain
    assert "\\x1b[31mred" in plain
    assert "[bold]markup[/bold]" in plain
    assert "\u202e" not in plain
