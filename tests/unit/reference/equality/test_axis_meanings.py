"""Say what an axis asks in one definition: of one ranking of all rows, of a formula that is defined without a hit."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.axis_meanings import (
    acts_on_zero_gains_only,
    axis_question,
    takes_one_ranking,
    value_meaning_in,
)
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth


@pytest.mark.parametrize(
    ("signature", "only"),
    [
        ("ndcg@k|gain:linear", True),  # by hand: a user with a gain and no hit has DCG 0 over an ideal above 0
        ("ndcg@k|gain:exp2", True),
        ("ndcg@k|gain:linear|users:hits", True),
        ("ndcg@k|ideal:retrieved", False),  # 0/0: the DCG of the hits
        ("average_precision@k|denominator:hits", False),
        ("auc@k|list:topk", False),
        ("ndcg@k", False),  # every relevant item has a gain of 1: it acts nowhere
    ],
)
def test_no_hit_of_a_formula_that_is_defined_without_a_hit_is_about_gains_of_0(signature: str, only: bool) -> None:
    definition = parse(signature)
    assert acts_on_zero_gains_only(definition) is only
    assert axis_question(definition, "no_hit").endswith("all their gains are 0" if only else "0/0 without a hit")


@pytest.mark.parametrize("signature", ["mae", "rmse", "r_squared", "log_loss", "auc|scope:stacked"])
def test_an_edge_of_one_ranking_is_about_all_rows(signature: str) -> None:
    definition = parse(signature)
    assert takes_one_ranking(definition)
    for axis in ("undefined", "no_list"):
        assert "a user" not in axis_question(definition, axis)
    assert value_meaning_in(definition, "undefined", "error") == "the library raises"
    assert value_meaning_in(definition, "undefined", "skip") == "NaN", "there is no mean to be left out of"


def test_one_user_without_a_list_does_not_make_a_pooled_error_raise() -> None:
    """By hand: |0.9 - 1| and |0.1 - 5| over two pairs is 2.5; user 2 has a rating, and no list."""
    shown = Predictions(np.array([1, 1]), np.array([1, 2]), np.array([0.9, 0.1]))
    truth = Truth(np.array([1, 1, 2]), np.array([1, 2, 3]), np.array([1.0, 5.0, 5.0]))
    case = Case("user 2 has no list", shown, truth, catalogue=np.array([1, 2, 3]))
    nobody = Case("no list at all", Predictions(), truth, catalogue=np.array([1, 2, 3]))
    definition = parse("mae|undefined:error|no_hit:error|no_list:error")
    made = evaluate(definition, Problem.of([case, nobody], [2, 2]))
    assert made.mean[0] == pytest.approx(2.5) and list(made.refused) == [False, True]
    assert axis_question(definition, "no_list") == "relevant items, and no recommendation to any user"


def test_the_averaged_have_the_axis_meaning_itself() -> None:
    definition = parse("recall@k")
    assert not takes_one_ranking(definition)
    assert axis_question(definition, "undefined") == definition.family.axis("undefined").meaning
    assert value_meaning_in(definition, "undefined", "skip") == "left out of the mean"
    assert value_meaning_in(definition, "undefined", "no such value") == ""
