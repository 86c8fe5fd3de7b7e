"""Badges say in a few words what a library means by a metric."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from recsys_metric_audit.audit import cli
from tests.support import drifting_library
from tests.support.drifting_library import Audits


def audit(*words: str) -> Result:
    return CliRunner().invoke(cli.app, [*words, "--adapters", "mine"], prog_name="audit")


@pytest.fixture
def audits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Audits:
    monkeypatch.chdir(tmp_path)
    drifting_library.write(tmp_path / "mine" / "drifting", "2.0", "1.1")
    return Audits(monkeypatch)


def test_the_newest_version_is_drawn(audits: Audits, tmp_path: Path) -> None:
    done = audit("badge", "drifting", "--metric", "precision", "--out", "badge.svg")
    assert done.exit_code == 0, done.output
    assert audits.built == ["2.0"]
    root = ET.fromstring((tmp_path / "badge.svg").read_bytes())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {"Precision", "divided by the items shown"} <= {(element.text or "").strip() for element in root.iter()}
    assert [path.name for path in tmp_path.iterdir() if "badge" in path.name] == ["badge.svg"]


def test_shields_draws_the_other_form(audits: Audits) -> None:
    done = audit("badge", "drifting==1.1", "--metric", "precision", "--format", "json")
    document = json.loads(done.stdout)
    assert set(document) == {"schemaVersion", "label", "message", "color"}
    assert (document["schemaVersion"], document["label"], document["message"]) == (
        1, "Precision", "canonical formula",
    )  # fmt: skip


@pytest.mark.slow
def test_what_was_accepted_is_not_run_again(audits: Audits) -> None:
    assert audit("accept", "-l", "drifting", "--yes").exit_code == 0
    audits.built.clear()
    assert audit("badge", "drifting", "--metric", "recall").exit_code == 0
    assert audits.built == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("drifting", "--metric", "ndcg"), "no function called ndcg"),
        (("nobody", "--metric", "ndcg"), "no library is called 'nobody'"),
        (("drifting", "--metric", "recall", "--out", "/dev/null/badge.svg"), "cannot be written"),
    ],
)
def test_bad_usage(words: tuple[str, ...], said: str, audits: Audits) -> None:
    done = audit("badge", *words)
    assert done.exit_code == 2
    assert said in done.stderr
