"""Comparison of two runs."""

from __future__ import annotations

from reports.model.result import Evidence
from reports.renderers import comparison_formats
from reports.tables.comparison import Change, compare_results
from tests.support.result_samples import finding, hostile, library, many, result, two_runs


def test_what_changed_between_two_runs() -> None:
    found = compare_results(*two_runs())
    assert found.changes == (
        Change("meaning", "alpha", "1.0 → 1.1", "alpha.average_precision", 20, "average_precision@k",
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
    exact, rounded = Evidence(tolerance=1e-9), Evidence(tolerance=5e-5)
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
