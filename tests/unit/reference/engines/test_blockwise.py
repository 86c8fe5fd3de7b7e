"""Hold evaluation by blocks of users equal to evaluation of all rows at once, to the last digit."""

from __future__ import annotations

import random

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.engines import blockwise, user_blocks
from recsys_metric_audit.reference.engines.blockwise import evaluate_tables
from recsys_metric_audit.reference.engines.user_blocks import BLOCK
from recsys_metric_audit.reference.evaluation.prepared import InputRefusedError
from recsys_metric_audit.reference.input.case import Case, Predictions
from recsys_metric_audit.reference.input.conversion import LabelledCase, case_from_tables
from recsys_metric_audit.reference.input.rows_error import RowsError
from recsys_metric_audit.reference.metrics import METRICS
from tests.support.generated_inputs import random_case, sampled
from tests.support.same_values import assert_same

DEFINITIONS = [parse(text) for text in (
    "ndcg@2", "auc|scope:stacked", "precision@2|pooling:pooled", "f_score@2|of:means", "reciprocal_rank@2|order:rows",
    "average_precision@3|mean:geometric|users:both", "ndcg@2|duplicates:error", "auc|negatives:catalogue",
    "ndcg@3|ties:average", "precision@2|no_list:previous", "recall@2|duplicates:last",
)]  # fmt: skip


def in_order(case: Case, order: str) -> Case:
    """Return the case with its rows as they are, grouped by user in random order of users, or in random order."""
    rows, rng = case.predictions, np.random.default_rng(3)
    shuffled = rng.permutation(len(rows.user))
    chosen = {"as it is": np.arange(len(shuffled)), "random": shuffled,
              "grouped": np.argsort(rng.permutation(100)[rows.user], kind="stable")}[order]  # fmt: skip
    return Case(
        "data", Predictions(rows.user[chosen], rows.item[chosen], rows.score[chosen]), case.truth, case.train,
        case.catalogue, case.threshold,
    )  # fmt: skip


@pytest.mark.parametrize("order", ["as it is", "grouped", "random"])
@pytest.mark.parametrize("seed", range(4))
def test_blocks_of_users_give_the_values_of_all_rows(seed: int, order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ties, repeats, users on one side only."""
    held = LabelledCase(in_order(random_case(random.Random(seed), users=9), order), None, None)
    drawn = [sampled(metric, seed) for number, metric in enumerate(METRICS.values()) if number % 4 == seed]
    chosen = list(dict.fromkeys([*DEFINITIONS, *drawn]))
    assert len(held.case.truth.user) <= BLOCK
    whole = list(evaluate_tables(held, chosen))
    monkeypatch.setattr(user_blocks, "BLOCK", 4)
    for made, wanted in zip(evaluate_tables(held, chosen), whole, strict=True):
        assert_same(made, wanted)


def test_blocks_hold_few_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two relevant items a user: blocks of 7 hold two users, then the two without predictions one block."""
    user = np.repeat(np.arange(6), 2)
    held = case_from_tables({"user": user[:8], "item": user[:8] * 0 + [1, 2] * 4, "score": user[:8]},
                            {"user": user, "item": np.tile([1, 3], 6)})  # fmt: skip
    blocks: list[int] = []

    def counted(case: Case, *_: object, **__: object) -> object:
        blocks.append(len(np.union1d(case.predictions.user, case.truth.user)))
        return evaluated(case, *_, **__)

    evaluated = blockwise.evaluate_block
    monkeypatch.setattr(blockwise, "evaluate_block", counted)
    monkeypatch.setattr(user_blocks, "BLOCK", 7)
    (made,) = evaluate_tables(held, [parse("recall@1")])
    assert not isinstance(made, ValueError) and made.mean == 4 * (1 / 2) / 6
    assert blocks == [2, 2, 2]


def test_ids_that_are_text_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_blocks, "BLOCK", 1)
    rows = {"user": ["b", "a"], "item": ["x", "x"], "score": [1.0, 1.0]}
    (made,) = evaluate_tables(case_from_tables(rows, {"user": ["a", "b", "c"], "item": ["x", "y", "x"]}),
                              [parse("recall@1")])  # fmt: skip
    assert not isinstance(made, ValueError) and made.by_user() == {"a": 1.0, "b": 0.0, "c": 0.0}


def test_what_is_refused_is_refused_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_blocks, "BLOCK", 1)
    true = {"user": [1, 2], "item": [1, 1]}
    twice = case_from_tables({"user": [1, 2, 2], "item": [1, 5, 5], "score": [1.0, 1.0, 1.0]}, true)
    (made,) = evaluate_tables(twice, [parse("recall@1|duplicates:error")])
    assert isinstance(made, InputRefusedError)
    broken = case_from_tables({"user": [1], "item": [1], "score": [np.nan]}, true)
    with pytest.raises(RowsError, match="NaN"):
        list(evaluate_tables(broken, [parse("recall@1")]))
