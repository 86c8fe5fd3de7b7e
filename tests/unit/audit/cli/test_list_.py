"""``audit list``: every library and version, and those that ``--adapters`` adds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from tests.support.adapter_distribution import install_distribution
from tests.support.command_line import audit


def test_list_names_every_library_and_version() -> None:
    entries = json.loads(audit("list", "--format", "json").stdout)
    names = sorted(path.parent.name for path in adapters_dir().glob("*/library.toml"))
    assert [entry["library"] for entry in entries] == names
    found = next(entry for entry in entries if entry["library"] == "rs_metrics")
    assert found["versions"][0] == {
        "version": "0.6.0", "python": "3.11", "environment": "missing", "usual": True, "heavy": None,
        "unavailable": None,
    }  # fmt: skip
    lines = audit("list").stdout.splitlines()
    assert len(lines) == 1 + sum(len(entry["versions"]) for entry in entries)
    assert lines[0].split() == ["library", "version", "python", "environment", "functions"]


def test_adapters_adds_and_replaces(tmp_path: Path) -> None:
    mine = tmp_path / "more" / "rs_metrics"
    shutil.copytree(adapters_dir() / "rs_metrics", mine)
    shutil.copytree(mine, mine.with_name("mine"))
    text = (mine / "library.toml").read_text()
    (mine / "library.toml").write_text(text.replace('title = "rs_metrics"', 'title = "My own"'))
    entries = json.loads(audit("list", "--format", "json", "--adapters", "more").stdout)
    titles = {entry["library"]: entry["title"] for entry in entries}
    assert titles["rs_metrics"] == "My own"
    assert titles["mine"] == "rs_metrics"
    assert "recbole" in titles


def test_installed_adapters_are_listed_and_a_broken_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    shutil.copytree(adapters_dir() / "rs_metrics", tmp_path / "ours" / "adapters" / "ourlib")
    install_distribution(tmp_path, "our-lib", {"here": "ours.adapters", "gone": "ours.nowhere"})
    done = audit("list", "--format", "json")
    assert done.exit_code == 0
    assert {"ourlib", "rs_metrics"} <= {entry["library"] for entry in json.loads(done.stdout)}
    said = "our-lib 1.0 (entry point gone = ours.nowhere): left out: there is no folder of a package ours.nowhere\n"
    assert done.stderr == said
