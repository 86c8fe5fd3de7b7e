"""The two sentences and the three levels of a finding."""

from __future__ import annotations

import math
from typing import Any

from recsys_metric_audit.reports.model.result import Effect, Finding, Reference
from recsys_metric_audit.reports.page.function_entries import (
    LevelLine,
    computed_sentence,
    contract_words,
    documented_words,
    effect_sentence,
    level_lines,
    who_counts_words,
)
from tests.support.result_samples import differing, finding


def exponential(**changes: Any) -> Finding:
    given: dict[str, Any] = {
        "signature": "ndcg@20|gain:exp2|ideal:all|no_hit:skip",
        "formula": "ndcg@20|gain:exp2|ideal:all",
        "definition": {"gain": "exp2", "ideal": "all", "no_hit": "skip", "order": "score"},
        "differs_on": ("gain", "ideal", "no_hit"),
        "verdict": "variant",
    }
    return finding("ndcg", **given | changes)


def row(value: float) -> Reference:
    return Reference(metric="ndcg", k=20, signature="ndcg@20", value=value)


def effect(formula: float, who_counts: float, handling: float, same: bool = False) -> Effect:
    total = formula + who_counts + handling
    return Effect(formula=formula, who_counts=who_counts, input=handling, total=total, same_value=same)


def test_the_first_sentence_says_what_is_computed() -> None:
    assert computed_sentence(finding("ndcg")) == "It computes the canonical NDCG."
    assert computed_sentence(differing("precision", "alpha", "denominator", "shown", 0.1)) == (
        "It computes Precision by another formula: divides by min(k, list length), not by k."
    )
    unsure = finding("recall", verdict="unexplained", signature=None, definition={})
    assert computed_sentence(unsure) == "Recall: no definition fits."


def test_the_second_sentence_says_which_level_moves_the_number_by_how_much() -> None:
    moved = exponential(value=0.163, effect=effect(-0.006, 0.0, 0.0))
    assert effect_sentence(moved, row(0.169)) == (
        "On this data it is 0.163, the canonical 0.169; the formula makes −0.006 of it, "
        "who counts and input handling make nothing of it."
    )
    both = exponential(value=0.2, effect=effect(0.02, 0.011, 0.0))
    assert effect_sentence(both, row(0.169)) == (
        "On this data it is 0.200, the canonical 0.169; the formula makes +0.020 of it, who counts makes +0.011 of it, "
        "input handling makes nothing of it."
    )


def test_a_number_that_does_not_move_is_said_to_be_the_canonical_one() -> None:
    still = exponential(value=0.1695, effect=effect(0.0, 0.0, 0.0, same=True))
    assert effect_sentence(still, row(0.16946)) == (
        "On this data it is 0.1695: the canonical 0.169 to the digits that it gives."
    )
    same = still.model_copy(update={"value": 0.16946})
    assert effect_sentence(same, row(0.16946)) == "On this data it is 0.169, and so is the canonical NDCG."


def test_nan_and_missing_numbers_are_told_as_such() -> None:
    broken = exponential(value=math.nan, effect=effect(-0.006, math.nan, math.nan))
    assert effect_sentence(broken, row(0.169)) == (
        "On this data it is nan, the canonical 0.169; the formula makes −0.006 of it, "
        "from who counts on it is no number."
    )
    assert effect_sentence(exponential(value=None), row(0.169)) == "It gives a value for each user and no mean."
    assert effect_sentence(exponential(value=0.5), None) == "On this data it is 0.500."
    assert effect_sentence(exponential(value=0.5), row(0.169)) == "On this data it is 0.500, the canonical 0.169."


def test_each_level_is_as_canonical_or_says_what_differs_and_what_is_not_known() -> None:
    told = exponential(
        unknown=("ties",),
        cannot_matter={"no_list": "every user has a list"},
        does_not_apply={"duplicates": "every item has one score", "counted_scores": "every item has one score"},
    )
    assert level_lines(told, {}) == (
        LevelLine("Formula", (("differs", "gain 2^g - 1; divides by the DCG of all relevant items"),)),
        LevelLine(
            "Who counts",
            (
                (
                    "differs",
                    "relevant items exist, but all their gains are 0: left out of the mean (canonical: counts as 0)",
                ),
                ("cannot matter", "a user with relevant items and no recommendations (every user has a list)"),
            ),
        ),
        LevelLine(
            "Input handling",
            (
                ("as canonical", ""),
                ("not known", "order of equal scores"),
                (
                    "does not apply",
                    "an item that is recommended twice, which recommended rows can be hits (every item has one score)",
                ),
            ),
        ),
    )
    assert [line.states for line in level_lines(finding("ndcg"), {})] == [(("as canonical", ""),)] * 3


def test_a_finding_without_a_definition_has_no_levels() -> None:
    assert level_lines(finding("recall", verdict="unstable", signature=None, definition={}), {}) == ()


def test_who_counts_is_told_apart_from_the_rest() -> None:
    assert who_counts_words(exponential(), {}).startswith("relevant items exist")
    assert who_counts_words(differing("precision", "alpha", "denominator", "shown", 0.1), {}) == "as canonical"


def test_the_contract_is_told_in_words() -> None:
    takes = {"input": "ranked", "truth": "set", "gains": "any"}
    assert contract_words(finding("ndcg", takes=takes, called_with=("ranks from rows", "a mask"))) == (
        "It takes a ranked list for each user: the order is the argument; relevant items as a set or a mask, without "
        "gains. Called with: ranks from rows and a mask."
    )
    assert contract_words(finding("ndcg")) == ""


def test_who_states_the_formula_is_told_of_identified_formulas_only() -> None:
    both = finding("ndcg", documented_by=("library", "catalogue"))
    assert documented_words(both) == (
        "The formula is stated by its own documentation and a source of the catalogue."
    )  # fmt: skip
    assert documented_words(finding("ndcg")) == (
        "The formula is stated by neither its own documentation nor a source of the catalogue."
    )
    assert documented_words(finding("recall", verdict="unstable", signature=None, definition={})) == ""
