"""What a function gives of two users in one call: hits at the first and the second place are 1 and 1 / 2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from recsys_metric_audit.audit.cli import app
from recsys_metric_audit.audit.inhouse.call import Call
from recsys_metric_audit.audit.inhouse.identify_function import mismatch
from recsys_metric_audit.audit.inhouse.running import running_here
from recsys_metric_audit.audit.inhouse.several_users import of_several_users
from recsys_metric_audit.audit.inhouse.shapes import SHAPES

SUM = "of several users in one call it gives the sum of their values, not the mean: 1.5 for 1 and 0.5"
SUMMING = """
import numpy as np

def reciprocal_rank(recommended, target, k):
    rows = zip(np.asarray(recommended)[:, :k].tolist(), np.asarray(target).tolist())
    return sum(1 / (listed.index(item) + 1) if item in listed else 0.0 for listed, item in rows)
"""


def reciprocal_ranks(reduced: Callable[[list[float]], Any]) -> Callable[..., Any]:
    def reciprocal_rank(recommended: Any, target: Any, k: int) -> Any:
        rows = zip(np.asarray(recommended)[:, :k].tolist(), np.asarray(target).tolist(), strict=True)
        return reduced([1 / (listed.index(item) + 1) if item in listed else 0.0 for listed, item in rows])

    return reciprocal_rank


@pytest.mark.parametrize(
    ("reduced", "said"),
    [
        (np.mean, None),
        (list, None),
        (np.sum, SUM),
        (np.max, "of several users in one call it gives neither their values nor the mean: 1 for 1 and 0.5"),
    ],
)
def test_what_a_batch_of_users_gives(reduced: Callable[[list[float]], Any], said: str | None) -> None:
    call = Call(running_here(reciprocal_ranks(reduced)), SHAPES["recommended-one-matrix"], None)
    assert of_several_users(call, 0.0) == said


@pytest.mark.parametrize(("second", "mean"), [(0.6309, 0.8155), (0.6309, 0.8154)])
def test_a_mean_that_is_rounded_after_the_values_were_is_the_mean(second: float, mean: float) -> None:
    def gain(recommended: Any, target: Any, k: int) -> float:
        rows = np.asarray(recommended)
        return mean if len(rows) == 2 else 1.0 if rows[0][0] == np.asarray(target)[0] else second

    call = Call(running_here(gain), SHAPES["recommended-one-matrix"], None)
    assert of_several_users(call, 5e-5) is None
    assert str(of_several_users(call, 0.0)).endswith(f"neither their values nor the mean: {mean} for 1 and {second}")


def test_a_sum_over_the_users_is_not_what_was_expected() -> None:
    shape, expected = SHAPES["recommended-one-matrix"], "reciprocal_rank@k"
    assert mismatch(reciprocal_ranks(np.mean), expected, shape=shape) == ""
    assert SUM in mismatch(reciprocal_ranks(np.sum), expected, shape=shape)


def test_the_commands_do_not_take_a_sum_for_a_mean(tmp_path: Path) -> None:
    (tmp_path / "metrics.py").write_text(SUMMING, encoding="utf-8")
    function, run = f"{tmp_path / 'metrics.py'}:reciprocal_rank", CliRunner().invoke
    shape = ["--shape", "recommended-one-matrix"]
    expected = run(app, ["identify", function, *shape, "--expect", "reciprocal_rank@k"])
    assert expected.exit_code == 1
    assert "the sum of their values, not the mean" in " ".join(expected.output.split())
    differing = run(app, ["diff", function, "reciprocal_rank@5"])
    assert differing.exit_code == 2
    assert "the sum of their values, not the mean" in " ".join(differing.output.split())


def pooled_recall(labels: Any, scores: Any, k: int) -> float:
    """Divide the hits of all users by the relevant items of all."""
    best = np.argsort(-np.asarray(scores), axis=1, kind="stable")[:, :k]
    hits = np.take_along_axis(np.asarray(labels) > 0, best, axis=1).sum()
    return float(hits / (np.asarray(labels) > 0).sum())


def test_hits_over_relevant_items_of_a_batch_are_not_the_mean() -> None:
    """By hand at k = 3: 1 of 1 and 1 of 2 relevant items are found, together 2 of 3, which is not the mean of 3 / 4."""
    call = Call(running_here(pooled_recall), SHAPES["matrix"], None)
    said = "of several users in one call it gives neither their values nor the mean: 0.666667 for 1 and 0.5"
    assert of_several_users(call, 0.0) == said


def test_dicts_of_one_user_are_one_dict_of_several() -> None:
    def reciprocal_rank(relevant: dict[int, list[int]], listed: dict[int, list[int]], k: int) -> float:
        ranks = [listed[user].index(own[0]) + 1 for user, own in relevant.items()]
        return sum(1 / rank for rank in ranks if rank <= k)

    call = Call(running_here(reciprocal_rank), SHAPES["actual-each"], None)
    assert of_several_users(call, 0.0) == SUM
