"""Draws: splitmix64 as published, one number for one pair wherever its row stands."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.audit.scenarios.draws import _mixed, uniform


def test_the_outputs_of_splitmix64_from_state_0() -> None:
    # Vigna, prng.di.unimi.it/splitmix64.c: the first three outputs from state 0, each state one golden step further
    golden = 0x9E3779B97F4A7C15
    states = np.array([0, golden, 2 * golden % 2**64], dtype=np.uint64)
    assert [hex(each) for each in _mixed(states).tolist()] == [
        "0xe220a8397b1dcdaf", "0x6e789e6aa1b965f4", "0x6c45d188009454f",
    ]  # fmt: skip


def test_a_pair_has_one_number_wherever_it_stands() -> None:
    users, items = np.array([3, 1, 3]), np.array([7, 7, 8])
    together = uniform(1, users, items)
    assert together[1] == uniform(1, np.array([1]), np.array([7]))[0]
    assert uniform(1, np.array([3]), items).tolist() == uniform(1, np.array([3, 3, 3]), items).tolist()
    assert len({*together.tolist(), *uniform(2, users, items).tolist()}) == 6


def test_numbers_are_spread_over_0_to_1() -> None:
    drawn = uniform(5, np.arange(100).repeat(100), np.tile(np.arange(100), 100))
    assert drawn.min() > 0 and drawn.max() < 1
    counts, _ = np.histogram(drawn, bins=10, range=(0, 1))
    assert counts == pytest.approx(1000, abs=150)  # five standard deviations of a binomial of 10,000 and 1/10
