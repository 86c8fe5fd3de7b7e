"""The parts of a result file: which values they take, and which combinations they refuse."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from pydantic import ValidationError

from recsys_metric_audit.reports.model.result import FORMAT, Result
from recsys_metric_audit.reports.model.result_file import result_json
from tests.support.result_samples import finding, library, result

ISSUE_NAMES = [
    "library",
    "version",
    "function",
    "metric",
    "k",
    "verdict",
    "signature",
    "formula",
    "axes",
    "equivalent",
    "scope",
    "unchecked",
    "near",
    "takes",
    "called_with",
    "documented_by",
    "classes",
    "status",
    "reason",
    "value",
    "effect",
    "claimed",
    "matches_claim",
    "live",
    "witness",
    "evidence",
]


def changed(**changes: Any) -> str:
    return json.dumps(json.loads(result_json(result())) | changes)


def test_a_finding_has_all_the_names_of_the_contract() -> None:
    written = json.loads(result_json(result()))["findings"][0]
    assert list(written)[: len(ISSUE_NAMES)] == ISSUE_NAMES
    assert {"cases", "largest_deviation", "tolerance"} <= set(written["evidence"])


def test_the_top_has_what_other_programs_read() -> None:
    written = json.loads(result_json(result()))
    assert written["format"] == FORMAT == 3
    assert written["time"] == "2025-03-01T12:30:00Z"
    assert {"tool", "platform", "command", "dataset", "k", "reference", "libraries"} <= set(written)
    assert {"name", "digest", "users", "items", "pairs", "rows"} <= set(written["dataset"])
    assert {"installed", "python", "source", "seconds", "status"} <= set(written["libraries"][0])


def test_the_time_is_kept_in_utc() -> None:
    local = datetime(2025, 3, 1, 14, 30, tzinfo=timezone(timedelta(hours=2)))
    assert result(time=local).time == datetime(2025, 3, 1, 12, 30, tzinfo=UTC)
    assert json.loads(result_json(result(time=local)))["time"] == "2025-03-01T12:30:00Z"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"findings": (finding(), finding())}, "occurs 2 times"),
        ({"findings": (finding(name="nobody"),)}, "no entry in libraries for nobody 1.0"),
        ({"libraries": (library(), library()), "findings": ()}, "library version .* occurs 2 times"),
    ],
)
def test_a_result_holds_together(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        result(**changes)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"verdict": None}, "has a verdict when it is measured"),
        ({"status": "failed", "reason": "boom"}, "has a verdict when it is measured"),
        ({"status": "failed", "verdict": None}, "status failed needs a reason"),
        ({"verdict": "variant", "signature": None}, "verdict variant needs a signature"),
        ({"verdict": "perhaps"}, "verdict"),
        ({"mood": "good"}, "mood"),
    ],
)
def test_a_finding_holds_together(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        finding(**changes)


@pytest.mark.parametrize(
    "stated",
    [
        {"definition": {"order": "rows"}},
        {"differs_on": ("order",)},
        {"levels": {"input": ("order",)}},
        {"unknown": ("order",)},
        {"cannot_matter": {"order": "no formula reads it"}},
        {"signature": "ndcg@20|order:rows"},
        {"formula": "ndcg@20|order:rows"},
        {"equivalent": ("ndcg@20|gain:exp2", "ndcg@20|order:rows")},
    ],
)
def test_no_finding_states_what_its_contract_or_its_adapter_rules_out(stated: dict[str, Any]) -> None:
    """As shared by ``takes`` alone, and by a reason of the finding's own; without either it may be stated."""
    said = "order does not apply .*, and is stated"
    with pytest.raises(ValidationError, match=said):
        finding(**stated, takes={"input": "ranked", "truth": "set", "gains": "any"})
    if stated.keys() & {"signature", "formula", "equivalent"}:  # any other way an axis is of one kind only
        with pytest.raises(ValidationError, match=said):
            finding(**stated, takes={"input": "scores"}, does_not_apply={"order": "the adapter sorts"})
    assert finding(**stated, takes={"input": "scores"}).takes == {"input": "scores"}


@pytest.mark.parametrize(
    ("takes", "axis"),
    [
        ({"input": "ranked"}, "order"), ({"input": "matrix"}, "duplicates"), ({"input": "labels"}, "relevance"),
        ({"truth": "set"}, "truth_duplicates"), ({"truth": "list"}, "relevance"),
    ],
)  # fmt: skip
def test_each_word_of_a_contract_is_held_against_the_finding(takes: dict[str, str], axis: str) -> None:
    with pytest.raises(ValidationError, match=f"{axis} does not apply"):
        finding(differs_on=(axis,), takes=takes)


def test_a_library_that_did_not_run_says_why() -> None:
    with pytest.raises(ValidationError, match="status unavailable needs a reason"):
        library(status="unavailable")


def test_results_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        result().tool = "2"


def test_the_reader_takes_no_name_that_it_does_not_know() -> None:
    with pytest.raises(ValidationError, match="surprise"):
        Result.model_validate(json.loads(changed(surprise=1)))
