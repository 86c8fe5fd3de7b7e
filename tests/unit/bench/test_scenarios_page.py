"""Checks the page on protocols: what its cells show, and that the committed one has the rows and words of today's."""

from __future__ import annotations

from pathlib import Path

from bench.scenarios import SCENARIOS, Cell, page
from recsys_metric_audit.audit.data.synthetic import synthetic

COMMITTED = Path(__file__).parents[3] / "docs" / "scenarios.md"


def rows(values: dict[str, tuple[float, ...]]) -> dict[str, dict[str, Cell]]:
    return {name: {title: Cell(each) for title in ("HitRate@10", "NDCG@10")} for name, each in values.items()}


def test_a_drawn_value_is_the_mean_above_its_ends_and_the_best_recommender_is_bold() -> None:
    one = rows({"as given": (0.5,), "sampled:9": (0.25, 0.5, 0.75)})
    other = rows({"as given": (0.25,), "sampled:9": (0.75,)})
    made = page(synthetic(5, 20), {"one": one, "other": other})
    assert "| as given | 0.500 | 0.500 |" in made
    assert "| `sampled:9` | 0.500<br><sub>0.250–0.750</sub> | 0.500<br><sub>0.250–0.750</sub> |" in made
    assert "| as given | **0.500** | 0.250 |" in made
    assert "| `sampled:9` | 0.500 | **0.750** |" in made


def test_the_committed_page_has_every_scenario_and_the_words_of_today() -> None:
    text = COMMITTED.read_text(encoding="utf-8")
    assert all(text.count(f"| `{name}` |") == 3 for name in SCENARIOS)
    today = page(synthetic(5, 20), {"ease": rows({"as given": (0.5,)})})
    assert text.partition("\nOn ")[0] == today.partition("\nOn ")[0]
    assert text.partition("## Which")[2].partition("\n\n|")[0] == today.partition("## Which")[2].partition("\n\n|")[0]
