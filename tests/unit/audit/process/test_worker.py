"""The worker on fakes that misbehave: each costs its own call, and nothing is left behind."""

from __future__ import annotations

import json
import math
import platform
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from audit.process import child_log, worker
from audit.process.protocol import (
    Ask,
    Crashed,
    Errored,
    Limits,
    Measured,
    NotOffered,
    TimedOut,
    Unaskable,
)
from audit.process.session import Session
from tests.support.control_samples import ask, fake, key
from tests.support.fake_conversations import CASES, PYTHON, gone, mean, outcomes, talk, wait_until

pytestmark = pytest.mark.slow  # processes of their own, or whole audits


def test_a_library_that_does_what_it_is_asked(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    asks = [ask("mean", "median", ks=(2, 1)), ask("mean", number=5, repeat=2, fresh=False)]
    found = talk(tmp_path, "behaved", *asks, progress=lambda *step: steps.append(step))
    assert [key(answer) for answer in found.answers] == [
        (0, "mean", 2, 0),
        (0, "mean", 1, 0),
        (0, "median", 2, 0),
        (0, "median", 1, 0),
        (5, "mean", 1, 0),
        (5, "mean", 1, 1),
    ]
    assert steps == [(n, 6) for n in range(1, 7)]
    assert found.processes == 1 and not found.abandoned and found.stderr == ""
    # users 1 to 4 have 2, 1, 0 and 0 recommendations; at most k count
    first = found.answers[0].outcome
    assert isinstance(first, Measured) and first.users is not None and first.values is not None
    assert (first.mean, first.dtype) == (0.75, "int")
    assert (first.users.tolist(), first.values.tolist()) == ([1, 2, 3, 4], [2.0, 1.0, 0.0, 0.0])
    assert mean(found.answers[1]) == 0.5
    # all that the case holds arrives: three columns twice, train, catalogue, threshold, scale
    given = found.answers[2].outcome
    assert isinstance(given, Measured) and given.values is not None and given.mean is None
    assert given.values.tolist() == [
        *(1, 1, 2, 10, 11, 10, 0.75, 0.5, 0.25),
        *(1, 3, 11, 12, 1, 5),
        *(4, 12, 10, 11, 12, 13, 3, 1, 5),
    ]


def test_the_hello_says_who_answers(tmp_path: Path) -> None:
    hello = talk(tmp_path, "behaved", ask("mean")).hello
    assert hello is not None
    assert hello.python == platform.python_version()
    assert hello.installed["numpy"] == np.__version__
    assert hello.functions == ("statistics.mean", "statistics.median")


def test_a_library_in_a_folder_of_its_own_name(tmp_path: Path) -> None:
    assert mean(talk(tmp_path, "statistics", ask("mean")).answers[0]) == 3.0  # of the gains 1 and 5


def test_a_million_lines_are_cut_and_do_not_disturb(tmp_path: Path) -> None:
    found = talk(tmp_path, "noisy", ask("mean", "median"))
    assert [mean(answer) for answer in found.answers] == [0.5, 0.25]
    logs = {name: (tmp_path / f"{name}.log").read_text() for name in ("stdout", "stderr")}
    assert all(len(log) <= child_log.MAX_BYTES for log in logs.values())
    assert all("cut by the audit" in log for log in logs.values())
    assert logs["stdout"].startswith("the first line\nline 0\nline 1\n")
    assert "the last line\n" in logs["stderr"]  # printed once the logs were cut


def test_a_call_that_hangs_costs_its_time_and_no_other_answer(tmp_path: Path) -> None:
    asks = [ask("mean", "median", ks=(1, 2)), ask("mean", "median", number=1)]
    found = talk(tmp_path, "hangs", *asks, limits=Limits(seconds=2))
    assert outcomes(found) == {
        (0, "mean", 1, 0): TimedOut(2),
        (0, "mean", 2, 0): TimedOut(2),
        (1, "mean", 1, 0): TimedOut(2, asked=False),
        **{answer: outcome for answer, outcome in outcomes(found).items() if answer[1] == "median"},
    }
    assert [mean(found.answers[n]) for n in (2, 3, 5)] == [0.25, 0.5, 0.25]
    assert found.processes == 3
    assert "timed out 2 times" in found.abandoned["statistics.mean"]
    for folder in (tmp_path, tmp_path / "again-1"):
        assert wait_until(lambda at=folder: gone(int((at / "pid").read_text())))


def test_a_process_that_ends_itself_costs_the_call_it_was_in(tmp_path: Path) -> None:
    found = outcomes(talk(tmp_path, "dies", ask("mean", "median", "mode", "stdev", ks=(1, 2))))
    assert [mean(found[0, "median", k, 0]) for k in (1, 2)] == [0.25, 0.5]
    for k in (1, 2):
        assert found[0, "mean", k, 0] == Crashed(3, "about to leave\n")
        assert found[0, "mode", k, 0] == Crashed(-9, "")
        crash = found[0, "stdev", k, 0]
        assert isinstance(crash, Crashed) and crash.exit_code == -11
        assert "Segmentation fault" in crash.stderr and "adapter.py" in crash.stderr


def test_the_rest_is_asked_in_control_directories_that_can_be_run_again(tmp_path: Path) -> None:
    talk(tmp_path, "dies", ask("mean", "median", "stdev"))
    again = json.loads((tmp_path / "again-1" / "request.json").read_text())
    assert [part["functions"] for part in again["asks"]] == [["statistics.median", "statistics.stdev"]]
    assert (tmp_path / "again-1" / "cases" / "tiny" / "case.json").exists()
    assert not (tmp_path / "again-2").exists()  # the last call crashed: nothing was left to ask


def test_a_function_that_always_dies_is_abandoned(tmp_path: Path) -> None:
    found = talk(tmp_path, "dies", ask("mode", "median", ks=tuple(range(1, 9))))
    crashes = [answer.outcome for answer in found.answers[:8]]
    assert crashes == [Crashed(-9, "")] * 5 + [Crashed(-9, "", asked=False)] * 3
    assert [mean(answer) for answer in found.answers[8:]] == [k / 4 for k in range(1, 9)]
    assert found.processes == 6
    assert list(found.abandoned) == ["statistics.mode"]


def test_what_a_library_raises_is_its_answer(tmp_path: Path) -> None:
    names = ("mean", "median", "mode", "stdev", "pstdev", "pvariance", "harmonic_mean")
    conversation = talk(tmp_path, "raises", ask(*names))
    found = {answer.function.split(".")[1]: answer.outcome for answer in conversation.answers}
    errors = {name: outcome for name, outcome in found.items() if isinstance(outcome, Errored)}
    assert conversation.processes == 1
    assert {name: error.error for name, error in errors.items()} == {
        "mean": "ValueError",
        "median": "SystemExit",
        "mode": "KeyboardInterrupt",
        "stdev": "MuteError",
        "pstdev": "RecursionError",
        "pvariance": "BadAnswer",
        "harmonic_mean": "ValueError",
    }
    assert errors["mean"].message == "nothing to average"
    assert "adapter.py" in errors["mean"].traceback and "raise error" in errors["mean"].traceback
    assert errors["median"].message == "leaving"
    assert "RuntimeError" in errors["stdev"].message
    assert errors["pvariance"] == Errored("BadAnswer", "no number: None", "")
    assert len(errors["harmonic_mean"].message) == 2000 and len(errors["harmonic_mean"].traceback) == 10000


def test_not_offered_is_what_the_library_says_and_not_what_is_broken(tmp_path: Path) -> None:
    names = ("statistics.variance", "statistics.absent", "statistics.inner.absent", "no_such_library.metric")
    found = talk(tmp_path, "raises", Ask(0, "tiny", (*names, "statistics.StatisticsError"), (1,))).answers
    assert [answer.outcome for answer in found[:3]] == [
        NotOffered("the cut-off is not supported"),
        NotOffered("AttributeError: module 'statistics' has no attribute 'absent'"),
        NotOffered("AttributeError: module 'statistics' has no attribute 'inner'"),
    ]
    broken, unknown = found[3].outcome, found[4].outcome
    assert isinstance(broken, Errored) and broken.error == "ModuleNotFoundError"
    assert isinstance(unknown, Errored) and "names no such function" in unknown.message


def test_what_the_adapter_cannot_pass_on_is_apart_from_what_the_library_declines(tmp_path: Path) -> None:
    (found,) = talk(tmp_path, "raises", ask("median_low", ks=(1,))).answers
    assert found.outcome == Unaskable("an item without a score")


def test_numbers_that_text_damages_arrive_unharmed(tmp_path: Path) -> None:
    expected = [math.nan, math.inf, -math.inf, -0.0, 5e-324, 0.30000000000000004, 1e308]
    found = talk(tmp_path, "numbers", ask("mean", "median", ks=tuple(range(7)))).answers
    assert [repr(mean(answer)) for answer in found] == [repr(number) for number in expected] * 2
    values = found[7].outcome.values  # type: ignore[union-attr]
    assert [repr(float(value)) for value in values] == [repr(number) for number in expected]


def test_very_many_users(tmp_path: Path) -> None:
    [answer] = talk(tmp_path, "huge", ask("mean")).answers
    assert isinstance(answer.outcome, Measured)
    np.testing.assert_array_equal(answer.outcome.users, np.arange(200000)[::-1])
    np.testing.assert_array_equal(answer.outcome.values, (np.arange(200000, dtype=np.float32) / 7).astype(float))
    assert (answer.outcome.mean, answer.outcome.dtype) == (0.5, "float32")
    assert (tmp_path / "response.jsonl").stat().st_size < 100_000


def test_nothing_outlives_the_conversation(tmp_path: Path) -> None:
    found = talk(tmp_path, "forks", ask("mean", "median"))
    assert [mean(answer) for answer in found.answers] == [0.5, 0.25]
    left = [int(pid) for pid in (tmp_path / "left").read_text().split()]
    assert len(left) == 2
    assert wait_until(lambda: all(gone(pid) for pid in left))


def test_memory_is_that_of_all_processes_together(tmp_path: Path) -> None:
    # each of the two takes 300 MB and stays below the limit; together they do not
    found = outcomes(talk(tmp_path, "hungry", ask("mean", "median"), limits=Limits(memory=500_000_000)))
    eaten = found[0, "mean", 1, 0]
    assert isinstance(eaten, Crashed) and eaten.exit_code == -9
    assert "bytes resident, 500,000,000 allowed" in eaten.stderr
    assert mean(found[0, "median", 1, 0]) == 0.25


def test_an_adapter_that_cannot_be_imported_fails_every_call_once(tmp_path: Path) -> None:
    found = talk(tmp_path, "unimportable", ask("mean", "median", ks=(1, 2)))
    assert found.processes == 1
    assert found.hello is not None and found.hello.functions == ()
    assert len(found.answers) == 4
    for answer in found.answers:
        assert isinstance(answer.outcome, Errored)
        assert answer.outcome.error == "ModuleNotFoundError" and "no_such_library" in answer.outcome.message
        assert "adapter.py" in answer.outcome.traceback


def test_a_process_that_never_says_hello_is_tried_twice(tmp_path: Path) -> None:
    found = talk(tmp_path, "stillborn", ask("mean", "median", ks=(1, 2)))
    assert (found.processes, found.hello) == (2, None)
    assert [answer.outcome for answer in found.answers] == [Crashed(7, "no licence found\n")] * 4


def test_a_python_that_does_not_exist_is_an_error_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no-python"):
        worker.converse(tmp_path / "no-python", fake("behaved"), CASES, [ask("mean")], tmp_path / "control")


@pytest.mark.parametrize(
    ("lines", "error", "words", "processes"),
    [
        (['{"hello": {"protocol": 99, "python": "", "platform": "", "installed": {}, "functions": []}}'],
         "WrongProtocol", "99", 1),
        (["Welcome!"], "BadLine", "Welcome!", 2),
        (['{"hello": {"protocol": 1, "python": "", "platform": "", "installed": {}, "functions": []}}',
          '{"ask": 0, "function": "statistics.mean", "k": 3, "repetition": 0, "not_offered": "?"}'],
         "BadLine", "was due", 2),
    ],
)  # fmt: skip
def test_a_process_that_breaks_the_protocol_is_not_believed(
    tmp_path: Path, lines: list[str], error: str, words: str, processes: int
) -> None:
    harness = tmp_path / "harness.py"
    text = "\n".join(lines) + "\n"
    harness.write_text(f"import sys, time\nopen(sys.argv[1] + '/response.jsonl', 'w').write({text!r})\n")
    found = talk(tmp_path / "control", "behaved", ask("mean", ks=(1, 2)), session=Session(PYTHON, harness=harness))
    assert found.processes == processes
    for answer in found.answers:
        assert isinstance(answer.outcome, Errored)
        assert answer.outcome.error == error and words in answer.outcome.message


@pytest.mark.parametrize("fresh", [True, False])
def test_a_fresh_ask_sees_nothing_of_what_another_changed(tmp_path: Path, fresh: bool) -> None:
    asks = [ask("mean", "median", ks=(1, 2), number=n, repeat=2, fresh=fresh) for n in range(2)]
    means = [mean(answer) for answer in talk(tmp_path, "changes", *asks).answers]
    # scores 0.75 + 0.5 + 0.25 and gains 1 + 5 at first, zeros after a call; a repetition shares its data
    assert means == ([7.5, 0.0] * 8 if fresh else [7.5] + [0.0] * 15)


def test_a_stub_can_be_imported_and_refuses_to_be_used(tmp_path: Path) -> None:
    found = talk(tmp_path, "stubbed", ask("mean", "median"), stubs=["heavy_framework.layers"]).answers
    assert mean(found[0]) == 1.5
    assert isinstance(found[1].outcome, Errored) and found[1].outcome.error == "ImportError"
    assert "heavy_framework.Session is a stub" in found[1].outcome.message


def test_a_stub_never_hides_what_is_installed(tmp_path: Path) -> None:
    (answer,) = talk(tmp_path, "stubbed", ask("mean"), stubs=["heavy_framework", "wave"]).answers
    assert isinstance(answer.outcome, Errored)
    assert "wave is installed: a stub would hide it" in answer.outcome.message


CHECKOUT_ADAPTER = """\
import json
import package.core as core

prepare = lambda case: case
FUNCTIONS = {"package.core.mean": lambda case, k: core.mean(case, json.dumps), "package.core.other": core.mean}
"""


def checkout(folder: Path) -> Path:
    """A package whose `__init__` needs a module that is still to be compiled, and an adapter beside it."""
    (folder / "root" / "package" / "cython").mkdir(parents=True)
    (folder / "root" / "package" / "__init__.py").write_text("from .cython.fast import sample\n")
    (folder / "root" / "package" / "core.py").write_text("mean = lambda case, k: float(len(case.users))\n")
    (folder / "adapter.py").write_text(CHECKOUT_ADAPTER)
    return folder / "root"


def test_a_library_is_imported_from_its_checkout_and_leaves_nothing_in_it(tmp_path: Path) -> None:
    root, asked = checkout(tmp_path), replace(ask("mean"), functions=("package.core.mean",))
    found = worker.converse(
        PYTHON,
        tmp_path / "adapter.py",
        CASES,
        [asked],
        tmp_path / "control",
        source=root,
        stubs=["package.cython.fast"],
    )
    assert mean(found.answers[0]) is not None
    assert not list(root.rglob("__pycache__"))
    without = worker.converse(PYTHON, tmp_path / "adapter.py", CASES, [asked], tmp_path / "second", source=root)
    assert isinstance(without.answers[0].outcome, Errored)
    assert "No module named 'package.cython.fast'" in without.answers[0].outcome.message


def test_a_stub_stands_aside_for_what_the_user_has_compiled(tmp_path: Path) -> None:
    root, asked = checkout(tmp_path), replace(ask("mean"), functions=("package.core.mean",))
    (root / "package" / "cython" / "fast.py").write_text("sample = None\nprint('the real one')\n")
    found = worker.converse(
        PYTHON, tmp_path / "adapter.py", CASES, [asked], tmp_path / "control", source=root,
        stubs=["package.cython.fast"],
    )  # fmt: skip
    assert mean(found.answers[0]) is not None
    assert "the real one" in (tmp_path / "control" / "stdout.log").read_text()


def test_an_interrupt_leaves_no_process(tmp_path: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        talk(tmp_path, "behaved", ask("mean", ks=tuple(range(1, 2000))), progress=interrupt)
    assert wait_until(lambda: gone(int((tmp_path / "pid").read_text())))


def test_a_conversation_can_be_stopped_from_another_thread(tmp_path: Path) -> None:
    stop = threading.Event()

    def press() -> None:
        wait_until((tmp_path / "pid").exists)
        stop.set()

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(worker.Stopped):
        talk(tmp_path, "hangs", ask("mean"), stop=stop)
    thread.join()
    assert wait_until(lambda: gone(int((tmp_path / "pid").read_text() or 0)))
