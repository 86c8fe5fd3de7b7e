"""Runs an in-house function on its inputs, in a child process or in this one, and observes what it returns."""

from __future__ import annotations

import json
import re
import shutil
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from recsys_metric_audit.audit.inhouse.function_inputs import FunctionInputs, as_adapter_sees, function_inputs
from recsys_metric_audit.audit.inhouse.hazards import K, hazard_cases
from recsys_metric_audit.audit.inhouse.shape_trial import ShapeAnswers, recognised_shape, trial_probes
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, SHAPES, Shape
from recsys_metric_audit.audit.inhouse.target import Target
from recsys_metric_audit.audit.observations.observation import Observation, observations_by_function
from recsys_metric_audit.audit.process.case_files import keep_in_memory
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Crashed,
    Errored,
    Hello,
    Limits,
    Measured,
    Outcome,
    TimedOut,
)
from recsys_metric_audit.audit.process.scratch_folder import place_in_memory, scratch_folder
from recsys_metric_audit.audit.process.session import Session
from recsys_metric_audit.audit.process.worker import converse
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.input.case import Case

# Both run under old Pythons too, so they are written without types.
_HARNESS: Any = import_module("recsys_metric_audit.audit.process.harness")
_CALLER: Any = import_module("recsys_metric_audit.audit.inhouse.calling.caller")
_CALLS: Any = import_module("recsys_metric_audit.audit.inhouse.calling.call_shapes")
_PARAMETERS_OF: Any = import_module("recsys_metric_audit.audit.inhouse.calling.call_parameters")

FUNCTION = "audit_adapter.metric"
_PARAMETERS = "audit_adapter.parameters"
DATA = "data"
_Asking = Callable[[str, Mapping[str, Case], Sequence[Ask]], Conversation]
AGAIN = 3
"""The number of probes that are asked a second time after everything else."""
_ALIKE = Errored("Unrecognised", "answers nearly all inputs alike in every call that was tried", "")


@dataclass(frozen=True, eq=False)
class Execution:
    """Holds the answers of a function from a child process.

    ``python`` is the version that ran it, empty if the process ended before any answer; ``stderr`` is what it then
    wrote. ``shape`` is how it was called, None if it was not; ``parameters`` are its parameters' names, ``?`` where
    nothing tells them, ``cutoff`` tells whether one of them is a cut-off, and ``inputs`` are those it was asked.
    ``chosen`` are inputs that were chosen for what it had answered, with its answers.
    """

    observation: Observation
    python: str
    stderr: str = ""
    shape: Shape | None = None
    parameters: str = ""
    cutoff: bool = True
    hazards: Mapping[str, Outcome] = field(default_factory=dict)
    inputs: FunctionInputs = field(default_factory=function_inputs)
    chosen: Mapping[Probe, Outcome] = field(default_factory=dict)


