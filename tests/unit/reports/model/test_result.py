"""The model of a result: what it refuses, what it looks up, its schema, and meanings level by level."""

from __future__ import annotations

import json
import math
import struct
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from recsys_metric_audit.reports.model import schema
from recsys_metric_audit.reports.model.level_meaning import (
    LevelMeaning,
    Move,
    compared_formulas,
    level_meaning,
    level_moves,
    levels_in_words,
    meaning_of_signatures,
)
from recsys_metric_audit.reports.model.result import (
    FORMAT,
    EvidenceSummary,
    Reference,
    Result,
    find_function,
    function_names,
)
from recsys_metric_audit.reports.model.result_file import read_result, result_json, write_result
from recsys_metric_audit.reports.model.statement import Scope
from tests.support.extreme_results import hostile
from tests.support.result_samples import finding, library, lost, result

# The parts of a result file: which values they take, and which combinations they refuse.

ISSUE_NAMES = (
    "library version function metric k verdict signature formula axes equivalent scope unchecked near takes "
    "called_with documented_by classes status reason value effect claimed matches_claim live witness evidence "
)


def changed(**changes: Any) -> str:
    return json.dumps(json.loads(result_json(result())) | changes)


def test_a_finding_has_all_the_names_of_the_contract() -> None:
    written = json.loads(result_json(result()))["findings"][0]
    assert " ".join(written).startswith(ISSUE_NAMES)
    assert {"cases", "largest_deviation", "tolerance"} <= set(written["evidence"])


def test_the_top_has_what_other_programs_read() -> None:
    written = json.loads(result_json(result()))
    assert written["format"] == FORMAT == 4
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


# Numbers that JSON cannot write, and text that no encoding can write.


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


@pytest.mark.parametrize(
    ("value", "written"),
    [(math.nan, '"nan"'), (math.inf, '"inf"'), (-math.inf, '"-inf"'), (0.1 + 0.2, "0.30000000000000004")],
)
def test_every_number_survives(value: float, written: str, tmp_path: Path) -> None:
    given = result(findings=(finding(value=value),))
    assert f'"value": {written}' in result_json(given)
    write_result(given, tmp_path)
    back = read_result(tmp_path).findings[0].value
    assert back is not None
    assert bits(back) == bits(value)


@pytest.mark.parametrize("name", ["top", "offset", "factor"])
def test_a_scope_that_no_json_could_write_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match=name):
        Scope.model_validate({name: "nan"})


@pytest.mark.parametrize("value", [5e-324, -0.0, 1.7976931348623157e308, 1 / 3, 123456789.123456789])
def test_no_digit_is_lost(value: float, tmp_path: Path) -> None:
    row = Reference(metric="ndcg", k=20, signature="ndcg@20", value=value)
    write_result(result(reference=(row,)), tmp_path)
    assert bits(read_result(tmp_path).reference[0].value) == bits(value)


def test_lone_surrogates_of_an_error_text_do_not_stop_the_run(tmp_path: Path) -> None:
    write_result(result(findings=(lost("ndcg", "alpha", "failed", "bad \ud800 byte"),)), tmp_path)
    assert read_result(tmp_path).findings[0].reason == "bad ? byte"


def test_a_tolerance_is_not_negative() -> None:
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        EvidenceSummary(tolerance=-1)
    assert EvidenceSummary(tolerance=0).tolerance == 0


# Looking up a function in a result.

TWO = result(
    k=(5, 20),
    libraries=(library(), library(version="2.0")),
    findings=(
        finding(k=5, function="alpha.rank:ndcg"),
        finding(k=20, function="alpha.rank:ndcg"),
        finding(version="2.0", function="alpha.rank:ndcg"),
        finding(version="2.0", function="alpha.rank:my_ndcg"),
    ),
)


