"""Hold what is shown of progress: bars, lines, tallies, signs of life."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress

from recsys_metric_audit.audit.cli.shared import output
from recsys_metric_audit.audit.cli.shared.output import heartbeat, said_while
from recsys_metric_audit.audit.cli.shared.progress import (
    ProgressBars,
    ProgressLines,
    ProgressTally,
    Step,
    VersionProgress,
    finished_in_words,
    found_in_words,
    make_bars,
    numbers_in_words,
    step_words,
    time_left,
    watch,
)
from recsys_metric_audit.audit.run.request import READY
from tests.support import drifting_library
from tests.support.command_line import audit
from tests.support.result_samples import differing, finding

# Progress in a log: a line or two a library version, whatever the number of calls.


def lines_of(console: Console) -> list[str]:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def progress(*names: str) -> tuple[ProgressLines, Console]:
    console = Console(file=io.StringIO(), width=40)
    return ProgressLines(console, ProgressTally({(name, "1"): 1 for name in names}, lambda: 0.0)), console


def test_one_line_when_built_and_one_when_done() -> None:
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
        "a 1: audited in 12.3 s (1 of 2, about 10 s left)",
    ]


def test_the_numbers_of_a_finished_version_are_told_at_once() -> None:
    shown, console = progress("a", "b")
    shown.finished("a", "1", "audited", 1, (finding("recall", value=0.25),))
    assert lines_of(console) == [
        "a 1: audited in 1.0 s; 1 function: 1 canonical (1 of 2, about 10 s left)",
        "  at k = 20: Recall 0.250 by the canonical formula",
    ]


def test_what_libraries_say_stays_on_its_line_and_is_no_markup() -> None:
    shown, console = progress("a")
    shown.building("a[red]", "1", "x\n::error::y\x1b[2J " + "long " * 20)
    (line,) = lines_of(console)
    assert line.startswith("a[red] 1: building") and "\x1b" not in line


# Progress on a terminal: what the bars say while they move, and the one line that each version leaves.


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


# How far a run is, by a clock that the test sets; expected times are worked out by hand.

A, B = ("a", "1"), ("b", "2")


class Clock:
    """Time stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tally(clock: Clock) -> ProgressTally:
    return ProgressTally({A: 3, B: 1}, clock)


def test_a_version_enters_each_step_once_and_never_goes_back(tally: ProgressTally) -> None:
    assert tally.advance(A, Step.building)
    assert not tally.advance(A, Step.building)
    assert tally.advance(A, Step.asking, calls=(0, 8))
    assert not tally.advance(A, Step.building)
    assert tally.of(A).step is Step.asking
    assert tally.of(B).step is Step.waiting


def test_calls_asked_while_identifying_leave_the_functions_counted(tally: ProgressTally) -> None:
    tally.advance(A, Step.identifying, functions=(1, 4))
    assert not tally.advance(A, Step.asking, calls=(2, 6))
    assert (tally.of(A).step, tally.of(A).functions, tally.of(A).calls) == (Step.identifying, (1, 4), (2, 6))
    assert tally.of(A).share == 0.5 + 0.5 / 4


def test_time_left_by_the_weight_of_what_is_done(tally: ProgressTally, clock: Clock) -> None:
    assert tally.seconds_left() is None, "nothing is done"
    tally.advance(A, Step.asking, calls=(1, 2))  # a quarter of 3 of 4 parts: 3/16 of all
    clock.now += 30
    assert tally.seconds_left() == pytest.approx(30 * 13 / 3)
    tally.advance(B, Step.finished)  # 7/16 of all
    assert tally.seconds_left() == pytest.approx(30 * 9 / 7)
    tally.advance(A, Step.finished)
    assert tally.seconds_left() == 0


def test_too_little_done_tells_no_time(tally: ProgressTally, clock: Clock) -> None:
    tally.advance(B, Step.asking, calls=(1, 3))  # a sixth of 1 of 4 parts: less than 5 %
    clock.now += 30
    assert tally.seconds_left() is None