def run_in_child(
    target: Target,
    k: int | None,
    limits: Limits,
    metric: str | None,
    explains: Callable[[Execution], bool],
    next_inputs: Callable[[Execution], Sequence[Probe]],
    *,
    sure: bool = True,
) -> Execution:
    """Run a function in a child process of its interpreter; nothing is written outside a temporary folder.

    Args:
        target: the function; where it has no shape, the one is taken in which it agrees most with known definitions.
        k: the only cut-off to ask at; None for several.
        limits: of the process.
        metric: the metric whose definitions are tried; None for every metric.
        explains: tells whether the answers to ordinary inputs settle what the function computes; if not, it is asked
            all others, too.
        next_inputs: chooses what the function is asked next; asked until nothing is chosen.
        sure: whether the metric was told; if not, only the function's own name says it.
    """
    memory = place_in_memory()
    with scratch_folder() as folder, scratch_folder(memory) as cases_folder, Session(target.python) as session:
        adapter = _write_adapter(folder, target)

        def ask(name: str, cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
            if memory is not None:
                keep_in_memory(folder / name, cases_folder, cases.values())
            return converse(target.python, adapter, cases, asks, folder / name, limits, session=session)

        tiny = trial_probes(DEFAULT, k)[0]
        greeted = ask("hello", {"p000": tiny.case}, [Ask(0, "p000", (_PARAMETERS,), (tiny.k,))])
        if greeted.hello is None or not isinstance(greeted.answers[0].outcome, Measured):
            return _not_loaded(greeted)
        shapes, parameters, cutoff = _offered(greeted.hello)
        if not shapes:
            said = f"needs ({parameters}), which no call of ours has"
            return _not_loaded(greeted, Errored("BadParameters", said, ""))
        named = ShapeAnswers(shapes[0], (), {})
        tried = (
            named
            if target.shape is not None
            else recognised_shape(partial(_ask_probes, ask), shapes, k, metric, sure=sure)
        )
        if tried is None:
            return replace(_not_loaded(greeted, _ALIKE), parameters=parameters)
        shape, inputs = tried.shape, function_inputs(tried.shape, k)
        # At one cut-off, and with labels for a truth, all inputs are few.
        first = inputs if inputs.one_k or not shape.unlisted else inputs.ordinary
        asked = _ask_inputs(ask, first, tried, parameters, cutoff)
        execution = replace(asked, hazards=_ask_hazards(ask, shape, k))
        if first is not inputs and not _has_given_up(execution) and not explains(execution):
            execution = _with_further_inputs(ask, execution, inputs, shape)
        while not _has_given_up(execution) and (chosen := next_inputs(execution)):
            outcomes = _ask_probes(ask, f"chosen{len(execution.chosen)}", shape, chosen)
            told = {**execution.chosen, **{probe: outcomes[probe.name] for probe in chosen}}
            execution = replace(execution, chosen=told)
        return execution


def _ask_inputs(ask: _Asking, inputs: FunctionInputs, tried: ShapeAnswers, parameters: str, cutoff: bool) -> Execution:
    """Ask a function all inputs but those that it answered when its shape of call was tried."""
    function = _function(tried.shape)
    known = {name: outcome for name, outcome in tried.outcomes.items() if isinstance(outcome, Measured | Errored)}
    cases = {f"p{number:03}": probe.case for number, probe in enumerate(inputs.every)} | {DATA: inputs.data}
    asks, probe_of = _asks(inputs, tried.shape)
    answered = [each for each in asks if each.id < len(inputs.every) and probe_of[each.id] in known]
    before = [Answer(each.id, function, each.ks[0], known[probe_of[each.id]]) for each in answered]
    conversation = ask("control", cases, [each for each in asks if each not in answered])
    answers = (*before, *conversation.answers)
    found = observations_by_function(answers, probe_of, frozenset({len(inputs.every)}))[function]
    probes = {probe.name: found.probes[probe.name] for probe in inputs.every}
    observation = replace(
        found, function=FUNCTION, probes=probes, k=inputs.k if inputs.one_k else None, further_probes=inputs.further
    )
    python = conversation.hello.python if conversation.hello is not None else ""
    return Execution(observation, python, conversation.stderr, tried.shape, parameters, cutoff, inputs=inputs)


def _has_given_up(execution: Execution) -> bool:
    """Return True if the function was not asked all inputs: it ended its process or gave no answer too often."""
    outcomes = execution.observation.probes.values()
    return any(isinstance(outcome, Crashed | TimedOut) and not outcome.asked for outcome in outcomes)


def _with_further_inputs(ask: _Asking, execution: Execution, inputs: FunctionInputs, shape: Shape) -> Execution:
    """Return the execution with the answers to the inputs that were not asked so far."""
    observation = execution.observation
    left = [probe for probe in inputs.every if probe.name not in observation.probes]
    known = {**observation.probes, **_ask_probes(ask, "further", shape, left)}
    probes = {probe.name: known[probe.name] for probe in inputs.every}
    return replace(
        execution, observation=replace(observation, probes=probes, further_probes=inputs.further), inputs=inputs
    )


def _not_loaded(greeted: Conversation, why: Outcome | None = None) -> Execution:
    outcomes = {"loading": why or greeted.answers[0].outcome}
    python = greeted.hello.python if greeted.hello is not None else ""
    return Execution(Observation(FUNCTION, outcomes, {}), python, greeted.stderr)


def _function(shape: Shape) -> str:
    return f"{FUNCTION}[{shape.name}]"


def _offered(hello: Hello) -> tuple[tuple[Shape, ...], str, bool]:
    """Return the likely shapes, the likeliest first, the parameters' names, and whether there is a cut-off."""
    named = [re.fullmatch(r"audit_adapter\.(metric|cut|uncut)\[([^\[\]]*)\]", name) for name in hello.functions]
    shapes = tuple(SHAPES[found[2]] for found in named if found and found[1] == "metric" and found[2] in SHAPES)
    parameters = next((found for found in named if found and found[1] != "metric"), None)
    return (shapes, parameters[2], parameters[1] == "cut") if parameters else (shapes, "", True)


def _ask_probes(ask: _Asking, name: str, shape: Shape, probes: Sequence[Probe]) -> dict[str, Outcome]:
    return _ask_cases(ask, name, _function(shape), {probe.name: (probe.case, probe.k) for probe in probes})


def _ask_hazards(ask: _Asking, shape: Shape, k: int | None) -> dict[str, Outcome]:
    """Ask about the hazards of a function that is called for every user, also for those without a relevant item."""
    named = {name: (case, k or K) for name, case in hazard_cases(shape).items()}
    return _ask_cases(ask, "hazards", f"{_function(shape)}[everyone]", named)


def _ask_cases(
    ask: _Asking, name: str, function: str, named: Mapping[str, tuple[Case, int]]
) -> dict[str, Outcome]:  # fmt: skip
    """Ask for values on cases, each at its cut-off, in an exchange of its own name; return outcomes by case's name."""
    cases = {f"p{number:03}": case for number, (case, _) in enumerate(named.values())}
    asks = [Ask(number, f"p{number:03}", (function,), (k,)) for number, (_, k) in enumerate(named.values())]
    answers = ask(name, cases, asks).answers
    return {each: answer.outcome for each, answer in zip(named, answers, strict=True)}


def _asks(inputs: FunctionInputs, shape: Shape) -> tuple[list[Ask], dict[int, str]]:
    """Return the asks of all probes, the data, and the first probes again; and the probe's name by ask."""
    order: list[Probe | None] = [*inputs.every, None, *inputs.probes[:AGAIN]]
    asks, probe_of = [], {}
    for number, probe in enumerate(order):
        if probe is None:
            asks.append(Ask(number, DATA, (_function(shape),), (inputs.k,)))
        else:
            asks.append(Ask(number, f"p{inputs.every.index(probe):03}", (_function(shape),), (probe.k,)))
            probe_of[number] = probe.name
    return asks, probe_of


def _write_adapter(folder: Path, target: Target) -> Path:
    adapter = folder / "adapter.py"
    shutil.copyfile(Path(_CALLER.__file__), adapter)
    for beside in (_CALLS, _PARAMETERS_OF):
        shutil.copyfile(Path(beside.__file__), folder / Path(beside.__file__).name)
    shape = target.shape.name if target.shape is not None else ""
    about = {"file": str(target.file.absolute()), "function": target.function, "shape": shape}
    (folder / "target.json").write_text(json.dumps(about), encoding="utf-8")
    return adapter


def run_here(function: Callable[..., Any], inputs: FunctionInputs, shape: Shape = DEFAULT) -> Observation:
    """Run a function in this process; an exception becomes an outcome with its traceback.

    Args:
        function: the function.
        inputs: what it is called on.
        shape: how it is called.
    """
    _CALLS.read_source(function)
    call = _CALLS.Caller(function, shape.name, _PARAMETERS_OF.Parameters(function))

    def answer(case: Case, k: int) -> Outcome:
        try:
            returned = call(as_adapter_sees(case), k, _HARNESS.number)
            mean, users, values, dtype = _HARNESS.normalise(returned)
        except Exception as error:
            trace = "" if isinstance(error, _HARNESS.BadAnswer) else "".join(traceback.format_exception(error))
            return Errored(type(error).__name__, str(error), trace)
        return Measured(mean, users, values, dtype, 0.0)

    probes: Mapping[str, Outcome] = {probe.name: answer(probe.case, probe.k) for probe in inputs.every}
    again = {probe.name: (answer(probe.case, probe.k),) for probe in inputs.probes[:AGAIN]}
    one = inputs.k if inputs.one_k else None
    data: dict[int | None, Outcome] = {inputs.k: answer(inputs.data, inputs.k)}
    return Observation("function", probes, data, again, further_probes=inputs.further, k=one)
