"""What a metric is called by users, and what they are told of a wrong name."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.metric_name import known_metric, metric_of_relevance


def test_an_unknown_metric_is_refused_with_the_nearest() -> None:
    assert known_metric("ndcg") == "ndcg"
    assert known_metric("MAP@10") == "average_precision"
    with pytest.raises(UserError) as refused:
        known_metric("ndgc")
    assert refused.value.hint.startswith("did you mean ndcg?")


def test_a_metric_of_the_items_shown_is_refused_where_relevance_is_asked() -> None:
    assert known_metric("item coverage") == "catalogue_coverage"
    assert metric_of_relevance("MAP@10") == "average_precision"
    with pytest.raises(UserError, match="catalogue_coverage reads which items are shown"):
        metric_of_relevance("coverage")
