"""Datasets are loaded by name; an unknown name or size is refused."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.data import NAMES, load
from recsys_metric_audit.audit.errors import UserError


def test_load_knows_sizes():
    assert load("synthetic:7x20").shape.rows == 140
    assert load("synthetic").shape.rows == 200 * 500
    assert load("synthetic:7x20").name == "synthetic:7x20"


@pytest.mark.parametrize("name", ["synthetic:7", "synthetic:0x5", "synthetic:5x1", "synthetic:axb", "synthetic:-3x4"])
def test_a_size_that_is_none_is_refused(name):
    with pytest.raises(UserError, match="is no size") as refused:
        load(name)
    assert "synthetic:200x500" in refused.value.hint


@pytest.mark.parametrize(
    ("name", "meant"), [("ml-100K", "ml-100k"), ("ml100k", "ml-100k"), ("ml-100k:globl", "ml-100k:global")]
)
def test_an_unknown_dataset_is_refused_with_the_nearest_and_the_list(name, meant):
    with pytest.raises(UserError, match="no dataset called") as refused:
        load(name)
    assert f"Did you mean {meant}?" in refused.value.hint
    assert all(known in refused.value.hint for known in NAMES)
