"""Hold means that are computed together, in blocks of users, equal to those of one definition on all rows."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.engines import kept_means, user_blocks
from recsys_metric_audit.reference.engines.kept_means import keep_means, mean_of
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from tests.support.generated_inputs import make, many, one, random_case

DEFINITIONS = [parse(text) for text in (
    "ndcg@k", "recall@k|users:both", "auc|scope:stacked", "precision@k|no_list:previous", "f_score@k|of:means",
    "bpref", "average_precision|cutoff:none|users:both_rows",
)]  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_means_of_blocks_are_those_of_all_rows(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    case = random_case(random.Random(seed))
    made = [evaluate(each, Problem.of([case], 2)) for each in DEFINITIONS]
    expected = [math.nan if each.refused[0] else float(each.mean[0]) for each in made]
    monkeypatch.setattr(user_blocks, "BLOCK", 1)
    problem = Problem.of([case], 2)
    keep_means((problem, DEFINITIONS))
    assert [mean_of(each, problem) for each in DEFINITIONS] == pytest.approx(expected, abs=1e-15, nan_ok=True)


def test_a_mean_is_computed_once_and_those_of_all_cut_offs_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two users with one relevant item each, at rank 2 of 2: found at 2, missed at 1."""
    made: list[tuple[str, ...]] = []

    def counted(block: Case, definitions: Sequence[Definition]) -> object:
        made.append(tuple(map(str, definitions)))
        return evaluated(block, definitions)

    evaluated = kept_means.evaluate_block
    monkeypatch.setattr(kept_means, "evaluate_block", counted)
    monkeypatch.setattr(user_blocks, "BLOCK", 3)
    whole, recall = Problem.of([many(("01", 1), ("01", 1), ("01", 1), ("01", 1))], None), parse("recall@k")
    keep_means((whole.at(1), [recall]), (whole.at(2), [recall]))
    for _ in range(2):
        assert [mean_of(recall, whole.at(k)) for k in (1, 2, None)] == [0.0, 1.0, 1.0]
    assert dict.fromkeys(made) == dict.fromkeys([("recall@1", "recall@2"), ("recall@k",)]) and len(made) > 2


@pytest.mark.parametrize("block", [1, 100])
def test_a_definition_that_refuses_the_case_has_no_mean(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_blocks, "BLOCK", block)
    twice = make([(1, 10, 2.0), (1, 10, 1.0), (2, 10, 1.0)], [(1, 10, 1.0), (2, 10, 1.0)])
    assert math.isnan(mean_of(parse("recall@2|duplicates:error"), Problem.of([twice], 2)))


@pytest.mark.parametrize("block", [1, 100])
def test_too_many_orders_are_told_each_time(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_blocks, "BLOCK", block)
    problem = Problem.of([one("1" * 5 + "0" * 15, scores="5" * 20)], 3)
    for _ in range(2):
        with pytest.raises(TooManyOrdersError):
            mean_of(parse("ndcg@3|ties:average|gain:linear"), problem)


def test_users_named_beside_the_rows_are_averaged_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """User 1 has one of two items at rank 1; user 2 has no rows, and a recall of 0 by that policy."""
    monkeypatch.setattr(user_blocks, "BLOCK", 1)
    case = replace(one("11"), users=np.array([1, 2]))
    assert mean_of(parse("recall@1|users:all|undefined:0"), Problem.of([case], 1)) == 0.25
