"""Hold the queue of calls, its files and its logs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit.process import control_directory
from recsys_metric_audit.audit.process.child import HEAD_BYTES, MAX_BYTES, TAIL_BYTES, shorten
from recsys_metric_audit.audit.process.control_directory import CASES, FILES, CaseWriter, ResponseError, keep_in_memory
from recsys_metric_audit.audit.process.protocol import Answer, Crashed, Errored, Measured, TimedOut
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


# Write equal columns of cases once, wherever the cases are kept.

OTHER = replace(CASE, predictions=replace(CASE.predictions, score=np.array([0.75, 0.5, 0.125])))


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def written(folder: Path, name: str, case: object = CASE) -> dict[str, bytes]:
    CaseWriter(folder).write(name, case)  # type: ignore[arg-type]
    return content(folder / name)


def test_equal_columns_of_two_cases_are_one_file_and_others_are_not(tmp_path: Path) -> None:
    writer = CaseWriter(tmp_path)
    writer.write("one", CASE)
    writer.write("other", OTHER)
    one, other = tmp_path / "one", tmp_path / "other"
    assert {file.name for file in one.iterdir()} == set(FILES) == {file.name for file in other.iterdir()}
    shared = {name for name in FILES if (one / name).samefile(other / name)}
    assert shared == set(FILES) - {"recommended_score.npy", "case.json"}
    assert np.load(other / "recommended_score.npy").tolist() == [0.75, 0.5, 0.125]
    assert np.load(other / "recommended_item.npy").tolist() == [10, 11, 10]


def test_columns_of_equal_bytes_and_another_type_are_two_files(tmp_path: Path) -> None:
    zeros = replace(CASE, predictions=replace(CASE.predictions, item=ids(0, 0, 0), score=np.zeros(3)))
    CaseWriter(tmp_path).write("zeros", zeros)
    item, score = (np.load(tmp_path / "zeros" / f"recommended_{name}.npy") for name in ("item", "score"))
    assert (item.dtype, score.dtype) == (np.int64, np.float64)


def test_a_file_system_without_further_names_holds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    linked = written(tmp_path / "linked", "tiny")

    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted", str(self))

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    assert written(tmp_path / "plain", "tiny") == linked


def test_a_long_column_is_not_kept_to_be_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = written(tmp_path / "short", "tiny")
    monkeypatch.setattr(control_directory, "_SHARED_UP_TO", 8)
    assert written(tmp_path / "long", "tiny") == expected
    # Users 1 1 2 take 24 bytes, and so do items and scores; users of train and their items take 8.
    assert not (tmp_path / "long/tiny/recommended_user.npy").samefile(tmp_path / "long/tiny/recommended_item.npy")


def test_a_case_written_again_leaves_files_under_other_names_alone(tmp_path: Path) -> None:
    CaseWriter(tmp_path).write("tiny", CASE)
    (tmp_path / "kept.npy").hardlink_to(tmp_path / "tiny" / "recommended_score.npy")
    CaseWriter(tmp_path).write("tiny", OTHER)
    assert np.load(tmp_path / "kept.npy").tolist() == [0.75, 0.5, 0.25]
    assert np.load(tmp_path / "tiny" / "recommended_score.npy").tolist() == [0.75, 0.5, 0.125]


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
