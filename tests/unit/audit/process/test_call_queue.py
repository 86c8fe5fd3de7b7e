"""What is asked again after a process was lost, and when a function is not asked any more."""

from __future__ import annotations

import pytest

from audit.process.call_queue import LOSSES, TIMEOUTS, Agenda, Key
from audit.process.control_directory import ResponseError
from audit.process.protocol import Answer, Crashed, Errored, Measured, TimedOut
from tests.support.control_samples import ask, key

HALF = Measured(0.5, None, None, "float", 0.0)


def hear(agenda: Agenda, calls: int) -> None:
    for due in agenda.pending()[:calls]:
        agenda.hear(Answer(due.ask, due.function, due.k, HALF, due.repetition), due)


def outcomes(agenda: Agenda) -> dict[tuple[int, str, int | None, int], object]:
    return {key(answer): answer.outcome for answer in agenda.answers()}


def test_calls_stand_in_the_order_asked() -> None:
    agenda = Agenda([ask("b", "a", ks=(2, 1)), ask("a", ks=(None,), number=7, repeat=2)])
    assert agenda.pending() == [
        Key(0, "statistics.b", 2, 0),
        Key(0, "statistics.b", 1, 0),
        Key(0, "statistics.a", 2, 0),
        Key(0, "statistics.a", 1, 0),
        Key(7, "statistics.a", None, 0),
        Key(7, "statistics.a", None, 1),
    ]
    assert not agenda.finished


def test_before_anything_is_heard_the_rest_is_all() -> None:
    asks = [ask("b", "a", ks=(2, 1)), ask("a", ks=(None,), number=7, repeat=2, fresh=False)]
    assert Agenda(asks).rest() == asks


@pytest.mark.parametrize("heard", range(7))
def test_the_rest_asks_what_is_pending_in_the_same_order(heard: int) -> None:
    agenda = Agenda([ask("a", "b", "c", ks=(1, 2)), ask("a", number=1)])
    hear(agenda, heard)
    assert Agenda(agenda.rest()).pending() == agenda.pending()


def test_the_call_under_way_takes_the_loss_with_its_repetitions() -> None:
    agenda = Agenda([ask("a", "b", ks=(1, 2), repeat=3)])
    hear(agenda, 1)
    agenda.settle_next(Crashed(-9, ""))
    assert [call[1:4] for call in agenda.pending()] == [("statistics.a", 2, r) for r in range(3)] + [
        ("statistics.b", k, r) for k in (1, 2) for r in range(3)
    ]
    assert [(part.functions, part.ks) for part in agenda.rest()] == [
        (("statistics.a",), (2,)),
        (("statistics.b",), (1, 2)),
    ]
    agenda.settle_all(Errored("E", "", ""))
    assert agenda.finished
    found = outcomes(agenda)
    assert found[0, "a", 1, 0] is HALF
    assert found[0, "a", 1, 1] == found[0, "a", 1, 2] == Crashed(-9, "")
    assert found[0, "b", 2, 2] == Errored("E", "", "")


def test_a_function_that_timed_out_twice_is_not_asked_again() -> None:
    agenda = Agenda([ask("slow", "good", ks=(1,), number=n) for n in range(4)])
    for _ in range(TIMEOUTS):
        agenda.settle_next(TimedOut(1.0))
        hear(agenda, 1)
    assert [part.functions for part in agenda.rest()] == [("statistics.good",)] * 2
    hear(agenda, 2)
    found = outcomes(agenda)
    assert [found[n, "slow", 1, 0] for n in range(4)] == [
        TimedOut(1.0),
        TimedOut(1.0),
        TimedOut(1.0, asked=False),
        TimedOut(1.0, asked=False),
    ]
    assert agenda.given_up == {"statistics.slow": "timed out 2 times; the rest was not asked"}


def test_a_function_that_ends_its_process_again_and_again_is_not_asked_again() -> None:
    agenda = Agenda([ask("bad", ks=tuple(range(LOSSES + 3)))])
    for lost in range(LOSSES):
        assert len(agenda.pending()) == LOSSES + 3 - lost
        agenda.settle_next(Crashed(3, "") if lost else Errored("BadLine", "", ""))
    assert agenda.finished
    assert [getattr(answer.outcome, "asked", True) for answer in agenda.answers()] == [True] * LOSSES + [False] * 3


def test_an_answer_that_is_not_due_is_refused() -> None:
    agenda = Agenda([ask("a", ks=(1, 2))])
    due = agenda.pending()[0]
    with pytest.raises(ResponseError, match="was due"):
        agenda.hear(Answer(0, due.function, 2, HALF), due)
    with pytest.raises(ResponseError, match="None"):
        agenda.hear(Answer(0, due.function, 1, HALF), None)
    assert agenda.settled == 0


@pytest.mark.parametrize("asks", [[ask("a"), ask("a")], [ask("a", "a")], [ask("a", ks=(1, 1))]])
def test_calls_that_could_not_be_told_apart_are_refused(asks: list) -> None:
    with pytest.raises(ValueError, match="same id"):
        Agenda(asks)


def test_progress_hears_every_step_and_ends_with_all() -> None:
    steps: list[tuple[int, int]] = []
    agenda = Agenda([ask("a", "b", ks=(1, 2))], lambda *step: steps.append(step))
    hear(agenda, 2)
    agenda.settle_next(Crashed(1, ""))
    agenda.settle_all(Crashed(1, ""))
    assert steps == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_nothing_asked_is_finished() -> None:
    assert Agenda([]).finished
    assert Agenda([]).answers() == ()
