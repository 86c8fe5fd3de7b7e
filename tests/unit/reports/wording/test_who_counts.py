"""Marks and lines about who counts."""

from __future__ import annotations

import math

from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reports.model.result import EvidenceSummary, Finding
from recsys_metric_audit.reports.wording.who_counts import nan_words, reading_lines, reading_marks
from tests.support.result_samples import finding, restated


def counting(**axes: str) -> Finding:
    return finding(definition=axes, differs_on=tuple(axes))


def test_other_users_and_unusual_users_have_a_mark_each() -> None:
    assert reading_marks(finding()) == ""
    assert reading_marks(counting(ties="item_desc")) == "", "input handling is no matter of who counts"
    assert reading_marks(counting(users="both")) == "†"
    assert reading_marks(counting(no_hit="skip")) == "‡"
    assert reading_marks(counting(users="all", no_list="error")) == "†‡"
    assert reading_marks(counting(nobody="0")) == "", "somebody is left in the data of a table"
    unsure = counting(users="both").model_copy(update={"verdict": "ambiguous"})
    assert reading_marks(unsure) == ""


def test_each_kind_has_one_line_with_the_commonest_first() -> None:
    both = counting(users="both")
    found = [counting(users="all", no_list="nan"), both, both, counting(no_list="error"), counting(undefined="0")]
    assert reading_lines(found) == (
        ("†", "counts other users: with relevant items and a list or with either"),
        ("‡", "counts otherwise who has no relevant item, no list"),
    )
    assert reading_lines([finding()]) == reading_lines([counting(nobody="error")]) == ()


def test_a_number_of_whole_lists_is_marked_where_the_formula_is_canonical() -> None:
    whole = counting(cutoff="none", users="both").model_copy(update={"verdict": "agrees", "k": None})
    assert reading_marks(whole) == "†§"
    assert reading_lines([whole])[-1] == ("§", "takes no k: reads the whole list")
    for others in ({"k": 20}, {"verdict": "variant"}, {"definition": {"users": "both"}, "differs_on": ("users",)}):
        assert reading_marks(restated(whole, **others)) == "†"


def test_a_mean_that_is_nan_says_why() -> None:
    one = counting(no_hit="nan", no_list="nan", undefined="skip").model_copy(update={"value": math.nan})
    one = restated(one, definition={**one.definition, "nobody": "nan"})
    unsaid = counting(users="all").model_copy(update={"value": math.nan})
    nobody = unsaid.model_copy(update={"evidence": EvidenceSummary(fitted_value=math.nan)})
    because = "a user with no list or no hit counts as NaN, and so does the mean"
    assert nan_words([one, finding(), one]) == because
    assert nan_words([nobody]) == "nobody is left to be averaged"
    assert nan_words([one, nobody]) == f"{because}; or nobody is left to be averaged"
    assert nan_words([finding(), counting(no_hit="nan")]) == "", "these have a number"
    assert nan_words([restated(one, definition={}, differs_on=()), unsaid]) == ""


def test_every_choice_of_users_has_words() -> None:
    users = next(axis for axis in METRICS["ndcg"].all_axes if axis.name == "users")
    for name in users.names[1:]:
        assert "users: with " in reading_lines([counting(users=name)])[0][1], name


def test_edges_of_one_ranking_have_no_mark_and_say_that_all_rows_give_nothing() -> None:
    stacked = {"signature": "auc|scope:stacked|no_negatives:nan|no_hit:nan", "verdict": "variant"}
    axes = {"no_negatives": "nan", "no_hit": "nan", "nobody": "0"}
    found = finding("auc", **stacked, definition=axes, differs_on=tuple(axes), value=math.nan)
    assert reading_marks(found) == "" and reading_lines([found]) == ()
    assert nan_words([found]) == "all rows together give 0/0"
    other = restated(found, levels={"who_counts": ("users", "no_hit")})
    assert reading_marks(other) == "†"


def test_a_rule_for_gains_of_0_is_not_said_to_be_one_for_users_without_a_hit() -> None:
    linear = {"signature": "ndcg@20|gain:linear|no_hit:nan", "definition": {"no_hit": "nan"}, "differs_on": ("no_hit",)}
    found = finding("ndcg", **linear, value=math.nan)
    assert reading_lines([found]) == (("‡", "counts otherwise who has only gains of 0"),)
    assert nan_words([found]) == "a user with only gains of 0 counts as NaN, and so does the mean"
