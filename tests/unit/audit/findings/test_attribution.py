"""The steps of a decomposition, by hand on two users."""

import numpy as np
import pytest

from recsys_metric_audit.audit.findings.attribution import decompose
from recsys_metric_audit.reference.cases import User
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem

# User 1: hit at rank 1 of 4, three relevant. User 2: hit at rank 2, one relevant; k is 2.
DATA = Problem.of([case_from_users("two", [User((2, 0, 0, 0), (2, 2)), User((0, 2, 0), ())])], 2)


def test_each_step_moves_one_axis_and_has_its_value() -> None:
    steps = decompose(
        parse("average_precision@2"), parse("average_precision@2|denominator:r|users:all|ties:item_asc"), DATA
    )
    # AP over min(k, r): (1/2, 1/2); over r: (1/3, 1/2). Nobody is without relevant items; nothing is tied.
    assert [(step.axis, step.signature) for step in steps] == [
        ("", "average_precision@2"),
        ("denominator", "average_precision@2|denominator:r"),
        ("users", "average_precision@2|denominator:r|users:all"),
        ("ties", "average_precision@2|denominator:r|users:all|ties:item_asc"),
    ]
    assert [step.value for step in steps] == pytest.approx([1 / 2, 5 / 12, 5 / 12, 5 / 12])


def test_a_cut_off_that_begins_to_act_is_that_of_the_end() -> None:
    steps = decompose(parse("auc"), parse("auc@2|list:topk"), DATA)
    # Pairs won over pairs: (3/9, 1/2); among the first two rows: (1/1, 0/1).
    assert [(step.signature, step.value) for step in steps] == [
        ("auc", pytest.approx(5 / 12)), ("auc@2|list:topk", pytest.approx(1 / 2)),
    ]  # fmt: skip


def test_another_family_is_a_step_of_its_own() -> None:
    steps = decompose(parse("precision@2"), parse("hit_rate@2"), DATA)
    assert [(step.axis, step.value) for step in steps] == [("", 0.5), ("metric", 1.0)]


def test_a_step_with_more_orders_of_ties_than_can_be_averaged_has_no_value() -> None:
    data = Problem.of([case_from_users("ties", [User((2,) * 7 + (0,), (), scores=(0.5,) * 8)])], 4)  # 40,320 orders
    steps = decompose(parse("recall@4"), parse("recall@4|ties:average"), data)
    assert steps[0].value == pytest.approx(4 / 7)
    assert np.isnan(steps[1].value)


def test_what_agrees_has_no_steps() -> None:
    assert decompose(parse("ndcg@2"), parse("ndcg@2"), DATA) == ()
