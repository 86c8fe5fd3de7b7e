"""New pins for a person to accept: what would change, and what cannot be accepted."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.pins.pin_check import Proposal, propose_pins
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.audit.run import Request
from tests.support import drifting_library
from tests.support.drifting_library import Audits


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    return drifting_library.write(tmp_path / "drifting", "1.0")


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> Audits:
    return Audits(monkeypatch)


def propose(manifest: Manifest, audits: Audits) -> Proposal:
    chosen = [(manifest, version) for version in manifest.versions]
    result = audits.run(cast(Request, SimpleNamespace(chosen=chosen, ks=(20,))), None)
    (proposal,) = propose_pins(chosen, result)
    return proposal


def test_the_first_pin_is_new_and_then_as_accepted(manifest: Manifest, audits: Audits) -> None:
    first = propose(manifest, audits)
    assert (first.heading, first.drifts, first.differs) == ("drifting 1.0: nothing was accepted before", (), True)
    path = first.write()
    assert path == manifest.folder / "expected" / "1.0.json"
    assert read_pin(manifest, manifest.versions[0]) == first.found
    again = propose(manifest, audits)
    assert (again.heading, again.drifts, again.differs) == ("drifting 1.0: as accepted", (), False)


def test_a_changed_definition_is_drift_until_it_is_accepted(manifest: Manifest, audits: Audits) -> None:
    propose(manifest, audits).write()
    audits.signatures["statistics.mean"] = lambda release: "precision@20|denominator:min"
    changed = propose(manifest, audits)
    assert changed.heading == "drifting 1.0: differs from what is accepted"
    assert [(drift.function, drift.kind, drift.old, drift.new) for drift in changed.drifts] == [
        ("statistics.mean", "changed", "precision@k (agrees)", "precision@k|denominator:min (variant)")
    ]
    changed.write()
    assert not propose(manifest, audits).differs


def test_a_version_that_does_not_run_keeps_its_pin(manifest: Manifest, audits: Audits) -> None:
    propose(manifest, audits).write()
    audits.broken.add("1.0")
    broken = propose(manifest, audits)
    assert (broken.found, broken.differs, broken.heading) == (None, False, "drifting 1.0: cannot be accepted")
    assert [(drift.kind, drift.new) for drift in broken.drifts] == [("broken", "unavailable: no wheel fits")]
