"""Runs a function that is to be asked: in a child process of its interpreter, or in this process."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import signal
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from recsys_metric_audit.audit.inhouse.function_inputs import as_adapter_sees
from recsys_metric_audit.audit.inhouse.shape_trial import trial_probes
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, FRAMES, SHAPES, Shape
from recsys_metric_audit.audit.inhouse.target import Target
from recsys_metric_audit.audit.process import control_directory
from recsys_metric_audit.audit.process.child import Session
from recsys_metric_audit.audit.process.control_directory import keep_in_memory
from recsys_metric_audit.audit.process.patience import Patience
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Crashed,
    Errored,
    Limits,
    Measured,
    Outcome,
    TimedOut,
)
from recsys_metric_audit.audit.process.scratch_folder import place_in_memory, scratch_folder
from recsys_metric_audit.audit.process.worker import MAX_TIMEOUTS, converse
from recsys_metric_audit.reference.input.case import Case

# They run under old Pythons too, so they are written without types.
_HARNESS: Any = import_module("recsys_metric_audit.audit.process.harness")
_CALLER: Any = import_module("recsys_metric_audit.audit.inhouse.calling.caller")
_CALLS: Any = import_module("recsys_metric_audit.audit.inhouse.calling.call_shapes")
_ANSWERS: Any = import_module("recsys_metric_audit.audit.inhouse.calling.call_answers")
_PARAMETERS_OF: Any = import_module("recsys_metric_audit.audit.inhouse.calling.call_parameters")
_SOURCES: Any = import_module("recsys_metric_audit.audit.inhouse.calling.call_sources")

METRIC = "audit_adapter.metric"
_PARAMETERS = "audit_adapter.parameters"
Put = Callable[[Mapping[str, Case], Sequence[Ask]], Conversation]
"""Puts asks to a function, given the cases they name."""
SECONDS_HERE = 30.0
"""How long one call may take in this process."""
_EACH = {"actual-users": "actual-each", "recommended-users": "recommended-each"}


@dataclass(frozen=True, eq=False)
class Running:
    """Holds a function that is loaded, and how it is asked.

    Attributes:
        put: Puts asks to it; the name of the function in an ask holds the shape of the call.
        shapes: The shapes of call that it may have, the likeliest first; the one that was named, alone.
        parameters: The names of its parameters; ``?`` where nothing tells them.
        cutoff: ``cut`` or ``uncut``; ``guessed`` where a third parameter may be the cut-off or say whose each row is.
        python: The version that runs it; empty if the process ended before any answer.
        stderr: What the process wrote.
        forms: Of each shape with several forms of its arguments, how many.
        failed: Why it cannot be asked; None if it can.
        put_again: Puts asks to it in another process, under another hash seed; None where there is this process only.
    """

    put: Put
    shapes: tuple[Shape, ...] = ()
    parameters: str = ""
    cutoff: str = "cut"
    python: str = ""
    stderr: str = ""
    forms: Mapping[str, int] = field(default_factory=dict)
    failed: Outcome | None = None
    put_again: Put | None = None

    def takes_cutoff(self, shape: Shape) -> bool:
        """Return True if a call of this shape passes a cut-off."""
        return (
            shape.by_place
            or self.cutoff == "cut"
            or (self.cutoff == "guessed" and shape.arguments < len(self.parameters.split(", ")))
        )

    def speaks_for(self, shape: Shape) -> bool:
        """Return True if the names of all arguments speak for a shape."""
        names = self.parameters.partition("; columns")[0].split(", ")
        return bool(_PARAMETERS_OF.speaks_for(names, shape.name))

    def outcomes(
        self, shape: Shape, named: Mapping[str, tuple[Case, int | None]], kind: str = "", *, again: bool = False
    ) -> dict[str, Outcome]:
        """Ask in a shape about cases, each at its cut-off; return the outcomes by the case's name.

        Args:
            shape: The shape of the call.
            named: The cases with their cut-offs, by name.
            kind: ``[everyone]`` to ask for users without relevant items as well; ``[changes]`` to ask whether it
                changes its arguments; ``[batch]`` to pass the users of a case together.
            again: Ask in another process, if there is one.
        """
        cases = {f"p{number:03}": case for number, (case, _) in enumerate(named.values())}
        function = f"{METRIC}[{shape.asked_as}]{kind}"
        asks = [Ask(number, f"p{number:03}", (function,), (k,)) for number, (_, k) in enumerate(named.values())]
        put = self.put_again if again and self.put_again is not None else self.put
        answers = put(cases, asks).answers if asks else ()
        return {each: answer.outcome for each, answer in zip(named, answers, strict=True)}

    def for_each_user(self, shape: Shape) -> Shape | None:
        """Return the shape that calls a function of all users for one user at a time; None if there is none."""
        return SHAPES.get(_EACH.get(shape.name, ""))


@contextmanager
def running_in_child(target: Target, limits: Limits) -> Iterator[Running]:
    """Provide a function in a child process of its interpreter; nothing is written outside a temporary folder."""
    memory, numbers, patience = place_in_memory(), count(), Patience(limits)
    with (
        scratch_folder() as folder,
        scratch_folder(memory) as cases_folder,
        Session(target.python) as first,
        Session(target.python, hash_seed=1) as other,
    ):
        adapter = _write_adapter(folder, target)

        def control(cases: Iterable[Case]) -> Path:
            new = folder / f"control{next(numbers)}"
            if memory is not None:
                keep_in_memory(new, cases_folder, cases)
            return new

        def puts(session: Session) -> Put:
            def put(cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
                at, limits = control(cases.values()), patience.limits
                said = converse(target.python, adapter, cases, asks, at, limits, session=session)
                patience.heed(said)
                return said

            return put

        tiny = trial_probes(DEFAULT, None)[0]
        greeting = {"p000": tiny.case}, [Ask(0, "p000", (_PARAMETERS,), (tiny.k,))]
        greeted = puts(first)(*greeting)
        python = greeted.hello.python if greeted.hello is not None else ""
        running = Running(puts(first), python=python, stderr=greeted.stderr, put_again=puts(other))
        if greeted.hello is None or not isinstance(greeted.answers[0].outcome, Measured):
            yield replace(running, failed=greeted.answers[0].outcome)
            return
        # The other process loads it while this one answers; what it answers to this is not read.
        control_directory.write(started := control([tiny.case]), adapter, *greeting)
        other.child(started)
        yield _offered(running, greeted.hello.functions, target.shape)


def _offered(running: Running, functions: Sequence[str], shape: Shape | None) -> Running:
    """Return a function with the shapes, the parameters and the cut-off that the names of its adapter tell."""
    named = [re.fullmatch(r"audit_adapter\.(metric|cut|uncut|guessed)\[([^\[\]]*)\]", name) for name in functions]
    shapes = [SHAPES[found[2]] for found in named if found and found[1] == "metric" and found[2] in SHAPES]
    shapes = [each for each in shapes if each.name not in _EACH.values()] if shape is None else [shape]
    parameters = next((found for found in named if found and found[1] != "metric"), None)
    told, cutoff = (parameters[2], parameters[1]) if parameters else ("", "cut")
    if "rank" in told.partition("; columns ")[2].split(", "):
        shapes = [each.ranked if each.name.startswith(FRAMES.name) else each for each in shapes]
    of_forms = (re.fullmatch(r"audit_adapter\.metric\[(.*)/\d+\]", name) for name in functions)
    forms = Counter(found[1] for found in of_forms if found)
    failed = None if shapes else Errored("BadParameters", f"needs ({told}), which no call of ours has", "")
    return replace(running, shapes=tuple(shapes), parameters=told, cutoff=cutoff, forms=forms, failed=failed)


def running_here(function: Callable[..., Any], shape: Shape | None = None) -> Running:
    """Return a function that runs in this process; an exception becomes an outcome with its traceback.

    Args:
        function: The function.
        shape: The shape of its call; None for those that its parameters speak for.
    """
    named = shape.name if shape is not None else ""
    functions = _ANSWERS.functions_of(function, os.devnull, named, _HARNESS.number, _CALLS, _PARAMETERS_OF, _SOURCES)
    lost: list[Crashed | TimedOut] = []

    def ask(name: str, case: Case, k: int | None) -> Outcome:
        if len(lost) >= MAX_TIMEOUTS:
            return replace(lost[-1], asked=False)
        outcome = _outcome(functions[name], case, k)
        if isinstance(outcome, Crashed | TimedOut):
            lost.append(outcome)
        return outcome

    def put(cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
        answers = [
            Answer(each.id, name, each.ks[0], ask(name, cases[each.case], each.ks[0]))
            for each in asks
            for name in each.functions
        ]
        return Conversation(None, tuple(answers), 0.0)

    return _offered(Running(put, python=platform.python_version()), list(functions), shape)


def _outcome(call: Callable[[Any, int | None], Any], case: Case, k: int | None) -> Outcome:
    try:
        with _limited(SECONDS_HERE):
            value = call(as_adapter_sees(case), k)
        mean, users, values, dtype = _HARNESS.normalise(value)
    except _LateError:
        return TimedOut(SECONDS_HERE)
    except SystemExit as error:
        return Crashed(error.code if isinstance(error.code, int) else 1, "")
    except Exception as error:
        trace = "" if isinstance(error, _HARNESS.BadAnswer) else "".join(traceback.format_exception(error))
        return Errored(type(error).__name__, str(error), trace)
    return Measured(mean, users, values, dtype, 0.0)


class _LateError(BaseException):
    """Ends a call that takes too long; no handler of ordinary errors takes it for one of its own."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """End the block after some seconds: in a main thread whose alarm nobody uses, and outside a debugger.

    Raises:
        _LateError: in the block, at its next step in Python.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGALRM) != signal.SIG_DFL
    ):
        yield
        return

    def end(*_: object) -> None:
        if sys.gettrace() is None:
            raise _LateError

    signal.signal(signal.SIGALRM, end)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _write_adapter(folder: Path, target: Target) -> Path:
    adapter = folder / "adapter.py"
    shutil.copyfile(Path(_CALLER.__file__), adapter)
    for beside in (_CALLS, _ANSWERS, _PARAMETERS_OF, _SOURCES):
        shutil.copyfile(Path(beside.__file__), folder / Path(beside.__file__).name)
    shape = target.shape.name if target.shape is not None else ""
    about = {"file": str(target.file.absolute()), "function": target.function, "shape": shape}
    (folder / "target.json").write_text(json.dumps(about), encoding="utf-8")
    return adapter
