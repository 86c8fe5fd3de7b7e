"""The bench against other libraries: what it says they compute is what an audit found, and what its page shows."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bench import workload
from bench.comparison import OURS, PEERS, definitions, differing
from bench.performance_page import Side, page
from reference.definitions.definition import parse
from reference.definitions.projection import formula_of
from reports.model.default_run import packaged_run

RECORDED = packaged_run().result


@pytest.mark.parametrize("name", sorted(set(PEERS) - {"ranx"}))
def test_a_library_is_compared_under_formulas_that_an_audit_found(name: str) -> None:
    found = {parse(each.formula).with_(k="k") for each in RECORDED.findings if each.library == name and each.formula}
    for signature in definitions(name).values():
        # That unlisted items have no prediction is the contract of its input, not its formula.
        stated = formula_of(parse(signature).with_(truth="all"))
        assert stated in found, signature


def run(conversion: float, metrics: float, memory: float = 1e9) -> dict:
    steps = {"conversion": conversion, "metrics": metrics}
    shown = {name: {"cpu": cpu, "wall": 9.0, "memory": memory} for name, cpu in steps.items()}
    return json.loads(json.dumps({"steps": shown, "values": {"ndcg": 0.5}, "definitions": []}))


def test_ratios_are_of_runs_in_the_same_round() -> None:
    ours = Side("ours", [run(0.1, 0.1), run(0.2, 0.2)])
    slow = Side("Slow 1", [run(1.0, 1.0), run(1.0, 5.0)], differing=["map"])
    text = page({"paper": (10, {OURS: ours, "slow": slow, "none": Side("None 2", [], "not done after 9 s")})}, OURS, 20)
    assert "| Slow 1 | 1 | 1.000 | 3.000 | 2.000 / 4.000 / 6.000 | 10.0 / 12.5 / 15.0 | 1.00 | differ: map |" in text
    assert "| ours | 1 | 0.150 | 0.150 | 0.200 / 0.300 / 0.400 |  | 1.00 |  |" in text
    assert "| None 2 | | | | | | | not done after 9 s |" in text
    assert text.index("| ours") < text.index("| Slow") < text.index("| None")


def test_a_value_that_is_another_is_named() -> None:
    (metric, signature), *_ = definitions("rectools").items()
    assert differing("rectools", {metric: 0.5}, 20, {signature: 0.5 * (1 + 1e-9)}) == []
    assert differing("rectools", {metric: 0.5}, 20, {signature: 0.50001}) == [metric]


def test_relevant_pairs_are_heavy_tailed_and_as_many_as_in_the_paper() -> None:
    counts = workload.relevant_counts(np.random.default_rng(1))
    assert counts.sum() == workload.PAIRS and counts.min() >= 1 and counts.max() > 5 * np.median(counts)
