"""The error message for a function that gave no number on any input and so cannot be identified."""

from __future__ import annotations

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.execution import Execution
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, SHAPES
from recsys_metric_audit.audit.inhouse.target import Target
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Outcome, TimedOut

TRACEBACK_LINES = 8
"""The number of last lines of a traceback that are shown."""
_INTERPRETER = "--python PATH chooses the interpreter, for example that of its virtual environment"
_MISSING = f"is a package missing there? install it, or {_INTERPRETER}"


def explain_failure(target: Target, execution: Execution) -> UserError | None:
    """Return the error that says why nothing was measured, None if something was."""
    outcome = execution.observation.failure()
    if outcome is None:
        return None
    by = f"{target.python}" + (f" (Python {execution.python})" if execution.python else "")
    if not execution.python and isinstance(outcome, TimedOut):
        return UserError(
            f"{target.file} does not import: no answer within {outcome.seconds:g} s\n  run by {by}",
            "let it compute nothing when it is imported; --timeout SECONDS allows more",
        )
    if not execution.python:
        return _never_answered(target, execution, by)
    message, hint = _message_and_hint(target, execution, outcome)
    return UserError(f"{message}\n  run by {by}", hint)


def _never_answered(target: Target, execution: Execution, by: str) -> UserError:
    """Return the error for a process that ended before any answer: an interpreter that lacks numpy, or the file."""
    said = _last_lines(execution.stderr)
    if "numpy" in execution.stderr:
        hint = f"the interpreter needs numpy: {target.python} -m pip install numpy, or name another with --python PATH"
        return UserError(f"{by} could not be asked:\n{said}", hint)
    message = f"{target.file} does not import: the process ended before it answered\n  run by {by}\n{said}".rstrip()
    return UserError(message, "let it do nothing when it is imported, or name another interpreter: --python PATH")


def _message_and_hint(target: Target, execution: Execution, outcome: Outcome) -> tuple[str, str]:
    call = (execution.shape or target.shape or DEFAULT).call
    match outcome:
        case Errored("LookupError", message, trace) if "in load" in trace:
            return message, "name a function or a Class.method of that file"
        case Errored("BadParameters", message, _):
            return f"{target.name} {message}", f"wrap it in a function of fewer: {call}"
        case Errored("Unrecognised", message, _):
            return f"{target.name} {message}", _named_hint(execution.parameters)
        case Errored("BadAnswer", message, _):
            return (
                f"{target.name} returned {message}",
                f"it must return one number (an entry of several: {target.name}[KEY]): {call}",
            )
        case Errored(error, message, trace) if "in metric" not in trace:
            return f"{target.file} does not import: {error}: {message}\n{_last_lines(trace)}", _import_hint(error)
        case Errored("ModuleNotFoundError", message, trace):
            return f"{target.name} cannot be called: {message}\n{_last_lines(trace)}", _MISSING
        case Errored(error, message, trace):
            return f"{target.name} raised {error}: {message}\n{_last_lines(trace)}", _call_hint(
                call, execution.parameters
            )
        case Crashed(code, stderr):
            return f"{target.name} ended the process (exit code {code})\n{_last_lines(stderr)}", "a metric only returns"
        case TimedOut(seconds):
            return f"{target.name} gave no answer within {seconds:g} s", "--timeout SECONDS allows more"
        case _:
            return f"{target.name} was not measured: {outcome}", ""


def _call_hint(call: str, parameters: str) -> str:
    return f"it is called as {call}; {_named_hint(parameters)}"


def _named_hint(parameters: str) -> str:
    own = f"its parameters are ({parameters}); " if parameters not in ("", "?") else ""
    return f"{own}--shape names another call: {', '.join(SHAPES)}"


def _import_hint(error: str) -> str:
    return _MISSING if error in ("ModuleNotFoundError", "ImportError") else _INTERPRETER


def _last_lines(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip().splitlines()[-TRACEBACK_LINES:])
