"""Repeated calls, other cut-offs before, and another hash seed: equal answers or the spread."""

from __future__ import annotations

from recsys_metric_audit.audit.behaviours import scenarios
from tests.support.behaviour_samples import judged


def test_calls_in_a_row_that_differ_show_their_spread() -> None:
    assert judged("repeated_call", {scenarios.ORDINARY: 0.5, "called three times": [0.5, 0.5, 0.5]}).name == "unchanged"
    said = judged("repeated_call", {scenarios.ORDINARY: 0.5, "called three times": [0.5, 0.75, 0.25]})
    assert said.name == "changes"
    assert "a spread of 0.5" in said.text


def test_other_cut_offs_before() -> None:
    assert judged("several_k", {"k alone": [0.5, 0.25], "after other k": [0.5, 0.25]}).name == "unchanged"
    said = judged("several_k", {"k alone": [0.5, 0.25], "after other k": [0.5, 0.5]})
    assert (said.name, said.text) == ("changes", "k = 5: 0.25 becomes 0.5")
    assert judged("several_k", {}, has_k=False).name == "not_askable"


def test_another_hash_seed() -> None:
    answers = dict.fromkeys(scenarios.SEEDED, 0.5)
    assert judged("hash_seed", answers).name == "unchanged"
    assert judged("hash_seed", answers, seeded=0.75).name == "changes"
