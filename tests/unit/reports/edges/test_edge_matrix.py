"""The edge matrix: what is done in each situation, or why that cannot be said."""

from __future__ import annotations

from typing import Any

import pytest

from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reports.edges.edge_matrix import EdgeCell, edge_cell, edge_matrix
from recsys_metric_audit.reports.edges.edge_words import AXIS_WORDS, SITUATIONS
from recsys_metric_audit.reports.model.result import Behaviour
from tests.support.result_samples import finding, library, lost, result

BY_TITLE = {each.title: each for each in SITUATIONS}


def cell(title: str, **changes: Any) -> EdgeCell:
    return edge_cell(finding("ndcg", **changes), BY_TITLE[title])


def test_an_identified_rule_is_told_in_a_few_words_and_stands_out_where_it_is_not_canonical() -> None:
    assert cell("No hit", definition={"no_hit": "0"}) == EdgeCell("counts 0", "usual")
    assert cell("No hit", definition={"no_hit": "error"}, differs_on=("no_hit",)) == EdgeCell("raises", "differs")


POOLED = {"signature": "mae|undefined:error|no_hit:error|no_list:error", "verdict": "variant", "k": None}
"""An error of all pairs together that raises where there is no pair."""


NEVER_ASKED = Behaviour(name="not_askable", text="it has no such input")


def test_in_one_ranking_an_edge_is_about_all_rows_and_not_about_a_user() -> None:
    rules = {"users": "truth", "undefined": "error", "no_hit": "error", "no_list": "error", "nobody": "nan"}
    found = finding("ndcg", **POOLED, definition=rules, differs_on=("undefined", "no_hit", "no_list"))
    told = {each.title: edge_cell(found, each) for each in SITUATIONS}
    for title in ("No list", "No hit", "No irrelevant item"):
        assert told[title].text == "does not apply" and "no user is averaged" in told[title].reason
    assert told["No truth"].text == "left out", "only the rows of users with relevant items are in it"
    assert told["Nobody relevant"] == told["Nobody listed"] == EdgeCell("raises", "differs")


def test_what_was_observed_goes_before_the_definition_in_one_ranking_too() -> None:
    seen = {"no_list": Behaviour(name="skipped")}
    found = finding("ndcg", **POOLED, definition={"no_list": "error"}, behaviours=seen)
    assert edge_cell(found, BY_TITLE["No list"]).text == "left out"
    never = finding("ndcg", **POOLED, definition={"no_list": "0"}, behaviours={"empty_lists": NEVER_ASKED})
    assert edge_cell(never, BY_TITLE["Nobody listed"]) == EdgeCell("does not apply", "apart", "it has no such input")


def test_no_hit_counts_by_the_formula_where_the_rule_is_about_gains_of_0() -> None:
    """By hand: without a hit the DCG of linear gains is 0, over an ideal above 0."""
    found = {"signature": "ndcg@20|gain:linear|no_hit:skip", "definition": {"no_hit": "skip"}}
    assert cell("No hit", **found, differs_on=("gain", "no_hit")) == EdgeCell("by the formula", "usual")


def test_what_was_observed_of_a_user_without_list_goes_before_the_definition() -> None:
    told = cell("No list", definition={"no_list": "0"}, behaviours={"no_list": Behaviour(name="raises")})
    assert told == EdgeCell("raises", "usual")
    untold = cell("No list", definition={"no_list": "0"}, behaviours={"no_list": Behaviour(name="changes")})
    assert untold == EdgeCell("counts 0", "usual")


@pytest.mark.parametrize(
    ("title", "users", "words"),
    [
        ("No list", "both", "left out"),
        ("No list", "truth", "counts 1"),
        ("No truth", "truth", "left out"),
        ("No truth", "all", "counts 1"),
        ("No hit", "hits", "left out"),
    ],
)
def test_users_who_are_not_averaged_are_left_out_whatever_they_would_count_as(
    title: str, users: str, words: str
) -> None:
    axis = BY_TITLE[title].axes[0]
    assert cell(title, definition={"users": users, axis: "1"}).text == words


