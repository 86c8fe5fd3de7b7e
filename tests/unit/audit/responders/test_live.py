"""Hold answers of libraries that run, and what is written of them."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from recsys_metric_audit.audit.data import large_data
from recsys_metric_audit.audit.environments.environment import BuildFailed, Repair
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Crashed,
    Errored,
    Hello,
    Limits,
    Measured,
    TimedOut,
)
from recsys_metric_audit.audit.responders import live
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.responders.recording_file import from_json, to_json
from recsys_metric_audit.audit.sources.checkout import Checkout
from recsys_metric_audit.reference.input.case import Predictions
from tests.support.recorded_answers import OUTCOMES, comparable, one_row_case

# The live library: one process for all conversations, and what is handed to it.

ASKS = [Ask(0, "p", ("f",), (5,))]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Return the keyword arguments of every conversation, with its adapter and control directory."""
    made: list[dict[str, Any]] = []

    def converse(*given: Any, **options: Any) -> Conversation:
        made.append({**options, "adapter": given[1], "control": given[4]})
        return Conversation(None, (), 0.0)

    monkeypatch.setattr(live, "converse", converse)
    return made


def put(library: LiveLibrary, seed: int = 0) -> None:
    library.ask({"p": one_row_case()}, ASKS, lambda done, total: None, threading.Event(), seed)


def test_conversations_share_a_process_and_have_directories_of_their_own(calls: list[dict[str, Any]]) -> None:
    library = LiveLibrary(Path("/env/bin/python"), Path("/adapter.py"), ("heavy",), Limits())
    put(library)
    put(library)
    put(library, seed=1)
    assert calls[0]["session"] is calls[1]["session"] is not None
    assert calls[2]["session"] is None and calls[2]["hash_seed"] == 1  # another seed is another process
    assert len({call["control"] for call in calls}) == 3
    assert calls[0]["stubs"] == ("heavy",) and calls[0]["source"] is None
    folder = calls[0]["control"].parent
    assert folder.is_dir()
    library.close()
    assert not folder.exists()
    library.close()


