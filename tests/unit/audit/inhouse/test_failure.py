"""Each kind of failure gets its message and its next step."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.inhouse.execution import Execution
from recsys_metric_audit.audit.inhouse.failure import TRACEBACK_LINES, explain_failure
from recsys_metric_audit.audit.inhouse.target import Target
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Measured, Outcome, TimedOut

TARGET = Target(Path("own.py"), "recall", Path("/venv/python"))
IN_METRIC = 'File "own.py", line 2, in metric\nKeyError: 3'


def execution(outcome: Outcome, python: str = "3.11.4", stderr: str = "") -> Execution:
    return Execution(Observation("recall", {"a probe": outcome}, {}), python, stderr)


def test_a_value_is_no_failure() -> None:
    assert explain_failure(TARGET, execution(Measured(0.5, None, None, "float", 0.0))) is None


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
    error = explain_failure(TARGET, execution(outcome))
    assert error is not None
    assert error.message.startswith(message)
    assert error.message.endswith("\n  run by /venv/python (Python 3.11.4)")
    assert error.hint.startswith(hint) or hint in error.hint


def test_an_interpreter_that_never_answered_is_named() -> None:
    error = explain_failure(TARGET, execution(Crashed(1, ""), python="", stderr="No module named 'numpy'"))
    assert error is not None
    assert error.message == "/venv/python could not be asked:\n    No module named 'numpy'"
    assert error.hint.startswith("the interpreter needs numpy: /venv/python -m pip install numpy")


@pytest.mark.parametrize(("stderr", "shown"), [("", ""), ("Fatal Python error", "\n    Fatal Python error")])
def test_a_file_that_ends_the_process_when_it_is_imported_is_named(stderr: str, shown: str) -> None:
    error = explain_failure(TARGET, execution(Crashed(0, ""), python="", stderr=stderr))
    assert error is not None
    said = "own.py does not import: the process ended before it answered\n  run by /venv/python"
    assert error.message == said + shown
    assert "--python PATH" in error.hint


def test_only_the_end_of_a_traceback_is_shown() -> None:
    trace = "in metric\n" + "\n".join(f"line {number}" for number in range(20))
    error = explain_failure(TARGET, execution(Errored("KeyError", "3", trace)))
    assert error is not None
    shown = [line for line in error.message.splitlines() if line.startswith("    ")]
    assert shown == [f"    line {number}" for number in range(20 - TRACEBACK_LINES, 20)]


def test_a_file_that_never_ends_importing_is_told() -> None:
    error = explain_failure(TARGET, execution(TimedOut(1.5), python=""))
    assert error is not None
    assert error.message == "own.py does not import: no answer within 1.5 s\n  run by /venv/python"
    assert "--timeout SECONDS" in error.hint
