"""Pins of format 1 are read: formula, who counts and input handling follow from their signatures."""

from __future__ import annotations

from typing import Any

import pytest

from recsys_metric_audit.reports.pins.pin_format_1 import upgraded


def of(verdict: str, *definitions: Any, metric: str = "ndcg") -> dict[str, Any]:
    old = {"metric": metric, "status": "measured", "verdict": verdict, "definitions": list(definitions)}
    made = upgraded({"format": 1, "functions": {"f": old}})
    assert made["format"] == 2
    function = made["functions"]["f"]
    assert isinstance(function, dict) and "definitions" not in function
    return function


def test_a_signature_falls_into_levels() -> None:
    made = of("undocumented", "ndcg@k|ideal:listed|users:both|ties:best")
    assert made["formulas"] == ("ndcg@k|ideal:listed",)
    assert (made["who_counts"], made["input"]) == ({"users": "both"}, {"ties": "best"})


@pytest.mark.parametrize(
    ("verdict", "definitions", "now"),
    [
        ("undocumented", ["ndcg@k|users:both"], "agrees"),
        ("undocumented", ["ndcg@k|gain:exp2|users:both"], "variant"),  # Burges et al. state this gain
        ("undocumented", ["ndcg@k|ideal:listed"], "undocumented"),
        ("variant", ["ndcg@k|ideal:listed"], "variant"),
        ("ambiguous", ["ndcg@k|ties:best", "ndcg@k|ties:worst"], "agrees"),
        ("ambiguous", ["ndcg@k", "ndcg@k|ideal:all"], "ambiguous"),
        ("undocumented", ["recall@k"], "variant"),
        ("undocumented", ["ndcg@k|mood:good"], "undocumented"),
    ],
)
def test_the_verdict_is_about_the_formula(verdict: str, definitions: list[str], now: str) -> None:
    assert of(verdict, *definitions)["verdict"] == now


def test_what_one_formula_left_open_is_unknown() -> None:
    made = of("ambiguous", "ndcg@k|ties:best", "ndcg@k|ties:worst")
    assert (made["unknown"], made.get("input")) == (("ties",), None)


def test_definitions_in_an_order_of_their_own_are_read() -> None:
    """The first pins named input handling before who counts."""
    assert of("undocumented", "ndcg@k|ties:best|users:both") == of("undocumented", "ndcg@k|users:both|ties:best")


@pytest.mark.parametrize("functions", [3, {"f": 3}, {"f": {"metric": "ndcg"}}])
def test_what_is_damaged_is_left_to_validation(functions: Any) -> None:
    document = {"format": 1, "functions": functions}
    assert upgraded(document) == {"format": 2, "functions": functions}
    assert document["format"] == 1