def test_after_late_calls_the_next_conversation_is_given_less_time(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []

    def converse(*given: Any, **options: Any) -> Conversation:
        limits.append(given[5].seconds)
        late, quick = TimedOut(120.0), Measured(0.5, None, None, "float", 0.001)
        answers = [Answer(0, "f", 5, each) for each in (quick, late, late)]
        return Conversation(None, tuple(answers), 240.5)

    monkeypatch.setattr(live, "converse", converse)
    library = LiveLibrary(Path("/env/bin/python"), Path("/adapter.py"), (), Limits(seconds=120.0))
    put(library)
    put(library, seed=1)
    library.close()
    assert limits == [120.0, 2.5]


def test_the_checkout_is_imported_from_and_named_if_it_is_not_the_pinned_one(
    calls: list[dict[str, Any]], tmp_path: Path
) -> None:
    library = LiveLibrary(tmp_path, tmp_path, (), Limits(), Checkout(tmp_path, "it is at commit 1234"))
    put(library)
    library.close()
    assert calls[0]["source"] == tmp_path
    assert library.caution == "unpinned: it is at commit 1234"
    assert LiveLibrary(tmp_path, tmp_path, (), Limits(), Checkout(tmp_path)).caution == ""


GREETED = Hello(1, "3.11", "Linux", {}, ("f",))
NOT_THERE = (Answer(0, "f", 5, Errored("ModuleNotFoundError", "No module named 'x'", "")),)
RIGHT = (Answer(0, "f", 5, Measured(0.5, None, None, "float", 0.1)),)


def speaking(monkeypatch: pytest.MonkeyPatch, *said: Conversation | OSError) -> list[Conversation | OSError]:
    """Let conversations end as `said`, one after the other; return those that are left."""
    left = list(said)

    def converse(*given: Any, **options: Any) -> Conversation:
        found = left.pop(0)
        if isinstance(found, OSError):
            raise found
        return found

    monkeypatch.setattr(live, "converse", converse)
    return left


class Keeper:
    """Stands in for what looks after an environment: what it finds damaged each time that it looks."""

    def __init__(self, *found: str, fails: BuildFailed | None = None) -> None:
        self.found, self.fails = list(found), fails
        self.built: list[str] = []

    def damage(self, *, started: bool = True) -> str:
        return self.found.pop(0) if self.found else ""

    def build_again(self, damage: str) -> None:
        self.built.append(damage)
        if self.fails is not None:
            raise self.fails


def kept_by(keeper: Keeper, folder: Path, means: Path | None = None) -> LiveLibrary:
    python, adapter = folder / "bin" / "python", folder / "adapter.py"
    return LiveLibrary(python, adapter, (), Limits(), repair=cast(Repair, keeper), means=means)


def test_a_damaged_environment_is_built_again_and_asked_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wrong, right = Conversation(GREETED, NOT_THERE, 0.0), Conversation(GREETED, RIGHT, 0.0)
    left = speaking(monkeypatch, wrong, right, right)
    library = kept_by(keeper := Keeper("x.py changed"), tmp_path)
    assert answers(library) == RIGHT
    assert library.caution == "its environment was damaged (x.py changed) and was built again"
    assert answers(library) == RIGHT
    assert left == [] and keeper.built == ["x.py changed"]
    library.close()


def test_what_changes_its_environment_again_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    speaking(monkeypatch, *[Conversation(GREETED, RIGHT, 0.0)] * 3)
    library = kept_by(keeper := Keeper("x.py changed", "x.py changed", "y.py changed"), tmp_path)
    for file in ("x.py", "y.py"):
        said = library.ask({"p": one_row_case()}, ASKS, lambda done, total: None, threading.Event())
        (answer,) = said.answers
        assert said.hello is None and isinstance(answer.outcome, Errored)
        assert f"built again, in vain: {file} changed, too, while it was asked" in answer.outcome.message
    assert keeper.built == ["x.py changed"]
    library.close()


def test_what_was_built_again_in_vain_is_to_be_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    speaking(monkeypatch, Conversation(None, (), 0.0), Conversation(None, (), 0.0, stderr="no licence"))
    library = kept_by(Keeper("its Python does not run"), tmp_path)
    said = library.ask({"p": one_row_case()}, ASKS, lambda done, total: None, threading.Event())
    assert f"in vain: remove {tmp_path}" in said.stderr and "no licence" in said.stderr
    library.close()


def test_an_environment_that_is_whole_is_not_asked_twice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    left = speaking(monkeypatch, Conversation(GREETED, NOT_THERE, 0.0))
    library = kept_by(keeper := Keeper(), tmp_path)
    assert answers(library) == NOT_THERE
    assert left == keeper.built == [] and library.caution == ""
    library.close()


def test_an_environment_that_cannot_be_built_again_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    speaking(monkeypatch, Conversation(GREETED, RIGHT, 0.0))
    failed = BuildFailed("install", "no network", "plug it in", "error: dns")
    library = kept_by(Keeper("x.py changed", fails=failed), tmp_path)
    said = library.ask({"p": one_row_case()}, ASKS, lambda done, total: None, threading.Event())
    why = f"its environment {tmp_path} is damaged (x.py changed) and cannot be built again: no network\nerror: dns"
    assert said.stderr == why and isinstance(said.answers[0].outcome, Errored)
    library.close()


def test_a_python_that_cannot_be_run_costs_its_own_library_only(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_bytes(b"\0")
    library = LiveLibrary(tmp_path / "bin" / "python", tmp_path / "adapter.py", (), Limits())
    said = library.ask({"p": one_row_case()}, ASKS, lambda done, total: None, threading.Event())
    assert said.hello is None and "cannot be run: Permission denied" in said.stderr
    (answer,) = said.answers
    assert isinstance(answer.outcome, Crashed) and answer.outcome.exit_code == 127
    library.close()


def answers(library: LiveLibrary) -> tuple[Answer, ...]:
    return library.ask({"p": one_row_case()}, ASKS, lambda done, total: None, threading.Event()).answers


BOTH = [Ask(0, "p", ("f",), (5,)), Ask(1, "data", ("f", "g"), (1, 5)), Ask(2, "p", ("g",), (5,))]


def test_large_data_are_asked_by_the_file_for_means_in_a_process_of_their_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[tuple[Path, list[int], object]] = []

    def converse(*given: Any, **options: Any) -> Conversation:
        _, adapter, _, asks, control, _, progress = given
        control.mkdir(exist_ok=True)
        made.append((adapter, [ask.id for ask in asks], options["session"]))
        calls = [(ask.id, name, k) for ask in asks for name in ask.functions for k in ask.ks]
        for done in range(len(calls)):
            progress(done + 1, len(calls))
        answers = tuple(Answer(*call, Measured(0.5, None, None, "float", 0.1)) for call in calls)
        return Conversation(GREETED, answers, 1.0, stderr=adapter.stem)

    monkeypatch.setattr(live, "converse", converse)
    monkeypatch.setattr(large_data, "LARGE", 1)
    large = replace(one_row_case(), predictions=Predictions(np.array([1, 1]), np.array([1, 2]), np.zeros(2)))
    library = LiveLibrary(tmp_path / "python", tmp_path / "usual.py", (), Limits(), means=tmp_path / "means.py")
    told: list[tuple[int, int]] = []
    said = library.ask({"p": one_row_case(), "data": large}, BOTH, lambda *both: told.append(both), threading.Event())
    (first, second) = made
    assert first[:2] == (tmp_path / "usual.py", [0, 2]) and second[:2] == (tmp_path / "means.py", [1])
    assert first[2] is not second[2]
    assert [answer.ask for answer in said.answers] == [0, 1, 1, 1, 1, 2]
    assert told == [(done, 6) for done in range(1, 7)]
    assert (said.seconds, said.processes, said.stderr, said.hello) == (2.0, 2, "usual\nmeans", GREETED)
    folder = next(iter(path for path in [library._folder] if path)).path
    assert [path.name for path in folder.glob("control-*")] == ["control-1"]  # the large one is removed at once
    library.close()


def test_an_environment_that_another_thread_repaired_is_not_repaired_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The process for large data may have failed for what another conversation has then found and repaired."""
    large = replace(one_row_case(), predictions=Predictions(np.array([1, 1]), np.array([1, 2]), np.zeros(2)))
    said = [Conversation(None, (), 0.0), Conversation(None, (), 0.0), *[Conversation(GREETED, (), 0.0)] * 2]
    library = kept_by(keeper := Keeper("a file was cut", "", ""), tmp_path, means=tmp_path / "means.py")

    def converse(*given: Any, **options: Any) -> Conversation:
        if len(said) == 4:  # meanwhile, about other cases
            first = said.pop(0)
            library.ask({"p": one_row_case()}, BOTH[:1], lambda *both: None, threading.Event())
            return first
        return said.pop(0)

    monkeypatch.setattr(live, "converse", converse)
    monkeypatch.setattr(large_data, "LARGE", 1)
    last = library.ask({"data": large}, BOTH[1:2], lambda *both: None, threading.Event())
    library.close()
    assert last.hello is GREETED and keeper.built == ["a file was cut"] and not said


def test_small_cases_are_kept_in_memory_until_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    monkeypatch.setattr(live, "place_in_memory", lambda: tmp_path / "memory")

    def converse(*given: Any, **options: Any) -> Conversation:
        assert (given[4] / "cases").resolve().is_relative_to(tmp_path / "memory")
        return Conversation(GREETED, (), 0.0)

    monkeypatch.setattr(live, "converse", converse)
    library = LiveLibrary(tmp_path / "python", tmp_path / "usual.py", (), Limits())
    library.ask({"p": one_row_case()}, ASKS, lambda *both: None, threading.Event())
    library.close()
    assert list((tmp_path / "memory").iterdir()) == []


def test_without_a_file_for_means_the_usual_one_asks_about_large_data_in_a_process_of_their_own(
    calls: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    library = LiveLibrary(Path("/env/bin/python"), Path("/adapter.py"), (), Limits())
    put(library)
    monkeypatch.setattr(large_data, "LARGE", 0)
    put(library)
    library.close()
    assert [call["adapter"] for call in calls] == [Path("/adapter.py")] * 2
    assert calls[0]["session"] is not calls[1]["session"] is not None


# Outcomes as JSON: every digit comes back, time and paths do not, and nonsense is refused.


@pytest.mark.parametrize("name", ["mean", "users", "nobody", "absent", "hangs"])
def test_an_outcome_comes_back_to_the_bit(name: str) -> None:
    assert comparable(from_json(json.loads(json.dumps(to_json(OUTCOMES[name]))))) == comparable(OUTCOMES[name])


def test_traceback_stderr_and_seconds_are_dropped() -> None:
    assert from_json(to_json(OUTCOMES["raises"])) == Errored("ValueError", "k must be \ud800 small\n", "")
    assert from_json(to_json(OUTCOMES["dies"])) == Crashed(-11, "as recorded")
    measured = from_json(to_json(OUTCOMES["mean"]))
    assert isinstance(measured, Measured) and measured.seconds == 0.0


def test_what_is_written_is_plain() -> None:
    assert to_json(OUTCOMES["users"]) == ["measured", "float32", None, [3, 1], "0.3333333333333333 nan"]
    assert to_json(OUTCOMES["dies"]) == ["crashed", -11]


@pytest.mark.parametrize(
    ("written", "words"),
    [(["guessed", 1], "'guessed' is no kind of answer"), (["measured", "float", None, [1, 2], "0.5"], "2 users but 1")],
)
def test_what_is_no_outcome_is_refused(written: list[object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        from_json(written)
