"""Comparison of two runs."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import EvidenceSummary, Finding
from recsys_metric_audit.reports.renderers import comparison_formats
from recsys_metric_audit.reports.tables.comparison import Change, compare_results
from tests.support.compared_results import two_runs
from tests.support.extreme_results import hostile, many
from tests.support.result_samples import differing, finding, library, result


def test_what_changed_between_two_runs() -> None:
    found = compare_results(*two_runs())
    assert found.changes == (
        Change("formula", "alpha", "1.0 → 1.1", "alpha.average_precision", 20, "average_precision@k",
               "average_precision@k|denominator:k"),
        Change("status", "beta", "2_3", "beta.recall", 20, "failed", "recall@k"),
        Change("library", "new", "1", "", None, "", "audited"),
        Change("new", "beta", "2_3", "beta.ndcg", 20, "", "ndcg@k"),
        Change("value", "beta", "2_3", "beta.average_precision", 20, "0.0321", "0.0322"),
    )  # fmt: skip


def test_nothing_changed_between_a_run_and_itself() -> None:
    for made in (result(), hostile(), many(8)):
        assert compare_results(made, made).changes == ()
        assert comparison_formats.as_text(compare_results(made, made)) == "Nothing changed.\n"


def test_values_count_as_changed_beyond_the_tolerance_only() -> None:
    exact, rounded = EvidenceSummary(tolerance=1e-9), EvidenceSummary(tolerance=5e-5)
    for seen, changed in ((exact, 1), (rounded, 0)):
        pair = [finding(value=value, evidence=seen) for value in (0.09340, 0.09341)]
        made = [result(libraries=(library(),), findings=(each,)) for each in pair]
        assert len(compare_results(*made).changes) == changed


def test_other_data_is_said_and_values_are_then_not_compared() -> None:
    other = result().dataset.model_copy(update={"digest": "sha256:11", "name": "other"})
    one = result(libraries=(library(),), findings=(finding(),))
    two = result(libraries=(library(),), findings=(finding(value=0.5),), dataset=other)
    made = compare_results(one, two)
    assert [change.kind for change in made.changes] == ["data"]
    assert made.words == "1 change. The data is not the same, so values are not compared."


def pair(old: Finding, new: Finding) -> list[tuple[str, str, str]]:
    runs = [result(libraries=(library(),), findings=(each,)) for each in (old, new)]
    return [(change.kind, change.before, change.after) for change in compare_results(*runs).changes]


def test_every_level_that_changed_is_a_change_of_its_own() -> None:
    old = finding(signature="ndcg@20|users:both|ties:best")
    new = finding(signature="ndcg@20|gain:exp2|ties:worst", verdict="variant")
    assert pair(old, new) == [
        ("formula", "ndcg@k", "ndcg@k|gain:exp2"),
        ("who_counts", "users:both", "users:truth"),
        ("input", "ties:best", "ties:worst"),
    ]


def test_an_axis_that_became_known_changed_nothing_and_hides_no_other_value() -> None:
    old, new = finding(unknown=("ties",)), finding(signature="ndcg@20|ties:best", value=0.5)
    assert pair(old, new) == [("known", "ties:not known", "ties:best"), ("value", "0.0934", "0.5")]


def test_an_axis_that_applies_on_one_side_only_is_no_change_of_meaning() -> None:
    ties = differing("ndcg", "alpha", "ties", "item_desc", 0.0934, verdict="agrees")
    ruled_out = finding(does_not_apply={"ties": "ranks are the argument"})
    one, two = (result(libraries=(library(),), findings=(each,)) for each in (ties, ruled_out))
    assert compare_results(one, two).changes == (
        Change("applies", "alpha", "1.0", "alpha.ndcg", 20, "ties:item_desc", "ties:does not apply"),
    )
    unknown = result(libraries=(library(),), findings=(finding(unknown=("ties",)),))
    assert [change.kind for change in compare_results(one, unknown).changes] == ["known"]


def test_other_axes_of_the_reference_are_said() -> None:
    made = result(libraries=(library(),), findings=(finding(),))
    rows = tuple(
        row.model_copy(update={"definition": {**row.definition, "jitter": "no"}}) if row.metric == "ndcg" else row
        for row in made.reference
    )
    assert compare_results(made, made.model_copy(update={"reference": rows})).changes == (
        Change("space", "", "", "ndcg", 20, "jitter:no such axis", "jitter:no"),
    )
