"""Fixtures of the commands: a folder and a cache of their own, a stand-in for the audit, a library of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Audit
from tests.support.result_samples import finding, library, result

MINE = f"""\
title = "Mine"
about = "Light versions, of which one is not usual, a heavy one, and one that cannot be had."
homepage = "https://example.org"
[source]
package = "mine"
repository = "https://example.org/mine"
[[version]]
version = "3"
python = "3.11"
[[version]]
version = "2"
python = "3.11"
heavy = "it starts a machine of its own"
[[version]]
version = "4"
python = "3.11"
heavy = "it starts a machine of its own"
git = {{ commit = "{"a" * 40}", files = ["mine.py"], digest = "sha256:{"b" * 64}" }}
[[version]]
version = "0"
python = "3.11"
usual = false
[[version]]
version = "1"
python = "3.11"
unavailable = "it was taken back"
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def audited(monkeypatch: pytest.MonkeyPatch) -> Audit:
    return Audit(monkeypatch)


@pytest.fixture
def mine(tmp_path: Path, audited: Audit) -> list[str]:
    """Write a library of one's own, of whose versions 2 and 1 were audited in vain; return the options that name it."""
    (tmp_path / "adapters" / "mine").mkdir(parents=True)
    (tmp_path / "adapters" / "mine" / "library.toml").write_text(MINE)
    rows = [library("mine", "3"), library("mine", "1", status="unavailable", reason="it was taken back")]
    audited.result = result(libraries=tuple(rows), findings=(finding(library="mine", version="3"),))
    return ["--adapters", str(tmp_path / "adapters")]
