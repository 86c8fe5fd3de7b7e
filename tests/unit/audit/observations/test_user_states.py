"""The unusual states of users, by what their probes were made for."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.observations import probe_tables
from recsys_metric_audit.audit.observations.user_states import shown_states
from recsys_metric_audit.reference.cases import Kind
from recsys_metric_audit.reference.definitions.definition import Definition, parse

ALL = slice(None)


def test_each_pair_of_multi_user_probes_shows_its_state() -> None:
    values = parse("recall@k").axes
    assert shown_states("recall", values, Kind("multi_user"), slice(0, 2)) == frozenset()
    assert "undefined" in shown_states("recall", values, Kind("multi_user"), slice(4, 6))
    assert "no_list" in shown_states("recall", values, Kind("multi_user"), slice(6, 8))
    assert {"undefined", "no_list"} <= shown_states("recall", values, Kind("multi_user"), ALL)


def test_states_follow_the_cases() -> None:
    # By hand: a user of the probe has no recommended item.
    for number, probe in enumerate(probe_tables.probes(Kind("multi_user"))):
        empty = any(not user.ranked for user in probe.users)
        shown = shown_states("recall", parse("recall@k").axes, Kind("multi_user"), slice(number, number + 1))
        assert ("no_list" in shown) is empty, probe.name


@pytest.mark.parametrize("policy", ["users:both", "undefined:1", "no_list:nan", "pooling:pooled"])
def test_averaging_and_edges_do_not_change_a_state(policy: str) -> None:
    plain, other = (
        Definition.of("recall").axes,
        parse(f"recall@k|users:all|{policy}" if "undefined" in policy else f"recall@k|{policy}").axes,
    )
    assert shown_states("recall", plain, Kind("multi_user"), ALL) == shown_states(
        "recall", other, Kind("multi_user"), ALL
    )
