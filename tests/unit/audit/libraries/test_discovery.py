"""Hold how adapters are found, inherited and checked against their contract."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries import discovery
from recsys_metric_audit.audit.libraries import manifest as m
from recsys_metric_audit.audit.libraries.discovery import GROUP, installed_adapters
from recsys_metric_audit.audit.libraries.function import Function, Gains, Input, Made, Takes, Truth
from recsys_metric_audit.audit.libraries.library_file import complaints, with_inherited
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.libraries.metric_name import known_metric, metric_of_relevance
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.contract_words import MEANING, RULED_OUT
from tests.support import adapter_distribution
from tests.support.adapter_distribution import install_distribution
from tests.support.fake_libraries import TOML, write_library

# Which libraries there are, which are chosen, and where nothing may be written.


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
        with pytest.raises(UserError, match="installed package"):
            discovery.refuse_installed(place)
    discovery.refuse_installed(tmp_path)


def test_the_checkouts_own_adapters_are_found() -> None:
    own = discovery.adapters_dir()
    assert (own / "README.md").is_file()
    discovery.refuse_installed(own)
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


# Adapters of installed distributions: found without an import, and none that is broken harms the others.


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


# What a version takes over from the one that it is like.

BASE = {
    "version": "2.0", "python": "3.11", "requires": ["numpy"], "usual": False, "unavailable": "it fails", "log": "so",
    "stubs": {"torch": "for models", "ray": "for tuning"},
}  # fmt: skip


def rows(*given: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = with_inherited({"title": "T", "version": list(given)})["version"]
    return found


def test_what_is_not_said_is_inherited_but_for_what_a_version_is_by_itself() -> None:
    assert rows(BASE, {"version": "1.0", "like": "2.0", "python": "3.9"})[1] == {
        "version": "1.0", "python": "3.9", "requires": ["numpy"], "stubs": {"torch": "for models", "ray": "for tuning"},
    }  # fmt: skip


def test_tables_are_inherited_key_by_key() -> None:
    own = {"version": "1.0", "like": "2.0", "stubs": {"ray": "for nothing", "six": "for Python 2"}}
    assert rows(BASE, own)[1]["stubs"] == {"torch": "for models", "ray": "for nothing", "six": "for Python 2"}
    assert BASE["stubs"] == {"torch": "for models", "ray": "for tuning"}


def test_a_version_may_be_like_one_that_inherits_and_that_stands_below() -> None:
    found = rows(
        {"version": "3", "like": "2"}, {"version": "2", "like": "1", "torch": "cpu"}, {"version": "1", "java": [8]}
    )
    assert found == [
        {"version": "3", "torch": "cpu", "java": [8]},
        {"version": "2", "torch": "cpu", "java": [8]},
        {"version": "1", "java": [8]},
    ]


def test_a_version_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match=r"^version 1: like: there is no \[\[version\]\] '9', but 2, 1$"):
        rows({"version": "2"}, {"version": "1", "like": "9"})


def test_a_circle_is_named() -> None:
    with pytest.raises(ValueError, match=r"^version 1: like: 1 is like 2 is like 1, "):
        rows({"version": "1", "like": "2"}, {"version": "2", "like": "1"})


@pytest.mark.parametrize("document", [{}, {"version": "1"}, {"version": ["1"]}])
def test_what_is_no_table_is_left_to_the_validation(document: dict[str, Any]) -> None:
    assert with_inherited(document) == document


# What a function takes rules axes out, each with a reason.

AXES = {axis.name for metric in FAMILIES.values() for axis in metric.all_axes}


def test_every_word_has_its_meaning_and_its_rules() -> None:
    words = {*get_args(Input), *get_args(Truth), *get_args(Gains)}
    assert set(MEANING) == set(RULED_OUT) == words
    assert {axis for rules in RULED_OUT.values() for axis in rules} <= AXES


@pytest.mark.parametrize(
    ("takes", "axes"),
    [
        (Takes(), set()),
        (Takes(input="ranked"), {"order", "ties", "tied_scores", "counted_scores"}),
        (Takes(input="ranks"), {"order", "ties", "tied_scores", "counted_scores"}),
        (Takes(input="matrix"), {"order", "duplicates"}),
        (Takes(input="labels"), {"relevance", "truth_duplicates", "unlisted", "candidates", "truth", "no_list"}),
        (Takes(input="pairs"), {"order", "ties", "positions"}),
        (Takes(truth="set"), {"truth_duplicates", "relevance"}),
        (Takes(truth="list"), {"relevance"}),
        (Takes(gains="whole"), set()),
        (Takes(input="pairs", truth="set"), {"order", "ties", "positions", "truth_duplicates", "relevance"}),
    ],
)
def test_what_cannot_be_asked(takes: Takes, axes: set[str]) -> None:
    assert set(takes.ruled_out()) == axes
    assert all(takes.ruled_out().values())


def test_what_the_adapter_decides_is_ruled_out_with_the_adapters_words() -> None:
    made = Made(what="labels: 1 from the threshold up", decides=("relevance",))
    function = Function.model_validate({"name": "f", "metric": "ndcg", "called_with": (made,)})
    assert function.ruled_out == {"relevance": "the adapter's doing: labels: 1 from the threshold up"}


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(ValidationError):
        Takes.model_validate({"input": "lists"})


def test_a_contract_in_words() -> None:
    said = Takes(input="matrix", truth="set", gains="whole").in_words()
    assert said.startswith("a score for every item") and said.endswith("whole gains from 0 up only")


def test_a_library_toml_states_contracts_and_what_the_adapter_makes(tmp_path: Path) -> None:
    manifest, _ = write_library(tmp_path / "fake")
    with (manifest.folder / "library.toml").open("a") as file:  # [[function]] stands last
        file.write('takes = { input = "ranked" }\ncalled_with = [{ what = "a mask", decides = ["duplicates"] }]\n')
    (stated,) = load(manifest.folder).functions
    assert set(stated.ruled_out) == {"order", "ties", "tied_scores", "counted_scores", "duplicates"}


# How a fault of a library.toml is called: the table by its name, the key, what is wrong.


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = ""
    version: str = ""
    paths: list[str] = []
    number: int | bool = 0
    words: dict[str, int] = {}


class Document(BaseModel):
    row: list[Row]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"name": "f", "nummer": 1}, ["row f: nummer: no such key; did you mean number?"]),
        ({"version": "1.0", "xyzzy": 1}, ["row 1.0: xyzzy: no such key"]),
        ({"paths": ["a.{name}"], "words": {"one": "1x"}},
         ["row a.{name}: words: one: Input should be a valid integer, unable to parse string as an integer"]),
        ({"words": 3}, ["row number 1: words: Input should be a valid dictionary"]),
        ({"name": "f", "number": "?"},
         ["row f: number: Input should be a valid integer, unable to parse string as an integer",
          "row f: number: Input should be a valid boolean, unable to interpret input"]),
        ({"name": "f", "paths": ["a", 1]}, ["row f: paths: 2: Input should be a valid string"]),
    ],
)  # fmt: skip
def test_a_fault_is_called_by_table_and_key(row: dict[str, Any], expected: list[str]) -> None:
    document = {"row": [row]}
    with pytest.raises(ValidationError) as caught:
        Document.model_validate(document)
    assert complaints(caught.value, document, ["number", "name"]) == expected


def test_a_table_that_is_missing_is_named() -> None:
    with pytest.raises(ValidationError) as caught:
        Document.model_validate({})
    assert complaints(caught.value, {}, []) == ["row: is missing"]


# What a metric is called by users, and what they are told of a wrong name.


def test_an_unknown_metric_is_refused_with_the_nearest() -> None:
    assert known_metric("ndcg") == "ndcg"
    assert known_metric("MAP@10") == "average_precision"
    with pytest.raises(UserError) as refused:
        known_metric("ndgc")
    assert refused.value.hint.startswith("did you mean ndcg?")


def test_a_metric_of_the_items_shown_is_refused_where_relevance_is_asked() -> None:
    assert known_metric("item coverage") == "catalogue_coverage"
    assert metric_of_relevance("MAP@10") == "average_precision"
    with pytest.raises(UserError, match="catalogue_coverage reads which items are shown"):
        metric_of_relevance("coverage")
