"""Hold the queue of calls, its files and its logs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit.process import control_directory, harness
from recsys_metric_audit.audit.process.child import HEAD_BYTES, MAX_BYTES, TAIL_BYTES, shorten
from recsys_metric_audit.audit.process.control_directory import CASES, ResponseError, keep_in_memory, write_case
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Crashed, Errored, Measured, TimedOut
from recsys_metric_audit.audit.process.worker import MAX_LOSSES, MAX_TIMEOUTS, CallKey, CallQueue
from tests.support.control_samples import CASE, ask, ids, key

# The call queue: what is asked again after a process was lost, and when a function is abandoned.

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


# Short columns of a case are numbers of one file, long ones an array each.


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def written(folder: Path, name: str, case: object = CASE) -> dict[str, bytes]:
    write_case(folder, name, case)  # type: ignore[arg-type]
    return content(folder / name)


ODD = replace(
    CASE,
    predictions=replace(CASE.predictions, item=ids(2**62, -1, 0), score=np.array([0.1 + 0.2, -0.0, np.inf])),
    truth=replace(CASE.truth, gain=np.array([5e-324, np.nan])),
)


@pytest.mark.parametrize("short", [0, 10**6])
def test_columns_are_read_as_they_were_written(short: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_directory, "_SHORT", short)
    assert len(written(tmp_path, "odd", ODD)) == (1 if short else 10)
    about, columns = harness.read_case(str(tmp_path / "odd"))
    expected = control_directory.columns_of(ODD)
    assert about["name"] == "odd" and list(map(str, columns.keys() ^ expected.keys())) == []
    for name, values in expected.items():
        assert columns[name].dtype == values.dtype and columns[name].tobytes() == values.tobytes()


@pytest.mark.parametrize(("short", "lost"), [(10**6, "case.json"), (0, "case.json"), (0, "train_user.npy")])
def test_a_case_of_which_a_file_is_missing_is_written_again(
    short: int, lost: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control_directory, "_SHORT", short)
    asks = [Ask(0, "tiny", ("statistics.mean",), (1,))]
    control_directory.write(tmp_path, Path("adapter.py"), {"tiny": CASE}, asks)
    assert control_directory.holds_cases(tmp_path, asks)
    (tmp_path / "cases" / "tiny" / lost).unlink()
    assert not control_directory.holds_cases(tmp_path, asks)


def test_cases_are_written_through_a_link_to_memory(tmp_path: Path) -> None:
    memory, control = tmp_path / "memory", tmp_path / "scratch" / "control-1"
    memory.mkdir()
    keep_in_memory(control, memory, [CASE])
    there = written(control / CASES, "tiny")
    assert there == content(memory / "control-1" / "tiny") == written(tmp_path / "disk", "tiny")


@pytest.mark.parametrize(("name", "value"), [("_MOST_IN_MEMORY", 100), ("_LEFT_FREE", 2**62)])
def test_too_many_cases_or_too_little_memory_leave_them_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: int
) -> None:
    # 3 rows and 2 relevant items of 24 bytes, 16 of train, 32 of the catalogue: 168 bytes.
    monkeypatch.setattr(control_directory, name, value)
    memory = tmp_path / "memory"
    memory.mkdir()
    keep_in_memory(tmp_path / "control", memory, [CASE])
    assert not (tmp_path / "control" / CASES).exists() and not list(memory.iterdir())


# Logs of a child keep their beginning and their end.


def test_a_log_keeps_its_beginning_and_its_end_while_it_is_written(tmp_path: Path) -> None:
    log = tmp_path / "stdout.log"
    text = "".join(f"{number:7}\n" for number in range(1 << 18))  # 2 MB in lines of 8 bytes
    with log.open("a") as writer:
        writer.write(text)
        writer.flush()
        shorten(log)
        writer.write("after the cut\n")
    assert log.read_text() == (
        text[:HEAD_BYTES] + "\n[... cut by the audit ...]\n" + text[-TAIL_BYTES:] + "after the cut\n"
    )


def test_a_log_that_is_no_longer_than_allowed_is_left_as_it_is(tmp_path: Path) -> None:
    log = tmp_path / "stdout.log"
    log.write_bytes(b"x" * MAX_BYTES)
    shorten(log)
    assert log.stat().st_size == MAX_BYTES