def test_a_function_is_found_by_its_path_or_the_end_of_it() -> None:
    for asked in ("ndcg", "rank:ndcg", "alpha.rank:ndcg"):
        assert [(each.version, each.k) for each in find_function(TWO, "alpha", None, asked)] == [
            ("1.0", 5),
            ("2.0", 20),
        ]
    assert [each.function for each in find_function(TWO, "alpha", "2.0", "my_ndcg")] == ["alpha.rank:my_ndcg"]
    assert find_function(TWO, "alpha", None, "rank") == ()
    assert find_function(TWO, "beta", None, "ndcg") == ()


def test_an_everyday_name_of_a_metric_is_the_function_listed_first_for_it() -> None:
    for asked in ("NDCG@10", "normalized_discounted_cumulative_gain", "nDCG"):
        found = find_function(TWO, "alpha", None, asked)
        assert [(each.version, each.k, each.function) for each in found] == [
            ("1.0", 5, "alpha.rank:ndcg"),
            ("2.0", 20, "alpha.rank:ndcg"),
        ]
    assert find_function(TWO, "alpha", None, "map") == ()


def test_names_come_once_in_the_order_of_the_run() -> None:
    assert function_names(TWO, "alpha", None) == ("alpha.rank:ndcg", "alpha.rank:my_ndcg")
    assert function_names(TWO, "alpha", "1.0") == ("alpha.rank:ndcg",)


# Meanings level by level: what signatures say of each level, and the axes on which two meanings differ.


def test_a_signature_is_told_by_level_and_puts_together_again() -> None:
    text = "ndcg@20|gain:exp2|ideal:all|users:both|no_list:skip|ties:best"
    said = meaning_of_signatures((text,))
    assert said.formulas == ("ndcg@k|gain:exp2|ideal:all",)
    assert (said.who_counts, said.input) == ({"users": "both", "no_list": "skip"}, {"ties": "best"})
    assert said.signature == text.replace("@20", "@k")


def test_axes_that_are_not_known_or_do_not_apply_have_no_value() -> None:
    said = meaning_of_signatures(("ndcg@k|users:both|ties:best",), unknown=("users",), does_not_apply=("ties",))
    assert (said.who_counts, said.input, said.signature) == ({}, {}, "ndcg@k")


def test_a_finding_says_its_own_formula_and_those_that_fit_as_well() -> None:
    found = finding(signature="ndcg@20|users:both", formula="ndcg@20", equivalent=("ndcg@20|gain:exp2",))
    assert level_meaning(found).formulas == ("ndcg@k", "ndcg@k|gain:exp2")
    assert level_meaning(found).who_counts == {"users": "both"}
    assert level_meaning(finding(verdict="unexplained", signature=None)) == LevelMeaning()


def test_moves_are_told_by_level_in_the_order_of_the_levels() -> None:
    old = meaning_of_signatures(("ndcg@k|users:both|ties:best",))
    new = meaning_of_signatures(("ndcg@k|gain:exp2|ties:worst",))
    assert level_moves(old, new) == (
        Move("gain", "binary", "exp2", "formula"),
        Move("users", "both", "truth", "who_counts"),
        Move("ties", "best", "worst", "input"),
    )


def test_an_axis_of_the_formula_moves_only_where_no_value_fits_both() -> None:
    old = meaning_of_signatures(("ndcg@k|gain:exp2", "ndcg@k|gain:exp2|ideal:all"))
    assert level_moves(old, meaning_of_signatures(("ndcg@k|ideal:all",))) == (Move("gain", "exp2", "binary"),)


def test_another_metric_moves_nothing_else() -> None:
    old, new = meaning_of_signatures(("recall@k|users:both",)), meaning_of_signatures(("hit_rate@k",))
    assert level_moves(old, new) == (Move("metric", "recall", "hit_rate"),)


def test_what_became_known_or_unknown_is_no_change() -> None:
    known, unknown = meaning_of_signatures(("ndcg@k|ties:best",)), meaning_of_signatures(("ndcg@k",), unknown=("ties",))
    assert level_moves(known, unknown) == (Move("ties", "best", "not known", "input", "unknown"),)
    assert level_moves(unknown, known) == (Move("ties", "not known", "best", "input", "known"),)
    assert level_moves(unknown, unknown) == ()
    ruled_out = meaning_of_signatures(("ndcg@k",), does_not_apply=("ties",))
    assert level_moves(known, ruled_out)[0].new == "does not apply"
    assert level_moves(unknown, ruled_out) == ()


