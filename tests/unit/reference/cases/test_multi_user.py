"""Multi-user probes: every unusual state is there, and variants change gains and thresholds only."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.cases import Probe, User
from recsys_metric_audit.reference.cases.multi_user import (
    ABOVE_THRESHOLD,
    ALL_LISTED,
    DEGENERATE,
    RATED_MISSES,
    UNIT_GAINS,
    USUAL,
)


def state(user: User, k: int) -> str:
    hits = [gain > 0 for gain in user.ranked]
    if not any(hits) and not user.missed:
        return "no truth"
    if not user.ranked:
        return "no list"
    if all(hits):
        return "all relevant"
    return "ordinary" if any(hits[:k]) else "no hit"


def test_every_state_stands_beside_ordinary_users() -> None:
    seen = [{state(user, probe.k) for user in probe.users} for probe in USUAL]
    for name in ("no truth", "no list", "no hit", "all relevant"):
        assert any(states == {name, "ordinary"} for states in seen), name
    assert any(len(states) == 5 for states in seen), "and all of them together"


def test_degenerate_probes_put_everybody_into_one_state() -> None:
    assert [{state(user, probe.k) for user in probe.users} for probe in DEGENERATE[:4]] == [
        {"no truth"}, {"no list"}, {"no hit"}, {"all relevant"}
    ]  # fmt: skip


@pytest.mark.parametrize("variant", [UNIT_GAINS, ABOVE_THRESHOLD, ALL_LISTED, RATED_MISSES])
def test_a_variant_has_the_users_and_cut_offs_of_the_usual_probes(variant: tuple[Probe, ...]) -> None:
    assert [len(probe.users) for probe in variant] == [len(probe.users) for probe in USUAL]
    assert [probe.k for probe in variant] == [probe.k for probe in USUAL]


def test_what_each_variant_changes() -> None:
    assert all(set(probe.case.truth.gain.tolist()) <= {1.0} for probe in UNIT_GAINS)
    assert all((probe.case.truth.gain > probe.case.threshold).all() for probe in ABOVE_THRESHOLD)
    assert all(not user.missed for probe in ALL_LISTED for user in probe.users if user.ranked)
    assert all(gain > 0 for probe in RATED_MISSES for user in probe.users for gain in user.ranked), "all rows rated"
