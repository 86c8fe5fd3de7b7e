"""Runs an in-house function on its inputs, in a child process or in this one, and observes what it returns."""

from __future__ import annotations

import json
import shutil
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from audit.inhouse.function_inputs import FunctionInputs, as_adapter_sees
from audit.inhouse.target import Target
from audit.observations.observation import Observation, observations_by_function
from audit.process.protocol import Ask, Errored, Limits, Measured, Outcome
from audit.process.scratch_folder import scratch_folder
from audit.process.worker import converse
from reference.cases import Probe
from reference.input.case import Case

# Both run under old Pythons too, so they are written without types.
_HARNESS: Any = import_module("audit.process.harness")
_CALLER: Any = import_module("audit.inhouse.caller")

FUNCTION = "audit_adapter.metric"
DATA = "data"
AGAIN = 3
"""The number of probes that are asked a second time after everything else."""


@dataclass(frozen=True, eq=False)
class Execution:
    """Holds the answers of a function from a child process.

    ``python`` is the version that ran it, empty if the process ended before any answer; ``stderr`` is what it then
    wrote.
    """

    observation: Observation
    python: str
    stderr: str = ""


def run_in_child(target: Target, inputs: FunctionInputs, limits: Limits) -> Execution:
    """Run a function in a child process of its interpreter; nothing is written outside a temporary folder."""
    cases = {f"p{number:03}": probe.case for number, probe in enumerate(inputs.probes)} | {DATA: inputs.data}
    asks, probe_of = _asks(inputs)
    with scratch_folder() as folder:
        adapter = _write_adapter(folder, target)
        conversation = converse(target.python, adapter, cases, asks, folder / "control", limits)
    observation = observations_by_function(conversation.answers, probe_of, frozenset({len(inputs.probes)}))[FUNCTION]
    observation = replace(observation, k=inputs.k if inputs.one_k else None)
    if conversation.hello is None:
        return Execution(observation, "", conversation.stderr)
    return Execution(observation, conversation.hello.python)


def _asks(inputs: FunctionInputs) -> tuple[list[Ask], dict[int, str]]:
    """Return the asks of all probes, the data, and the first probes again; and the probe's name by ask."""
    order: list[Probe | None] = [*inputs.probes, None, *inputs.probes[:AGAIN]]
    asks, probe_of = [], {}
    for number, probe in enumerate(order):
        if probe is None:
            asks.append(Ask(number, DATA, (FUNCTION,), (inputs.k,)))
        else:
            asks.append(Ask(number, f"p{inputs.probes.index(probe):03}", (FUNCTION,), (probe.k,)))
            probe_of[number] = probe.name
    return asks, probe_of


def _write_adapter(folder: Path, target: Target) -> Path:
    adapter = folder / "adapter.py"
    shutil.copyfile(Path(_CALLER.__file__), adapter)
    about = {"file": str(target.file.absolute()), "function": target.function, "frames": target.frames}
    (folder / "target.json").write_text(json.dumps(about), encoding="utf-8")
    return adapter


def run_here(function: Callable[..., Any], inputs: FunctionInputs, *, frames: bool) -> Observation:
    """Run a function in this process; an exception becomes an outcome with its traceback.

    Args:
        function: the function.
        inputs: what it is called on.
        frames: whether it takes DataFrames of all users, else one user's lists.
    """
    call = _CALLER.ask_frames if frames else _CALLER.ask_lists

    def answer(case: Case, k: int) -> Outcome:
        try:
            returned = call(function, as_adapter_sees(case), k, _HARNESS.number)
            mean, users, values, dtype = _HARNESS.normalise(returned)
        except Exception as error:
            trace = "" if isinstance(error, _HARNESS.BadAnswer) else "".join(traceback.format_exception(error))
            return Errored(type(error).__name__, str(error), trace)
        return Measured(mean, users, values, dtype, 0.0)

    probes: Mapping[str, Outcome] = {probe.name: answer(probe.case, probe.k) for probe in inputs.probes}
    again = {probe.name: (answer(probe.case, probe.k),) for probe in inputs.probes[:AGAIN]}
    one = inputs.k if inputs.one_k else None
    return Observation("function", probes, {inputs.k: answer(inputs.data, inputs.k)}, again, k=one)
