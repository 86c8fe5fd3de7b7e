"""Digests of what findings are made of: each part of it acts, and what cannot act does not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.libraries.known import KnownDefinitions
from recsys_metric_audit.audit.libraries.manifest import Manifest, load
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run import finding_store
from recsys_metric_audit.audit.run.finding_store import maker_digest, request_digest
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from tests.support.one_metric_library import GOOD, TOML

ROOT = adapters_dir().parent
DATA = data.load("synthetic:5x20")


def library(folder: Path) -> Manifest:
    folder.mkdir(exist_ok=True)
    (folder / "library.toml").write_text(TOML)
    (folder / "adapter.py").write_text(GOOD)
    return load(folder)


def request(manifest: Manifest) -> Request:
    return Request(((manifest, manifest.versions[0]),), DATA, (1, 5), 1, Limits(), "audit run", "ease")


@pytest.fixture
def code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Digest no thousand files for each test."""
    monkeypatch.setattr(finding_store, "_code_at_first", lambda: ("code", []))


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    return library(tmp_path / "good")


@pytest.mark.parametrize(
    "change",
    [
        {"ks": (5, 1)},
        {"recommender": "popular"},
        {"dataset": replace(DATA, name="other")},
        {"dataset": replace(DATA, case=replace(DATA.case, threshold=2.0))},
        {"others": {"popular": DATA.case}},
        {"canonical": {"ndcg": parse("ndcg|gain:exp2")}},
    ],
)
def test_data_and_options_act(manifest: Manifest, change: dict[str, object]) -> None:
    asked = request(manifest)
    (version,) = manifest.versions
    changed = replace(asked, **change)  # type: ignore[arg-type]
    assert request_digest(manifest, version, asked) == request_digest(manifest, version, request(manifest))
    assert request_digest(manifest, version, changed) != request_digest(manifest, version, asked)


@pytest.mark.usefixtures("code")
def test_the_number_of_processes_and_the_command_do_not_act(manifest: Manifest) -> None:
    asked = request(manifest)
    other = replace(asked, jobs=2, command="audit run --jobs 2")
    for digest in (lambda each: request_digest(manifest, manifest.versions[0], each),
                   lambda each: maker_digest(manifest, each)):  # fmt: skip
        assert digest(other) == digest(asked)


@pytest.mark.usefixtures("code")
def test_the_definitions_that_are_tried_first_act(manifest: Manifest) -> None:
    asked = request(manifest)
    known = replace(asked, known=KnownDefinitions(of_metric={"precision": (Definition.of("precision"),)}))
    assert maker_digest(manifest, known) != maker_digest(manifest, asked)


CHANGES: dict[str, Callable[[Path], object]] = {
    "adapter": lambda folder: (folder / "adapter.py").write_text(GOOD + "\n"),
    "script": lambda folder: (folder / "script.py.txt").write_text("{% extends 'base.py.txt' %}"),
    "claim": lambda folder: (folder / "library.toml").write_text(TOML + 'claims = "precision"\nwhere = "README"\n'),
}


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize("name", CHANGES)
def test_the_files_of_the_library_act(manifest: Manifest, name: str) -> None:
    before = maker_digest(manifest, request(manifest))
    CHANGES[name](manifest.folder)
    changed = load(manifest.folder)
    assert maker_digest(changed, request(changed)) != before


def test_our_own_code_acts_at_once_where_it_is_looked_at_anew(
    manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "packages" / "made_up"
    (package / "room").mkdir(parents=True)
    (package / "room" / "module.py").write_text("ONE = 1\n")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.setattr(finding_store, "_PACKAGES", ("made_up",))
    finding_store._code_at_first.cache_clear()
    before = maker_digest(manifest, request(manifest))
    assert maker_digest(manifest, request(manifest), anew=True) == before
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "module.pyc").write_bytes(b"compiled")
    assert maker_digest(manifest, request(manifest), anew=True) == before
    (package / "room" / "module.py").write_text("ONE = 11\n")
    assert maker_digest(manifest, request(manifest), anew=True) != before
    assert maker_digest(manifest, request(manifest)) == before  # what this process runs
    finding_store._code_at_first.cache_clear()
    assert maker_digest(manifest, request(manifest)) != before
    finding_store._code_at_first.cache_clear()


def test_all_packages_of_this_project_are_read() -> None:
    read = {path.name for name in finding_store._PACKAGES for place in finding_store._places(name)
            for path in finding_store._files_below(Path(place))}  # fmt: skip
    assert {"ndcg.py", "verdict.py", "labels.py", "base.py.txt", "result.py", "finding_store.py"} <= read


EDITS = """
import sys
from pathlib import Path

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run import finding_store
from recsys_metric_audit.audit.run.request import Request

library, checkout = load(Path(sys.argv[1])), Path(sys.argv[2])
assert Path(finding_store.__file__).is_relative_to(checkout)
request = Request(((library, library.versions[0]),), data.load("synthetic:5x20"), (1,), 1, Limits(), "audit", "ease")
digests = [finding_store.maker_digest(library, request)]
for edited in sys.argv[3:]:
    with (checkout / edited).open("a") as file:
        file.write("# edited\\n")
    finding_store._code_at_first.cache_clear()
    digests.append(finding_store.maker_digest(library, request))
print(len(set(digests)))
"""


@pytest.mark.slow
def test_an_edit_behind_each_link_of_a_checkout_acts(tmp_path: Path) -> None:
    """A walk through the package does not enter its links: all of the code would be one file."""
    library(tmp_path / "good")
    checkout = tmp_path / "checkout"
    shutil.copytree(ROOT / "recsys_metric_audit", checkout / "recsys_metric_audit", symlinks=True)
    for folder in ("audit", "reference", "reports"):
        shutil.copytree(ROOT / folder, checkout / folder, ignore=shutil.ignore_patterns("__pycache__"))
    edited = ("audit/findings/verdict.py", "reference/metrics/ndcg.py", "reports/wording/labels.py")
    words = [sys.executable, "-c", EDITS, str(tmp_path / "good"), str(checkout), *edited]
    shown = {**os.environ, "PYTHONPATH": str(checkout)}
    done = subprocess.run(words, cwd=tmp_path, env=shown, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == 1 + len(edited), "each edit gives another digest"