def test_versions_that_finished_and_the_time_left_in_words(tally: ProgressTally, clock: Clock) -> None:
    assert tally.summary() == "0 of 2"
    tally.advance(B, Step.finished)
    clock.now += 40  # a quarter of the work took 40 s
    assert tally.summary() == "1 of 2, about 2 min left"
    tally.advance(A, Step.finished)
    assert tally.summary() == "2 of 2"


def test_a_version_that_was_not_announced_is_counted(tally: ProgressTally) -> None:
    assert tally.advance(("c", "3"), Step.finished)
    assert (tally.finished, tally.total) == (1, 3)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "about 10 s left"), (44, "about 40 s left"), (59, "about 60 s left"), (61, "about 1 min left"),
        (59.6 * 60, "about 1 h 00 min left"), (65 * 60, "about 1 h 05 min left"),
    ],
)  # fmt: skip
def test_times_in_words(seconds: float, words: str) -> None:
    assert time_left(seconds) == words


# Functions are counted by what was found of them, in a few words.


def test_functions_are_counted_by_verdict_each_once() -> None:
    found = [
        finding(function="one", k=5, verdict="variant"),
        finding(function="one", k=10, verdict="variant"),
        finding(function="two", verdict="agrees"),
        finding(function="three", verdict="undocumented"),
        finding(function="four", status="failed", reason="it raises", verdict=None, value=None, signature=None),
    ]
    words = "4 functions: 1 canonical, 1 another documented formula, 1 an undocumented one, 1 not measured"
    assert found_in_words(found) == words
    assert finished_in_words("alpha", "1.0", "audited", 2.25, found) == f"alpha 1.0: audited in 2.2 s; {words}"


def test_nothing_is_said_where_nothing_was_found() -> None:
    assert finished_in_words("alpha", "1.0", "unavailable", 0.5, []) == "alpha 1.0: unavailable in 0.5 s"


def test_numbers_of_the_papers_metrics_are_told_by_whose_formula_gave_them() -> None:
    found = [
        finding("recall", value=0.25),
        finding("recall", value=0.5, k=40),  # another cut-off
        finding("recall", function="alpha.f1", value=0.7).model_copy(
            update={"metric": "f_score"}
        ),  # none of the paper's metrics
        finding("recall", value=0.75, function="alpha.recall[exact=yes]"),  # no headline: it has an option
        differing("ndcg", "alpha", "gain", "exp2", 0.125),
        finding("auc", value=0.875, verdict="unexplained", signature=None, formula=None),
        differing("average_precision", "alpha", "denominator", "r", 0.375, verdict="ambiguous"),  # several fit
        finding("precision", status="failed", reason="it raises", verdict=None, value=None, signature=None),
    ]
    assert numbers_in_words(found) == (
        "at k = 20: Recall 0.250 by the canonical formula; NDCG 0.125 by another formula; "
        "MAP 0.375, AUC 0.875 by a formula that is not identified"
    )


def test_no_numbers_are_told_where_no_metric_of_the_paper_has_one() -> None:
    assert numbers_in_words([finding().model_copy(update={"metric": "f_score"}), finding(value=None)]) == ""


def test_a_metric_without_a_cutoff_is_told_without_one() -> None:
    assert numbers_in_words([finding("auc", value=0.875)]) == "AUC 0.875 by the canonical formula"


def test_one_function_is_no_plural() -> None:
    assert found_in_words([finding(verdict="agrees")]) == "1 function: 1 canonical"


# Signs of life: while something takes long, and not afterwards.


def test_it_tells_again_and_again_and_stops() -> None:
    told: list[float] = []
    third = threading.Event()

    def tell(passed: float) -> None:
        told.append(passed)
        if len(told) == 3:
            third.set()

    with heartbeat(tell, 0.01):
        assert third.wait(20)
    assert told == sorted(told) and told[0] >= 0.01
    ended = len(told)
    time.sleep(0.05)
    assert len(told) == ended


def test_what_is_quick_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with said_while("reading x.csv"):
        pass
    assert capsys.readouterr().err == ""


