"""Hold the matrix of edges: its groups, words and hazards."""

from __future__ import annotations

from typing import Any

import pytest

from recsys_metric_audit.audit.behaviours.experiments import METAMORPHIC_TESTS
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.edges.edge_groups import EdgeBehaviour, edge_table, group_by_behaviour, letters_of
from recsys_metric_audit.reports.edges.edge_matrix import (
    AXIS_WORDS,
    REPEAT,
    SITUATIONS,
    EdgeCell,
    edge_cell,
    edge_matrix,
    hazards_of,
    hazards_of_row,
)
from recsys_metric_audit.reports.model.result import Behaviour, Experiment, Finding
from tests.support.result_samples import finding, library, lost, result

# The edge matrix: what is done in each situation, or why that cannot be said.

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


# Functions of a library grouped by their behaviour at the edges.

EXPERIMENTS = (
    Experiment(name="no_list", title="a user without list", question="What then?"),
    Experiment(name="shuffled", title="rows shuffled", question="What then?"),
)
UNCHANGED = Behaviour(name="unchanged")


def acting(function: str, version: str = "1.0", **behaviours: Behaviour) -> Finding:
    return finding(function=function, version=version, behaviours=behaviours)


FOUND = [
    acting("f", no_list=Behaviour(name="zero"), shuffled=UNCHANGED),
    acting("g", no_list=Behaviour(name="raises", slug="raises"), shuffled=UNCHANGED),
    acting("h", no_list=Behaviour(name="zero"), shuffled=UNCHANGED),
]


def test_functions_that_behave_alike_in_every_experiment_share_a_letter() -> None:
    groups = group_by_behaviour([*FOUND, FOUND[0].model_copy(update={"k": 5})], EXPERIMENTS)
    assert {letter: [each.function for each in group] for letter, group in groups.items()} == {
        "A": ["f", "h"],
        "B": ["g"],
    }


def test_a_function_without_experiments_has_no_letter() -> None:
    assert group_by_behaviour([finding()], EXPERIMENTS) == {}


def test_the_table_has_the_most_common_behaviour_first_and_without_letters() -> None:
    three = [*FOUND, acting("i", no_list=Behaviour(name="raises", slug="raises"))]
    table = edge_table("alpha", group_by_behaviour(three, EXPERIMENTS), EXPERIMENTS)
    assert (table.letters, table.expected) == (3, ("rows shuffled",))
    ((title, (common, other)),) = table.rows
    assert title == "a user without list"
    assert common == EdgeBehaviour("raises", "", True)
    assert (other.letters, other.odd) == ("A", False)


def test_a_function_that_changed_between_versions_has_each_letter_with_its_versions() -> None:
    old = acting("f", "0.9", no_list=Behaviour(name="raises", slug="raises"), shuffled=UNCHANGED)
    groups = group_by_behaviour([*FOUND, old], EXPERIMENTS)
    assert letters_of("f", groups) == "A (1.0), B (0.9)"
    assert letters_of("h", groups) == "A"
    assert letters_of("unknown", groups) == ""


# Hazards: what a repeat, a tie, a name or a single user can do to a number.


def found(signature: str, **definition: str) -> Finding:
    metric = signature.partition("@")[0].partition("|")[0]
    return finding("recall" if metric == "rmse" else metric, signature=signature, definition=definition)


@pytest.mark.parametrize(
    ("signature", "exceeds"),
    [
        ("recall@20", True),  # three hits over r = 1
        ("recall@20|duplicates:first_in_place", False),
        ("precision@20", False),  # three hits over k = 3
        ("ndcg@20", True),  # 1 + 0.63 + 0.5 over 1
        ("average_precision@20|denominator:hits", False),  # 1 on average, however many
        ("reciprocal_rank@20", False),
    ],
)
def test_a_repeat_lifts_what_counts_every_copy_over_the_relevant_items(signature: str, exceeds: bool) -> None:
    assert (REPEAT in hazards_of(found(signature, duplicates="counted"))) is exceeds


def test_what_is_not_known_of_repeats_is_no_hazard() -> None:
    assert hazards_of(found("recall@20")) == ()


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        ({"ties": "text_desc"}, ["names of items decide ties"]),
        ({"ties": "best"}, ["ties count as hits"]),
        ({"ties": "given", "tied_scores": "half"}, []),
        ({"users": "all", "undefined": "nan", "no_hit": "nan"}, ["one user makes it NaN"]),
        ({"users": "truth", "undefined": "nan"}, []),  # such a user is not averaged
        ({"users": "predictions", "undefined": "1"}, ["nothing to find counts as a perfect list"]),
        ({"users": "truth", "no_list": "error"}, ["one user stops it"]),
        ({"users": "predictions", "no_list": "error"}, []),
        ({"no_negatives": "nan"}, ["one user makes it NaN"]),
    ],
)
def test_ties_and_single_users(definition: dict[str, Any], words: list[str]) -> None:
    assert list(hazards_of(found("recall@20", **definition))) == words


def test_no_user_makes_a_mean_nan_where_users_values_are_all_that_is_given() -> None:
    mean = finding("recall", definition={"no_list": "nan"})
    assert hazards_of(mean) == ("one user makes it NaN",)
    each = finding("recall", definition={"no_list": "nan"}, does_not_apply={"pooling": "users' values"})
    assert hazards_of(each) == ()


@pytest.mark.parametrize("rule", ["error", "nan", "1"])
def test_no_single_user_decides_one_ranking_of_all_rows(rule: str) -> None:
    assert hazards_of(found("rmse|undefined:error", users="all", undefined=rule, no_list=rule)) == ()
    assert hazards_of(found("auc|scope:stacked", users="all", undefined=rule, no_negatives=rule)) == ()


def test_a_row_names_the_metrics_of_a_hazard_that_not_all_have() -> None:
    recall = found("recall@20", duplicates="counted", ties="best")
    precision = found("precision@20", duplicates="counted", ties="best")
    assert hazards_of_row([recall, precision]) == (f"{REPEAT} (Recall)", "ties count as hits")


def test_the_matrix_has_them_in_a_column_of_their_own() -> None:
    one, other = found("recall@20", duplicates="counted"), found("precision@20", duplicates="counted")
    matrix = edge_matrix(result(libraries=(library(),), findings=(one, other)))
    assert matrix is not None and matrix.hazardous == "1 of 2 functions"
    assert [row.hazards for row in matrix.libraries[0].rows] == [(REPEAT,), ()]


# Situations of the edge matrix: each belongs to one level, and every value of its axes has words.


def test_all_axes_of_a_situation_are_of_its_level() -> None:
    for situation in SITUATIONS:
        assert {level_of(axis) for axis in situation.axes} == {situation.level}, situation.title
    levels = [situation.level for situation in SITUATIONS]
    assert levels == sorted(levels, key=["who_counts", "input"].index), "unusual users, then unusual rows"


def test_every_experiment_of_a_situation_is_made() -> None:
    made = {test.name for test in METAMORPHIC_TESTS}
    assert {name for situation in SITUATIONS for name in situation.experiments} <= made


def test_every_value_of_an_edge_axis_has_words() -> None:
    axes = {axis for situation in SITUATIONS for axis in situation.axes}
    for metric, family in METRICS.items():
        for axis in family.all_axes:
            if axis.name in axes:
                wordless = set(axis.names) - set(AXIS_WORDS[axis.name])
                assert wordless <= {"other"}, (metric, axis.name, "only this name reads as it is")
