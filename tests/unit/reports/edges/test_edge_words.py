"""Situations of the edge matrix: each belongs to one level, and every value of its axes has words."""

from __future__ import annotations

from recsys_metric_audit.audit.behaviours.experiments import METAMORPHIC_TESTS
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.edges.edge_words import AXIS_WORDS, SITUATIONS


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
