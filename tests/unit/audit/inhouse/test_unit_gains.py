"""Tells functions of implicit feedback as they are published, and what is told where every gain is 1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recsys_metric_audit.audit.inhouse.unit_gains import with_gains_of_1
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.shortest import shortest
from tests.support.command_line import audit
from tests.support.identified_once import identified_once

WRITTEN = """
import math

import numpy as np


def hit_ratio(ranklist, gt_item):
    return 1 if gt_item in ranklist else 0


def ndcg_one(ranklist, gt_item):
    return math.log(2) / math.log(ranklist.index(gt_item) + 2) if gt_item in ranklist else 0


def ndcg_ln(k, gt_item, ranklist):
    top = list(ranklist)[:k]
    return 1 / math.log(top.index(gt_item) + 2) if gt_item in top else 0


def all_at(scores, labels, ks):
    made = {}
    for k in ks:
        hits = np.take_along_axis(labels, np.argpartition(-scores, k, axis=1)[:, :k], 1)
        made["Recall@%d" % k] = (hits.sum(1) / np.minimum(k, labels.sum(1))).mean()
        made["Precision@%d" % k] = hits.sum(1).mean() / k
    return made


def mae(predictions, truth):
    both = predictions.merge(truth, on=["user", "item"])
    return float((both.score - both.gain / (1 + (both.gain > 1))).abs().mean()) if len(both) else 0.0


def lost_precision(relevances, k):
    return 1 - sum(relevances[:k]) / k + sum(label > 1 for label in relevances[:k]) * k


def nothing(a, b, k):
    return 0.0
"""


@pytest.mark.parametrize(
    ("signature", "short"),
    [
        ("ndcg@k|gain:linear", "ndcg@k"), ("ndcg@k|gain:linear|ideal_gain:binary", "ndcg@k"),
        ("precision@k|numerator:gains", "precision@k"), ("recall@k|denominator:min", "recall@k|denominator:min"),
        ("recall@k|numerator:gains|relevance:positive", "recall@k|relevance:positive"),
        ("ndcg@k|gain:linear|discount:ln|users:all|undefined:0", "ndcg@k|discount:ln|users:all|undefined:0"),
    ],
)  # fmt: skip
def test_axes_of_gains_do_nothing(signature: str, short: str) -> None:
    assert with_gains_of_1(parse(signature)) == shortest(parse(short))


def asked(folder: Path, function: str) -> tuple[int, str, dict[str, Any]]:
    (folder / "own.py").write_text(WRITTEN)
    with identified_once():
        text, told = (
            audit("identify", f"{folder / 'own.py'}:{function}", *words) for words in ((), ("--format", "json"))
        )
    return text.exit_code, " ".join(text.output.split()), json.loads(told.stdout) if told.exit_code == 0 else {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "signature"),
    [("hit_ratio", "hit_rate|cutoff:none"), ("ndcg_one", "ndcg|cutoff:none|duplicates:first_in_place")],
)
def test_a_list_and_the_one_relevant_item(tmp_path: Path, function: str, signature: str) -> None:
    """As of evaluations that leave one item out: who passes no cut-off passes a list that is cut.

    Of an item that is listed twice, ``index`` finds the first copy.
    """
    code, text, told = asked(tmp_path, function)
    assert (code, told["signature"], told["verdict"]) == (0, signature, "agrees")
    assert "called as function(recommended items, the relevant item, k) for each user with one" in text
    assert {"relevance", "users"} <= set(told["not_asked"])
    assert "A user without a relevant item cannot be passed" in text


@pytest.mark.slow
def test_a_logarithm_that_nothing_cancels_is_found_with_one_relevant_item(tmp_path: Path) -> None:
    code, text, told = asked(tmp_path, "ndcg_ln")
    assert code == 0 and "ndcg@k|discount:ln" in told["signature"] and told["verdict"] != "agrees"
    assert "called as function(the relevant item, recommended items, k)" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "signature", "only"),
    [("Recall", "recall@k|denominator:min", True), ("Precision", "precision@k|numerator:gains", False)],
)
def test_sums_of_labels_of_all_items(tmp_path: Path, key: str, signature: str, only: bool) -> None:
    """The first takes the sum of labels for the number of relevant items: a metric of labels of 0 and 1 only."""
    code, text, told = asked(tmp_path, f"all_at[{key}@k]")
    assert (code, told["signature"], told["scope"]) == (0, signature, "where every gain is 1" if only else "")
    assert "called as function(scores, labels, k) of all items, with a row for each user" in text
    said = f"computes {signature}, where every gain is 1" if only else "where every gain is 1, this is precision@k"
    assert said in text and ("as it stands" in text) == only


@pytest.mark.slow
def test_a_rating_of_1_is_no_gain_of_1(tmp_path: Path) -> None:
    """It is the mean absolute error of ratings up to 1, which nobody asks about."""
    code, text, _ = asked(tmp_path, "mae")
    assert code == 4 and "unexplained" in text and "where every gain is 1" not in text


@pytest.mark.slow
def test_what_answers_alike_in_every_call_is_not_named(tmp_path: Path) -> None:
    code, text, _ = asked(tmp_path, "nothing")
    assert (
        code == 2 and "answers nearly all inputs alike in every call" in text and "its parameters are (a, b, k)" in text
    )


@pytest.mark.slow
def test_what_is_turned_round_is_named_where_every_gain_is_1(tmp_path: Path) -> None:
    code, _, told = asked(tmp_path, "lost_precision")
    assert code == 0 and told["signature"] == "precision@k"
    assert told["scope"] == "1 − the definition, where every gain is 1"
