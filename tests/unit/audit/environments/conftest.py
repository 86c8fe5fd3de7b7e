"""Fixtures of environments: a uv that does what a test says, and a library with a lock that fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from tests.support.fake_libraries import FakeUv, write_library, write_lock_by_hand

Library = tuple[Manifest, Version]


@pytest.fixture
def uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeUv:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return FakeUv(tmp_path, monkeypatch)


@pytest.fixture
def library(uv: FakeUv, tmp_path: Path) -> Library:
    manifest, version = write_library(tmp_path / "fake")
    write_lock_by_hand(manifest, version)
    return manifest, version
