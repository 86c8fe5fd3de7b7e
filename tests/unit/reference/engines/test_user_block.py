"""Which definitions give each user a value that depends on that user alone."""

from __future__ import annotations

import pytest

from reference.definitions.definition import parse
from reference.engines.user_block import NotUserByUserError, check_user_by_user, is_user_by_user


@pytest.mark.parametrize("text", ["novelty@2", "average_popularity@2", "gini@2", "user_coverage", "auc|scope:stacked"])
def test_what_reads_the_rows_of_others_is_not_evaluated_a_block_at_a_time(text: str) -> None:
    assert is_user_by_user(parse("ndcg@2")) and not is_user_by_user(parse(text))
    with pytest.raises(NotUserByUserError, match="all users at once"):
        check_user_by_user([parse(text)])
