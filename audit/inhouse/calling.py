"""What is asked of an in-house function, and what it answered: in a child process, or in this one."""

from __future__ import annotations

import json
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from audit.data.synthetic import synthetic
from audit.inhouse.target import Target
from audit.observations.observation import Observation, observations
from audit.observations.rescale import recut
from audit.process.protocol import Ask, Errored, Limits, Measured, Outcome
from audit.process.worker import converse
from reference.cases import PROBES, SMALL, SOLE, Kind, Probe
from reference.input.case import Case

# Both run under old Pythons too, so they are written without types.
_HARNESS: Any = import_module("audit.process.harness")
_CALLER: Any = import_module("audit.inhouse.caller")

FUNCTION = "audit_adapter.metric"
DATA = "data"
AGAIN = 3
"""Probes asked a second time after everything else."""

_UNASKED: frozenset[Kind] = frozenset({"order", "truth_duplicates", "sole"})
"""Probes that a list and a dict cannot carry: neither holds scores, a dict holds an item once, and a function of one
user cannot rank the rows of all."""


@dataclass(frozen=True, eq=False)
class Questions:
    """Probes, and the data (asked at ``k``) that what fits them is held against; ``one_k``: all at that cut-off."""

    probes: tuple[Probe, ...]
    data: Case
    k: int
    one_k: bool = False


@dataclass(frozen=True, eq=False)
class Heard:
    """Answers of a function, the Python version that ran it, and the first words of its process where it failed
    before any answer."""

    observation: Observation
    python: str
    trouble: str = ""


def questions(*, frames: bool, k: int | None = None) -> Questions:
    """Everything that can be asked of a function that is called in this way, at several cut-offs or at ``k`` alone."""
    probes = tuple(probe for probe in (*PROBES, *SOLE, *SMALL) if frames or probe.kind not in _UNASKED)
    probes = probes if k is None else recut(probes, k)
    return Questions(probes, synthetic(12, max(60, 3 * (k or 0))).case, k or 20, k is not None)


def ask(target: Target, asked: Questions, limits: Limits) -> Heard:
    """Put the questions to a function in a child process of its interpreter, which writes nothing outside a
    temporary folder."""
    cases = {f"p{number:03}": probe.case for number, probe in enumerate(asked.probes)} | {DATA: asked.data}
    asks, probe_of = _asks(asked)
    with tempfile.TemporaryDirectory(prefix="audit-") as folder:
        adapter = _adapter(Path(folder), target)
        said = converse(target.python, adapter, cases, asks, Path(folder) / "control", limits)
    heard = observations(said.answers, probe_of, frozenset({len(asked.probes)}))[FUNCTION]
    heard = replace(heard, k=asked.k if asked.one_k else None)
    if said.hello is None:
        return Heard(heard, "", said.stderr)
    return Heard(heard, said.hello.python)


def _asks(asked: Questions) -> tuple[list[Ask], dict[int, str]]:
    """Every probe, the data, and the first probes once more; and the probe behind each ask."""
    rounds: list[Probe | None] = [*asked.probes, None, *asked.probes[:AGAIN]]
    asks, probe_of = [], {}
    for number, probe in enumerate(rounds):
        if probe is None:
            asks.append(Ask(number, DATA, (FUNCTION,), (asked.k,)))
        else:
            asks.append(Ask(number, f"p{asked.probes.index(probe):03}", (FUNCTION,), (probe.k,)))
            probe_of[number] = probe.name
    return asks, probe_of


def _adapter(folder: Path, target: Target) -> Path:
    adapter = folder / "adapter.py"
    shutil.copyfile(Path(_CALLER.__file__), adapter)
    about = {"file": str(target.file.absolute()), "function": target.function, "frames": target.frames}
    (folder / "target.json").write_text(json.dumps(about), encoding="utf-8")
    return adapter


def call(function: Callable[..., Any], asked: Questions, *, frames: bool) -> Observation:
    """Put the questions to a function of this process."""
    put = _CALLER.ask_frames if frames else _CALLER.ask_lists

    def answer(case: Case, k: int) -> Outcome:
        try:
            mean, users, values, dtype = _HARNESS.normalise(put(function, _view(case), k, _HARNESS.number))
        except Exception as error:
            trace = "" if isinstance(error, _HARNESS.BadAnswer) else "".join(traceback.format_exception(error))
            return Errored(type(error).__name__, str(error), trace)
        return Measured(mean, users, values, dtype, 0.0)

    heard: Mapping[str, Outcome] = {probe.name: answer(probe.case, probe.k) for probe in asked.probes}
    again = {probe.name: (answer(probe.case, probe.k),) for probe in asked.probes[:AGAIN]}
    one = asked.k if asked.one_k else None
    return Observation("function", heard, {asked.k: answer(asked.data, asked.k)}, again, k=one)


def _view(case: Case) -> SimpleNamespace:
    """A case as an adapter sees it."""
    return SimpleNamespace(recommended=case.predictions, relevant=case.truth)


def list_calls() -> Iterator[tuple[Probe, list[int], dict[int, float]]]:
    """Every call for one user: its probe, the items recommended, and item → gain."""
    for probe in questions(frames=False).probes:
        for _, recommended, relevant in _CALLER.lists(_view(probe.case)):
            yield probe, recommended, relevant


def frame_calls() -> Iterator[tuple[Probe, Any, Any]]:
    """Every call for all users: its probe, and predictions and truth as DataFrames."""
    for probe in questions(frames=True).probes:
        yield probe, *_CALLER.frames(_view(probe.case))
