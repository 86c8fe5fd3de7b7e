"""Look-ups in the catalogue: names of equal definitions, and whether a source states a formula."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.catalogue import CATALOGUE, documents_formula, find_variant, names_of, variants_of
from recsys_metric_audit.reference.definitions.definition import parse


def test_what_is_equal_has_the_name_of_the_first() -> None:
    assert names_of(parse("precision@7"))[0] == "precision"
    assert names_of(parse("ndcg@20|gain:exp2")) == ("WNDCG", "NDCG with exponential gain")
    assert names_of(parse("ndcg@20|gain:exp2|discount:ln"))[0] == "WNDCG"
    assert names_of(parse("ndcg@20|gain:square_minus_1")) == ()


def test_the_entries_of_an_unknown_metric_are_none() -> None:
    assert variants_of("no_such_metric") == ()
    assert {variant.definition.metric for variant in variants_of("recall")} == {"recall"}


def test_an_entry_is_found_at_any_cut_off() -> None:
    assert find_variant(parse("ndcg@7|gain:exp2")) is find_variant(parse("ndcg@k|gain:exp2"))
    assert find_variant(parse("ndcg@7|gain:square_minus_1")) is None


def test_every_cited_entry_documents_its_formula() -> None:
    assert [e.signature for e in CATALOGUE if e.citations and not documents_formula(e.definition)] == []


@pytest.mark.parametrize(
    ("signature", "documented"),
    [
        ("ndcg@20", True), ("ndcg@20|users:all|undefined:1", True), ("ndcg@20|gain:exp2|ties:item_desc", True),
        ("ndcg@20|gain:square_minus_1", False), ("recall@20|denominator:hits|no_hit:0", False),
    ],
)  # fmt: skip
def test_who_counts_and_input_handling_do_not_decide_whether_a_formula_is_documented(
    signature: str, documented: bool
) -> None:
    assert documents_formula(parse(signature)) == documented
