"""Known definitions: canonical ones, the catalogue, and what is pinned; a damaged pin takes nothing from the others."""

from __future__ import annotations

from pathlib import Path

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.known import KnownDefinitions
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.pins.known_definitions import known_definitions
from recsys_metric_audit.audit.pins.pin_file import write_pin
from recsys_metric_audit.reference.catalogue.lookup import CATALOGUE
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation
from tests.support.one_metric_library import GOOD, TOML

UNUSUAL = "precision@k|denominator:shown|mean:geometric"


def expectation(**given: object) -> FunctionExpectation:
    fields = {"metric": "precision", "status": "measured", "verdict": "variant", "formulas": (UNUSUAL,), **given}
    return FunctionExpectation.model_validate(fields)


def known(folder: Path, pinned: FunctionExpectation) -> KnownDefinitions:
    """Return what is known where a function `f` is pinned."""
    (folder / "library.toml").write_text(TOML)
    (folder / "adapter.py").write_text(GOOD)
    manifest = load(folder)
    (version,) = manifest.versions
    pin = VersionExpectation(
        library=manifest.name, version=version.version, dataset="synthetic:100x200", k=20, functions={"f": pinned}
    )
    write_pin(manifest, version, pin)
    return known_definitions([manifest])


def test_every_metric_has_its_canonical_definition_first_and_those_of_the_catalogue() -> None:
    made = known_definitions().of_metric
    assert set(made) == set(FAMILIES)
    assert all(own[0] == shortest(Definition.of(metric)) for metric, own in made.items())
    assert all(shortest(entry.definition.with_(k="k")) in made[entry.definition.metric] for entry in CATALOGUE)


def test_a_pinned_definition_is_known_with_all_its_levels(tmp_path: Path) -> None:
    found = known(tmp_path, expectation(who_counts={"no_list": "nan"}, input={"ties": "item_asc"})).of_metric[
        "precision"
    ]
    assert shortest(parse(UNUSUAL + "|no_list:nan|ties:item_asc")) in found


def test_an_edge_that_is_not_known_is_canonical_in_the_hypothesis(tmp_path: Path) -> None:
    found = known(tmp_path, expectation(unknown=("no_list", "nobody")))
    assert shortest(parse(UNUSUAL)) in found.of_metric["precision"]


def test_of_one_ranking_of_all_rows_every_edge_has_to_be_known(tmp_path: Path) -> None:
    stacked = "auc|scope:stacked|no_list:error"
    for unknown, is_known in (((), True), (("undefined",), False)):
        (tmp_path / str(len(unknown))).mkdir()
        pinned = expectation(
            metric="auc", formulas=("auc|scope:stacked",), who_counts={"no_list": "error"}, unknown=unknown
        )
        found = known(tmp_path / str(len(unknown)), pinned).of_metric["auc"]
        assert (shortest(parse(stacked)) in found) == is_known


def test_the_pin_of_a_function_is_known_with_the_values_that_it_assumes(tmp_path: Path) -> None:
    made = known(
        tmp_path, expectation(unknown=("ties",), does_not_apply=("relevance",), assumed={"relevance": "positive"})
    )
    own = shortest(parse(UNUSUAL + "|relevance:positive"))
    function = Function(name="f", metric="precision")
    (first, _, second) = made.groups(tmp_path.name, "1.0", function)
    assert first == (own,)
    assert own not in second, "other functions are called in other ways"
    other = Function(name="g", metric="precision")
    assert made.groups(tmp_path.name, "2", function) == (first, second), "a pin of another version is near"
    assert made.groups("another", "1.0", function) == made.groups(tmp_path.name, "1.0", other) == (second,)


def test_assumed_values_that_make_no_definition_are_left_out(tmp_path: Path) -> None:
    function = Function(name="f", metric="precision")
    for number, assumed in enumerate(({"no_such_axis": "0"}, {"ties": "no such rule"}, {"users": ""})):
        (tmp_path / str(number)).mkdir()
        made = known(tmp_path / str(number), expectation(assumed=assumed))
        assert made.groups(str(number), "1.0", function)[0] == (shortest(parse(UNUSUAL)),)


def test_what_is_not_known_but_for_edges_is_no_hypothesis_for_others(tmp_path: Path) -> None:
    for number, given in enumerate(
        ({"unknown": ("ties",)}, {"formulas": (UNUSUAL, "precision@k")}, {"status": "failed", "formulas": ()})
    ):
        (tmp_path / str(number)).mkdir()
        found = known(tmp_path / str(number), expectation(**given)).of_metric["precision"]
        assert shortest(parse(UNUSUAL)) not in found


def test_a_damaged_pin_is_left_out(tmp_path: Path) -> None:
    known(tmp_path, expectation())
    manifest = load(tmp_path)
    manifest.expected_path(manifest.versions[0]).write_text("{")
    assert shortest(parse(UNUSUAL)) not in known_definitions([manifest]).of_metric["precision"]
