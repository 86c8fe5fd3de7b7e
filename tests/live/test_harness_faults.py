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
from tests.support.mutants import MUTANTS, mutant

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
