"""The call queue: what is asked again after a process was lost, and when a function is abandoned."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.process.call_queue import MAX_LOSSES, MAX_TIMEOUTS, CallKey, CallQueue
from recsys_metric_audit.audit.process.control_directory import ResponseError
from recsys_metric_audit.audit.process.protocol import Answer, Crashed, Errored, Measured, TimedOut
from tests.support.control_samples import ask, key

HALF = Measured(0.5, None, None, "float", 0.0)


def record(queue: CallQueue, calls: int) -> None:
    for due in queue.pending()[:calls]:
        queue.record(Answer(due.ask, due.function, due.k, HALF, due.repetition), due)


def outcomes(queue: CallQueue) -> dict[tuple[int, str, int | None, int], object]:
    return {key(answer): answer.outcome for answer in queue.answers()}


def test_calls_stand_in_the_order_asked() -> None:
    queue = CallQueue([ask("b", "a", ks=(2, 1)), ask("a", ks=(None,), number=7, repeat=2)])
    assert queue.pending() == [
        CallKey(0, "statistics.b", 2, 0),
        CallKey(0, "statistics.b", 1, 0),
        CallKey(0, "statistics.a", 2, 0),
        CallKey(0, "statistics.a", 1, 0),
        CallKey(7, "statistics.a", None, 0),
        CallKey(7, "statistics.a", None, 1),
    ]
    assert not queue.finished


def test_before_anything_is_heard_the_rest_is_all() -> None:
    asks = [ask("b", "a", ks=(2, 1)), ask("a", ks=(None,), number=7, repeat=2, fresh=False)]
    assert CallQueue(asks).remaining_asks() == asks


@pytest.mark.parametrize("recorded", range(7))
def test_the_rest_asks_what_is_pending_in_the_same_order(recorded: int) -> None:
    queue = CallQueue([ask("a", "b", "c", ks=(1, 2)), ask("a", number=1)])
    record(queue, recorded)
    assert CallQueue(queue.remaining_asks()).pending() == queue.pending()


def test_the_call_under_way_takes_the_loss_with_its_repetitions() -> None:
    queue = CallQueue([ask("a", "b", ks=(1, 2), repeat=3)])
    record(queue, 1)
    queue.resolve_next(Crashed(-9, ""))
    assert [call[1:4] for call in queue.pending()] == [("statistics.a", 2, r) for r in range(3)] + [
        ("statistics.b", k, r) for k in (1, 2) for r in range(3)
    ]
    assert [(part.functions, part.ks) for part in queue.remaining_asks()] == [
        (("statistics.a",), (2,)),
        (("statistics.b",), (1, 2)),
    ]
    queue.resolve_all(Errored("E", "", ""))
    assert queue.finished
    found = outcomes(queue)
    assert found[0, "a", 1, 0] is HALF
    assert found[0, "a", 1, 1] == found[0, "a", 1, 2] == Crashed(-9, "")
    assert found[0, "b", 2, 2] == Errored("E", "", "")


def test_a_function_that_timed_out_twice_is_not_asked_again() -> None:
    queue = CallQueue([ask("slow", "good", ks=(1,), number=n) for n in range(4)])
    for _ in range(MAX_TIMEOUTS):
        queue.resolve_next(TimedOut(1.0))
        record(queue, 1)
    assert [part.functions for part in queue.remaining_asks()] == [("statistics.good",)] * 2
    record(queue, 2)
    found = outcomes(queue)
    assert [found[n, "slow", 1, 0] for n in range(4)] == [
        TimedOut(1.0),
        TimedOut(1.0),
        TimedOut(1.0, asked=False),
        TimedOut(1.0, asked=False),
    ]
    assert queue.abandoned == {"statistics.slow": "timed out 2 times; the rest was not asked"}


def test_a_function_that_ends_its_process_again_and_again_is_not_asked_again() -> None:
    queue = CallQueue([ask("bad", ks=tuple(range(MAX_LOSSES + 3)))])
    for lost in range(MAX_LOSSES):
        assert len(queue.pending()) == MAX_LOSSES + 3 - lost
        queue.resolve_next(Crashed(3, "") if lost else Errored("BadLine", "", ""))
    assert queue.finished
    assert [getattr(answer.outcome, "asked", True) for answer in queue.answers()] == [True] * MAX_LOSSES + [False] * 3


def test_an_answer_that_is_not_due_is_refused() -> None:
    queue = CallQueue([ask("a", ks=(1, 2))])
    due = queue.pending()[0]
    with pytest.raises(ResponseError, match="was due"):
        queue.record(Answer(0, due.function, 2, HALF), due)
    with pytest.raises(ResponseError, match="None"):
        queue.record(Answer(0, due.function, 1, HALF), None)
    assert queue.resolved == 0


@pytest.mark.parametrize("asks", [[ask("a"), ask("a")], [ask("a", "a")], [ask("a", ks=(1, 1))]])
def test_calls_that_could_not_be_told_apart_are_refused(asks: list) -> None:
    with pytest.raises(ValueError, match="same id"):
        CallQueue(asks)


def test_progress_hears_every_step_and_ends_with_all() -> None:
    steps: list[tuple[int, int]] = []
    queue = CallQueue([ask("a", "b", ks=(1, 2))], lambda *step: steps.append(step))
    record(queue, 2)
    queue.resolve_next(Crashed(1, ""))
    queue.resolve_all(Crashed(1, ""))
    assert steps == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_nothing_asked_is_finished() -> None:
    assert CallQueue([]).finished
    assert CallQueue([]).answers() == ()