def test_reading_says_what_it_reads(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(output, "FIRST", 0.01)
    with said_while("reading \x1b[2Jx.csv"):
        time.sleep(0.1)
    assert capsys.readouterr().err.startswith("reading \\x1b[2Jx.csv: 0 s so far\n")


def test_a_log_hears_what_every_version_at_work_is_at() -> None:
    out = io.StringIO()
    lines = ProgressLines(Console(file=out, width=200), ProgressTally({("a", "1"): 1.0, ("b", "2"): 1.0}))
    lines.still(5.0)
    lines.asking("a", "1", 2, 1000)
    lines.building("b", "2", "installing")
    lines.still(10.2)
    lines.building("b", "2", READY)
    lines.still(12.0)
    for name in (("a", "1"), ("b", "2")):
        lines.finished(*name, "audited", 11.0, ())
    lines.still(15.0)
    said = [line for line in out.getvalue().splitlines() if " s: " in line]
    assert said == [
        "5 s: preparing",
        "10 s: a 1 (asking: 2 of 1,000 calls); b 2 (building)",
        "12 s: a 1 (asking: 2 of 1,000 calls)",
        "15 s: computing our own values",
    ]


# Signs of life of the commands that may take long, on stderr and while they compute.

ROWS = "".join(f"{user},{item},{1 / (item + 1)}\n" for user in range(1000) for item in range(40))
TRUTH = "".join(f"{user},{item}\n" for user in range(1000) for item in range(user % 3, 40, 7))
FILES = ["p.csv", "t.csv"]
DATA = ["--predictions", "p.csv", "--truth", "t.csv"]
OWN = "def recall(recommended, relevant, k):\n    return len(set(recommended[:k]) & set(relevant)) / len(relevant)\n"


@contextmanager
def _one_beat_at_once(
    tell: Callable[[float], None], seconds: float | None = None, first: float | None = None
) -> Iterator[None]:
    """Stand in for a heartbeat, since a command takes milliseconds here and no thread is sure to run meanwhile."""
    tell(0.0)
    yield


@pytest.mark.slow  # some of it takes a second
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["evaluate", *FILES], "evaluating p.csv: 0 s so far"),
        (["evaluate", *FILES, "--interval", "0.9"], "resampling users: "),
        (["evaluate", *FILES, "--against", "p.csv"], "comparing users: "),
        (["evaluate", *FILES, "--scenario", "leave_one_out"], "evaluating scenarios of p.csv: "),
        (["which", *DATA, "--value", "ndcg@5=0.5", "--changes", "0"], "trying definitions: "),
        (["diff", *DATA, "recall@20", "recall@20|denominator:min"], "comparing on p.csv: "),
        (["identify", "own.py:recall"], "asking own.py:recall: "),
    ],
)
def test_what_takes_long_says_so(words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(output, "heartbeat", _one_beat_at_once)
    Path("p.csv").write_text(f"user,item,score\n{ROWS}")
    Path("t.csv").write_text(f"user,item\n{TRUTH}")
    Path("own.py").write_text(OWN)
    done = audit(*words)
    assert done.exit_code in (0, 1, 4), done.stderr
    assert said in done.stderr
    assert "so far" not in done.stdout


# Progress is bars on a terminal and lines elsewhere.


@pytest.mark.parametrize(("terminal", "kind"), [(True, ProgressBars), (False, ProgressLines)])
def test_bars_only_on_a_terminal(terminal: bool, kind: type, tmp_path: Path) -> None:
    manifest = drifting_library.write(tmp_path / "drifting", "2.0", "1.0")
    console = Console(file=io.StringIO(), force_terminal=terminal, width=100)
    with watch(console, [(manifest, version) for version in manifest.versions]) as progress:
        assert isinstance(progress, kind)
        progress.finished("drifting", "2.0", "audited", 1.5, ())
    assert isinstance(console.file, io.StringIO)
    assert "drifting 2.0: audited in 1.5 s" in console.file.getvalue()
