"""Words the errors of a function that cannot be asked, or that nobody knows how to call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.function_inputs import describe_probe
from recsys_metric_audit.audit.inhouse.running import Running
from recsys_metric_audit.audit.inhouse.shape_trial import ShapeAnswers
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, SHAPES
from recsys_metric_audit.audit.inhouse.target import Target
from recsys_metric_audit.audit.observations.observation import scalar
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Measured, Outcome, TimedOut

TRACEBACK_LINES = 8
"""The number of last lines of a traceback that are shown."""
_INTERPRETER = "--python PATH chooses the interpreter, for example that of its virtual environment"
_MISSING = f"is a package missing there? install it, or {_INTERPRETER}"
_SHOWN = 8
"""So many of the calls that were tried are told."""


class UnknownCallError(UserError):
    """Says that it is not known how a function is called, or that no call gives a number."""


def explain_failure(target: Target, running: Running, outcome: Outcome, *, call: str = "") -> UnknownCallError:
    """Return the error that says why nothing was measured: a function that does not load, or one that gives nothing.

    Args:
        target: The function.
        running: What its process said.
        outcome: What came back.
        call: How it was called, in words; empty if it is to be told by its target.
    """
    by = _by(target, running)
    if not running.python and isinstance(outcome, TimedOut):
        return UnknownCallError(
            f"{target.file} does not import: no answer within {outcome.seconds:g} s\n  run by {by}",
            "let it compute nothing when it is imported; --timeout SECONDS allows more",
        )
    if not running.python:
        return _never_answered(target, running, by)
    message, hint = _message_and_hint(target, running, outcome, call or (target.shape or DEFAULT).call)
    return UnknownCallError(f"{message}\n  run by {by}", hint)


def _by(target: Target, running: Running) -> str:
    return f"{target.python}" + (f" (Python {running.python})" if running.python else "")


def unknown_call(target: Target, running: Running, tried: Sequence[ShapeAnswers], why: str = "") -> UnknownCallError:
    """Return the error for a function of which no call is known: what was tried, what came back, what there is.

    Args:
        target: The function.
        running: Its parameters.
        tried: The calls that were tried.
        why: Why the likeliest call is no good, where it gave numbers.
    """
    outcomes = [each for one in tried for each in one.outcomes.values()]
    ended = next((one for one in tried if one.ended is not None), None)
    if not any(isinstance(each, Measured) for each in outcomes) and outcomes:
        worst = next((each for kind in (Crashed, TimedOut) for each in outcomes if isinstance(each, kind)), outcomes[0])
        first = explain_failure(target, running, worst, call=tried[0].shape.call)
        told = [first.message, *([_tried(tried)] if len(tried) > 1 else []), wrapper(target, running.parameters)]
        return UnknownCallError("\n".join(told), first.hint)
    said = f"{target.name}: it is not known how it is called{f': {why}' if why else ''}"
    if ended is not None and ended.ended is not None:
        probe = ended.ended
        what = _what_came(ended.outcomes[probe.name])
        said = f"{target.name} {what} on k = {probe.k}, {describe_probe(probe)}: more of it is not known"
    elif not why and all(_is_alike(one) for one in tried):
        said += ": it answers nearly all inputs alike in every call that was tried"
    told = [said, _tried(tried), f"  run by {_by(target, running)}", wrapper(target, running.parameters)]
    return UnknownCallError("\n".join(told), _named_hint(running.parameters))


def wrapper(target: Target, parameters: str) -> str:
    """Return a function to be filled in, with a call that is known, that calls one of which no call is."""
    dotted, _, entry = target.function.partition("[")
    first, *rest = dotted.split(".")
    owner = f"{first}()." if rest and not first.endswith("()") else f"{first}." if rest else ""
    names = parameters.partition("; columns")[0]
    passed = "..." if names in ("", "?") else ", ".join(f"{name}=..." for name in names.split(", "))
    keys = [key.strip("'\"") for key in entry.removesuffix("]").split("][")] if entry else []
    picked = "".join(f"[{key}]" if key.isdecimal() else f"[{key!r}]" for key in keys)
    return "\n".join(
        [
            "  a function that can be asked, to be filled in, in a file beside it:",
            f"    from {target.file.stem} import {first.removesuffix('()')}",
            "",
            "    def asked(recommended, relevant, k):  # ids, best first; {id: gain}; the cut-off",
            f"        return {owner}{'.'.join(rest) or first}({passed}){picked}",
        ]
    )


def _tried(tried: Sequence[ShapeAnswers]) -> str:
    lines = [f"    {one.shape.name}: {_came_back(one)}" for one in tried[:_SHOWN]]
    return "\n".join(["  tried:", *lines])


def _came_back(one: ShapeAnswers) -> str:
    """Say what came back most often from the calls of one shape."""
    kinds = Counter(_what_came(each) for each in one.outcomes.values())
    what, times = kinds.most_common(1)[0]
    return f"{what} ({times} of {len(one.outcomes)} inputs)"


def _what_came(outcome: Outcome) -> str:
    match outcome:
        case Errored(error, message, _):
            return f"{error}: {message.splitlines()[0][:80] if message else ''}"
        case Crashed(code, _, _):
            return f"ended the process (exit code {code})"
        case TimedOut(seconds, _):
            return f"gave no answer within {seconds:g} s"
        case Measured():
            value = scalar(outcome)
            return "several values" if value is None else f"{value:.6g}"
        case _:
            return "no answer"


def _is_alike(one: ShapeAnswers) -> bool:
    return len({_what_came(each) for each in one.outcomes.values()}) <= 3


def _never_answered(target: Target, running: Running, by: str) -> UnknownCallError:
    """Return the error for a process that ended before any answer: an interpreter that lacks numpy, or the file."""
    said = _last_lines(running.stderr)
    if "numpy" in running.stderr:
        hint = f"the interpreter needs numpy: {target.python} -m pip install numpy, or name another with --python PATH"
        return UnknownCallError(f"{by} could not be asked:\n{said}", hint)
    message = f"{target.file} does not import: the process ended before it answered\n  run by {by}\n{said}".rstrip()
    return UnknownCallError(
        message, "let it do nothing when it is imported, or name another interpreter: --python PATH"
    )


def _message_and_hint(target: Target, running: Running, outcome: Outcome, call: str) -> tuple[str, str]:
    match outcome:
        case Errored("LookupError", message, trace) if "in load" in trace:
            return message, "name a function or a Class.method of that file"
        case Errored("BadParameters", message, _):
            shown = f"{target.name} {message}\n{wrapper(target, running.parameters)}"
            return shown, f"wrap it in a function of fewer: {call}"
        case Errored("BadAnswer", message, _):
            keys = re.findall(r"'([^']+)':|^no number: (?:tuple|list) [(\[]", message)
            key = re.sub(r"@\d+$", "@k", keys[0]) or "0" if keys else "KEY"
            said = f"it must return one number; an entry of several is picked so: {target.name}[{key}]"
            return f"{target.name} returned {message}", f"{said}; it is called as {call}"
        case Errored(error, message, trace) if running.failed is not None:
            return f"{target.file} does not import: {error}: {message}\n{_last_lines(trace)}", _import_hint(error)
        case Errored("ModuleNotFoundError", message, trace):
            return f"{target.name} cannot be called: {message}\n{_last_lines(trace)}", _MISSING
        case Errored(error, message, trace):
            said = f"{target.name} raised {error}: {message}\n{_last_lines(trace)}"
            return said, f"it is called as {call}; {_named_hint(running.parameters)}"
        case Crashed(code, stderr):
            return f"{target.name} ended the process (exit code {code})\n{_last_lines(stderr)}", "a metric only returns"
        case TimedOut(seconds):
            return f"{target.name} gave no answer within {seconds:g} s", "--timeout SECONDS allows more"
        case _:
            return f"{target.name} was not measured: {outcome}", ""


def _named_hint(parameters: str) -> str:
    own = f"its parameters are ({parameters}); " if parameters not in ("", "?") else ""
    return f"{own}--shape names another call: {', '.join(SHAPES)}"


def _import_hint(error: str) -> str:
    return _MISSING if error in ("ModuleNotFoundError", "ImportError") else _INTERPRETER


def _last_lines(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip().splitlines()[-TRACEBACK_LINES:])
