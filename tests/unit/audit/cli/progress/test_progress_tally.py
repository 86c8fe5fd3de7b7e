"""How far a run is, by a clock that the test sets; expected times are worked out by hand."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.cli.progress.progress_tally import ProgressTally, Step, time_left

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
