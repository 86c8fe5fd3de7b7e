"""The bench against other libraries: what it says they compute is what an audit found, and what its page shows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bench import workload
from bench.comparison import OURS, PEERS, definitions, differing
from bench.performance_page import TITLES, Side, page
from bench.performance_plot import plot
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reports.model.result_file import packaged_run

TOLD = {"k": 20, "memory": 16, "limit": 900}
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
    sections = {"paper": (10, {OURS: ours, "slow": slow, "none": Side("None 2", [], "not done after 9 s")})}
    text = page(sections, OURS, {}, "p.svg", **TOLD)
    assert "| Slow 1 | 1 | 1.000 | 3.000 | 2.000 / 4.000 / 6.000 | 10.0 / 12.5 / 15.0 | 1.00 | differ: map |" in text
    assert "| ours | 1 | 0.150 | 0.150 | 0.200 / 0.300 / 0.400 |  | 1.00 |  |" in text
    assert "| None 2 | | | | | | | not done after 9 s |" in text
    assert text.index("| ours") < text.index("| Slow") < text.index("| None")
    assert "](p.svg)" in text and "Beside reading" not in text
    drawn = plot(sections, OURS, TITLES)
    assert ">Slow 1<" in drawn and ">12.5<" in drawn and "None 2" not in drawn


def test_costs_beside_reading_are_ratios_of_the_least_seconds() -> None:
    """42 definitions take 840 ms more at ten further cut-offs: 2 ms each; files are told by the clock."""
    seconds = {
        "columns": [[0.1, 9], [0.2, 9]], "rows placed": [[0.2, 9], [0.4, 9]], "definitions": [[0.4, 9], [0.6, 9]],
        "with the stacked AUC": [[1.0, 9], [1.0, 9]], "with further cut-offs": [[1.24, 9], [1.5, 9]],
        "Parquet decoded": [[9, 0.5], [9, 0.5]], "definitions of Parquet": [[9, 1.0], [9, 0.5]],
    }  # fmt: skip
    text = page({"paper": (10, {OURS: Side("ours", [run(0.1, 0.1)])})}, OURS, {"paper": seconds}, **TOLD)
    assert "| Full rankings, rows in list order | 0.1000 | 2.0 | 4.0 | 10.0 | 2.00 | 0.500 | 1.0 |  |  |" in text


def test_rows_of_a_user_stay_together_where_they_are_grouped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, number in (("USERS", 5), ("ITEMS", 200), ("PAIRS", 40)):
        monkeypatch.setattr(workload, name, number)
    columns = {}
    for kind in ("paper", "grouped", "random"):
        (tmp_path / kind).mkdir()
        workload.write(tmp_path / kind, kind)
        columns[kind] = workload.read(tmp_path / kind)
    paper, grouped, mixed = columns["paper"], columns["grouped"], columns["random"]
    assert grouped["user"].tolist() == paper["user"].tolist() != mixed["user"].tolist()
    assert (np.diff(paper["score"])[np.diff(paper["user"]) == 0] <= 0).all()
    by_pair = [np.lexsort((each["item"], each["user"])) for each in (paper, grouped, mixed)]
    for name in ("item", "score"):
        first, *others = (each[name][order] for each, order in zip((paper, grouped, mixed), by_pair, strict=True))
        assert grouped[name].tolist() != paper[name].tolist()
        assert all(other.tolist() == first.tolist() for other in others)


def test_a_value_that_is_another_is_named() -> None:
    (metric, signature), *_ = definitions("rectools").items()
    assert differing("rectools", {metric: 0.5}, 20, {signature: 0.5 * (1 + 1e-9)}) == []
    assert differing("rectools", {metric: 0.5}, 20, {signature: 0.50001}) == [metric]


def test_relevant_pairs_are_heavy_tailed_and_as_many_as_in_the_paper() -> None:
    counts = workload.relevant_counts(np.random.default_rng(1))
    assert counts.sum() == workload.PAIRS and counts.min() >= 1 and counts.max() > 5 * np.median(counts)
