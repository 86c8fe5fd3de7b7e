"""Hold formulas in words and TeX: templates, factors, lines."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.formula_text import averaging_lines, formula_lines, template_of
from recsys_metric_audit.reference.formula_text.lines import FORMULAS
from recsys_metric_audit.reference.formula_text.table_text import cells
from recsys_metric_audit.reference.formula_text.template import FormulaLine, FormulaTemplate, fill
from recsys_metric_audit.reference.metrics import FAMILIES, METRICS
from recsys_metric_audit.reference.space.lists import Lists
from tests.support.generated_inputs import one

# Every metric has a formula, and every value of its formula axes has a wording.


def test_every_metric_has_a_template() -> None:
    assert set(FORMULAS) == set(FAMILIES)


@pytest.mark.parametrize("name", FAMILIES)
def test_no_slot_is_left_open_at_any_value(name: str) -> None:
    metric = FAMILIES[name]
    for axis in (*metric.axes, *(each for each in metric.all_axes if each.part == "averaging")):
        for value in axis.names:
            if metric.refusal({**metric.canonical, axis.name: value}) is None:
                definition = Definition.of(name, {axis.name: value})
                lines = (*formula_lines(definition), *averaging_lines(definition))
                assert lines and not any("<" in line.text or "<" in line.latex for line in lines), (axis.name, value)


@pytest.mark.parametrize(
    ("signature", "text"),
    [
        ("precision@5", "precision@5 = H / k"),
        ("recall@k|denominator:min", "recall@k = H / min(k, r)"),
        ("ndcg@k|ideal:none", "DCG@k = DCG, divided by nothing"),
        ("bpref", "bpref = (sum over the relevant items in the list of 1 - min(n_j, r) / min(r, N)) / r"),
        ("interpolated_precision|at:0.3", "value = P(0.3)"),
        (
            "nerr@k|patience:0.7",
            "NERR@k = (sum over the hits of V_j · R_j) / (sum of V_j over all ranks of an endless list)",
        ),
        ("pfound@3", "PFound@3 = sum over the hits of 0.85^(j - 1) · R_j · (1 - R_i for all hits i above)"),
        ("rbp@k", "RBP@k = (1 - 0.8) · sum over the hits of 1 · 0.8^(j - 1)"),
        ("auc", "AUC = pairs won / (relevant × irrelevant items)"),
    ],
)
def test_the_first_line_of_a_formula(signature: str, text: str) -> None:
    assert formula_lines(parse(signature))[0].text == text


def test_how_users_become_one_number() -> None:
    (line,) = averaging_lines(parse("auc|pooling:weighted|weight:relevant"))
    assert line.text.startswith("the mean of the values of users with relevant items, weighted; w: ")
    assert averaging_lines(parse("recall@5|mean:geometric"))[0].text.startswith("the geometric mean")


@pytest.mark.parametrize("signature", ["auc|scope:stacked", "rmse", "average_recall@5|over:stacked"])
def test_rows_of_all_users_are_not_averaged(signature: str) -> None:
    (line,) = averaging_lines(parse(signature))
    assert line.text == "one value over the rows of users with relevant items together"


@pytest.mark.parametrize(
    ("signature", "lines", "averaged"),
    [
        ("f_score@5|pooling:pooled", "that is (1 + 1²) H / (1² r + k)", "(sum of numerators) / (sum of denominators)"),
        ("f_score@5|of:means|mean:harmonic", "of the harmonic mean of P and that of R over users", "one value"),
        ("fcp|of:means", "concordant pairs: their mean over users who have one; discordant likewise", "one value"),
    ],
)
def test_what_is_put_together_over_users_is_not_told_as_a_mean_of_values(
    signature: str, lines: str, averaged: str
) -> None:
    definition = parse(signature)
    assert [each.text for each in formula_lines(definition)][-1] == lines
    (line,) = averaging_lines(definition)
    assert line.text.startswith(averaged)


def test_what_a_metric_measures_is_one_sentence() -> None:
    for name in FAMILIES:
        measures = template_of(Definition.of(name)).measures
        assert measures[0].isupper() and measures.endswith("."), name


# Columns and counts of worked examples, beside the terms of a sum.


def lists_of(metric: str, ranked: str, r: int, k: int) -> Lists:
    return Problem.of([one(ranked, r)], k).lists({**METRICS[metric].canonical})


def column(metric: str, name: str, lists: Lists) -> list[float]:
    definition = Definition.of(metric)
    return np.asarray(template_of(definition).factors[name](lists, lists.hits, definition.axes)).tolist()


def test_precision_and_recall_at_each_hit() -> None:
    lists = lists_of("average_precision", "1011", 4, 4)
    assert column("average_precision", "H_j", lists) == [1, 2, 3]
    assert column("average_precision", "P@j", lists) == pytest.approx([1, 2 / 3, 3 / 4])
    assert column("average_recall", "R@j", lists) == pytest.approx([1 / 4, 2 / 4, 3 / 4])


def test_gain_term_and_discount_of_each_hit() -> None:
    lists = lists_of("ndcg", "101", 2, 3)
    assert column("ndcg", "gain term", lists) == [1, 1]
    assert column("ndcg", "discount", lists) == pytest.approx([1, 1 / 2])


def test_cells_of_the_contingency_table_over_the_candidates() -> None:
    found = cells(lists_of("fallout", "1010", 3, 2), {})
    assert {name: count.tolist() for name, count in found.items()} == {"tp": [1], "fp": [1], "fn": [2], "tn": [1]}


def test_counts_of_auc() -> None:
    lists = lists_of("auc", "1010", 3, 2)
    counts = template_of(Definition.of("auc")).counts(lists, {})
    assert {name: count.tolist() for name, count in counts.items()}["relevant"] == [3]
    assert counts["irrelevant"].tolist() == [2]


# Templates: slots are filled with wordings, meanings or numbers, and empty lines are left out.


def filled(line: tuple[str, str], slots: dict[str, dict[str, tuple[str, str]]], **axes: str) -> tuple[FormulaLine, ...]:
    return fill(FormulaTemplate("", (line,), slots), Definition.of("ndcg", axes, 5))


def test_a_value_without_a_wording_of_its_own_reads_as_its_meaning() -> None:
    slots = {"gain": {"*": (r"\cdot <meaning>", "times <meaning>")}}
    (line,) = filled(("<gain> <discount>", "<gain>, <discount>"), slots, gain="square_minus_1", discount="ln")
    assert line.text == "times g² - 1, 1 / ln(j + 1)"
    assert line.latex == r"\cdot \text{g² - 1} \text{1 / ln(j + 1)}"


def test_slots_are_filled_inside_wordings() -> None:
    slots = {"ideal": {"all": ("I(<gain>)", "ideal of <gain>")}, "gain": {"exp2": ("2^g", "2^g")}}
    assert filled(("<ideal>", "<ideal>"), slots, ideal="all", gain="exp2") == (FormulaLine("I(2^g)", "ideal of 2^g"),)


def test_a_slot_with_a_form_has_wordings_of_its_own() -> None:
    slots = {"gain": {"exp2": ("a", "a")}, "gain.note": {"exp2": ("b", "b")}}
    assert filled(("<gain><gain.note>", "<gain><gain.note>"), slots, gain="exp2") == (FormulaLine("ab", "ab"),)


def test_numbers_and_the_cut_off_read_as_themselves() -> None:
    assert filled(("<discount>@<k>", "<discount>@<k>"), {}, discount="3")[0].text == "3@5"
    template = FormulaTemplate("", (("<k>", "<k>"),))
    assert fill(template, Definition.of("ndcg"))[0].text == "k"


def test_an_empty_line_is_left_out() -> None:
    assert filled(("<gain>", "<gain>"), {"gain": {"exp2": ("", "")}}, gain="exp2") == ()


def test_special_characters_of_a_meaning_are_escaped_in_latex_only() -> None:
    (line,) = filled(("<users>", "<users>"), {"users": {"*": (r"\%<meaning>", "%<meaning>")}})
    assert line.text == "%users with relevant items" and line.latex == r"\%\text{users with relevant items}"
