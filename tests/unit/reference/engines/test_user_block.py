"""Which definitions give each user a value that depends on that user alone."""

from __future__ import annotations

import pytest

from recsys_metric_audit import evaluate
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.engines.user_block import NotUserByUserError, check_user_by_user, is_user_by_user


@pytest.mark.parametrize("text", ["novelty@2", "average_popularity@2", "gini@2", "user_coverage", "auc|scope:stacked"])
def test_what_reads_the_rows_of_others_is_not_evaluated_a_block_at_a_time(text: str) -> None:
    assert is_user_by_user(parse("ndcg@2")) and not is_user_by_user(parse(text))
    with pytest.raises(NotUserByUserError, match="all users at once"):
        check_user_by_user([parse(text)])


def test_what_counts_train_rows_asks_for_some() -> None:
    rows, truth = {"user": [1, 1], "item": [1, 2], "score": [2.0, 1.0]}, {"user": [1], "item": [1]}
    with pytest.raises(ValueError, match=r"novelty@2: .* pass train rows"):
        evaluate(rows, truth, 2, ["catalogue_coverage", "novelty"])
    made = evaluate(rows, truth, 2, ["novelty"], train={"user": [2, 3], "item": [1, 1]})
    assert made["novelty@2"].mean == 1 / 2  # item 1 is had by both users, item 2 as if by one
