"""One fake library of many functions, asked out of process as libraries are, and identified."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from audit.identify import identify
from audit.observation import observations
from audit.protocol import Ask, Limits
from audit.worker import converse
from bench.diagnosis.judging import Judged, judge
from bench.diagnosis.seeded import Fault
from reference.cases import PROBES, SMALL

FAKES = Path(__file__).with_name("fakes")
ORACLE = Path(__file__).parents[2] / "tests" / "unit" / "reference"


def ask(faults: Sequence[Fault]) -> list[Judged]:
    """What identification says of each of ``faults``."""
    names = tuple(f"audit_adapter.fake[{number}]" for number in range(len(faults)))
    probes = (*PROBES, *SMALL)
    cases = {f"p{number:03}": probe.case for number, probe in enumerate(probes)}
    asks = [Ask(n, f"p{n:03}", names, (probe.k,), fresh=False) for n, probe in enumerate(probes)]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        adapter = _library(Path(folder), faults, names)
        said = converse(Path(sys.executable), adapter, cases, asks, Path(folder) / "control", Limits(seconds=600))
    if said.hello is None or not said.hello.functions:
        raise RuntimeError(f"the fake library does not start: {said.stderr or said.answers[0].outcome}")
    heard = observations(said.answers, {n: probe.name for n, probe in enumerate(probes)}, frozenset())
    return [
        judge(fault, heard[name], identify(heard[name], fault.definition.metric))
        for fault, name in zip(faults, names, strict=True)
    ]


def _library(folder: Path, faults: Sequence[Fault], names: Sequence[str]) -> Path:
    for source in (*FAKES.glob("*.py"), *ORACLE.glob("oracle*.py")):
        shutil.copy(source, folder)
    told = [
        {"name": name, "metric": fault.definition.metric, "values": fault.definition.axes, "number": fault.number,
         "wrong": fault.wrong}
        for fault, name in zip(faults, names, strict=True)
    ]  # fmt: skip
    (folder / "faults.json").write_text(json.dumps(told), encoding="utf-8")
    return folder / "adapter.py"
