"""Hold formulas in words, and the groups that they make."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reference.metrics import FAMILIES, METRICS
from recsys_metric_audit.reference.space.axis import is_number
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.model.result import EvidenceSummary, Finding, Result
from recsys_metric_audit.reports.wording.formula_words import (
    LONGEST,
    PHRASES,
    axis_contrast,
    axis_phrase,
    axis_phrases,
    formula_contrast,
    formula_words,
    nan_words,
    reading_lines,
    reading_marks,
)
from recsys_metric_audit.reports.wording.library_groups import (
    ALL_GROUPS,
    FEW_VERSIONS,
    LIBRARY_GROUPS,
    hidden_groups,
    only_versions,
    shown_title,
    shown_versions,
)
from recsys_metric_audit.reports.wording.meanings import (
    fitting_formulas,
    formula,
    gives_a_number,
    headline_findings,
    meaning,
)
from recsys_metric_audit.reports.wording.variant_letters import assign_letters, hue, meaning_groups
from tests.support.own_libraries import own_libraries
from tests.support.result_samples import differing, finding, library, lost, restated, result

# Formulas in words.

AXES = [
    (metric, axis)
    for metric, family in FAMILIES.items()
    for axis in family.all_axes
    if level_of(axis.name) == "formula"
]


@pytest.mark.parametrize(("metric", "axis"), AXES, ids=lambda each: getattr(each, "name", each))
def test_every_value_of_a_formula_has_a_phrase_of_its_own(metric: str, axis: object) -> None:
    known = axis_phrases(metric, axis.name)  # type: ignore[attr-defined]
    others = axis.names[1:]  # type: ignore[attr-defined]
    assert set(known) - {"instead", "number"} == set(others), "one phrase for each value that is not canonical"
    phrases = [axis_phrase(metric, axis.name, name) for name in others]  # type: ignore[attr-defined]
    assert len(set(phrases)) == len(others)
    assert all(0 < len(phrase) <= 64 for phrase in phrases)
    assert 0 < len(axis_contrast(metric, axis.name)) <= 40  # type: ignore[attr-defined]
    assert ("number" in known) == (axis.numeric is not None)  # type: ignore[attr-defined]


def test_the_tables_hold_no_axis_that_no_metric_has() -> None:
    acting = {(metric, axis.name) for metric, axis in AXES}
    assert {(metric, axis) for metric, axes in PHRASES.items() if metric != "*" for axis in axes} <= acting
    assert PHRASES["*"].keys() <= {axis for _, axis in acting}


@pytest.mark.parametrize(
    ("metric", "formula", "words", "contrast"),
    [
        ("ndcg", "ndcg@20", "", ""),
        ("average_precision", "average_precision@20|denominator:r", "divides by r", "divides by r, not by min(k, r)"),
        ("precision", "precision@k|cutoff:10", "looks at 10 rows", "looks at 10 rows, not at the first k"),
        ("auc", "auc|pooling:weighted|weight:relevant", "weights users by their relevant items",
         "weights users by their relevant items, not all alike"),
        ("r_precision", "precision@20|denominator:min", "is Precision; divides by min(k, r)",
         "is Precision; divides by min(k, r), not by k"),
        ("gini", "gini@5|over:shown|denominator:n", "compares the items shown only; divides by n",
         "compares the items shown only, not the items that exist; divides by n, not by n - 1"),
        ("ndcg", "?!", "?!", "?!"),
    ],
)  # fmt: skip
def test_a_formula_says_what_it_does_and_what_the_canonical_one_does(
    metric: str, formula: str, words: str, contrast: str
) -> None:
    assert formula_words(metric, formula) == words
    assert formula_contrast(metric, formula) == contrast


def test_long_words_leave_the_canonical_ones_out() -> None:
    formula = "auc|negatives:catalogue_plus_one|unlisted:dropped|pooling:weighted|weight:listed"
    assert formula_contrast("auc", formula) == formula_words("auc", formula)
    assert len(formula_words("auc", formula)) > LONGEST - len(", not all alike")


def test_a_value_without_a_phrase_is_shown_by_its_meaning_or_its_name() -> None:
    assert axis_phrase("ndcg", "users", "both") == "users: users with relevant items and recommendations"
    assert axis_phrase("ndcg", "mood", "good") == "mood: good"
    assert axis_contrast("ndcg", "mood") == ""
    assert is_number("3") and axis_phrase("ndcg", "discount", "3") == "discount 1 / log_b(j + 1) with b = 3"


# Which function stands for a library version and a metric.


def test_the_headline_is_the_first_function_with_default_options_that_is_offered() -> None:
    option = differing("ndcg", "alpha", "gain", "exp2", 0.1, function="alpha.ndcg[type=exp]")
    missing = lost("ndcg", "alpha", "not_offered", "no such name", function="alpha.old_ndcg")
    first, second = finding(function="alpha.ndcg"), finding(function="alpha.Ndcg")
    given = result(findings=(option, missing, first, second))
    assert headline_findings(given, 20) == [first]
    assert headline_findings(result(findings=(option, missing)), 20) == [option]
    assert headline_findings(result(findings=(missing,)), 20) == [missing]


def test_a_failed_function_is_not_hidden_by_another_that_works() -> None:
    broken = lost("ndcg", "alpha", "failed", "boom", function="alpha.ndcg")
    assert headline_findings(result(findings=(broken, finding(function="alpha.ndcg2"))), 20) == [broken]


def test_the_call_that_is_documented_stands_first() -> None:
    empty = differing("auc", "alpha", "scope", "stacked", math.nan, function="alpha.auc")
    asked_for = "docstring of alpha.auc: rating is binary"
    labelled = differing("auc", "alpha", "scope", "stacked", 0.84, function="alpha.auc[rating_true=all_0_1]")
    documented = labelled.model_copy(update={"documented_call": asked_for})
    assert headline_findings(result(findings=(empty, documented)), 20) == [documented]
    assert headline_findings(result(findings=(empty, labelled)), 20) == [empty], "no number is no reason"
    missing = lost("auc", "alpha", "not_offered", "no such name", function="alpha.auc[x]", documented_call=asked_for)
    assert headline_findings(result(findings=(empty, missing)), 20) == [empty]
    broken = lost("auc", "alpha", "failed", "one class only", function="alpha.auc[x]", documented_call=asked_for)
    assert headline_findings(result(findings=(labelled, broken)), 20) == [broken], "a failure is not hidden"


def test_nan_is_no_number_and_infinity_is_one() -> None:
    values = (0.0, math.inf, math.nan, None)
    assert [gives_a_number(finding(value=value)) for value in values] == [True, True, False, False]


# Groups of libraries: which the tables show.


def run(**groups: str) -> Result:
    entries = tuple(library(name, group=group) for name, group in groups.items())
    return result(libraries=entries, findings=tuple(finding(name=name) for name in groups))


LARGE = run(own="", **{f"f{n}": "frameworks" for n in range(FEW_VERSIONS)}, m1="metrics", m2="metrics", s="search")


def names(made: Result, group: str | None) -> set[str]:
    return {library for library, _ in shown_versions(made, group)}


def test_a_large_run_shows_recommender_frameworks_and_libraries_without_a_group() -> None:
    assert names(LARGE, None) == {"own", *(f"f{n}" for n in range(FEW_VERSIONS))}
    assert hidden_groups(LARGE, None) == ("metric libraries (2)", "search and text (1)")


def test_a_small_run_or_one_without_frameworks_shows_everything() -> None:
    assert names(run(a="frameworks", b="metrics"), None) == {"a", "b"}
    others = run(**{f"m{n}": "metrics" for n in range(FEW_VERSIONS + 1)})
    assert len(names(others, None)) == FEW_VERSIONS + 1
    assert hidden_groups(others, None) == ()


def test_a_group_is_shown_alone_and_all_together() -> None:
    assert names(LARGE, "metrics") == {"m1", "m2"}
    assert names(LARGE, ALL_GROUPS) == {entry.library for entry in LARGE.libraries}
    assert hidden_groups(LARGE, "search") == (
        f"recommender frameworks ({FEW_VERSIONS})",
        "metric libraries (2)",
        "libraries without a group (1)",
    )


def test_the_title_is_that_of_a_single_group_of_several() -> None:
    assert shown_title(LARGE, "metrics") == "metric libraries"
    assert shown_title(LARGE, None) == "", "a library without a group stands among them"
    assert shown_title(LARGE, ALL_GROUPS) == shown_title(run(a="metrics"), None) == ""


def test_a_result_is_cut_to_the_versions_shown() -> None:
    cut = only_versions(LARGE, shown_versions(LARGE, "search"))
    assert [entry.library for entry in cut.libraries] == [each.library for each in cut.findings] == ["s"]


def test_every_library_stands_in_a_group() -> None:
    found = own_libraries().values()
    assert len(found) >= 25
    assert all(manifest.library_group in LIBRARY_GROUPS for manifest in found)


# Groups of findings with one meaning.


def test_each_finding_is_in_one_group_and_groups_stand_in_their_order() -> None:
    made = meaning_groups(result(), assign_letters(result()))
    assert sum(len(group.findings) for group in made) == len(result().findings)
    precision = [(group.place, len(group.findings)) for group in made if group.metric == "average_precision"]
    # alpha agrees; beta is a, delta is b; gamma fits nothing
    assert precision == [((0, ""), 1), ((1, "   a"), 1), ((1, "   b"), 1), ((2, "unexplained"), 1)]
    assert len({group.anchor for group in made}) == len(made)


def test_colours_return_after_eight_letters() -> None:
    assert [hue("a"), hue("h"), hue("i"), hue("aa")] == ["h0", "h7", "h0", "h2"]  # aa is the 27th: 26 % 8 = 2
    assert [hue(""), hue("~")] == ["", ""]


# Meanings of findings.


def test_a_meaning_leaves_the_cutoff_open_and_only_the_cutoff() -> None:
    found = differing("ndcg", "alpha", "no_hit", "1/k", 0.1)
    assert meaning(found) == "ndcg@k|no_hit:1/k"
    assert meaning(finding("auc")) == "auc"
    assert meaning(finding(verdict="ambiguous")) == ""


def test_a_formula_leaves_out_who_counts_and_input_handling() -> None:
    found = differing("ndcg", "alpha", "no_hit", "1/k", 0.1)
    assert formula(found) == "ndcg@k", "what a user without a hit counts as is not the formula"
    assert formula(differing("ndcg", "alpha", "gain", "exp2", 0.1)) == "ndcg@k|gain:exp2"
    assert formula(finding(verdict="ambiguous")) == ""
    tied = {"formula": None, "signature": "ndcg@20|gain:exp2|ties:item_desc"}
    assert formula(finding(**tied)) == "ndcg@k|gain:exp2", "taken from the signature"
    assert formula(finding(formula=None, signature="ndcg@20|mood:good")) == "ndcg@k|mood:good"


def test_definitions_that_differ_in_input_handling_only_have_one_fitting_formula() -> None:
    ties = finding(verdict="ambiguous", equivalent=("ndcg@k|ties:item_desc", "ndcg@k|ideal:shown"))
    assert fitting_formulas(ties) == ("ndcg@k", "ndcg@k|ideal:shown")


# Marks and lines about who counts.


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
