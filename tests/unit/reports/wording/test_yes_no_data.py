"""Formulas that equal the canonical one on yes/no data."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import Reference
from recsys_metric_audit.reports.wording.yes_no_data import distinct_on_yes_no_data, equals_canonical_on_yes_no_data
from tests.support.result_samples import differing, finding

NDCG = Reference(metric="ndcg", k=20, signature="ndcg@20", value=0.0934)


def test_a_formula_of_other_gains_equals_the_canonical_one() -> None:
    assert equals_canonical_on_yes_no_data(differing("ndcg", "beta", "gain", "exp2", 0.3), NDCG)
    assert not equals_canonical_on_yes_no_data(differing("ndcg", "beta", "ideal", "none", 0.3), NDCG)
    assert not equals_canonical_on_yes_no_data(differing("ndcg", "beta", "gain", "exp2", 0.3), None)
    unknown = differing("ndcg", "beta", "gain", "exp2", 0.3, verdict="unexplained")
    assert not equals_canonical_on_yes_no_data(unknown, NDCG), "nothing is said of what was not identified"
    other = finding("ndcg", "beta", signature="ndcg@20|no_such_axis:1", verdict="variant")
    assert not equals_canonical_on_yes_no_data(other, NDCG), "a signature of another version of this tool"


def test_a_function_without_a_cut_off_is_compared_with_the_canonical_formula_of_whole_lists() -> None:
    whole = {"k": None, "signature": "ndcg|gain:linear|cutoff:none", "verdict": "variant"}
    assert equals_canonical_on_yes_no_data(finding("ndcg", **whole), NDCG)
    uncut = finding("ndcg", signature="ndcg|gain:linear|cutoff:none", verdict="variant")
    assert not equals_canonical_on_yes_no_data(uncut, NDCG), "asked at k, it does not cut there"


def test_equal_formulas_count_once() -> None:
    formulas = ["?", "ndcg@k", "ndcg@k|gain:exp2", "ndcg@k|gain:exp2|ideal:all", "ndcg@k|ideal:all"]
    assert distinct_on_yes_no_data(formulas) == ["?", "ndcg@k", "ndcg@k|gain:exp2|ideal:all"]
