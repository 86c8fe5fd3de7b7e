"""A function that cuts its lists where nobody tells it to is asked at that cut-off, and that is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from recsys_metric_audit.audit.inhouse.call import Call
from recsys_metric_audit.audit.inhouse.identify_function import IdentifyResult, identify_here, mismatch
from recsys_metric_audit.audit.inhouse.own_cutoff import own_cutoff
from recsys_metric_audit.audit.inhouse.running import running_here
from recsys_metric_audit.audit.inhouse.shapes import SHAPES

Ids, Gains = list[int], dict[int, float]


def precision_of_7(recommended: Ids, relevant: Gains, k: int) -> float:
    """Cut at 7, whatever k is."""
    return sum(each in relevant for each in recommended[:7]) / 7


def ndcg_of_20(recommended: Ids, relevant: Gains) -> float:
    """Cut at 20, and take no cut-off."""
    discount = 1 / np.log2(np.arange(2, 22))
    ideal = discount[: len(relevant)].sum() or 1.0
    return float(sum(discount[place] for place, each in enumerate(recommended[:20]) if each in relevant) / ideal)


def rr_of_50(labels: list[int], scores: list[float]) -> float:
    """Cut at 50, of labels and scores."""
    hits = np.flatnonzero(np.asarray(labels)[np.argsort(-np.asarray(scores), kind="stable")[:50]])
    return float(1 / (hits[0] + 1)) if len(hits) else 0.0


def recall_of_k(recommended: Ids, relevant: Gains, k: int) -> float:
    """Cut at k."""
    return len({*recommended[:k]} & {*relevant}) / len(relevant)


def recall_of_10_at_most(recommended: Ids, relevant: Gains, k: int) -> float:
    """Cut at k, and at 10 at most."""
    return recall_of_k(recommended, relevant, min(k, 10))


def rounded_rr(recommended: Ids, relevant: Gains) -> float:
    """Round to one digit, so that all late hits are 0: the list is not cut."""
    return round(next((1 / rank for rank, each in enumerate(recommended, 1) if each in relevant), 0.0), 1)


def average_precision_of_10(recommended: Ids, relevant: Gains, k: int) -> float:
    """Cut at 10, whatever k is, but divide by k at most."""
    found = [rank for rank, each in enumerate(recommended[:10], 1) if each in relevant]
    return sum(number / rank for number, rank in enumerate(found, 1)) / min(k, len(relevant))


def recall_of_all(recommended: Ids, relevant: Gains) -> float:
    """Read the whole list."""
    return recall_of_k(recommended, relevant, len(recommended))


def rbp_of_all(recommended: Ids, relevant: Gains) -> float:
    """Read the whole list, though nothing below rank 40 shows in twelve digits."""
    return sum(0.5**rank for rank, each in enumerate(recommended, 1) if each in relevant)


def at_120(recommended: Ids, relevant: Gains) -> float:
    """Cut below the last rank that is told."""
    return recall_of_k(recommended, relevant, 120)


@pytest.mark.parametrize(
    ("function", "shape", "cut"),
    [
        (precision_of_7, "recommended", 7), (ndcg_of_20, "recommended", 20), (rr_of_50, "scores", 50),
        (recall_of_k, "recommended", None),
        (average_precision_of_10, "recommended", None), (recall_of_10_at_most, "recommended", None),
        (recall_of_all, "recommended", None), (rbp_of_all, "recommended", None),
        (at_120, "recommended", None),
    ],
)  # fmt: skip
def test_the_cut_off_is_found_by_where_a_hit_is_lost(
    function: Callable[..., float], shape: str, cut: int | None
) -> None:
    assert own_cutoff(Call(running_here(function, SHAPES[shape]), SHAPES[shape])) == cut


def told(function: Callable[..., Any], metric: str, shape: str = "recommended") -> IdentifyResult:
    return identify_here(function, metric, SHAPES[shape], None)


def test_what_cuts_by_itself_is_identified_at_its_cut_off() -> None:
    found = told(precision_of_7, "precision")
    assert found.summary is not None and found.summary.signature == "precision@7"
    assert found.recognised == (
        "its cut-off was not seen to change anything: it reads the first 7 rows, and is asked at k = 7; "
        "-k N names another",
    )
    uncut = told(ndcg_of_20, "ndcg")
    assert uncut.summary is not None and uncut.summary.signature == "ndcg@20"
    assert uncut.recognised[0].startswith("it takes no cut-off: it reads the first 20 rows")


def test_rounding_is_no_cut_off() -> None:
    found = told(rounded_rr, "reciprocal_rank")
    assert found.summary is not None and found.summary.signature == "reciprocal_rank|cutoff:none"
    assert not any("reads the first" in each for each in found.recognised)


def test_what_is_expected_at_any_cut_off_does_not_hold_of_one() -> None:
    assert mismatch(precision_of_7, "precision@k", shape=SHAPES["recommended"])
    assert not mismatch(precision_of_7, "precision@7", shape=SHAPES["recommended"])
