"""Adapters of installed distributions: found without an import, and none that is broken harms the others."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries import discovery
from recsys_metric_audit.audit.libraries.installed_adapters import GROUP, installed_adapters
from tests.support import adapter_distribution
from tests.support.adapter_distribution import install_distribution
from tests.support.fake_libraries import write_library


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a folder from which packages are imported; its package ``ours`` cannot be."""
    site = tmp_path / "site-packages"
    (site / "ours").mkdir(parents=True)
    for package in (site / "ours", site / "ours" / "metrics"):
        package.mkdir(exist_ok=True)
        (package / "__init__.py").write_text("raise RuntimeError('it was imported')\n")
    monkeypatch.syspath_prepend(site)
    return site


def found() -> dict[str, str]:
    """Return the folders, or the messages, by who brings them."""
    return {
        f"{who}: {each.name}" if not isinstance(each, UserError) else who:
        each.message if isinstance(each, UserError) else str(each.folder)
        for who, each in installed_adapters()
    }  # fmt: skip


def test_the_group_is_the_one_that_is_documented() -> None:
    assert adapter_distribution.GROUP == GROUP == "recsys_metric_audit.adapters"


def test_a_package_whose_import_fails_has_its_adapters_all_the_same(site: Path) -> None:
    folder = write_library(site / "ours" / "metrics" / "adapters" / "ourlib")[0].folder
    install_distribution(site, "our-lib", {"here": "ours.metrics.adapters"})
    assert found() == {"our-lib 1.0 (entry point here = ours.metrics.adapters): ourlib": str(folder)}
    assert "ours" not in sys.modules


def test_a_namespace_package_in_several_places(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("one", "two"):
        (tmp_path / place / "spread").mkdir(parents=True)
        monkeypatch.syspath_prepend(tmp_path / place)
    folder = write_library(tmp_path / "one" / "spread" / "adapters" / "ourlib")[0].folder
    install_distribution(site, "our-lib", {"here": "spread.adapters"})
    assert list(found().values()) == [str(folder)]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("no_such_package", "there is no folder of a package no_such_package"),
        ("ours.nowhere", "there is no folder of a package ours.nowhere"),
        ("ours.__init__", "there is no folder of a package ours.__init__"),
        ("sys", "there is no folder of a package sys"),
        ("ours:adapters", "ours:adapters is not the dotted name of a package"),
        ("../ours", "../ours is not the dotted name of a package"),
        ("ours..metrics", "ours..metrics is not the dotted name of a package"),
        ("ours", "ours holds no folder with a library.toml"),
    ],
)
def test_an_entry_point_without_adapters_says_why(value: str, message: str, site: Path) -> None:
    install_distribution(site, "our-lib", {"here": value})
    ((who, said),) = found().items()
    assert who == f"our-lib 1.0 (entry point here = {value})"
    assert said.endswith(message)


def test_a_broken_library_harms_no_other(site: Path) -> None:
    write_library(site / "ours" / "adapters" / "good")
    write_library(site / "ours" / "adapters" / "broken")
    (site / "ours" / "adapters" / "broken" / "library.toml").write_text("title = \n")
    install_distribution(site, "our-lib", {"here": "ours.adapters"})
    install_distribution(site, "their-lib", {"there": "theirs.adapters"})
    libraries, remarks = discovery.discover_all([])
    assert {"good", "rs_metrics"} <= libraries.keys() and "broken" not in libraries
    broken, missing = remarks
    assert broken.startswith("our-lib 1.0 (entry point here = ours.adapters): left out: ")
    assert "broken/library.toml: no valid TOML" in broken
    assert missing == (
        "their-lib 1.0 (entry point there = theirs.adapters): left out: there is no folder of a package theirs.adapters"
    )


def test_an_installed_adapter_replaces_ours_and_a_given_one_replaces_it(site: Path, tmp_path: Path) -> None:
    folder = write_library(site / "ours" / "rs_metrics")[0].folder
    install_distribution(site, "our-lib", {"here": "ours"})
    libraries, (remark,) = discovery.discover_all([])
    assert libraries["rs_metrics"].folder == folder
    assert remark.endswith(f"{folder} replaces {discovery.adapters_dir() / 'rs_metrics'}")
    given = write_library(tmp_path / "mine" / "rs_metrics")[0].folder
    libraries, _ = discovery.discover_all([tmp_path / "mine"])
    assert libraries["rs_metrics"].folder == given
    assert list(libraries) == sorted(libraries)


def test_what_is_installed_is_not_written_to_and_a_working_tree_is(site: Path, tmp_path: Path) -> None:
    write_library(site / "ours" / "adapters" / "installed")
    install_distribution(site, "our-lib", {"here": "ours.adapters"})
    tree = tmp_path / "checkout" / "src"
    write_library(tree / "editable" / "adapters" / "in_tree")
    install_distribution(site, "their-lib", {"here": "editable.adapters"})
    (site / "their_lib.pth").write_text(f"{tree}\n")  # as an editable install has it
    sys.path.append(str(tree))
    try:
        libraries, _ = discovery.discover_all([])
    finally:
        sys.path.remove(str(tree))
    with pytest.raises(UserError, match="belongs to an installed package"):
        discovery.refuse_installed(libraries["installed"].folder)
    discovery.refuse_installed(libraries["in_tree"].folder)
