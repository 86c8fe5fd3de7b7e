"""Formulas in words."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.axis import is_number
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.wording.formula_words import (
    LONGEST,
    axis_contrast,
    axis_phrase,
    formula_contrast,
    formula_words,
)
from recsys_metric_audit.reports.wording.phrases.formula_phrases import OWN, SHARED
from recsys_metric_audit.reports.wording.phrases.item_phrases import ITEM_PHRASES

AXES = [
    (metric, axis)
    for metric, family in FAMILIES.items()
    for axis in family.all_axes
    if level_of(axis.name) == "formula"
]


@pytest.mark.parametrize(("metric", "axis"), AXES, ids=lambda each: getattr(each, "name", each))
def test_every_value_of_a_formula_has_a_phrase_of_its_own(metric: str, axis: object) -> None:
    own = OWN.get(metric) or ITEM_PHRASES.get(metric, {})
    known = own.get(axis.name) or SHARED[axis.name]  # type: ignore[attr-defined]
    others = axis.names[1:]  # type: ignore[attr-defined]
    assert set(known.values) == set(others), "one phrase for each value that is not canonical, and no other"
    assert len({known.values[name] for name in others}) == len(others)
    assert all(0 < len(known.values[name]) <= 64 for name in others)
    assert 0 < len(axis_contrast(metric, axis.name)) <= 40  # type: ignore[attr-defined]
    assert bool(known.number) == (axis.numeric is not None)  # type: ignore[attr-defined]


def test_the_tables_hold_no_axis_that_no_metric_has() -> None:
    acting = {(metric, axis.name) for metric, axis in AXES}
    assert {(metric, axis) for metric, axes in (*OWN.items(), *ITEM_PHRASES.items()) for axis in axes} <= acting
    assert set(SHARED) <= {axis for _, axis in acting}


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
