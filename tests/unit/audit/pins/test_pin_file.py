"""Pin files: nothing is lost by writing the common behaviours once, and older files still read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.pins.pin_file import from_text, to_text
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation

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
