"""Each kind of failure gets its message and its next step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recsys_metric_audit import identify
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.calling.caller import load
from recsys_metric_audit.audit.inhouse.identify_function import identify_here
from recsys_metric_audit.audit.inhouse.running import Running
from recsys_metric_audit.audit.inhouse.shape_trial import ShapeAnswers, trial_probes
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, SHAPES
from recsys_metric_audit.audit.inhouse.target import Target
from recsys_metric_audit.audit.inhouse.telling.failure import TRACEBACK_LINES, explain_failure, unknown_call, wrapper
from recsys_metric_audit.audit.process.protocol import Conversation, Crashed, Errored, Measured, Outcome, TimedOut

TARGET = Target(Path("own.py"), "recall", Path("/venv/python"))
IN_METRIC = 'File "own.py", line 2, in metric\nKeyError: 3'


def failure(outcome: Outcome, python: str = "3.11.4", stderr: str = "", *, loaded: bool = False) -> UserError:
    """Return the error for what came back from a function that was not loaded, or from one that was."""
    running = Running(
        lambda cases, asks: Conversation(None, (), 0.0), (), "recommended, relevant, k", python=python, stderr=stderr,
        failed=None if loaded else outcome,
    )  # fmt: skip
    return explain_failure(TARGET, running, outcome)


@pytest.mark.parametrize(
    ("outcome", "message", "hint"),
    [
        (
            Errored("LookupError", "own.py has no function 'f'", "in load"),
            "own.py has no function 'f'",
            "name a function",
        ),
        (
            Errored("BadAnswer", "no number: None", ""),
            "own.py:recall returned no number: None",
            "must return one number",
        ),
        (
            Errored("BadAnswer", "no number: dict {'mrr@3': 0.5, 'count': 2}", ""),
            "own.py:recall returned no number: dict",
            "picked so: own.py:recall[mrr@k]; it is called",
        ),
        (
            Errored("BadAnswer", "no number: tuple (0.5, 'NDCG')", ""),
            "own.py:recall returned no number: tuple",
            "picked so: own.py:recall[0]; it is called",
        ),
        (
            Errored("ImportError", "no pandas", "in <module>"),
            "own.py does not import: ImportError: no pandas",
            "is a package missing there?",
        ),
        (Errored("SyntaxError", "bad", "in <module>"), "own.py does not import: SyntaxError: bad", "--python PATH"),
        (
            Errored("KeyError", "3", IN_METRIC),
            "own.py:recall raised KeyError: 3",
            "it is called as function(recommended",
        ),
        (
            Errored("ModuleNotFoundError", "No module named 'pandas'", "in metric"),
            "own.py:recall cannot be called: No module named 'pandas'",
            "is a package missing there? install it, or --python PATH",
        ),
        (Crashed(3, "bye"), "own.py:recall ended the process (exit code 3)\n    bye", "a metric only returns"),
        (TimedOut(1.5), "own.py:recall gave no answer within 1.5 s", "--timeout SECONDS"),
    ],
)
def test_a_failure_says_what_happened_where_and_what_to_do(outcome: Outcome, message: str, hint: str) -> None:
    error = failure(outcome, loaded="does not import" not in message)
    assert error.message.startswith(message)
    assert error.message.endswith("\n  run by /venv/python (Python 3.11.4)")
    assert error.hint.startswith(hint) or hint in error.hint


def test_an_interpreter_that_never_answered_is_named() -> None:
    error = failure(Crashed(1, ""), python="", stderr="No module named 'numpy'")
    assert error.message == "/venv/python could not be asked:\n    No module named 'numpy'"
    assert error.hint.startswith("the interpreter needs numpy: /venv/python -m pip install numpy")


@pytest.mark.parametrize(("stderr", "shown"), [("", ""), ("Fatal Python error", "\n    Fatal Python error")])
def test_a_file_that_ends_the_process_when_it_is_imported_is_named(stderr: str, shown: str) -> None:
    error = failure(Crashed(0, ""), python="", stderr=stderr)
    said = "own.py does not import: the process ended before it answered\n  run by /venv/python"
    assert error.message == said + shown
    assert "--python PATH" in error.hint


def test_only_the_end_of_a_traceback_is_shown() -> None:
    trace = "in metric\n" + "\n".join(f"line {number}" for number in range(20))
    error = failure(Errored("KeyError", "3", trace), loaded=True)
    shown = [line for line in error.message.splitlines() if line.startswith("    ")]
    assert shown == [f"    line {number}" for number in range(20 - TRACEBACK_LINES, 20)]


def test_a_file_that_never_ends_importing_is_told() -> None:
    error = failure(TimedOut(1.5), python="")
    assert error.message == "own.py does not import: no answer within 1.5 s\n  run by /venv/python"
    assert "--timeout SECONDS" in error.hint


def tried(outcome: Outcome, shape: str = "recommended") -> ShapeAnswers:
    probes = trial_probes(DEFAULT, None)
    return ShapeAnswers(SHAPES[shape], probes, {probe.name: outcome for probe in probes})


def test_a_call_that_is_not_known_says_what_was_tried_and_what_came_back() -> None:
    running = Running(lambda cases, asks: Conversation(None, (), 0.0), (), "a, b", python="3.11.4")
    number, error = Measured(0.0, None, None, "float", 0.0), Errored("TypeError", "no array", "")
    said = unknown_call(TARGET, running, (tried(number), tried(error, "scores")))
    assert "own.py:recall: it is not known how it is called: it answers nearly all inputs alike" in said.message
    assert "    recommended: 0 (48 of 48 inputs)" in said.message
    assert "    scores: TypeError: no array (48 of 48 inputs)" in said.message
    assert "its parameters are (a, b)" in said.hint and "vectors" in said.hint


def test_a_hang_is_named_with_its_input_before_anything_is_said_of_the_call() -> None:
    running = Running(lambda cases, asks: Conversation(None, (), 0.0), (), "a, b", python="3.11.4")
    answers = tried(Measured(0.0, None, None, "float", 0.0))
    last = answers.probes[-1]
    hung = answers._replace(outcomes={**answers.outcomes, last.name: TimedOut(2.0)})
    said = unknown_call(TARGET, running, (hung,)).message.splitlines()[0]
    assert said.startswith(f"own.py:recall gave no answer within 2 s on k = {last.k}, recommended [")


ODD = """\
class Session:
    def scored(self, shown_at, wanted, note):
        hits = [item for item in shown_at["items"] if item in wanted[0]]
        return {"share": len(hits) / len(wanted[0]), "note": note}
