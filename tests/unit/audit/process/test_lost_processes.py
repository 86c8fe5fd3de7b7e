"""The worker on fakes that hang, die, never start or break the protocol: each costs its own call."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from recsys_metric_audit.audit.process import worker
from recsys_metric_audit.audit.process.child import Session
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Limits, TimedOut
from recsys_metric_audit.audit.process.stoppable import Stopped
from tests.support.control_samples import ask, fake
from tests.support.fake_conversations import CASES, PYTHON, gone, mean, outcomes, talk, wait_until

pytestmark = pytest.mark.slow  # processes of their own, or whole audits


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


def test_nothing_outlives_the_conversation(tmp_path: Path) -> None:
    found = talk(tmp_path, "forks", ask("mean", "median"))
    assert [mean(answer) for answer in found.answers] == [0.5, 0.25]
    left = [int(pid) for pid in (tmp_path / "left").read_text().split()]
    assert len(left) == 2
    assert wait_until(lambda: all(gone(pid) for pid in left))


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


def test_a_python_that_does_not_exist_answers_nothing_and_is_named(tmp_path: Path) -> None:
    python = tmp_path / "no-python"
    found = worker.converse(python, fake("behaved"), CASES, [ask("mean")], tmp_path / "control")
    assert found.hello is None
    words = f"{python} cannot be run: No such file or directory\n"
    assert [each.outcome for each in found.answers] == [Crashed(127, words)]


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
    with pytest.raises(Stopped):
        talk(tmp_path, "hangs", ask("mean"), stop=stop)
    thread.join()
    assert wait_until(lambda: gone(int((tmp_path / "pid").read_text() or 0)))


def test_a_library_that_removes_its_folder_costs_its_own_call(tmp_path: Path) -> None:
    (tmp_path / "adapter.py").write_text(
        "import os, shutil\nHERE = os.getcwd()\ndef leave(case, k):\n    shutil.rmtree(HERE)\n    os._exit(1)\n"
        "prepare = lambda case: case\n"
        "FUNCTIONS = {'statistics.mean': leave, 'statistics.median': lambda case, k: k / 4}\n"
    )
    asked = [ask("mean", "median", ks=(1, 2))]
    found = worker.converse(PYTHON, tmp_path / "adapter.py", CASES, asks=asked, control=tmp_path / "control")
    said = outcomes(found)
    assert [mean(said[0, "median", k, 0]) for k in (1, 2)] == [0.25, 0.5]
    assert all(isinstance(said[0, "mean", k, 0], Crashed) for k in (1, 2))
