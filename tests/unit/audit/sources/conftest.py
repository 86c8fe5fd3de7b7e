"""A repository with one commit, an adapter that pins it, and a cache folder of the test's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.libraries.manifest import Manifest
from tests.support.git_libraries import write_adapter, write_repository


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    write_repository(folder)
    return folder


@pytest.fixture
def manifest(tmp_path: Path, repository: Path) -> Manifest:
    return write_adapter(tmp_path / "adapters" / "tiny", ("1.0", repository))


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
