"""Hold the worker of a library, and sessions of it."""

from __future__ import annotations

import math
import platform
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit.process import child, worker
from recsys_metric_audit.audit.process.child import Session
from recsys_metric_audit.audit.process.protocol import (
    Ask,
    Crashed,
    Errored,
    Limits,
    Measured,
    NotOffered,
    Outcome,
    Unaskable,
)
from tests.support.control_samples import ask, key
from tests.support.fake_conversations import CASES, PYTHON, gone, mean, outcomes, talk

# The worker on fakes that misbehave: each costs its own call, and nothing is left behind.


@pytest.mark.slow
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


@pytest.mark.slow
def test_values_that_are_not_wanted_are_left_out_where_there_is_a_mean(tmp_path: Path) -> None:
    found = talk(tmp_path, "behaved", ask("mean", "median", ks=(2,), values=False))
    given, alone = (answer.outcome for answer in found.answers)
    assert isinstance(given, Measured) and isinstance(alone, Measured)
    assert (given.mean, given.users, given.values, given.dtype) == (0.75, None, None, "int")
    assert alone.mean is None and alone.values is not None and len(alone.values) == 24


@pytest.mark.slow
def test_the_hello_says_who_answers(tmp_path: Path) -> None:
    hello = talk(tmp_path, "behaved", ask("mean")).hello
    assert hello is not None
    assert hello.python == platform.python_version()
    assert hello.installed["numpy"] == np.__version__
    assert hello.functions == ("statistics.mean", "statistics.median")


@pytest.mark.slow
def test_a_library_in_a_folder_of_its_own_name(tmp_path: Path) -> None:
    assert mean(talk(tmp_path, "statistics", ask("mean")).answers[0]) == 3.0  # of the gains 1 and 5


@pytest.mark.slow
def test_a_million_lines_are_cut_and_do_not_disturb(tmp_path: Path) -> None:
    found = talk(tmp_path, "noisy", ask("mean", "median"))
    assert [mean(answer) for answer in found.answers] == [0.5, 0.25]
    logs = {name: (tmp_path / f"{name}.log").read_text() for name in ("stdout", "stderr")}
    assert all(len(log) <= child.MAX_BYTES for log in logs.values())
    assert all("cut by the audit" in log for log in logs.values())
    assert logs["stdout"].startswith("the first line\nline 0\nline 1\n")
    assert "the last line\n" in logs["stderr"]  # printed once the logs were cut


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_what_the_adapter_cannot_pass_on_is_apart_from_what_the_library_declines(tmp_path: Path) -> None:
    (found,) = talk(tmp_path, "raises", ask("median_low", ks=(1,))).answers
    assert found.outcome == Unaskable("an item without a score")


@pytest.mark.slow
def test_numbers_that_text_damages_arrive_unharmed(tmp_path: Path) -> None:
    expected = [math.nan, math.inf, -math.inf, -0.0, 5e-324, 0.30000000000000004, 1e308]
    found = talk(tmp_path, "numbers", ask("mean", "median", ks=tuple(range(7)))).answers
    assert [repr(mean(answer)) for answer in found] == [repr(number) for number in expected] * 2
    values = found[7].outcome.values  # type: ignore[union-attr]
    assert [repr(float(value)) for value in values] == [repr(number) for number in expected]


@pytest.mark.slow
def test_very_many_users(tmp_path: Path) -> None:
    [answer] = talk(tmp_path, "huge", ask("mean")).answers
    assert isinstance(answer.outcome, Measured)
    np.testing.assert_array_equal(answer.outcome.users, np.arange(200000)[::-1])
    np.testing.assert_array_equal(answer.outcome.values, (np.arange(200000, dtype=np.float32) / 7).astype(float))
    assert (answer.outcome.mean, answer.outcome.dtype) == (0.5, "float32")
    assert (tmp_path / "response.jsonl").stat().st_size < 100_000


@pytest.mark.slow
def test_memory_is_that_of_all_processes_together(tmp_path: Path) -> None:
    # each of the two takes 300 MB and stays below the limit; together they do not
    found = outcomes(talk(tmp_path, "hungry", ask("mean", "median"), limits=Limits(memory=500_000_000)))
    eaten = found[0, "mean", 1, 0]
    assert isinstance(eaten, Crashed) and eaten.exit_code == -9
    assert "bytes resident, 500,000,000 allowed" in eaten.stderr
    assert mean(found[0, "median", 1, 0]) == 0.25


@pytest.mark.slow
@pytest.mark.parametrize("fresh", [True, False])
def test_a_fresh_ask_sees_nothing_of_what_another_changed(tmp_path: Path, fresh: bool) -> None:
    asks = [ask("mean", "median", ks=(1, 2), number=n, repeat=2, fresh=fresh) for n in range(2)]
    means = [mean(answer) for answer in talk(tmp_path, "changes", *asks).answers]
    # scores 0.75 + 0.5 + 0.25 and gains 1 + 5 at first, zeros after a call; a repetition shares its data
    assert means == ([7.5, 0.0] * 8 if fresh else [7.5] + [0.0] * 15)


# A session: one process for several conversations, replaced when it died.

ADAPTER = """
import os, sys
def pid(case, k): return os.getpid()
def leave(case, k): os._exit(3)
def standard_input(case, k): return len(sys.stdin.read())
FUNCTIONS = {"statistics.mean": pid, "statistics.median": leave, "statistics.mode": standard_input}
def prepare(case): return case
"""


@pytest.mark.slow
def test_one_process_answers_several_conversations(tmp_path: Path) -> None:
    adapter = tmp_path / "adapter.py"
    adapter.write_text(ADAPTER)

    def put(number: int, *functions: str) -> list[Outcome]:
        control = tmp_path / f"control-{number}"
        said = worker.converse(PYTHON, adapter, CASES, [ask(*functions)], control, session=session)
        assert said.hello is not None
        return [answer.outcome for answer in said.answers]

    with Session(PYTHON) as session:
        (first,), (second, nothing) = put(1, "mean"), put(2, "mean", "mode")
        assert mean(first) == mean(second)  # the same process, whose standard input is empty
        assert mean(nothing) == 0
        assert isinstance(put(3, "median")[0], Crashed)
        (third,) = put(4, "mean")
        assert mean(third) not in (mean(first), None)
    for outcome in (first, third):
        assert gone(int(mean(outcome) or 0))
