"""How printed numbers are named on the command line."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.cli.shared.printed_numbers import read_printed
from recsys_metric_audit.audit.errors import UserError


def test_a_number_brings_its_metric_and_cutoff_or_takes_the_common_ones() -> None:
    made = read_printed(["0.1571", "recall@10=0.21", "MAP = 7.3 %"], "ndcg", 20)
    assert [(each.metric, each.k, each.number.value) for each in made] == [
        ("ndcg", 20, 0.1571), ("recall", 10, 0.21), ("average_precision", 20, 0.073),
    ]  # fmt: skip


def test_a_metric_without_a_cutoff_needs_none() -> None:
    (made,) = read_printed(["rmse=0.91"], None, None)
    assert (made.metric, made.k) == ("rmse", None)


@pytest.mark.parametrize(
    ("texts", "metric", "k", "message", "hint"),
    [
        (["0.5"], None, 20, "which metric", "--value ndcg@20=0.5"),
        (["ndgc@20=0.5"], None, None, "no metric 'ndgc'", "did you mean ndcg"),
        (["ndcg@20=0,5"], None, None, "--value ndcg@20=0,5: '0,5' has a comma", "write 0.5"),
        (["ndcg@0=0.5"], None, None, "cut-off", "-k 20"),
        (["a=b=c"], None, None, "not of the form", "ndcg@20=0.1571"),
        (["ndcg@20=0.5", "ndcg@20=0.6"], None, None, "printed as 0.5 and as 0.6", "one number"),
    ],
)
def test_what_cannot_be_read_says_what_to_type(
    texts: list[str], metric: str | None, k: int | None, message: str, hint: str
) -> None:
    with pytest.raises(UserError) as raised:
        read_printed(texts, metric, k)
    assert message in raised.value.message and hint in raised.value.hint
