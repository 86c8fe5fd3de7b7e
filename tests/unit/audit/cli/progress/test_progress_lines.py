"""Progress in a log: at most four lines a library version, whatever the number of calls."""

from __future__ import annotations

import io

from rich.console import Console

from recsys_metric_audit.audit.cli.progress.progress_lines import ProgressLines
from recsys_metric_audit.audit.cli.progress.progress_tally import ProgressTally
from tests.support.result_samples import finding


def lines_of(console: Console) -> list[str]:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def progress(*names: str) -> tuple[ProgressLines, Console]:
    console = Console(file=io.StringIO(), width=40)
    return ProgressLines(console, ProgressTally({(name, "1"): 1 for name in names}, lambda: 0.0)), console


def test_one_line_when_built_when_asked_and_when_done() -> None:
    shown, console = progress("a", "b")
    for message in ("creating an environment", "installing 3 distributions"):
        shown.building("a", "1", message)
    for done in range(2017):
        shown.asking("a", "1", done, 2016)
    for done in range(13):
        shown.identifying("a", "1", done, 12)
        shown.asking("a", "1", done, 40)
    shown.finished("a", "1", "audited", 12.34, ())
    assert lines_of(console) == [
        "a 1: building its environment (creating an environment)",
        "a 1: asking (2,016 calls)",
        "a 1: audited in 12.3 s (1 of 2, about 10 s left)",
    ]


def test_the_numbers_of_a_finished_version_are_told_at_once() -> None:
    shown, console = progress("a", "b")
    shown.finished("a", "1", "audited", 1, (finding("recall", value=0.25),))
    assert lines_of(console) == [
        "a 1: audited in 1.0 s; 1 function: 1 canonical (1 of 2, about 10 s left)",
        "  at k = 20: Recall 0.250 by the canonical formula",
    ]


def test_a_version_whose_answers_are_there_is_identified_without_being_asked() -> None:
    shown, console = progress("a")
    shown.identifying("a", "1", 0, 12)
    shown.identifying("a", "1", 12, 12)
    shown.finished("a", "1", "audited", 1, ())
    assert lines_of(console) == [
        "a 1: identifying 12 functions by earlier answers", "a 1: audited in 1.0 s (1 of 1)",
    ]  # fmt: skip


def test_what_libraries_say_stays_on_its_line_and_is_no_markup() -> None:
    shown, console = progress("a")
    shown.building("a[red]", "1", "x\n::error::y\x1b[2J " + "long " * 20)
    (line,) = lines_of(console)
    assert line.startswith("a[red] 1: building") and "\x1b" not in line
