"""Columns and counts of worked examples, beside the terms of a sum."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.formula_text import template_of
from recsys_metric_audit.reference.formula_text.contingency_text import cells
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.lists import Lists
from tests.support.generated_inputs import one


def lists_of(metric: str, ranked: str, r: int, k: int) -> Lists:
    return Problem.of([one(ranked, r)], k).lists({**METRICS[metric].canonical})


def column(metric: str, name: str, lists: Lists) -> list[float]:
    definition = Definition.of(metric)
    return np.asarray(template_of(definition).factors[name](lists, lists.hits, definition.axes)).tolist()


def test_precision_and_recall_at_each_hit() -> None:
    lists = lists_of("average_precision", "1011", 4, 4)
    assert column("average_precision", "H_j", lists) == [1, 2, 3]
    assert column("average_precision", "P@j", lists) == pytest.approx([1, 2 / 3, 3 / 4])
    assert column("average_recall", "R@j", lists) == pytest.approx([1 / 4, 2 / 4, 3 / 4])


def test_gain_term_and_discount_of_each_hit() -> None:
    lists = lists_of("ndcg", "101", 2, 3)
    assert column("ndcg", "gain term", lists) == [1, 1]
    assert column("ndcg", "discount", lists) == pytest.approx([1, 1 / 2])


def test_cells_of_the_contingency_table_over_the_candidates() -> None:
    found = cells(lists_of("fallout", "1010", 3, 2), {})
    assert {name: count.tolist() for name, count in found.items()} == {"tp": [1], "fp": [1], "fn": [2], "tn": [1]}


def test_counts_of_auc() -> None:
    lists = lists_of("auc", "1010", 3, 2)
    counts = template_of(Definition.of("auc")).counts(lists, {})
    assert {name: count.tolist() for name, count in counts.items()}["relevant"] == [3]
    assert counts["irrelevant"].tolist() == [2]
