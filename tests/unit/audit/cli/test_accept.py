"""``audit accept`` as a user types it: nothing is written without --yes, and never by anything automatic."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from recsys_metric_audit.audit import cli
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from tests.support import drifting_library
from tests.support.adapter_distribution import install_distribution
from tests.support.drifting_library import Audits


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> Audits:
    return Audits(monkeypatch)


def audit(*words: str) -> Result:
    return CliRunner().invoke(cli.app, [*words, "--adapters", "mine"], prog_name="audit")


def pins(folder: Path, version: str = "1.0") -> Path:
    return folder / "mine" / "drifting" / "expected" / f"{version}.json"


def test_without_yes_nothing_is_written(audits: Audits, tmp_path: Path) -> None:
    drifting_library.write(tmp_path / "mine" / "drifting", "1.0")
    done = audit("accept", "-l", "drifting")
    assert done.exit_code == 1
    assert "drifting 1.0: nothing was accepted before" in done.stdout
    assert "--yes" in done.stderr
    assert not pins(tmp_path).parent.exists()


def test_nothing_is_accepted_into_an_installed_package(audits: Audits, tmp_path: Path) -> None:
    drifting_library.write(tmp_path / "site-packages" / "drifting", "1.0")
    done = CliRunner().invoke(cli.app, ["accept", "-l", "drifting", "--yes", "--adapters", "site-packages"])
    assert done.exit_code == 2
    assert "belongs to an installed package" in done.stderr
    assert audits.built == []


def test_a_library_in_development_accepts_into_its_working_tree(
    audits: Audits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an editable install has it: the metadata in site-packages, the package in the working tree."""
    drifting_library.write(tmp_path / "tree" / "theirs" / "drifting", "1.0")
    install_distribution(tmp_path / "site-packages", "their-lib", {"adapters": "theirs"})
    for place in ("tree", "site-packages"):
        monkeypatch.syspath_prepend(tmp_path / place)
    done = CliRunner().invoke(cli.app, ["accept", "-l", "drifting", "--yes"])
    assert (done.exit_code, done.stderr.count("left out")) == (0, 0), done.stderr
    assert (tmp_path / "tree" / "theirs" / "drifting" / "expected" / "1.0.json").is_file()


def test_nothing_automatic_accepts() -> None:
    root = adapters_dir().parent
    automatic = [root / "Makefile", *root.glob(".ci/*"), *root.glob(".github/**/*.y*ml"), *root.glob("action.yml")]
    assert len(automatic) > 1
    for path in automatic:
        assert "audit accept" not in path.read_text(), path
