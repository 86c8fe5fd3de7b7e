"""Columns are named as a function, its class and what it calls name them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from recsys_metric_audit.audit.inhouse.calling import call_sources
from recsys_metric_audit.audit.inhouse.calling.call_shapes import COLUMNS, READS, frames
from tests.support.two_users import case


@pytest.fixture(autouse=True)
def _nothing_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for noted in (READS, COLUMNS):
        for name, value in noted.items():
            monkeypatch.setitem(noted, name, value)  # type: ignore[arg-type]


def read_source(function: Callable[..., Any]) -> list[str]:
    names: list[str] = call_sources.read_source(function, COLUMNS, READS)
    return names


class OfTables:
    """Names its columns where it is made, as some evaluators do."""

    def __init__(self, user: str = "userid") -> None:
        self.user = user

    def mrr(self, truth: Any, results: Any) -> float:
        return float(joined(truth, results).groupby(self.user)["rank"].min().mean())

    def of_dicts(self, truth: Any, results: Any) -> float:
        return len(joined(truth, results))


def joined(truth: Any, results: Any) -> Any:
    return results.merge(truth, on=["userid", "doc_id"])


def test_columns_are_those_of_what_a_function_calls_and_ranks_are_counted() -> None:
    assert read_source(OfTables().mrr) == ["userid", "doc_id", "rank"]
    assert read_source(OfTables().of_dicts) == ["userid"], "what it calls may take more than it is given"
    assert read_source(OfTables().mrr) == ["userid", "doc_id", "rank"]
    predictions, truth = frames(case())
    assert list(predictions.columns) == ["userid", "doc_id", "score", "rank"] and "rank" not in truth
    assert predictions["rank"].tolist() == [1, 2, 1]
    assert OfTables().mrr(truth, predictions) == 2  # only item 31 of user 3 is found, second
