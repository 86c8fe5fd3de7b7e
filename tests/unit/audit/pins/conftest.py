"""Provides the library that changes its mind to the tests of what changed when."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import drifting_library


@pytest.fixture
def drifting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pin five versions, put eleven releases on an index, fake uv; return the folder of the library."""
    drifting_library.write_with_index(tmp_path, monkeypatch)
    return tmp_path / "mine" / "drifting"


@pytest.fixture
def audits(drifting: Path, monkeypatch: pytest.MonkeyPatch) -> drifting_library.Audits:
    """Make results at once in the place of whole audits."""
    return drifting_library.Audits(monkeypatch)


@pytest.fixture
def environments(drifting: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> drifting_library.Environments:
    """Put this interpreter in the place of real environments."""
    return drifting_library.Environments(tmp_path, monkeypatch)
