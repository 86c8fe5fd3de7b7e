"""library.toml: what is read, what is refused and in which words."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

import audit
from audit.errors import UserError
from audit.libraries import manifest as m
from tests.support.fake_libraries import TOML, write_library

FULL = """\
title = "Full"
about = "Every key."
homepage = "https://example.org"
[source]
package = "full-package"
[[version]]
version = "2.0.0"
python = "3.9"
requires = ["pandas<3"]
no_deps = "they are broken"
exclude_newer = "2021-10-01"
torch = "cpu"
stubs = { "tensorboard.summary" = "imported, never used" }
heavy = "torch"
timeout = 600
java = [11, 17]
build_constraints = ["setuptools<70"]
no_build_isolation = "it calls pip"
adapter = "new.py"
[[version]]
version = "1.0.0.post13"
python = "3.11"
[[function]]
name = "full.auc"
metric = "auc"
cutoff = false
claims = "auc"
claims_source = "its README"
[out_of_scope]
"full.coverage" = "no accuracy metric"
"""


def folder_with(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "library.toml").write_text(text)
    return folder


def test_every_key_is_read(tmp_path: Path) -> None:
    manifest = m.load(folder_with(tmp_path, FULL))
    newest, oldest = manifest.versions
    assert (manifest.name, manifest.title, manifest.source.package) == ("full", "Full", "full-package")
    assert newest == m.Version(
        version="2.0.0", python="3.9", requires=("pandas<3",), no_deps="they are broken",
        exclude_newer=date(2021, 10, 1), torch="cpu", stubs={"tensorboard.summary": "imported, never used"},
        heavy="torch", timeout=600, java=(11, 17), build_constraints=("setuptools<70",),
        no_build_isolation="it calls pip", adapter="new.py",
    )  # fmt: skip
    assert (oldest.requires, oldest.no_deps, oldest.torch, oldest.stubs) == ((), None, None, {})
    assert manifest.functions[0].cutoff is False
    assert [manifest.adapter_path(v).name for v in (newest, oldest)] == ["new.py", "adapter.py"]
    assert manifest.out_of_scope == {"full.coverage": "no accuracy metric"}
    assert manifest.lock_path(oldest) == tmp_path / "full" / "locks" / "1.0.0.post13.txt"
    assert manifest.expected_path(oldest) == tmp_path / "full" / "expected" / "1.0.0.post13.json"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "Full"', "", "title: is missing"),
        ('title = "Full"', 'titel = "Full"', "titel: no such key"),
        ('title = "Full"', 'folder = "/tmp"', "folder: no such key"),
        ('python = "3.9"', "", "version 2.0.0: python: is missing"),
        ('python = "3.9"', 'python = "3.9.1"', "version 2.0.0: python: "),
        ('python = "3.9"', "python = 3.9", "version 2.0.0: python: "),
        ('version = "2.0.0"', 'version = "../2"', "version ../2: version: "),
        ('torch = "cpu"', 'torch = "cuda"', "version 2.0.0: torch: "),
        ('torch = "cpu"', "offline = true", "version 2.0.0: offline: no such key"),
        ("2021-10-01", "October", "version 2.0.0: exclude_newer: "),
        ('"pandas<3"', "3", "version 2.0.0: requires: 1: "),
        ('no_deps = "they are broken"', "no_deps = true", "version 2.0.0: no_deps: "),
        ('"tensorboard.summary"', '"../tensorboard"', "version 2.0.0: stubs: ../tensorboard: "),
        ("1.0.0.post13", "2.0.0", "[[version]] 2.0.0 stands there twice"),
        ('claims_source = "its README"', "", "function full.auc: claims without claims_source"),
        ("full.coverage", "full.auc", "full.auc stands under [[function]] and under [out_of_scope]"),
        ("[source]", "[source", "no valid TOML"),
        ('adapter = "new.py"', 'adapter = "../new.py"', "version 2.0.0: adapter: "),
        ('adapter = "new.py"', 'log = "gone"', "say in `unavailable` what failed"),
        ('metric = "auc"', 'metric = "auc"\nversions = [">=3"]', "full.auc: '>=3' covers no [[version]]"),
    ],
)
def test_a_fault_is_named_with_file_and_key(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in FULL
    folder = folder_with(tmp_path, FULL.replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        m.load(folder)
    assert f"{folder / 'library.toml'}: " in caught.value.message
    assert said in caught.value.message
    assert "adapters/README.md" in caught.value.hint


def test_a_function_is_that_of_its_version(tmp_path: Path) -> None:
    more = """
