"""Holds the questions for choosing a metric of Schröder, Thiele & Lehner 2011, §6, and their Figures 1 to 4.

The values are computed by our own definitions, on ten items of which the first ``k`` are shown. The captions of
Figures 2 and 3 describe them fully. The paper does not say in which order the items of Figure 1 stand, nor which three
items move in Figure 4: the notes of our figures name our choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from recsys_metric_audit.reference.catalogue.bibliography import SCHROEDER, Citation
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reports.wording.labels import joined

_ITEMS, _SHOWN = 10, 4
FIRST_ORDER = (1, 2, 4, 7)
"""Ranks of the four relevant items of our Figure 1."""


@dataclass(frozen=True)
class Question:
    """A question to answer before choosing, what the answer implies, and the metrics that it concerns."""

    question: str
    answer: str
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """One situation: a picture of the list (``●`` relevant, ``○`` not, ``|`` the cut) and one value per column.

    A value is NaN where the definition gives none.
    """

    label: str
    picture: str
    values: tuple[float, ...]

    @property
    def shown(self) -> tuple[str, ...]:
        """The values with two decimals, a dash for NaN."""
        return tuple("–" if isnan(value) else f"{value:.2f}".replace("-", "−") for value in self.values)


@dataclass(frozen=True)
class Figure:
    """One figure as data: ``columns`` are signatures, ``heads`` their short names, ``lesson`` is its conclusion."""

    title: str
    note: str
    lesson: str
    columns: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[Row, ...]


SOURCE = Citation(SCHROEDER, "§6 and Figures 1 to 4")
QUESTIONS = (
    Question("Are some items rated and others not?",
             "If every item counts as rated by implication, there is no rating left to predict: no rating error fits.",
             ("rmse", "mae")),
    Question("Are ratings numbers, or yes and no?",
             "Yes and no call for a metric of classification or of ranking.",
             ("precision", "recall", "informedness", "auc")),
    Question("Do users look at predicted ratings, or only at what stands on top?",
             "If only at the top, errors elsewhere do not matter: classify or rank, do not measure ratings.",
             ("ndcg", "average_precision", "precision")),
    Question("Is only a short list shown?",
             "Then what measures every rating or the whole ranking is out of place: cut at the list's length.",
             ("auc@k|list:limited", "precision", "recall")),
    Question("Does the list have an order, or do users read one into it?",
             "Then precision, recall, markedness and informedness are not enough: they do not see it.",
             ("average_precision", "ndcg", "reciprocal_rank", "auc@k|list:limited")),
    Question("How fast does interest fade down the list?",
             "MAP and GMAP stress the first ranks; AUC and Kendall's tau weigh a swap the same everywhere.",
             ("average_precision", "average_precision@k|mean:geometric", "auc", "kendall_tau")),
)  # fmt: skip

_TABLE = {
    "precision@k": "prec", "recall@k": "recall", "f_score@k": "F1", "fallout@k": "fall", "miss_rate@k": "miss",
    "informedness@k": "inform", "markedness@k": "marked", "matthews_correlation@k": "MCC",
}  # fmt: skip
_ORDER = {
    "precision@k": "prec", "recall@k": "recall", "average_precision@k|denominator:r": "AP", "ndcg@k": "NDCG",
    "reciprocal_rank@k": "RR", "auc": "AUC", "auc@k|list:limited": "LAUC", "kendall_tau": "tau",
}  # fmt: skip


def figures() -> tuple[Figure, ...]:
    """Return the four figures; the third as two, one for the perfect recommender and one for its inverse."""
    return (
        _figure("Varying the length k of the list",
                f"Ten items, four of them relevant, at ranks {joined([*map(str, FIRST_ORDER)])}: an order of ours.",
                "Recall rises with k and precision tends to fall; informedness and Matthews correlation are highest in"
                " between.",
                _TABLE, [(f"k = {k}", FIRST_ORDER, k) for k in range(1, _ITEMS + 1)]),
        _figure("Varying the position of the one relevant item", "Four of ten items are shown.",
                "Precision and recall see only the cut; AP, NDCG and RR fall steeply; AUC falls evenly, past the cut"
                " too; LAUC falls evenly down to the cut and is level after it.",
                _ORDER, [(f"rank {rank}", (rank,), _SHOWN) for rank in range(1, _ITEMS + 1)]),
        _figure("Varying the ratio of relevant items: a perfect recommender", "Four of ten items are shown.",
                "Precision and recall of a perfect list depend on how many items are relevant.",
                _TABLE, [(f"{r} relevant", range(1, r + 1), _SHOWN) for r in range(1, _ITEMS)]),
        _figure("Varying the ratio of relevant items: its inverse", "Four of ten items are shown, the worst possible.",
                "The worst list has good precision once most items are relevant; informedness and markedness stay"
                " below 0.",
                _TABLE, [(f"{r} relevant", range(_ITEMS - r + 1, _ITEMS + 1), _SHOWN) for r in range(1, _ITEMS)]),
        _figure("Varying the position of three relevant items",
                "Four of ten items are shown; the three stand one below the other, as a block of ours.",
                "LAUC falls with every relevant item that leaves the list, and is level below it; AUC is not.",
                _ORDER, [(f"ranks {at} to {at + 2}", range(at, at + 3), _SHOWN) for at in range(1, _ITEMS - 1)]),
    )  # fmt: skip


def _figure(
    title: str, note: str, lesson: str, columns: dict[str, str], rows: Iterable[tuple[str, Sequence[int], int]]
) -> Figure:
    listed = list(rows)
    problem = problem_of([(ranks, k) for _, ranks, k in listed])
    found = [values(signature, problem) for signature in columns]
    made = tuple(
        Row(label, _picture(ranks, k), tuple(column[n] for column in found))
        for n, (label, ranks, k) in enumerate(listed)
    )
    return Figure(title, note, lesson, tuple(columns), tuple(columns.values()), made)


def problem_of(situations: Sequence[tuple[Sequence[int], int]]) -> Problem:
    """Return situations (ranks of the relevant items among ten, number of items shown) as one case each."""
    return Problem.of([_case(ranks) for ranks, _ in situations], [k for _, k in situations])


def values(signature: str, problem: Problem) -> list[float]:
    """Return the value of a definition in each situation; NaN where the formula gives none."""
    found = evaluate(parse(signature), problem)
    return [float(mean) if regular else float("nan") for mean, regular in zip(found.mean, found.regular, strict=True)]


def _case(ranks: Sequence[int]) -> Case:
    items, relevant = np.arange(1, _ITEMS + 1), np.array(ranks)
    return Case(
        "choosing",
        Predictions(np.ones(_ITEMS, np.int64), items, -items.astype(float)),
        Truth(np.ones(len(relevant), np.int64), relevant, np.ones(len(relevant))),
    )


def _picture(ranks: Sequence[int], k: int) -> str:
    dots = ["●" if rank in ranks else "○" for rank in range(1, _ITEMS + 1)]
    return f"{''.join(dots[:k])}|{''.join(dots[k:])}"
