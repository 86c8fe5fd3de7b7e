"""Holds what the tables of ``tests/functions_of_others`` say by hand against the slow oracle, on drawn inputs."""

from __future__ import annotations

import importlib
import random

import pytest

from recsys_metric_audit.audit.inhouse.calling.caller import load
from tests.support.drawn_rankings import drawn
from tests.support.functions_of_others import FOLDER, OfOthers, table

DRAWS = 40


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in table() if row.area])
def test_the_answer_by_hand_is_that_of_the_slow_oracle(row: OfOthers) -> None:
    calls = importlib.import_module(f"tests.support.calls_of_others.{row.area}")
    name = row.name.removeprefix(f"{row.area}/")
    file, _, inner = row.name.rpartition(":")
    function = load(str(FOLDER / file), inner)
    rng = random.Random(row.name)
    for _ in range(DRAWS):
        given = drawn(rng, {*row.draw})
        if row.k:
            given = type(given)(given.users, row.k)
        expected = calls.SLOW[name](given) if name in calls.SLOW else given.value(row.right[0])
        assert float(calls.CALLS[name](function, given)) == pytest.approx(float(expected), abs=1e-5), given


def test_each_row_has_its_source_and_what_it_is_used_for() -> None:
    rows = [row for row in table() if row.area]
    assert [row.name for row in rows if not (row.source and row.use and row.shape)] == []
    assert len({row.name for row in rows}) == len(rows)