[[function]]
name = "full.ap"
metric = "average_precision"
versions = [">=2"]
[[function]]
name = "full.map"
metric = "average_precision"
claims = "average_precision@k"
claims_source = "new README"
[[function.claim]]
versions = ["<2"]
claims = "average_precision@k|denominator:k"
claims_source = "old README"
[[function.claim]]
versions = ["ab12cd34"]
"""
    text = FULL.replace("[out_of_scope]", more + "[out_of_scope]").replace(
        "[[function]]", '[[version]]\nversion = "ab12cd34"\npython = "3.11"\n[[function]]', 1
    )
    manifest = m.load(folder_with(tmp_path, text))
    said = {
        v.version: {f.name: (f.claims, f.claims_source) for f in manifest.functions_of(v)} for v in manifest.versions
    }
    new, old = ("average_precision@k", "new README"), ("average_precision@k|denominator:k", "old README")
    auc = ("auc", "its README")
    assert said == {
        "2.0.0": {"full.auc": auc, "full.ap": (None, None), "full.map": new},
        "1.0.0.post13": {"full.auc": auc, "full.map": old},
        "ab12cd34": {"full.auc": auc, "full.map": (None, None)},
    }


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    text = FULL.replace('title = "Full"', "").replace('metric = "auc"', 'metric = "Area under"')
    with pytest.raises(UserError) as caught:
        m.load(folder_with(tmp_path, text))
    assert ["title" in line or "metric" in line for line in caught.value.message.splitlines()] == [True, True]


def test_the_folders_are_the_registry(tmp_path: Path) -> None:
    for name in ("zeta", "alpha", "_hidden", ".git"):
        write_library(tmp_path / "a" / name)
    (tmp_path / "a" / "empty").mkdir()
    (tmp_path / "a" / "README.md").touch()
    assert list(m.discover([tmp_path / "a"])) == ["alpha", "zeta"]


def test_a_later_directory_adds_and_replaces(tmp_path: Path) -> None:
    write_library(tmp_path / "a" / "one")
    write_library(tmp_path / "a" / "two")
    write_library(tmp_path / "b" / "two")
    write_library(tmp_path / "b" / "three")
    found = m.discover([tmp_path / "a", tmp_path / "b"])
    assert {name: one.folder.parent.name for name, one in found.items()} == {"one": "a", "three": "b", "two": "b"}


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such directory"):
        m.discover([tmp_path / "nowhere"])
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "adapter.py").touch()
    with pytest.raises(UserError, match=r"half/library\.toml: cannot be read"):
        m.discover([tmp_path])


@pytest.fixture
def libraries(tmp_path: Path) -> dict[str, m.Manifest]:
    second = TOML.format(python="3.11", more='[[version]]\nversion = "1.1.0"\npython = "3.11"')
    for name, package in (("rs_metrics", "rs-metrics"), ("recommenders", "recommenders"), ("replay", "replay-rec")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "library.toml").write_text(second.replace("fake-metrics", package))
    return m.discover([tmp_path])


def names(chosen: list[tuple[m.Manifest, m.Version]]) -> list[str]:
    return [f"{manifest.name}=={version.version}" for manifest, version in chosen]


def test_selection(libraries: dict[str, m.Manifest]) -> None:
    assert len(m.select(libraries)) == 6
    assert names(m.select(libraries, ["rs_metrics"])) == ["rs_metrics==1.2.0", "rs_metrics==1.1.0"]
    asked = ["rs_metrics==1.1.0", "replay == 1.2.0", "rs_metrics"]
    assert names(m.select(libraries, asked)) == ["rs_metrics==1.1.0", "replay==1.2.0", "rs_metrics==1.2.0"]


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("rs-metrics", "did you mean rs_metrics?"),
        ("RS_Metric==1.2.0", "did you mean rs_metrics?"),
        ("replay-rec", "did you mean replay?"),
        ("recomenders", "did you mean recommenders?"),
        ("xyzzy", "`audit list` shows the libraries there are"),
        ("", "`audit list` shows the libraries there are"),
    ],
)
def test_an_unknown_library_suggests_the_nearest(libraries: dict[str, m.Manifest], typed: str, hint: str) -> None:
    with pytest.raises(UserError, match="no library is called") as caught:
        m.select(libraries, [typed])
    assert caught.value.hint == hint


@pytest.mark.parametrize("typed", ["rs_metrics==9", "rs_metrics==", "rs_metrics==1.2"])
def test_an_unknown_version_lists_those_pinned(libraries: dict[str, m.Manifest], typed: str) -> None:
    with pytest.raises(UserError, match="is not pinned") as caught:
        m.select(libraries, [typed])
    assert caught.value.hint == "pinned are 1.2.0, 1.1.0"


def test_nothing_is_written_into_an_installed_package(tmp_path: Path) -> None:
    packaged = tmp_path / "lib" / "python3.11" / "site-packages" / "audit" / "_adapters" / "rs_metrics"
    packaged.mkdir(parents=True)
    link = tmp_path / "mine"
    link.symlink_to(packaged)
    for place in (packaged, link, Path(audit.__file__).parent / "_adapters"):
        assert m.is_installed_package(place)
        with pytest.raises(UserError, match="installed package"):
            m.refuse_installed(place)
    assert not m.is_installed_package(tmp_path)


def test_the_checkouts_own_adapters_are_found() -> None:
    own = m.adapters_dir()
    assert (own / "README.md").is_file()
    assert not m.is_installed_package(own)
    assert "rs_metrics" in m.discover([own])


def test_listing_needs_no_numpy() -> None:
    code = (
        "import sys; from audit.libraries import manifest as m; m.discover([m.adapters_dir()]);"
        "print(sorted({'numpy', 'pandas', 'pyarrow'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
