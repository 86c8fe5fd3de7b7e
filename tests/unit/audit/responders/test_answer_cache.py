"""Kept answers: what was answered in whole is not asked again, everything else is; no file of them can do harm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Crashed,
    Errored,
    Hello,
    Measured,
    NotOffered,
    Outcome,
    TimedOut,
)
from audit.responders import answer_cache
from audit.responders.answer_cache import Kept
from reference.input.case import Case, Predictions, Truth

FUNCTIONS = ("mean", "users", "absent", "raises")
ASKS = [Ask(0, "p0", FUNCTIONS, (1, 5)), Ask(1, "p1", FUNCTIONS, (1,), repeat=2), Ask(2, "p0", FUNCTIONS, (1,))]


def case(item: int) -> Case:
    rows = np.array([7]), np.array([item])
    return Case(f"item {item}", Predictions(*rows, np.array([0.5])), Truth(*rows, np.array([1.0])))


CASES = {"p0": case(1), "p1": case(2)}


class Library:
    """Answers each call with another number, so that an answer tells which call it came from."""

    def __init__(self, **instead: Outcome) -> None:
        self.instead, self.heard, self.calls = instead, [], 0  # type: ignore[var-annotated]

    def __call__(self, asks: Sequence[Ask]) -> Conversation:
        self.heard += asks
        answers = [
            Answer(ask.id, name, k, self.said(name), turn)
            for ask in asks
            for name in ask.functions
            for k in ask.ks
            for turn in range(ask.repeat)
        ]
        return Conversation(Hello(1, "3.11.9", "Linux", {"numpy": "2"}, FUNCTIONS), tuple(answers), 1.0)

    def said(self, name: str) -> Outcome:
        self.calls += 1
        usual: dict[str, Outcome] = {
            "mean": Measured(self.calls / 3, None, None, "float64", 0.5),
            "users": Measured(None, np.array([7]), np.array([self.calls / 7]), "float32", 0.1),
            "absent": NotOffered("no module named x"),
            "raises": Errored("ValueError", f"call {self.calls}", "Traceback"),
        }
        return self.instead.get(name, usual[name])


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    path = tmp_path / "adapter.py"
    path.write_text("FUNCTIONS = {}\n")
    return path


def beside(adapter: Path) -> Kept:
    return Kept.beside(adapter.parent / "environment", "tiny", "1.0", adapter)


def heard(library: Library, adapter: Path, asks: Sequence[Ask] = ASKS, seed: int = 0) -> Conversation:
    """One run: what is kept is read, the library asked for the rest, and what is new written."""
    own = beside(adapter)
    said = own.answered(CASES, asks, library, seed)
    own.save()
    return said


def told(said: Conversation) -> list[tuple[object, ...]]:
    out: list[tuple[object, ...]] = []
    for each in said.answers:
        outcome: object = each.outcome
        if isinstance(each.outcome, Measured):
            values = None if each.outcome.values is None else each.outcome.values.tobytes()
            outcome = (repr(each.outcome.mean), values, each.outcome.dtype)
        if isinstance(each.outcome, Errored):
            outcome = (each.outcome.error, each.outcome.message)
        out.append((each.ask, each.function, each.k, each.repetition, outcome))
    return out


def test_what_was_answered_is_not_asked_again(adapter: Path) -> None:
    library, second = Library(), Library()
    first = heard(library, adapter)
    assert library.heard == ASKS
    again = heard(second, adapter)
    assert second.heard == []
    assert told(again) == told(first)
    assert again.hello is not None and again.hello.installed == {"numpy": "2"}


def test_every_call_has_its_own_answer(adapter: Path) -> None:
    """Twice the same ask, and one that is repeated: none is answered with another's number."""
    means = [row[4] for row in told(heard(Library(), adapter)) if row[1] == "mean"]
    assert len(means) == 5
    assert len(set(means)) == 5
    assert [row[4] for row in told(heard(Library(), adapter)) if row[1] == "mean"] == means


def test_only_what_is_new_is_asked(adapter: Path) -> None:
    heard(Library(), adapter, ASKS[:1])
    library = Library()
    further = Ask(0, "p0", (*FUNCTIONS,), (1, 5, 10))
    heard(library, adapter, [further, ASKS[1]])
    assert library.heard == [further, ASKS[1]]  # an ask stays whole: its calls share what was prepared
    library = Library()
    heard(library, adapter, [Ask(0, "p0", FUNCTIONS, (5,)), Ask(1, "p1", FUNCTIONS, (2,))])
    assert library.heard == [Ask(1, "p1", FUNCTIONS, (2,))]


@pytest.mark.parametrize("outcome", [Crashed(-11, "gone"), TimedOut(3.0)])
def test_what_crashed_or_hung_is_asked_again(adapter: Path, outcome: Outcome) -> None:
    first = heard(Library(users=outcome), adapter)
    assert first.answers[2].outcome == outcome
    library = Library()
    again = heard(library, adapter)
    assert {name for ask in library.heard for name in ask.functions} == {"users"}
    assert [row for row in told(again) if row[1] != "users"] == [row for row in told(first) if row[1] != "users"]
    assert all(isinstance(each.outcome, Measured) for each in again.answers if each.function == "users")


def test_another_hash_seed_is_another_question(adapter: Path) -> None:
    heard(Library(), adapter)
    library = Library()
    heard(library, adapter, seed=1)
    assert library.heard == ASKS


def test_another_adapter_is_asked_anew(adapter: Path) -> None:
    heard(Library(), adapter)
    adapter.write_text("FUNCTIONS = {}  # changed\n")
    library = Library()
    heard(library, adapter)
    assert library.heard == ASKS


def test_of_large_inputs_nothing_is_kept(adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_cache, "ROWS", 0)
    first, library = heard(Library(), adapter), Library()
    assert len(told(first)) == 5 * len(FUNCTIONS)
    heard(library, adapter)
    assert library.heard == ASKS


@pytest.mark.parametrize("text", ["", "{}", '{"format": 1', "\x00"])
def test_a_damaged_file_is_as_none(adapter: Path, text: str) -> None:
    heard(Library(), adapter)
    beside(adapter).path.write_text(text)
    library = Library()
    heard(library, adapter)
    assert library.heard == ASKS
    assert heard(Library(), adapter).seconds == 0


def test_where_nothing_can_be_written_nothing_is_kept(adapter: Path) -> None:
    (adapter.parent / "environment").write_text("a file where the folder would be")
    assert len(heard(Library(), adapter).answers) == 5 * len(FUNCTIONS)


def test_the_day_is_said_once_kept_answers_are_used(adapter: Path) -> None:
    own = beside(adapter)
    own.answered(CASES, ASKS, Library())
    assert own.used is None
    own.save()
    later = beside(adapter)
    assert later.used is None
    later.answered(CASES, ASKS, Library())
    assert later.used == later.about.date
    assert len(later.about.date) == len("2021-05-04")


def test_not_a_number_comes_back(adapter: Path) -> None:
    heard(Library(mean=Measured(math.nan, None, None, "float", 0.0)), adapter)
    assert {row[4] for row in told(heard(Library(), adapter)) if row[1] == "mean"} == {("nan", None, "float")}