def test_other_users_stand_out() -> None:
    assert cell("No list", definition={"users": "both"}, differs_on=("users",)).kind == "differs"
    assert cell("No list", definition={"users": "both"}).kind == "usual"
    assert cell("No truth", definition={"users": "both"}, differs_on=("users",)).kind == "usual", "canonical, too"
    assert cell("No truth", definition={"users": "all", "undefined": "0"}, differs_on=("users",)).kind == "differs"


def test_a_reason_is_given_for_all_that_is_not_told() -> None:
    assert cell("Tie", does_not_apply={"ties": "a ranked list carries no scores"}) == EdgeCell(
        "does not apply", "apart", "a ranked list carries no scores"
    )
    assert cell(
        "No hit", cannot_matter={"no_hit": "nobody can be without one"}, definition={"no_hit": "0"}
    ) == EdgeCell("cannot matter", "idle", "nobody can be without one")
    unknown = cell("Tie", unknown=("ties",))
    assert (unknown.text, unknown.kind) == ("not known", "unknown")
    assert unknown.reason
    unasked = cell("Tie", behaviours={"ties": Behaviour(name="not_askable", text="it takes whole scores")})
    assert unasked == EdgeCell("does not apply", "apart", "it takes whole scores")


def test_a_rule_that_a_metric_has_no_need_of_does_not_apply() -> None:
    assert cell("No irrelevant item") == EdgeCell("does not apply", "apart", "NDCG needs no rule for it")
    assert edge_cell(finding("auc"), BY_TITLE["No irrelevant item"]).text == "not known"


def test_a_rule_that_no_value_describes_is_told_as_it_was_observed() -> None:
    seen = {"ties": Behaviour(name="lower_item_first")}
    assert cell("Tie", definition={"ties": "other"}, behaviours=seen).text == "lower id first"
    assert cell("Tie", definition={"ties": "other"}).text == "another rule"


def test_a_threshold_of_the_library_itself_is_named() -> None:
    assert cell("Low gain", definition={"relevance": "3.5"}).text == "relevant from 3.5"
    assert cell("Low gain", definition={"relevance": "at_least_t"}).text == "not relevant"


def test_every_axis_of_a_situation_has_words_of_at_most_four_for_each_value() -> None:
    named = {axis for each in SITUATIONS for axis in each.axes}
    for axis in {axis for family in METRICS.values() for axis in family.all_axes if axis.name in named}:
        assert set(axis.names) - set(AXIS_WORDS[axis.name]) <= {"other"}, axis.name
    assert max(len(words.split()) for table in AXIS_WORDS.values() for words in table.values()) <= 4


def test_functions_that_do_the_same_share_a_row_and_a_version_counts_once_per_function() -> None:
    rule = {"definition": {"no_hit": "0"}}
    raising = {"definition": {"no_hit": "error"}, "differs_on": ("no_hit",)}
    found = (
        finding("ndcg", version="1.0", **rule), finding("ndcg", version="1.0", k=5, **rule),
        finding("recall", version="1.0", **rule), finding("ndcg", version="2.0", **raising),
        lost("precision", "alpha", "failed", "it broke"),
    )  # fmt: skip
    made = edge_matrix(result(libraries=(library(), library(version="2.0")), findings=found))
    assert made is not None
    (alpha,) = made.libraries
    assert [[(each.metrics, each.versions) for each in row.functions] for row in alpha.rows] == [
        [("NDCG", "1.0"), ("Recall", "")],
        [("NDCG", "2.0")],
    ]
    column = [each.title for each in made.situations].index("No hit")
    assert [row.cells[column].text for row in alpha.rows] == ["counts 0", "raises"]
    assert made.most[column] == "counts 0 (2 of 3)"


def test_a_reason_is_said_once() -> None:
    made = edge_matrix(result())
    assert made is not None
    given = {cell.reason for each in made.libraries for row in each.rows for cell in row.cells} - {""}
    assert set(made.reasons) == given
    assert len(set(made.reasons.values())) == len(given)


def test_without_measured_findings_there_is_no_matrix() -> None:
    assert edge_matrix(result(findings=(lost("ndcg", "alpha", "failed", "it broke"),))) is None
