"""Functions of labels that are asked at one cut-off: few inputs tell what they compute, and nothing is made up."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from recsys_metric_audit.audit.inhouse.shapes import SHAPES
from recsys_metric_audit.audit.observations.fit import Contradicted
from tests.support.own_functions import identified_here

Labels = list[float]


def ranked(labels: Any, scores: Any) -> Labels:
    """Return the labels best first; tied rows stay as they are."""
    return [float(label) for _, label in sorted(zip(scores, labels, strict=True), key=lambda pair: -pair[0])]


def precision(labels: Any, scores: Any) -> float:
    return sum(label > 0 for label in ranked(labels, scores)[:3]) / 3


def precision_of_shown(labels: Any, scores: Any) -> float:
    top = ranked(labels, scores)[:3]
    return sum(label > 0 for label in top) / len(top)


def reciprocal_rank_or_nan(labels: Any, scores: Any) -> float:
    ranks = [rank for rank, label in enumerate(ranked(labels, scores)[:3], 1) if label > 0]
    return 1 / ranks[0] if ranks else math.nan


def recall_ties_turned_round(labels: Any, scores: Any) -> float:
    own = ranked(list(labels)[::-1], list(scores)[::-1])
    return sum(label > 0 for label in own[:3]) / sum(label > 0 for label in own)


def recall_ties_by_label_and_length(labels: Any, scores: Any) -> float:
    """Order ties by a rule that no definition has: as they are, or by the label, as the length of the list says."""
    if len(labels) % 2:
        own = ranked(labels, scores)
    else:
        own = [label for label, _ in sorted(zip(labels, scores, strict=True), key=lambda pair: (-pair[1], -pair[0]))]
    return sum(label > 0 for label in own[:3]) / sum(label > 0 for label in own)


def half_of_precision(labels: Any, scores: Any) -> float:
    return precision(labels, scores) / 2


def found(function: Callable[..., float], metric: str, shape: str = "scores", k: int = 3) -> list[str]:
    return [each.signature() for each in identified_here(function, metric, SHAPES[shape], k).fit.definitions]


@pytest.mark.parametrize(
    ("function", "metric", "signature"),
    [
        (precision, "precision", "precision@k"),
        (precision_of_shown, "precision", "precision@k|denominator:shown"),
        (reciprocal_rank_or_nan, "reciprocal_rank", "reciprocal_rank@k|no_hit:nan"),
        (recall_ties_turned_round, "recall", "recall@k|ties:reversed"),
        # Not as "order:rows": that the scores are read, rows out of order show.
        (recall_ties_by_label_and_length, "recall", "recall@k|ties:other"),
    ],
)
def test_a_documented_formula_is_found_with_its_ties_and_edges(
    function: Callable[..., float], metric: str, signature: str
) -> None:
    assert found(function, metric) == [signature]


def test_what_is_no_definition_is_not_named() -> None:
    assert found(half_of_precision, "precision") == []


def test_what_is_not_documented_is_searched_for() -> None:
    assert found(precision, "precision", k=4) == ["precision@k|cutoff:k_minus_1"], "it cuts at 3"
    assert found(precision, "recall") == ["recall@k|denominator:k"], "hits over k, which recall is over r"


def of_each_user(scores: Any, labels: Any, indexes: Any) -> list[Labels]:
    """Return the labels of each user's rows, best first."""
    rows = list(zip(indexes, labels, scores, strict=True))
    return [ranked(*zip(*[row[1:] for row in rows if row[0] == user], strict=True)) for user in sorted(set(indexes))]


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def precision_of_everybody(scores: Any, labels: Any, indexes: Any) -> float:
    return mean([sum(label > 0 for label in own[:10]) / 10 for own in of_each_user(scores, labels, indexes)])


def recall_of_users_with_a_hit(scores: Any, labels: Any, indexes: Any) -> float:
    lists = [[label > 0 for label in own] for own in of_each_user(scores, labels, indexes)]
    return mean([sum(own[:10]) / sum(own) for own in lists if any(own[:10])])


def reciprocal_rank_of_users_with_relevant_items(rows: Any) -> float:
    first = [[1 / rank for rank, label in enumerate(own[:10], 1) if label > 0] for own in rows if any(own)]
    return mean([ranks[0] if ranks else 0.0 for ranks in first])


def half_of_precision_of_everybody(scores: Any, labels: Any, indexes: Any) -> float:
    return precision_of_everybody(scores, labels, indexes) / 2


@pytest.mark.parametrize(
    ("function", "metric", "shape", "signature"),
    [
        (precision_of_everybody, "precision", "indexes", "precision@k|users:all|undefined:0"),
        (recall_of_users_with_a_hit, "recall", "indexes", "recall@k|users:hits"),
        (reciprocal_rank_of_users_with_relevant_items, "reciprocal_rank", "vectors", "reciprocal_rank@k"),
    ],
)
def test_labels_of_all_users_tell_who_is_averaged(
    function: Callable[..., float], metric: str, shape: str, signature: str
) -> None:
    assert found(function, metric, shape, 10) == [signature]


def test_what_is_no_definition_of_all_users_has_a_nearest_one() -> None:
    fit = identified_here(half_of_precision_of_everybody, "precision", SHAPES["indexes"], 10).fit
    assert isinstance(fit, Contradicted)
    assert fit.nearest is not None and fit.nearest.metric == "precision" and fit.residual > 0.01


def ndcg_of_late_ranks_of_all(scores: Any, labels: Any, indexes: Any) -> float:
    """Divide by log2(rank + 2), which no documented formula does; a user of nothing relevant counts as 0."""

    def dcg(own: Labels) -> float:
        return sum(label / math.log2(rank + 2) for rank, label in enumerate(own[:10], 1))

    lists = of_each_user(scores, labels, indexes)
    return mean([dcg(own) / dcg(sorted(own, reverse=True)) if any(own) else 0.0 for own in lists])


def test_a_formula_of_all_users_need_not_be_documented() -> None:
    # Which relevant items the ideal list has is not told: in labels every one is listed.
    own = "ndcg@k|gain:linear|discount:log2_off_by_one"
    assert found(ndcg_of_late_ranks_of_all, "ndcg", "indexes", 10)[0] == f"{own}|users:all|undefined:0"
