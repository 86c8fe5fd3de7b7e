"""Recordings: every digit comes back, what is not in them is missing and said, what is damaged is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from audit.errors import UserError
from audit.process.protocol import Answer, Ask, Crashed, Errored, Measured, NotOffered, Outcome, TimedOut
from audit.responders import recording
from audit.responders.recording import About, Tape
from reference.input.case import Case, Predictions, Truth

ABOUT = About(
    library="tiny", version="1.0", commit="0" * 40, digest="sha256:" + "0" * 64, adapter="1" * 64, date="2021-05-04",
    python="3.11.9", platform="Linux", installed={"numpy": "1.26.4"},
)  # fmt: skip
OUTCOMES: dict[str, Outcome] = {
    "mean": Measured(0.1 + 0.2, None, None, "float64", 1.5),
    "users": Measured(None, np.array([3, 1]), np.array([1 / 3, math.nan]), "float32", 0.1),
    "nobody": Measured(math.inf, np.array([], dtype=np.int64), np.array([]), "float", 0.0),
    "absent": NotOffered("no module named x"),
    "raises": Errored("ValueError", "k must be \ud800 small\n", "Traceback in /home/somebody"),
    "dies": Crashed(-11, "segmentation fault"),
    "hangs": TimedOut(3.0),
}


def case(item: int = 1, threshold: float = 1.0, name: str = "one") -> Case:
    rows = np.array([7]), np.array([item])
    return Case(name, Predictions(*rows, np.array([0.5])), Truth(*rows, np.array([1.0])), threshold=threshold)


def taped(cases: dict[str, Case], asks: list[Ask], answers: list[Answer], seed: int = 0) -> Tape:
    tape = Tape()
    tape.keep(cases, asks, answers, seed)
    return tape


@pytest.fixture
def made(tmp_path: Path) -> Path:
    ask = Ask(0, "p0", tuple(OUTCOMES), (5,))
    answers = [Answer(0, name, 5, outcome) for name, outcome in OUTCOMES.items()]
    path = tmp_path / "recordings" / "1.0.jsonl"
    recording.write(path, ABOUT, taped({"p0": case()}, [ask], answers))
    return path


def told(outcome: Outcome) -> object:
    if isinstance(outcome, Measured):
        columns = [None if each is None else each.tobytes() for each in (outcome.users, outcome.values)]
        return (repr(outcome.mean), *columns, outcome.dtype)
    return outcome


def test_every_outcome_comes_back_to_the_bit_without_time_and_paths(made: Path) -> None:
    read = recording.read(made)
    assert read.about == ABOUT
    asks = [Ask(4, "again", tuple(OUTCOMES), (5,))]
    answers, missing = recording.replay(read, {"again": case(name="renamed")}, asks)
    assert missing == ()
    found = {answer.function: answer.outcome for answer in answers}
    for name in ("mean", "users", "nobody", "absent", "hangs"):
        assert told(found[name]) == told(OUTCOMES[name])
    assert found["raises"] == Errored("ValueError", "k must be \ud800 small\n", "")
    assert found["dies"] == Crashed(-11, "as recorded")
    assert "somebody" not in made.read_text()
    assert {answer.ask for answer in answers} == {4}


@pytest.mark.parametrize(
    ("other", "k", "seed"), [(case(item=2), 5, 0), (case(threshold=2.0), 5, 0), (case(), 6, 0), (case(), 5, 1)]
)
def test_another_input_cutoff_or_seed_is_missing(made: Path, other: Case, k: int, seed: int) -> None:
    answers, missing = recording.replay(recording.read(made), {"p": other}, [Ask(0, "p", ("mean",), (k,))], seed)
    assert (answers, missing) == ((), ("p",))


def test_asks_of_the_same_are_heard_in_turn(tmp_path: Path) -> None:
    asks = [Ask(0, "p", ("f",), (1,)), Ask(1, "p", ("f",), (1,))]
    answers = [Answer(number, "f", 1, Measured(float(number), None, None, "float", 0.0)) for number in (0, 1)]
    recording.write(tmp_path / "r.jsonl", ABOUT, taped({"p": case()}, asks, answers))
    again, missing = recording.replay(
        recording.read(tmp_path / "r.jsonl"), {"p": case()}, [*asks, Ask(2, "p", ("f",), (1,))]
    )
    assert [(each.ask, each.outcome.mean) for each in again if isinstance(each.outcome, Measured)] == [(0, 0.0), (1, 1)]
    assert missing == ("p",)


def test_differences_are_to_the_last_bit(made: Path) -> None:
    read = recording.read(made)
    ask = Ask(0, "p0", ("mean",), (5,))
    same = taped({"p0": case()}, [ask], [Answer(0, "mean", 5, OUTCOMES["mean"])])
    others = [line for line in recording.differences(read, ABOUT, same) if not line.startswith("mean")]
    assert len(others) == len(OUTCOMES) - 1
    assert all(line.endswith("is not asked") for line in others)
    near = Measured(float(np.nextafter(0.1 + 0.2, 1)), None, None, "float64", 1.5)
    moved = taped({"p0": case()}, [ask], [Answer(0, "mean", 5, near)])
    assert "mean on one at k = 5: was [['measured', 'float64', '0.30000000000000004']]" in str(
        recording.differences(read, ABOUT, moved)
    )


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text.replace('"format": 1', '"format": 2'), "line 1: no line of a recording (not of format 1)"),
        (lambda text: text[:-40], "line 2: no line of a recording"),
        (lambda text: text.replace('"measured"', '"guessed"', 1), "'guessed' is no kind of answer"),
        (lambda text: "", "cannot be read"),
    ],
)
def test_a_damaged_recording_is_refused(made: Path, damage: object, said: str) -> None:
    made.write_text(damage(made.read_text()))  # type: ignore[operator]
    with pytest.raises(UserError) as told:
        recording.read(made)
    assert said in told.value.message
    assert "audit record" in told.value.hint


def test_a_missing_recording_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no such recording"):
        recording.read(tmp_path / "1.0.jsonl")
