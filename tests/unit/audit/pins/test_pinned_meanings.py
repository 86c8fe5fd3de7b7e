"""Inputs that show what changed: the smallest probe on which two definitions differ."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.libraries.function import Function, Takes
from recsys_metric_audit.audit.libraries.known import KnownDefinitions
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.pins.pin_drift import smallest_difference_text
from recsys_metric_audit.audit.pins.pin_file import (
    from_text,
    known_definitions,
    read_pin,
    run_for_paper,
    to_text,
    with_pinned,
    write_pin,
)
from recsys_metric_audit.reference.catalogue.lookup import CATALOGUE
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.model.level_meaning import LevelMeaning, level_meaning
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.model.result_file import LoadedRun
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation
from tests.support.one_metric_library import GOOD, TOML
from tests.support.result_samples import library, result

# Inputs that show what changed: the smallest probe on which two definitions differ.


SHOWN = re.compile(r"probe '.+' at k = (\d+): (\S+) before, (\S+) now")


def test_equal_definitions_differ_nowhere() -> None:
    assert smallest_difference_text("recall@k", "recall@k") == ""
    assert smallest_difference_text("precision@k|users:both", "precision@k|users:both") == ""


def test_both_values_are_shown_in_the_order_of_the_signatures() -> None:
    there = SHOWN.match(smallest_difference_text("recall@k", "recall@k|denominator:min"))
    back = SHOWN.match(smallest_difference_text("recall@k|denominator:min", "recall@k"))
    assert there and back
    assert (there[1], there[2], there[3]) == (back[1], back[3], back[2])
    # min(k, r) is at most r, so recall over it is larger where they differ.
    assert float(there[2]) < float(there[3])


@pytest.mark.parametrize(("old", "new"), [("hit_rate@k", "recall@k"), ("ndcg@k", "ndcg@k|gain:exp2")])
def test_definitions_that_differ_are_shown_on_one_probe(old: str, new: str) -> None:
    shown = SHOWN.match(smallest_difference_text(old, new))
    assert shown and shown[2] != shown[3]


def test_an_axis_without_rule_is_not_asked_on_probes_that_it_decides() -> None:
    # Both rank ties by no rule that we know, and are the same otherwise: no probe can be worked out.
    assert smallest_difference_text("recall@k|ties:other", "recall@k|ties:best") == ""


def test_no_value_is_shown_that_the_contract_decides() -> None:
    # The difference is in relevant items that are not listed, and labels hold none.
    labels = Function(name="lib.recall", metric="recall", takes=Takes(input="labels"))
    assert smallest_difference_text("recall@k", "recall@k|truth:listed")
    assert smallest_difference_text("recall@k", "recall@k|truth:listed", labels) == ""
    shown = SHOWN.match(smallest_difference_text("recall@k", "recall@k|denominator:min", labels))
    assert shown and shown[2] != shown[3]


# A library that was not run stands in a result with what its pin says, and with nothing else.


KNOWN = discover([adapters_dir()])


@pytest.mark.slow
def test_findings_mean_what_the_pins_say() -> None:
    made = with_pinned(result(libraries=(), findings=()), KNOWN.values())
    Result.model_validate(made.model_dump())
    assert {each.library for each in made.libraries} == KNOWN.keys()
    assert not any(each.live for each in made.libraries)
    compared = 0
    for finding in made.findings:
        manifest = KNOWN[finding.library]
        pin = read_pin(manifest, next(each for each in manifest.versions if each.version == finding.version))
        assert pin is not None
        said = pin.functions[finding.function]
        assert finding.value is None and (finding.metric, finding.verdict) == (said.metric, said.verdict)
        assert level_meaning(finding) == LevelMeaning(**said.model_dump(include=set(LevelMeaning.model_fields)))
        compared += 1
    assert compared > 400


def test_a_library_of_the_run_stays_as_it_was_found() -> None:
    own = result(libraries=(library("ranx", "9.9"),), findings=())
    made = with_pinned(own, [KNOWN["ranx"], KNOWN["pytrec_eval"]])
    assert [each.version for each in made.libraries if each.library == "ranx"] == ["9.9"]
    assert {each.library for each in made.findings} == {"pytrec_eval"}


def test_only_what_a_paper_holds_against_each_other_is_added_and_it_is_said() -> None:
    run = LoadedRun(result(libraries=(), findings=()), "a test")
    found = run_for_paper(run, "bassani2022", lambda: KNOWN)
    assert {each.library for each in found.result.libraries} == {"ranx", "pytrec_eval"}
    assert found.origin.startswith("a test; pytrec_eval ") and found.origin.count(" by its accepted pin") == 2
    assert run_for_paper(run, "manzhos2025", lambda: KNOWN) is run


# Pin files: nothing is lost by writing the common behaviours once, and older files still read.


MOST = {"duplicates": "counted_once", "ties": "row_order", "worst": "zero"}


def accepted(**behaviours: dict[str, str]) -> VersionExpectation:
    functions = {
        name: FunctionExpectation(
            metric="ndcg",
            status="measured",
            verdict="agrees",
            formulas=("ndcg@k",),
            who_counts={"users": "both"},
            unknown=("no_list",),
            behaviours=each,
        )
        for name, each in behaviours.items()
    }
    return VersionExpectation(library="a", version="1.0", dataset="d", k=20, functions=functions)


def test_what_most_functions_do_is_written_once() -> None:
    document = json.loads(to_text(accepted(f=MOST, g=MOST, h={"duplicates": "counted", "worst": "zero"}, i={})))
    assert document["common_behaviours"] == MOST
    own = {name: each.get("behaviours") for name, each in document["functions"].items()}
    assert own == {"f": {}, "g": {}, "h": {"duplicates": "counted", "ties": None}, "i": None}
    assert list(document)[-1] == "functions"


def test_the_first_by_name_is_common_if_none_is_more_frequent() -> None:
    document = json.loads(to_text(accepted(f={"ties": "row_order"}, g={"ties": "item_id"})))
    assert document["common_behaviours"] == {"ties": "item_id"}


@pytest.mark.parametrize(
    "given",
    [
        accepted(),
        accepted(f={}),
        accepted(f=MOST),
        accepted(f=MOST, g={}, h={"ties": "row_order"}),
        accepted(f={"a": "x"}, g={"b": "y"}),
    ],
)
def test_everything_comes_back(given: VersionExpectation) -> None:
    again = from_text(to_text(given))
    assert again == given
    assert to_text(again) == to_text(given)


def test_a_file_that_lists_everything_still_reads() -> None:
    given = accepted(f=MOST, g={"ties": "row_order"})
    assert from_text(given.model_dump_json()) == given


@pytest.mark.parametrize(
    "text", ["", "[]", "null", '{"functions": 1}', '{"functions": {"f": {"behaviours": 1}}}', "{", "[" * 200_000]
)
def test_what_is_no_pin_file_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        from_text(text)


@pytest.mark.parametrize("path", sorted(adapters_dir().glob("*/expected/*.json")), ids=lambda path: str(path)[-40:])
def test_pin_files_that_come_with_the_tool_are_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    pin = from_text(text)
    assert list(pin.functions) == list(json.loads(text)["functions"])
    assert to_text(pin) == text


# Known definitions: canonical ones, the catalogue, and what is pinned; a damaged pin takes nothing from the others.


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


def test_what_is_pinned_is_tried_for_its_own_function_alone(tmp_path: Path) -> None:
    found = known(tmp_path, expectation(who_counts={"no_list": "nan"}, input={"ties": "item_asc"}))
    pinned = shortest(parse(UNUSUAL + "|no_list:nan|ties:item_asc"))
    assert found.groups(tmp_path.name, "1.0", Function(name="f", metric="precision"))[0] == (pinned,)
    assert found.of_metric == known_definitions().of_metric, "findings do not depend on which libraries are audited"


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


def test_a_damaged_pin_is_left_out(tmp_path: Path) -> None:
    known(tmp_path, expectation())
    manifest = load(tmp_path)
    manifest.expected_path(manifest.versions[0]).write_text("{")
    assert not known_definitions([manifest]).of_function
