"""Every axis of every metric answers exactly one of the three questions."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space import levels
from recsys_metric_audit.reference.space.levels import LEVELS, QUESTIONS, level_of

NAMES = sorted({axis.name for metric in FAMILIES.values() for axis in metric.all_axes})


@pytest.mark.parametrize("name", NAMES)
def test_every_axis_has_exactly_one_level(name: str) -> None:
    assert [level for level in LEVELS if level_of(name) == level] == [level_of(name)]


@pytest.mark.parametrize("name", FAMILIES)
def test_every_value_but_the_canonical_one_has_a_class_of_mismatch(name: str) -> None:
    for axis in FAMILIES[name].all_axes:
        canonical, *others = axis.values
        assert canonical.slug is None and all(each.slug for each in others), axis.name


def test_the_tables_name_axes_that_exist_and_share_none() -> None:
    assert not levels._WHO_COUNTS & levels._INPUT
    assert set(NAMES) >= levels._WHO_COUNTS | levels._INPUT


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("gain", "formula"), ("cutoff", "formula"), ("positions", "formula"), ("truth", "formula"),
        ("pooling", "formula"), ("weight", "formula"), ("mean", "formula"), ("scope", "formula"),
        ("unlisted", "formula"), ("pairs", "formula"), ("users", "who_counts"), ("undefined", "who_counts"),
        ("no_hit", "who_counts"), ("no_negatives", "who_counts"), ("no_list", "who_counts"), ("order", "input"),
        ("ties", "input"), ("tied_scores", "input"), ("short_lists", "input"), ("duplicates", "input"),
        ("truth_duplicates", "input"), ("relevance", "input"), ("counted_scores", "input"), ("candidates", "input"),
    ],
)  # fmt: skip
def test_levels_are_those_of_the_three_questions(name: str, level: str) -> None:
    assert level_of(name) == level


def test_every_level_has_its_question() -> None:
    assert tuple(QUESTIONS) == LEVELS
