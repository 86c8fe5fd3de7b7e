"""Meanings of findings."""

from __future__ import annotations

from recsys_metric_audit.reports.wording.meanings import fitting_formulas, formula, meaning
from tests.support.result_samples import differing, finding


def test_a_meaning_leaves_the_cutoff_open_and_only_the_cutoff() -> None:
    found = differing("ndcg", "alpha", "no_hit", "1/k", 0.1)
    assert meaning(found) == "ndcg@k|no_hit:1/k"
    assert meaning(finding("auc")) == "auc"
    assert meaning(finding(verdict="ambiguous")) == ""


def test_a_formula_leaves_out_who_counts_and_input_handling() -> None:
    found = differing("ndcg", "alpha", "no_hit", "1/k", 0.1)
    assert formula(found) == "ndcg@k", "what a user without a hit counts as is not the formula"
    assert formula(differing("ndcg", "alpha", "gain", "exp2", 0.1)) == "ndcg@k|gain:exp2"
    assert formula(finding(verdict="ambiguous")) == ""
    tied = {"formula": None, "signature": "ndcg@20|gain:exp2|ties:item_desc"}
    assert formula(finding(**tied)) == "ndcg@k|gain:exp2", "taken from the signature"
    assert formula(finding(formula=None, signature="ndcg@20|mood:good")) == "ndcg@k|mood:good"


def test_definitions_that_differ_in_input_handling_only_have_one_fitting_formula() -> None:
    ties = finding(verdict="ambiguous", equivalent=("ndcg@k|ties:item_desc", "ndcg@k|ideal:shown"))
    assert fitting_formulas(ties) == ("ndcg@k", "ndcg@k|ideal:shown")
