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