"""


def test_the_wrapper_that_is_shown_can_be_asked_once_it_is_filled_in(tmp_path: Path) -> None:
    """Computes the recall of the first k: hits over relevant items."""
    (tmp_path / "odd.py").write_text(ODD)
    target = Target(tmp_path / "odd.py", "Session.scored[share]", Path("python"))
    head, *code = wrapper(target, "shown_at, wanted, note").splitlines()
    assert head == "  a function that can be asked, to be filled in, in a file beside it:"
    filled = "\n".join(line[4:] for line in code)
    for blank in ('{"items": recommended[:k]}', "[list(relevant)]", '"a note"'):
        filled = filled.replace("...", blank, 1)
    (tmp_path / "asked.py").write_text(filled + "\n")
    found = identify_here(load(str(tmp_path / "asked.py"), "asked"), "recall", None, None)
    assert found.summary is not None and found.summary.signature == "recall@k"


@pytest.mark.parametrize(("given", "words"), [
    ({"function": 5}, "5 is no function"), ({"k": 0}, "k=0: a cut-off"), ({"k": "20"}, "k='20': a cut-off"),
    ({"metric": "ndgc"}, "there is no metric 'ndgc'"), ({"shape": "x"}, "no such shape"),
])  # fmt: skip
def test_what_cannot_be_identified_in_python_is_named(given: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        identify(**{"function": len, **given})
