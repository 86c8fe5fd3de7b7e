"""The cache: what was answered in full is not asked again, everything else is; no file of it can do harm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Crashed,
    Errored,
    Hello,
    Limits,
    Measured,
    NotOffered,
    Outcome,
    TimedOut,
)
from recsys_metric_audit.audit.responders import cache
from recsys_metric_audit.audit.responders.cache import AnswerCache, CachedLibrary
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth

FUNCTIONS = ("mean", "users", "absent", "raises")
ASKS = [Ask(0, "p0", FUNCTIONS, (1, 5)), Ask(1, "p1", FUNCTIONS, (1,), repeat=2), Ask(2, "p0", FUNCTIONS, (1,))]


def case(item: int) -> Case:
    rows = np.array([7]), np.array([item])
    return Case(f"item {item}", Predictions(*rows, np.array([0.5])), Truth(*rows, np.array([1.0])))


CASES = {"p0": case(1), "p1": case(2)}


class Library:
    """Answers each call with another number, so that an answer tells which call it came from."""

    def __init__(self, **instead: Outcome) -> None:
        self.instead, self.asks, self.calls = instead, [], 0  # type: ignore[var-annotated]

    def __call__(self, asks: Sequence[Ask]) -> Conversation:
        self.asks += asks
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


def open_cache(adapter: Path) -> AnswerCache:
    return AnswerCache.open(adapter.parent / "environment", "tiny", "1.0", adapter)


def run(library: Library, adapter: Path, asks: Sequence[Ask] = ASKS, seed: int = 0) -> Conversation:
    """One run: read the cache, ask the library for the rest, save what is new."""
    own = open_cache(adapter)
    said = own.answer(CASES, asks, library, seed)
    own.save()
    return said


def rows(said: Conversation) -> list[tuple[object, ...]]:
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
    first = run(library, adapter)
    assert library.asks == ASKS
    again = run(second, adapter)
    assert second.asks == []
    assert rows(again) == rows(first)
    assert again.hello is not None and again.hello.installed == {"numpy": "2"}


def test_every_call_has_its_own_answer(adapter: Path) -> None:
    """Twice the same ask, and one that is repeated: none is answered with another's number."""
    means = [row[4] for row in rows(run(Library(), adapter)) if row[1] == "mean"]
    assert len(means) == 5
    assert len(set(means)) == 5
    assert [row[4] for row in rows(run(Library(), adapter)) if row[1] == "mean"] == means


def test_only_what_is_new_is_asked(adapter: Path) -> None:
    run(Library(), adapter, ASKS[:1])
    library = Library()
    further = Ask(0, "p0", (*FUNCTIONS,), (1, 5, 10))
    run(library, adapter, [further, ASKS[1]])
    assert library.asks == [further, ASKS[1]]  # an ask stays whole: its calls share what was prepared
    library = Library()
    run(library, adapter, [Ask(0, "p0", FUNCTIONS, (5,)), Ask(1, "p1", FUNCTIONS, (2,))])
    assert library.asks == [Ask(1, "p1", FUNCTIONS, (2,))]


@pytest.mark.parametrize("outcome", [Crashed(-11, "gone"), TimedOut(3.0)])
def test_what_crashed_or_hung_is_asked_again(adapter: Path, outcome: Outcome) -> None:
    first = run(Library(users=outcome), adapter)
    assert first.answers[2].outcome == outcome
    library = Library()
    again = run(library, adapter)
    assert {name for ask in library.asks for name in ask.functions} == {"users"}
    assert [row for row in rows(again) if row[1] != "users"] == [row for row in rows(first) if row[1] != "users"]
    assert all(isinstance(each.outcome, Measured) for each in again.answers if each.function == "users")


def test_another_hash_seed_is_another_question(adapter: Path) -> None:
    run(Library(), adapter)
    library = Library()
    run(library, adapter, seed=1)
    assert library.asks == ASKS


def test_another_adapter_is_asked_anew(adapter: Path) -> None:
    run(Library(), adapter)
    adapter.write_text("FUNCTIONS = {}  # changed\n")
    library = Library()
    run(library, adapter)
    assert library.asks == ASKS


def test_answers_on_large_inputs_are_not_cached(adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_ROWS", 0)
    first, library = run(Library(), adapter), Library()
    assert len(rows(first)) == 5 * len(FUNCTIONS)
    run(library, adapter)
    assert library.asks == ASKS


@pytest.mark.parametrize("text", ["", "{}", '{"format": 1', "\x00"])
def test_a_damaged_file_is_an_empty_cache(adapter: Path, text: str) -> None:
    run(Library(), adapter)
    open_cache(adapter).path.write_text(text)
    library = Library()
    run(library, adapter)
    assert library.asks == ASKS
    assert run(Library(), adapter).seconds == 0


@pytest.mark.parametrize(
    ("part", "instead"),
    [
        ('"0.333', '"0.334'),  # a digit of an answer
        ('"mean":{"[1,', '"mean":{"[2,'),  # the cut-off that was asked
        ('"seed":0', '"seed":1'),
        ('"date": "2', '"date": "3'),
        ("no module named x", "no module named y"),
    ],
)
def test_what_was_changed_by_hand_is_asked_anew_and_told(adapter: Path, part: str, instead: str) -> None:
    run(Library(), adapter)
    path = open_cache(adapter).path
    before = path.read_text()
    assert part in before
    path.write_text(before.replace(part, instead, 1))
    assert open_cache(adapter).damage == "is not as it was written"
    library = Library()
    run(library, adapter)
    assert library.asks == ASKS
    assert open_cache(adapter).damage == ""


def test_a_file_of_another_library_is_not_taken_for_its_own(adapter: Path) -> None:
    run(Library(), adapter)
    path = open_cache(adapter).path
    other = AnswerCache.open(adapter.parent / "environment", "huge", "1.0", adapter)
    assert (other.path, other.log.answers) == (path, {})
    assert other.damage == "holds answers of tiny 1.0, or to another adapter"


def test_damage_is_told_with_the_row(adapter: Path) -> None:
    live = LiveLibrary(Path("python"), adapter, (), Limits())
    assert CachedLibrary(live, open_cache(adapter)).caution == ""
    run(Library(), adapter)
    open_cache(adapter).path.write_text("")
    assert CachedLibrary(live, open_cache(adapter)).caution.startswith("asked anew: the file of its cached answers")


def test_a_folder_that_cannot_be_written_is_no_error(adapter: Path) -> None:
    (adapter.parent / "environment").write_text("a file where the folder would be")
    assert len(run(Library(), adapter).answers) == 5 * len(FUNCTIONS)


def test_the_day_is_known_once_cached_answers_are_used(adapter: Path) -> None:
    own = open_cache(adapter)
    own.answer(CASES, ASKS, Library())
    assert own.used_on is None
    own.save()
    later = open_cache(adapter)
    assert later.used_on is None
    later.answer(CASES, ASKS, Library())
    assert later.used_on == later.header.date
    assert len(later.header.date) == len("2021-05-04")


def test_not_a_number_comes_back(adapter: Path) -> None:
    run(Library(mean=Measured(math.nan, None, None, "float", 0.0)), adapter)
    assert {row[4] for row in rows(run(Library(), adapter)) if row[1] == "mean"} == {("nan", None, "float")}
