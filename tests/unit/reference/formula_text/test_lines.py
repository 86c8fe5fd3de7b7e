"""Every metric has a formula, and every value of its formula axes has a wording."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.formula_text import averaging_lines, formula_lines, template_of
from recsys_metric_audit.reference.formula_text.lines import FORMULAS
from recsys_metric_audit.reference.metrics import FAMILIES


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


def test_what_a_metric_measures_is_one_sentence() -> None:
    for name in FAMILIES:
        measures = template_of(Definition.of(name)).measures
        assert measures[0].isupper() and measures.endswith("."), name
