"""What differs of each library, and the inputs that show it."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reports.headlines.library_differences import (
    library_differences,
    release_changes,
    witness_in_words,
)
from recsys_metric_audit.reports.model.result import Witness
from tests.support.result_samples import differing, finding, library, result


@pytest.mark.parametrize(
    ("case", "k", "said"),
    [
        ("[2 0 0 0] k3 miss 2", 3, "a list with gains [2 0 0 0], and relevant items not in it [2], k = 3"),
        ("tie of two, relevant second", 1, "a list with gains [0 2 0] and scores [0.9 0.9 0.4], k = 1"),
        ("every small list, k 2, list 1 alone", 2, "a list with gains [2], k = 2"),
        ("every small list, k 2, list 999999 alone", 2, "the case “every small list, k 2, list 999999 alone”, k = 2"),
        ("separating case 2: ties, short list", 1, "an input with ties, short list, k = 1"),
        ("a case of another release", None, "the case “a case of another release”"),
    ],
)
def test_a_recorded_witness_is_told_by_the_probe_of_its_name(case: str, k: int | None, said: str) -> None:
    witness = Witness(case=case, k=k, users=(), library_value=0.5, canonical_value=None, text="")
    told = witness_in_words(witness, "the canonical formula gives")
    assert told == f"{said}: the canonical formula gives no value, the library 0.500"


def test_functions_of_one_formula_are_one_difference() -> None:
    two = [
        differing("ndcg", "alpha", "gain", "exp2", 0.2),
        differing("ndcg", "alpha", "gain", "exp2", 0.2, function="alpha.fast.ndcg"),
        differing("ndcg", "alpha", "gain", "linear", 0.3, function="alpha.linear"),
        finding("recall"),
    ]
    [own] = library_differences(result(libraries=(library(),), findings=two))
    assert (own.measured, own.canonical) == (4, 1)
    assert [(each.formula, len(each.findings), each.value) for each in own.differences] == [
        ("ndcg@k|gain:exp2", 2, "0.200"), ("ndcg@k|gain:linear", 1, "0.300"),
    ]  # fmt: skip


def test_a_claim_that_is_contradicted_on_who_counts_only_is_none_of_the_formula() -> None:
    claim = {"claimed": "recall@k|users:all", "matches_claim": False, "differs_on": ("users",)}
    made = finding(
        "recall", signature="recall@20|users:both", definition={"denominator": "r", "users": "both"}, **claim
    )
    [own] = library_differences(result(libraries=(library(),), findings=(made,)))
    assert own.differences == ()


def test_a_release_that_computes_the_same_is_no_change() -> None:
    entries = (library("alpha", "2.0"), library("alpha", "1.0"))
    assert release_changes(result(libraries=entries, findings=(finding(version="2.0"), finding()))) == ()


def test_a_difference_tells_what_its_functions_return_from_the_least_to_the_greatest() -> None:
    pair = [differing("ndcg", "alpha", "ideal", "all", value, function=f"alpha.{value}") for value in (0.2, 0.1234)]
    (own, *_) = library_differences(result(libraries=(library(),), findings=tuple(pair)))
    assert [each.value for each in own.differences] == ["0.123 to 0.200"]
    rounds = differing("ndcg", "alpha", "ideal", "all", 0.1695)
    (own, *_) = library_differences(result(libraries=(library(),), findings=(rounds,)))
    assert [each.value for each in own.differences] == ["0.1695"], "the number as the library rounded it"
