"""Every experiment has one level, and none is named that does not exist."""

from __future__ import annotations

from recsys_metric_audit.audit.behaviours.experiments import EXPERIMENTS
from recsys_metric_audit.reports.pins import drift
from recsys_metric_audit.reports.pins.drift import level_of_experiment


def test_the_tables_name_experiments_that_exist_and_none_twice() -> None:
    known = {experiment.name for experiment in EXPERIMENTS}
    assert known >= drift._WHO_COUNTS | drift._INPUT
    assert not drift._WHO_COUNTS & drift._INPUT


def test_a_missing_user_is_about_who_counts_and_a_tie_about_input() -> None:
    assert level_of_experiment("no_truth") == "who_counts"
    assert level_of_experiment("ties") == "input"
    assert level_of_experiment("perfect") == "formula"


def test_what_holds_of_ordinary_input_is_about_the_formula() -> None:
    formula = {each.name for each in EXPERIMENTS if level_of_experiment(each.name) == "formula"}
    assert formula == {
        "perfect", "worst", "per_user", "repeated_call", "other_metrics", "several_k", "hash_seed", "range",
        "second_route",
    }  # fmt: skip
