"""Axes in words: known ones from the reference, unknown ones by their bare names."""

from __future__ import annotations

from recsys_metric_audit.reports.wording.axis_words import (
    AxisDifference,
    axis_choices,
    axis_differences,
    axis_part,
    computed_metric,
    value_meaning,
    variant_label,
)
from tests.support.result_samples import differing, finding


def test_the_signature_says_which_metric_is_computed() -> None:
    assert computed_metric(finding("ndcg", signature="recall@20")) == "recall"
    assert computed_metric(finding("ndcg", signature="unheard_of@20")) == "ndcg"


def test_differences_of_the_formula_come_first() -> None:
    found = finding(
        verdict="variant",
        differs_on=("users", "mood", "gain"),
        definition={"users": "both", "mood": "good", "gain": "exp2"},
    )
    made = axis_differences(found, {"mood": "bad"})
    assert [(each.axis, each.part) for each in made] == [
        ("mood", "formula"),
        ("gain", "formula"),
        ("users", axis_part("ndcg", "users")),
    ]
    assert (made[0].canonical, made[0].asks, made[0].means) == ("bad", "", ""), "an unknown axis keeps its bare name"
    assert made[1].canonical == "binary" and made[1].means == value_meaning("ndcg", "gain", "exp2") != ""


def test_choices_tell_which_axes_moved() -> None:
    found = differing("ndcg", "alpha", "gain", "exp2", 0.1)
    assert {each.axis: each.moved for each in axis_choices(found)} == {"gain": True, "ideal": False}


def test_a_label_is_short() -> None:
    one = AxisDifference("gain", "exp2", "binary")
    assert variant_label(()) == ""
    assert variant_label((one,)) == "gain:exp2"
    assert variant_label((one, one, one)) == "gain:exp2 +2"
    long = variant_label((AxisDifference("gain", "x" * 90, "binary"),))
    assert long == "gain:" + "x" * 34 + "…", "40 characters with the ellipsis"
