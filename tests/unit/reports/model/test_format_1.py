"""Result files of format 1 are read: formula, levels and verdict follow from the signatures that they hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recsys_metric_audit.reports.model.format_1 import upgraded
from recsys_metric_audit.reports.model.read_result import read_result
from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.write_result import result_json
from tests.support.result_samples import finding as sample
from tests.support.result_samples import result


def finding(**fields: Any) -> dict[str, Any]:
    return {"metric": "ndcg", "verdict": "undocumented", "evidence": {}, "matches_claim": None, **fields}


def of(found: dict[str, Any]) -> dict[str, Any]:
    (made,) = upgraded({"format": 1, "findings": [found]})["findings"]
    assert isinstance(made, dict)
    return made


@pytest.mark.parametrize(
    ("signature", "differs", "formula", "verdict"),
    [
        ("ndcg@20|users:both|ties:item_desc", ("users", "ties"), "ndcg@20", "agrees"),
        ("ndcg@20|gain:exp2|order:rows", ("gain", "order"), "ndcg@20|gain:exp2", "variant"),
        ("ndcg@20|ideal:listed", ("ideal",), "ndcg@20|ideal:listed", "undocumented"),
        ("reciprocal_rank@20", (), "reciprocal_rank@20", "variant"),
    ],
)  # fmt: skip
def test_the_verdict_is_about_the_formula(signature: str, differs: tuple[str, ...], formula: str, verdict: str) -> None:
    made = of(finding(signature=signature, differs_on=differs))
    assert (made["formula"], made["verdict"]) == (formula, verdict)


def test_axes_are_sorted_into_levels() -> None:
    made = of(finding(signature="ndcg@20|ideal:all|users:both|ties:best", differs_on=["ideal", "users", "ties"]))
    assert made["levels"] == {"formula": ("ideal",), "who_counts": ("users",), "input": ("ties",)}


def test_several_that_differ_in_input_handling_only_are_one_formula() -> None:
    one = finding(signature="ndcg@20|ties:best", equivalent=["ndcg@20|ties:worst"], verdict="ambiguous")
    two = finding(signature="ndcg@20|ideal:all", equivalent=["ndcg@20"], verdict="ambiguous")
    assert of(one)["verdict"] == "agrees"
    assert (of(one)["unknown"], of(one)["signature"], of(one)["equivalent"]) == (["ties"], "ndcg@20", [])
    assert of(two)["verdict"] == "ambiguous"


def test_the_documentation_of_the_library_documents_what_matches_it() -> None:
    matching = finding(signature="ndcg@20|ideal:listed", differs_on=["ideal"], matches_claim=True)
    assert of(matching)["documented_by"] == ["library"]
    assert of(matching)["verdict"] == "variant"


def test_an_axis_that_is_unknown_is_neither_stated_nor_a_difference() -> None:
    made = of(finding(
        signature="ndcg@20|users:both|ties:best", equivalent=["ndcg@20|users:both|ties:worst"], verdict="ambiguous",
        differs_on=["users", "ties"], definition={"users": "both", "ties": "best"},
    ))  # fmt: skip
    assert made["levels"] == {"formula": (), "who_counts": ("users",), "input": ()}
    assert (made["differs_on"], made["definition"]) == (["users"], {"users": "both"})
    assert made["signature"] == "ndcg@20|users:both"


def test_blind_axes_are_unknown() -> None:
    assert of(finding(signature="ndcg@20", evidence={"blind": ["no_list"]}))["unknown"] == ["no_list"]


@pytest.mark.parametrize(
    "document", [{"format": 1}, {"format": 1, "findings": "none"}, {"format": 1, "findings": [3, {"signature": "no"}]}]
)
def test_what_is_damaged_is_left_to_validation(document: dict[str, Any]) -> None:
    before = repr(document)
    assert upgraded(document)["format"] == 2
    assert repr(document) == before


@pytest.mark.parametrize("damage", [{"evidence": None}, {"evidence": []}, {"evidence": {"blind": 3}}, {"differs_on": 5},
                                    {"equivalent": 7}, {"definition": "no"}, {"equivalent": [1]}])  # fmt: skip
def test_a_damaged_file_is_told_with_its_field_and_no_traceback(damage: dict[str, Any], tmp_path: Path) -> None:
    document = json.loads(result_json(result(findings=(sample(),))))
    document["format"] = 1
    document["findings"][0] |= damage
    (tmp_path / "audit.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ReportError, match=next(iter(damage))):
        read_result(tmp_path)
