"""Progress on a terminal: what the bars say while they move, and the one line that each version leaves."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.progress import Progress

from recsys_metric_audit.audit.cli.progress.progress_bars import ProgressBars, make_bars, step_words
from recsys_metric_audit.audit.cli.progress.progress_tally import ProgressTally, Step, VersionProgress


@pytest.fixture
def bars() -> Progress:
    return make_bars(Console(file=io.StringIO(), force_terminal=True, width=100))


def words_of(bars: Progress) -> dict[str, str]:
    return {task.description: task.fields["words"] for task in bars.tasks}


def test_every_version_at_work_has_a_bar_with_its_step(bars: Progress) -> None:
    shown = ProgressBars(bars, ProgressTally({("a", "1"): 2, ("b", "2"): 2}, lambda: 0.0))
    shown.building("a", "1", "installing 3 distributions")
    shown.asking("b", "2", 1000, 2016)
    assert words_of(bars) == {
        "all libraries": "0 of 2, about 10 s left",
        "a 1": "building: installing 3 distributions",
        "b 2": "asking: 1,000 of 2,016 calls",
    }
    shown.identifying("b", "2", 3, 12)
    by_name = {task.description: task for task in bars.tasks}
    assert (by_name["b 2"].completed, by_name["b 2"].total) == (3, 12)
    shown.finished("b", "2", "audited", 2.0, ())
    assert list(words_of(bars)) == ["all libraries", "a 1"]
    assert words_of(bars)["all libraries"].startswith("1 of 2")
    assert {task.description: task.completed for task in bars.tasks}["all libraries"] == 1


def test_words_while_functions_are_identified() -> None:
    progress = VersionProgress(Step.identifying, (8, 8), (3, 12))
    assert step_words(progress) == "identifying: 3 of 12 functions done"
    progress.calls = (2, 40)
    assert step_words(progress) == "identifying: 3 of 12 functions done, asking further (2 of 40 calls)"


def test_a_finished_version_leaves_one_plain_line() -> None:
    screen = io.StringIO()
    with make_bars(Console(file=screen, force_terminal=True, width=100)) as bars:
        shown = ProgressBars(bars, ProgressTally({("a[b]", "1"): 1, ("c", "2"): 1}))
        shown.building("a[b]", "1", "[red]installing")
        shown.asking("a[b]", "1", 2, 3)
        shown.finished("a[b]", "1", "audited", 1.0, ())
        shown.asking("c", "2", 1, 9)
        shown.finished("c", "2", "un\x1b[2Javailable", 0.5, ())
    text = screen.getvalue()
    assert "a[b] 1: audited in 1.0 s" in text
    assert "un\\x1b[2Javailable in 0.5 s" in text.replace("\\u001b", "\\x1b")
