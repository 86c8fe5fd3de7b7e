"""Hold the benches: what they measure and write, against numbers worked out by hand."""

from __future__ import annotations

import importlib.util
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import workload
from bench.cluster_traffic import Traffic, measured, section
from bench.comparison import OURS, PEERS, definitions, differing
from bench.functions.table import FOLDER, WRITTEN
from bench.house import counts_of, tracked
from bench.performance_page import TITLES, Side
from bench.performance_page import page as performance_page
from bench.performance_plot import plot
from bench.scenarios import SCENARIOS, Cell
from bench.scenarios import page as scenarios_page
from recsys_metric_audit.audit.data.synthetic import synthetic
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reports.model.result_file import packaged_run


def test_bytes_are_told_for_a_row_and_for_a_user_and_definition() -> None:
    # 13,200 bytes / 1,100 rows = 12; 220 bytes / 10 users / 2 definitions = 11. A user has 110 rows: 100 million users
    # have 11 billion, of 132 GB; their values are 2.2 GB for two definitions, 1.1 GB for one.
    text = "\n".join(section([Traffic(1_100, 10, 8, 2, 13_200, 220)]))
    assert "| 1,100 | 8 | 12.0 | 11.0 |" in text
    said = " ".join(text.split())
    assert "11 billion rows of 100 million users on a thousand executors are thus 132 GB shuffled, 0.13 GB" in said
    assert "2 GB at the driver for 2 definitions, 1.1 GB for one" in said


def test_every_row_and_user_is_counted_whatever_the_number_of_buckets() -> None:
    few, many = measured(((2_000, 2), (2_000, 16)), 5)
    # 2,000 rows are 20 users of 100; each has 10 relevant items.
    assert (few.rows, few.users) == (many.rows, many.users) == (2_200, 20)
    assert 2_200 * 12 < few.shuffled < many.shuffled  # two ids and a score of 4 bytes each; pieces have heads


# Checks the table of written functions: ten shapes of three, definitions that parse, and values worked out by hand.


def written(shape: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"written_{shape}", FOLDER / f"{shape}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_thirty_functions_in_ten_shapes_some_of_them_wrong() -> None:
    assert Counter(each.shape for each in WRITTEN) == {file.stem: 3 for file in FOLDER.glob("*.py")}
    assert len(WRITTEN) == 30
    assert sum(bool(each.wrong) for each in WRITTEN) >= 8
    assert all(each.wrong for each in WRITTEN if not each.computes)


@pytest.mark.parametrize("shape", sorted({each.shape for each in WRITTEN}))
def test_every_function_is_there(shape: str) -> None:
    module = written(shape)
    for each in WRITTEN:
        if each.shape == shape:
            assert hasattr(module, each.name.partition("(")[0])
            assert not each.computes or parse(each.computes)


@pytest.mark.parametrize(
    ("shape", "name", "arguments", "value"),
    [
        ("recommended", "ndcg_mixed_logarithms", ([1, 2], {2}, 2), 1 / math.log(3)),
        ("recommended", "ndcg_without_ideal", ([1, 2], {2: 3.0}, 2), 3 / math.log2(3)),
        ("actual", "average_precision_over_k", ([2], [1, 2, 3, 4], 4), 1 / 8),
        ("actual", "reciprocal_rank_overwritten", ([1, 3], [1, 2, 3], 3), 1 / 3),
        ("vector", "ndcg_ideal_of_the_top", ([0, 1, 1], 2), 1 / math.log2(3)),
        ("vector", "reciprocal_rank_one_too_far", ([1, 0], 2), 1 / 2),
        ("ranked_truth", "reciprocal_rank_of_the_first_truth", ([1, 2, 3], [3, 1]), 1 / 3),
    ],
)
def test_wrong_functions_are_wrong_in_the_way_that_is_said(
    shape: str, name: str, arguments: tuple[Any, ...], value: float
) -> None:
    assert getattr(written(shape), name)(*arguments) == pytest.approx(value, rel=1e-12)


# Hold the counter of the house against modules that were counted by hand.

SAMPLE = '''"""A docstring
of two lines."""

from functools import cache, cached_property  # 1 line


@cache
def one(a, b):
    """Not counted."""
    # nor this
    text = """two
    lines"""
    return a and b and text if a else [x for x in b]


class Two:
    @cached_property
    def three(self):
        assert self
        return 1  # fmt: skip
'''


def test_a_module_counted_by_hand() -> None:
    # Lines: import, @cache, def, text (2), return; class, @cached_property, def, assert, return.
    # Branches: two further operands of `and`, a ternary, a comprehension, an assert.
    assert counts_of(SAMPLE) == {"files": 1, "code": 11, "branches": 5, "caches": 1, "skips": 1}


@pytest.mark.parametrize(
    ("source", "branches"),
    [
        ("if a or b:\n    pass\nelif c:\n    pass\n", 3),
        ("try:\n    pass\nexcept A:\n    pass\nexcept B:\n    pass\n", 2),
        ("match a:\n    case 1:\n        pass\n    case _:\n        pass\n", 2),
        ("while a:\n    for b in c:\n        pass\n", 2),
    ],
)
def test_branches_of_each_kind(source: str, branches: int) -> None:
    assert counts_of(source)["branches"] == branches


def test_links_are_not_counted_twice() -> None:
    files = [path.as_posix() for path in tracked()]
    assert "audit/errors.py" in files and not [path for path in files if path.startswith("recsys_metric_audit/audit")]


# The bench against other libraries: what it says they compute is what an audit found, and what its page shows.

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
    text = performance_page(sections, OURS, {}, "p.svg", **TOLD)
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
    text = performance_page({"paper": (10, {OURS: Side("ours", [run(0.1, 0.1)])})}, OURS, {"paper": seconds}, **TOLD)
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


# Checks the page on protocols: what its cells show, and that the committed one has the rows and words of today's.

COMMITTED = Path(__file__).parents[3] / "docs" / "scenarios.md"


def rows(values: dict[str, tuple[float, ...]]) -> dict[str, dict[str, Cell]]:
    return {name: {title: Cell(each) for title in ("HitRate@10", "NDCG@10")} for name, each in values.items()}


def test_a_drawn_value_is_the_mean_above_its_ends_and_the_best_recommender_is_bold() -> None:
    one = rows({"as given": (0.5,), "sampled:9": (0.25, 0.5, 0.75)})
    other = rows({"as given": (0.25,), "sampled:9": (0.75,)})
    made = scenarios_page(synthetic(5, 20), {"one": one, "other": other})
    assert "| as given | 0.500 | 0.500 |" in made
    assert "| `sampled:9` | 0.500<br><sub>0.250–0.750</sub> | 0.500<br><sub>0.250–0.750</sub> |" in made
    assert "| as given | **0.500** | 0.250 |" in made
    assert "| `sampled:9` | 0.500 | **0.750** |" in made


def test_the_committed_page_has_every_scenario_and_the_words_of_today() -> None:
    text = COMMITTED.read_text(encoding="utf-8")
    assert all(text.count(f"| `{name}` |") == 3 for name in SCENARIOS)
    today = scenarios_page(synthetic(5, 20), {"ease": rows({"as given": (0.5,)})})
    assert text.partition("\nOn ")[0] == today.partition("\nOn ")[0]
    assert text.partition("## Which")[2].partition("\n\n|")[0] == today.partition("## Which")[2].partition("\n\n|")[0]
