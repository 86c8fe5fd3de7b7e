"""Faults of an adapter are caught as such, in every library; no real adapter is suspected.

The newest version of each library is asked, and each fault is put into two adapters; ``make test-libraries``
(``AUDIT_LIBRARIES=all``) asks every version and puts every fault into five.
"""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from recsys_metric_audit.audit.behaviours.adapter_check import adapter_fault
from recsys_metric_audit.audit.behaviours.experiment_answers import ExperimentAsks, collect_answers, scenario_asks
from recsys_metric_audit.audit.behaviours.function_behaviours import functions_under_test
from recsys_metric_audit.audit.behaviours.scenarios import SINGLE_HIT
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.worker import converse

# Adapters with one fault each, made around the real ones: what a harness may get wrong without noticing.

_HEAD = """\
import importlib.util
import sys
from types import SimpleNamespace as Table

import numpy as np

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("the_real_adapter", {path!r})
real = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real)


def changed(case, **tables):
    return Table(**dict(vars(case), **tables))


def turned(table):
    return Table(**dict(vars(table), user=table.item, item=table.user))


def cut(k):
    return k


"""

_TAIL = """

def prepare(case):
    return real.prepare(mutate(case))


def wrapped(function):
    return lambda prepared, k: function(prepared, cut(k))


FUNCTIONS = {name: wrapped(function) for name, function in real.FUNCTIONS.items()}
"""

MUTANTS = {
    "columns swapped": """
def mutate(case):
    tables = {name: turned(getattr(case, name)) for name in ("recommended", "relevant", "train")}
    return changed(case, catalogue=case.users, users=case.catalogue, **tables)
""",
    "columns of the predictions swapped": """
def mutate(case):
    rec = turned(case.recommended)
    return changed(case, recommended=rec, catalogue=np.union1d(case.catalogue, rec.item))
""",
    "ascending order": """
def mutate(case):
    rec = case.recommended
    order = np.lexsort((rec.score, rec.user))
    rec = Table(user=rec.user[order], item=rec.item[order], score=1 - rec.score[order])
    return changed(case, recommended=rec)
""",
    "k + 1": """
def mutate(case):
    return case


def cut(k):
    return None if k is None else k + 1
""",
    "k - 1": """
def mutate(case):
    return case


def cut(k):
    return None if k is None else k - 1
""",
    "items of the predictions shifted": """
def mutate(case):
    rec = case.recommended
    rec = Table(user=rec.user, item=rec.item + 1, score=rec.score)
    return changed(case, recommended=rec, catalogue=np.union1d(case.catalogue, rec.item))
""",
    "items of the truth shifted": """
def mutate(case):
    rel = case.relevant
    rel = Table(user=rel.user, item=rel.item + 1, gain=rel.gain)
    return changed(case, relevant=rel, catalogue=np.union1d(case.catalogue, rel.item))
""",
    "users of the predictions shifted": """
def mutate(case):
    rec = case.recommended
    return changed(case, recommended=Table(user=rec.user + 1, item=rec.item, score=rec.score))
""",
    "predictions and truth swapped": """
def mutate(case):
    rec, rel = case.recommended, case.relevant
    return changed(
        case,
        recommended=Table(user=rel.user, item=rel.item, score=rel.gain),
        relevant=Table(user=rec.user, item=rec.item, gain=rec.score),
    )
""",
}


def mutant(real: Path, name: str) -> str:
    """Return the text of the real adapter with one fault."""
    return _HEAD.format(path=str(real)) + MUTANTS[name].strip("\n") + "\n" + _TAIL


pytestmark = pytest.mark.live

EVERY = os.environ.get("AUDIT_LIBRARIES") == "all"
MOST = None if EVERY else 1
LIBRARIES = discover([adapters_dir()])
PINNED = [
    pytest.param(manifest, version, id=f"{manifest.name}-{version.version}")
    for manifest in LIBRARIES.values()
    for version in [each for each in manifest.versions if each.unavailable is each.git is each.heavy is None][:MOST]
]
LIGHT = ("rs_metrics", "daisyrec", "recommenders", "rectools", "replay")
FAULTS = [
    (library, fault)
    for (number, fault), (place, library) in product(enumerate(MUTANTS), enumerate(LIGHT))
    if EVERY or place in (0, 1 + number % (len(LIGHT) - 1))
]


def suspected(manifest: Manifest, version: Version, adapter: Path, control: Path) -> str | None:
    """Return what the adapter check says of an adapter, asked the single-hit list and nothing else."""
    functions = manifest.functions_of(version)
    asked = scenario_asks(functions)
    own = {scenario.name for scenario in SINGLE_HIT}
    asks = [ask for ask in asked.asks if asked.about[ask.id] in own]
    place = environment.ensure(manifest, version)
    said = converse(place.python, adapter, asked.cases, asks, control, stubs=tuple(version.stubs))
    told = collect_answers(replace(asked, asks=tuple(asks)), said.answers, ExperimentAsks((), {}, {}), ())
    found = {each.name: (Observation(each.name, {}, {}), None) for each in functions}
    return adapter_fault(list(functions_under_test(functions, told, found).values()))


@pytest.mark.parametrize(("manifest", "version"), PINNED)
def test_no_real_adapter_is_suspected(manifest: Manifest, version: Version, tmp_path: Path) -> None:
    assert suspected(manifest, version, manifest.adapter_path(version), tmp_path / "control") is None


@pytest.mark.parametrize(("library", "fault"), FAULTS)
def test_every_fault_is_caught(library: str, fault: str, tmp_path: Path) -> None:
    manifest = LIBRARIES[library]
    version = manifest.versions[0]
    adapter = tmp_path / "adapter.py"
    adapter.write_text(mutant(manifest.adapter_path(version), fault))
    assert suspected(manifest, version, adapter, tmp_path / "control") is not None
