"""Which libraries there are, which are chosen, and where nothing may be written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries import discovery
from recsys_metric_audit.audit.libraries import manifest as m
from tests.support.fake_libraries import TOML, write_library


def test_the_folders_are_the_registry(tmp_path: Path) -> None:
    for name in ("zeta", "alpha", "_hidden", ".git"):
        write_library(tmp_path / "a" / name)
    (tmp_path / "a" / "empty").mkdir()
    (tmp_path / "a" / "README.md").touch()
    assert list(discovery.discover([tmp_path / "a"])) == ["alpha", "zeta"]


def test_a_later_directory_adds_and_replaces(tmp_path: Path) -> None:
    write_library(tmp_path / "a" / "one")
    write_library(tmp_path / "a" / "two")
    write_library(tmp_path / "b" / "two")
    write_library(tmp_path / "b" / "three")
    found = discovery.discover([tmp_path / "a", tmp_path / "b"])
    assert {name: one.folder.parent.name for name, one in found.items()} == {"one": "a", "three": "b", "two": "b"}


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such directory"):
        discovery.discover([tmp_path / "nowhere"])
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "adapter.py").touch()
    with pytest.raises(UserError, match=r"half/library\.toml: cannot be read"):
        discovery.discover([tmp_path])


@pytest.fixture
def libraries(tmp_path: Path) -> dict[str, m.Manifest]:
    second = TOML.format(python="3.11", more='[[version]]\nversion = "1.1.0"\npython = "3.11"')
    for name, package in (("rs_metrics", "rs-metrics"), ("recommenders", "recommenders"), ("replay", "replay-rec")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "library.toml").write_text(second.replace("fake-metrics", package))
    return discovery.discover([tmp_path])


def names(chosen: list[tuple[m.Manifest, m.Version]]) -> list[str]:
    return [f"{manifest.name}=={version.version}" for manifest, version in chosen]


def test_selection(libraries: dict[str, m.Manifest]) -> None:
    assert len(discovery.select(libraries)) == 6
    assert names(discovery.select(libraries, ["rs_metrics"])) == ["rs_metrics==1.2.0", "rs_metrics==1.1.0"]
    asked = ["rs_metrics==1.1.0", "replay == 1.2.0", "rs_metrics"]
    assert names(discovery.select(libraries, asked)) == ["rs_metrics==1.1.0", "replay==1.2.0", "rs_metrics==1.2.0"]


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("rs-metrics", "did you mean rs_metrics?"),
        ("RS_Metric==1.2.0", "did you mean rs_metrics?"),
        ("replay-rec", "did you mean replay?"),
        ("recomenders", "did you mean recommenders?"),
        ("nope", "`audit list` shows the libraries there are"),
        ("xyzzy", "`audit list` shows the libraries there are"),
        ("", "`audit list` shows the libraries there are"),
    ],
)
def test_an_unknown_library_suggests_the_nearest(libraries: dict[str, m.Manifest], typed: str, hint: str) -> None:
    with pytest.raises(UserError, match="no library is called") as caught:
        discovery.select(libraries, [typed])
    assert caught.value.hint == hint


@pytest.mark.parametrize("typed", ["rs_metrics==9", "rs_metrics==", "rs_metrics==1.2"])
def test_an_unknown_version_lists_those_pinned(libraries: dict[str, m.Manifest], typed: str) -> None:
    with pytest.raises(UserError, match="is not pinned") as caught:
        discovery.select(libraries, [typed])
    assert caught.value.hint == "pinned are 1.2.0, 1.1.0"


def test_nothing_is_written_into_an_installed_package(tmp_path: Path) -> None:
    packaged = tmp_path / "lib" / "python3.11" / "site-packages" / "recsys_metric_audit" / "adapters" / "rs_metrics"
    packaged.mkdir(parents=True)
    link = tmp_path / "mine"
    link.symlink_to(packaged)
    for place in (packaged, link):
        assert discovery.is_installed_package(place)
        with pytest.raises(UserError, match="installed package"):
            discovery.refuse_installed(place)
    assert not discovery.is_installed_package(tmp_path)


def test_the_checkouts_own_adapters_are_found() -> None:
    own = discovery.adapters_dir()
    assert (own / "README.md").is_file()
    assert not discovery.is_installed_package(own)
    assert "rs_metrics" in discovery.discover([own])


@pytest.mark.slow
def test_listing_needs_no_numpy() -> None:
    code = (
        "import sys; from recsys_metric_audit.audit.libraries import discovery; "
        "discovery.discover([discovery.adapters_dir()]); "
        "print(sorted({'numpy', 'pandas', 'pyarrow'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