def test_a_formula_axis_that_one_side_leaves_open_changes_no_formula() -> None:
    """The value shown where an axis is open is the canonical one, which nobody claimed."""
    known, opened = meaning_of_signatures(("ndcg@k|gain:exp2",)), meaning_of_signatures(("ndcg@k",), unknown=("gain",))
    before, after = compared_formulas(known, opened)
    assert before == after
    assert level_moves(known, opened) == (Move("gain", "exp2", "not known", "formula", "unknown"),)


def test_an_axis_that_this_version_does_not_know_moves_nothing() -> None:
    old = meaning_of_signatures(("ndcg@k|mood:good",))
    assert old.formulas == ("ndcg@k|mood:good",)
    assert level_moves(old, meaning_of_signatures(("ndcg@k",))) == ()
    assert level_moves(LevelMeaning(), meaning_of_signatures(("ndcg@k",))) == ()
    before, after = compared_formulas(old, meaning_of_signatures(("ndcg@k",)))
    assert before != after


def test_levels_have_titles() -> None:
    assert levels_in_words(("input", "formula")) == "formula and input handling"
    assert levels_in_words(("formula", "who_counts", "input")) == "formula, who counts and input handling"


def test_a_finding_states_the_rule_for_nobody_at_any_value_and_an_older_one_is_silent_of_it() -> None:
    told = level_meaning(finding(signature="ndcg@20", formula="ndcg@20", definition={"nobody": "nan"}))
    assert (told.who_counts, told.signature) == ({"nobody": "nan"}, "ndcg@k")
    idle = finding(signature="auc", formula="auc", definition={"nobody": "nan"}, cannot_matter={"nobody": "why"})
    assert level_meaning(idle).who_counts == {}
    assert level_meaning(finding(signature="ndcg@20", formula="ndcg@20")).who_counts == {}


def test_the_rule_for_nobody_moves_only_where_both_sides_tell_of_it() -> None:
    silent, unknown = meaning_of_signatures(("ndcg@k",)), meaning_of_signatures(("ndcg@k",), unknown=("nobody",))
    zero = meaning_of_signatures(("ndcg@k|nobody:0",))
    nan = silent.model_copy(update={"who_counts": {"nobody": "nan"}})
    assert level_moves(silent, zero) == level_moves(zero, silent) == level_moves(silent, unknown) == ()
    assert level_moves(nan, zero) == (Move("nobody", "nan", "0", "who_counts"),)
    assert level_moves(zero, unknown) == (Move("nobody", "0", "not known", "who_counts", "unknown"),)


# The JSON Schema in the repository describes what is written.


def test_the_schema_in_the_repository_is_up_to_date() -> None:
    assert schema.PATH.read_text(encoding="utf-8") == schema.schema_text(), (
        "renew it: python -m recsys_metric_audit.reports.model.schema"
    )


@pytest.mark.parametrize("made", [result, hostile])
def test_what_is_written_fits_the_schema(made: Any) -> None:
    rules = json.loads(schema.PATH.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(rules)
    jsonschema.Draft202012Validator(rules).validate(json.loads(result_json(made())))


@pytest.mark.parametrize(
    ("place", "value"),
    [("value", "many"), ("value", None), ("verdict", "perhaps"), ("k", "twenty"), ("mood", "good")],
)
def test_the_schema_refuses_what_is_wrong(place: str, value: Any) -> None:
    rules = json.loads(schema.PATH.read_text(encoding="utf-8"))
    document = json.loads(result_json(result()))
    document["findings"][0][place] = value
    errors = list(jsonschema.Draft202012Validator(rules).iter_errors(document))
    assert bool(errors) == ((place, value) != ("value", None))
