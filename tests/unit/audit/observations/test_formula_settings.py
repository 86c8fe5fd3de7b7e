"""The settings under which formulas are tried."""

from __future__ import annotations

import pytest

from audit.observations.formula_settings import formula_points, setting_levels
from reference.metrics import METRICS


def test_levels_are_no_change_then_one_then_two_on_different_axes() -> None:
    none, one, two = setting_levels("recall", True)
    assert none == ((),)
    assert all(len(setting) == 1 for setting in one) and (("cutoff", "none"),) in one
    assert all(len({axis for axis, _ in setting}) == 2 for setting in two)
    assert len(set(one)) == len(one) and len(set(two)) == len(two)


def test_who_takes_no_cut_off_reads_whole_lists() -> None:
    assert setting_levels("recall", False)[0] == ((("cutoff", "none"),),)


def test_what_a_variant_assumes_is_in_every_setting() -> None:
    for level in setting_levels("recall", True, "unit_gains"):
        assert all(("relevance", "equal_1") in setting for setting in level)


@pytest.mark.parametrize("metric", METRICS)
def test_each_setting_is_of_values_that_the_axes_admit(metric: str) -> None:
    """Ratings are compared whatever they are: no constant says which of them are relevant."""
    for level in setting_levels(metric, has_k=False):
        assert all(METRICS[metric].axis(axis).admits(value) for setting in level for axis, value in setting)


def test_formula_points_are_all_values_of_the_only_axis() -> None:
    assert formula_points("miss_rate") == [{}]
    assert {point["ideal"] for point in formula_points("ndcg")} > {"k", "all", "none"}
