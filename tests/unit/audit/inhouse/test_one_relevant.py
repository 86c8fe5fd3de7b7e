"""Functions that rely on each user's having one relevant item: what holds for such users is said to hold for these."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from recsys_metric_audit import identify
from recsys_metric_audit.audit import cli
from recsys_metric_audit.audit.pytest_plugin import assert_computes

pytestmark = pytest.mark.slow  # whole identifications

ONE = "where each user has one relevant item, of gain 1"


def mrr(scores: Sequence[float], labels: Sequence[float], k: int) -> float:
    """Return one over the rank of the only positive: with several, ranks add up."""
    ordered = np.asarray(labels)[np.argsort(-np.asarray(scores), kind="stable")]
    rank = (np.arange(len(ordered)) * ordered).sum() + 1
    return float(1 / rank) if rank <= k else 0.0


def dcg(scores: Sequence[float], labels: Sequence[float], k: int) -> float:
    """Return the DCG, which is the NDCG of one positive."""
    top = np.asarray(labels)[np.argsort(-np.asarray(scores), kind="stable")][:k]
    return float((top / np.log2(np.arange(len(top)) + 2)).sum())


def all_found(recommended: list[int], relevant: dict[int, float], k: int) -> float:
    return float(all(item in recommended[:k] for item in relevant)) if relevant else 0.0


def test_of_a_function_that_relies_on_one_relevant_item_is_told_what_it_does_with_it() -> None:
    found = identify(mrr, one_relevant=True)
    assert (found.signature, found.scope, found.verdict) == ("reciprocal_rank@k", ONE, "agrees")
    assert f"computes reciprocal_rank@k, {ONE}" in found.text and "gains 1, k" in found.text


def test_what_is_wrong_of_several_relevant_items_is_not_hidden_by_asking_about_one() -> None:
    """With one relevant item each is right: who did not ask for that alone is not told so."""
    for function in (mrr, all_found):
        found = identify(function)
        assert found.signature is None and ONE not in found.text


def test_only_such_users_are_asked_for_where_that_is_wanted() -> None:
    whole, one = identify(dcg, "ndcg"), identify(dcg, "ndcg", one_relevant=True)
    assert (whole.signature, whole.scope) == ("ndcg@k|gain:linear|ideal:none", "")
    assert (one.signature, one.scope, one.verdict) == ("ndcg@k", ONE, "agrees")


def test_an_expectation_is_held_against_such_users_only() -> None:
    assert_computes(dcg, "ndcg@k", one_relevant=True)
    with pytest.raises(AssertionError, match=r"discount: reciprocal expected, log2 found"):
        assert_computes(dcg, "ndcg@k|discount:reciprocal", one_relevant=True)
    with pytest.raises(AssertionError):
        assert_computes(dcg, "ndcg@k")


def test_the_command_has_the_option(tmp_path: Path) -> None:
    file = tmp_path / "metrics.py"
    file.write_text("def hit(scores, labels, k):\n"
                    "    order = sorted(range(len(scores)), key=lambda row: -scores[row])\n"
                    "    return float(sum(labels[row] for row in order[:k]))\n", encoding="utf-8")  # fmt: skip
    done = CliRunner().invoke(
        cli.app, ["identify", f"{file}:hit", "--metric", "hr", "--one-relevant", "--expect", "hit_rate@k"]
    )
    assert done.exit_code == 0, done.output
    assert f"computes hit_rate@k, {ONE}" in done.stdout
