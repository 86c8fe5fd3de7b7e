"""Checks the table of written functions: ten shapes of three, definitions that parse, and values worked out by hand."""

from __future__ import annotations

import importlib.util
import math
from collections import Counter
from typing import Any

import pytest

from bench.functions.table import FOLDER, WRITTEN
from recsys_metric_audit.reference.definitions.definition import parse


def written(shape: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"written_{shape}", FOLDER / f"{shape}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_thirty_functions_in_ten_shapes_some_of_them_wrong() -> None:
    assert Counter(each.shape for each in WRITTEN) == {file.stem: 3 for file in FOLDER.glob("*.py")}
    assert len(WRITTEN) == 30
    assert sum(bool(each.wrong) for each in WRITTEN) >= 8
    assert all(each.wrong for each in WRITTEN if not each.computes)


@pytest.mark.parametrize("shape", sorted({each.shape for each in WRITTEN}))
def test_every_function_is_there(shape: str) -> None:
    module = written(shape)
    for each in WRITTEN:
        if each.shape == shape:
            assert hasattr(module, each.name.partition("(")[0])
            assert not each.computes or parse(each.computes)


@pytest.mark.parametrize(
    ("shape", "name", "arguments", "value"),
    [
        ("recommended", "ndcg_mixed_logarithms", ([1, 2], {2}, 2), 1 / math.log(3)),
        ("recommended", "ndcg_without_ideal", ([1, 2], {2: 3.0}, 2), 3 / math.log2(3)),
        ("actual", "average_precision_over_k", ([2], [1, 2, 3, 4], 4), 1 / 8),
        ("actual", "reciprocal_rank_overwritten", ([1, 3], [1, 2, 3], 3), 1 / 3),
        ("vector", "ndcg_ideal_of_the_top", ([0, 1, 1], 2), 1 / math.log2(3)),
        ("vector", "reciprocal_rank_one_too_far", ([1, 0], 2), 1 / 2),
        ("ranked_truth", "reciprocal_rank_of_the_first_truth", ([1, 2, 3], [3, 1]), 1 / 3),
    ],
)
def test_wrong_functions_are_wrong_in_the_way_that_is_said(
    shape: str, name: str, arguments: tuple[Any, ...], value: float
) -> None:
    assert getattr(written(shape), name)(*arguments) == pytest.approx(value, rel=1e-12)
