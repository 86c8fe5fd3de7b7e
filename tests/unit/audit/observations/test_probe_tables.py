"""Probes by kind, and as one problem."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.observations import probe_tables
from recsys_metric_audit.reference.cases import PROBES, Kind


@pytest.mark.parametrize(
    "kind",
    [
        Kind("single_user"), Kind("order"), Kind("multi_user"), Kind("multi_user", "all_listed"), Kind("degenerate"),
        Kind("exhaustive"),
    ],
)  # fmt: skip
def test_a_kind_s_probes_and_their_problem_go_together(kind: Kind) -> None:
    probes, problem = probe_tables.probes(kind), probe_tables.problem(kind)
    assert probes and {probe.kind for probe in probes} == {kind}
    assert [case.name for case in problem.cases] == [probe.name for probe in probes]
    assert probe_tables.problem(kind) is problem


def test_every_probe_of_a_kind_is_there() -> None:
    assert [probe for probe in PROBES if probe.kind == Kind("multi_user")] == list(
        probe_tables.probes(Kind("multi_user"))
    )


def test_one_cut_off_for_all() -> None:
    assert {probe.k for probe in probe_tables.probes(Kind("single_user"), 3)} == {3}
    assert len({probe.k for probe in probe_tables.probes(Kind("single_user"))}) > 1
