"""Marks and lines about who counts."""

from __future__ import annotations

import math

from reference.metrics import METRICS
from reports.model.result import EvidenceSummary, Finding
from reports.wording.who_counts import nan_words, who_counts_lines, who_counts_mark
from tests.support.result_samples import finding


def counting(**axes: str) -> Finding:
    return finding(definition=axes, differs_on=tuple(axes))


def test_other_users_and_unusual_users_have_a_mark_each() -> None:
    assert who_counts_mark(finding()) == ""
    assert who_counts_mark(counting(ties="item_desc")) == "", "input handling is no matter of who counts"
    assert who_counts_mark(counting(users="both")) == "†"
    assert who_counts_mark(counting(no_hit="skip")) == "‡"
    assert who_counts_mark(counting(users="all", no_list="error")) == "†‡"
    assert who_counts_mark(counting(nobody="0")) == "", "somebody is left in the data of a table"
    unsure = counting(users="both").model_copy(update={"verdict": "ambiguous"})
    assert who_counts_mark(unsure) == ""


def test_each_kind_has_one_line_with_the_commonest_first() -> None:
    both = counting(users="both")
    found = [counting(users="all", no_list="nan"), both, both, counting(no_list="error"), counting(undefined="0")]
    assert who_counts_lines(found) == (
        ("†", "averages other users: with relevant items and a list or with either"),
        ("‡", "counts unusual users otherwise (no relevant item, no list)"),
    )
    assert who_counts_lines([finding()]) == who_counts_lines([counting(nobody="error")]) == ()


def test_a_mean_that_is_nan_says_why() -> None:
    one = counting(no_hit="nan", no_list="nan", undefined="skip").model_copy(update={"value": math.nan})
    one = one.model_copy(update={"definition": {**one.definition, "nobody": "nan"}})
    unsaid = counting(users="all").model_copy(update={"value": math.nan})
    nobody = unsaid.model_copy(update={"evidence": EvidenceSummary(fitted_value=math.nan)})
    because = "a user with no list or no hit counts as NaN, and so does the mean"
    assert nan_words([one, finding(), one]) == because
    assert nan_words([nobody]) == "nobody is left to be averaged"
    assert nan_words([one, nobody]) == f"{because}; or nobody is left to be averaged"
    assert nan_words([finding(), counting(no_hit="nan")]) == "", "these have a number"
    assert nan_words([one.model_copy(update={"definition": {}}), unsaid]) == ""


def test_every_choice_of_users_has_words() -> None:
    users = next(axis for axis in METRICS["ndcg"].all_axes if axis.name == "users")
    for name in users.names[1:]:
        assert "users: with " in who_counts_lines([counting(users=name)])[0][1], name
