"""Hold the files that ask libraries for means alone to what their adapters give on the same data."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.data.synthetic import synthetic
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Ask, Measured
from recsys_metric_audit.audit.process.worker import converse

pytestmark = [pytest.mark.live, pytest.mark.long]

WITH_MEANS = [
    pytest.param(manifest, version, id=f"{manifest.name}-{version.version}")
    for manifest in discover([adapters_dir()]).values()
    for version in manifest.versions
    if version.means is not None
]


@pytest.mark.parametrize(("manifest", "version"), WITH_MEANS)
def test_means_asked_alone_are_those_that_the_adapter_gives(
    manifest: Manifest, version: Version, tmp_path: Path
) -> None:
    place, means = environment.ensure(manifest, version), manifest.means_path(version)
    assert means is not None
    names = {
        cut: tuple(each.name for each in manifest.functions_of(version) if each.cutoff is cut) for cut in (True, False)
    }
    asks = [Ask(n, "data", own, (1, 20) if cut else (None,)) for n, (cut, own) in enumerate(names.items()) if own]
    found = []
    for adapter in (manifest.adapter_path(version), means):
        said = converse(place.python, adapter, {"data": synthetic(60, 90).case}, asks, tmp_path / adapter.stem)
        assert said.hello is not None
        outcomes = [each.outcome for each in said.answers]
        found.append([repr(each.mean) if isinstance(each, Measured) else type(each).__name__ for each in outcomes])
    assert found[0] == found[1]
    assert any(each[0].isdigit() for each in found[0])
