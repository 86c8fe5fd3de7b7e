"""A definition seen by level: its formula alone, its axes sorted, and the axes that cannot matter."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.projection import formula_of, idle_axes, leaves_somebody, up_to
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.levels import by_level, level_of


@pytest.mark.parametrize(
    ("signature", "formula"),
    [
        ("ndcg@20|gain:exp2|users:both|ties:item_desc", "ndcg@20|gain:exp2"),
        ("ndcg@20|users:all|undefined:0|order:rows|truth_duplicates:once", "ndcg@20"),
        ("auc|scope:stacked|unlisted:dropped|users:all|no_list:error", "auc|scope:stacked|unlisted:dropped"),
        ("recall@5|denominator:min|pooling:pooled|relevance:positive", "recall@5|denominator:min|pooling:pooled"),
        ("reciprocal_rank|ranks:mean_hits|cutoff:none|ties:other", "reciprocal_rank|ranks:mean_hits|cutoff:none"),
    ],
)  # fmt: skip
def test_the_formula_alone(signature: str, formula: str) -> None:
    assert formula_of(parse(signature)).signature() == formula


def test_who_counts_keeps_the_formula_and_drops_input_handling() -> None:
    full = parse("recall@10|denominator:min|users:both|ties:item_asc")
    assert up_to(full, "who_counts").signature() == "recall@10|denominator:min|users:both"
    assert up_to(full, "input") == shortest(full)


@pytest.mark.parametrize("metric", METRICS)
def test_the_formula_of_the_canonical_definition_is_canonical(metric: str) -> None:
    assert formula_of(parse(metric)).differs_on == ()


def test_axes_are_sorted_into_levels_in_their_order() -> None:
    found = by_level(("ties", "users", "gain", "undefined", "ideal", "duplicates"))
    assert found == {
        "formula": ("gain", "ideal"),
        "who_counts": ("users", "undefined"),
        "input": ("ties", "duplicates"),
    }


@pytest.mark.parametrize(
    ("signature", "axis", "idle"),
    [
        # Rows that are ranked by their order have no ties.
        ("ndcg@k|order:rows", "ties", True),
        ("ndcg@k", "ties", False),
        # Over k there is no 0/0 for want of a hit; over the hits there is.
        ("average_precision@k|denominator:k", "no_hit", True),
        ("average_precision@k|denominator:hits", "no_hit", False),
        # Both sides of NDCG with one discount: its base cancels, so that another base of the ideal does not.
        ("ndcg@k|ideal:none", "ideal_discount", True),
        ("ndcg@k", "ideal_discount", False),
    ],
)
def test_an_axis_is_idle_where_no_value_of_it_changes_the_definition(signature: str, axis: str, idle: bool) -> None:
    assert (axis in idle_axes(parse(signature))) is idle


def test_axes_that_act_together_are_never_called_idle() -> None:
    # A weight acts where values are weighted; neither moves anything alone.
    assert not {"pooling", "weight"} & set(idle_axes(parse("precision@k")))


@pytest.mark.parametrize("metric", METRICS)
def test_idle_axes_are_axes_of_the_metric(metric: str) -> None:
    definition = parse(metric)
    idle = idle_axes(definition)
    assert set(idle) <= set(definition.axes)
    assert all(level_of(axis) for axis in idle)


@pytest.mark.parametrize(
    ("signature", "somebody"),
    [
        ("recall@k", False), ("recall@k|users:all|undefined:0", True),
        ("recall@k|users:predictions|undefined:0", False),
        ("recall@k|users:predictions|undefined:0|no_list:error", True),
        ("recall@k|users:all|undefined:0|no_list:skip", False),
        ("recall@k|users:truth_rows|undefined:0|relevance:positive", False), ("auc|users:all|undefined:0", False),
        ("auc|users:all|undefined:0|no_negatives:0", True), ("auc|scope:stacked", True),
        ("recall@k|users:one_relevant", False), ("precision@k|users:all|undefined:0|pooling:pooled", True),
        ("recall@k|users:all|undefined:0|pooling:pooled", False), ("f_score@k|of:means|users:all|undefined:0", True),
        ("f_score@k|of:means", False),
    ],
)  # fmt: skip
def test_somebody_is_left_where_no_user_is_left_out(signature: str, somebody: bool) -> None:
    """A ratio of sums may be 0/0 with users, but precision's over k, which is the mean, is not."""
    assert leaves_somebody(parse(signature)) is somebody
