"""Probes by kind, and as one problem."""

from __future__ import annotations

import pytest

from audit.observations import probe_tables
from reference.cases import PROBES, Kind


@pytest.mark.parametrize("kind", ["plain", "order", "crowd", "listed_crowd", "sole", "small"])
def test_a_kind_s_probes_and_their_problem_go_together(kind: Kind) -> None:
    probes, problem = probe_tables.probes(kind), probe_tables.problem(kind)
    assert probes and {probe.kind for probe in probes} == {kind}
    assert [case.name for case in problem.cases] == [probe.name for probe in probes]
    assert probe_tables.problem(kind) is problem


def test_every_probe_of_a_kind_is_there() -> None:
    assert [probe for probe in PROBES if probe.kind == "crowd"] == list(probe_tables.probes("crowd"))


def test_one_cut_off_for_all() -> None:
    assert {probe.k for probe in probe_tables.probes("plain", 3)} == {3}
    assert len({probe.k for probe in probe_tables.probes("plain")}) > 1
