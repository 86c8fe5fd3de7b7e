"""Labels: numbers with nouns, lists in sentences, titles of metrics."""

from __future__ import annotations

from typing import get_args

from recsys_metric_audit.reports.model.result import Status, Verdict
from recsys_metric_audit.reports.wording.labels import STATUS_LABELS, VERDICT_MEANINGS, count, joined, metric_title


def test_numbers_have_their_nouns() -> None:
    assert [count(1, "user"), count(2733, "user"), count(2, "library", "libraries")] == [
        "1 user", "2,733 users", "2 libraries"
    ]  # fmt: skip


def test_lists_in_a_sentence() -> None:
    assert [joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


def test_titles_of_known_and_unknown_metrics() -> None:
    assert [metric_title("ndcg"), metric_title("unheard_of")] == ["NDCG", "unheard of"]


def test_every_verdict_and_every_status_without_a_value_has_words() -> None:
    assert set(VERDICT_MEANINGS) == set(get_args(Verdict))
    assert set(STATUS_LABELS) == set(get_args(Status)) - {"measured"}
