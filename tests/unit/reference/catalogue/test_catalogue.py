"""Hold the catalogue of documented definitions, its look-up, and the names that people use."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit import evaluate as evaluate_rows
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.cases.item_probes import ITEM_PROBES
from recsys_metric_audit.reference.catalogue import (
    CATALOGUE,
    Variant,
    documents_formula,
    find_variant,
    names_of,
    variants_of,
)
from recsys_metric_audit.reference.catalogue.everyday_names import (
    _NAMES,
    metric_in_name,
    metric_named,
    nearest_metric,
    parse_named,
    signature_named,
)
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import FAMILIES
from tests.support.generated_inputs import make
from tests.support.hand_computed import ALL_ROWS

# The catalogue: every entry parses, evaluates, is cited to a place, and differs from the canonical one somewhere.

VARIANTS = pytest.mark.parametrize("variant", CATALOGUE, ids=lambda variant: variant.signature)
SHAPE = make(
    [(1, 10, 5.0), (1, 11, 4.0), (1, 12, 3.0), (2, 10, 1.0), (2, 13, 1.0), (3, 11, 0.5)],
    [(1, 11, 3.0), (1, 12, 5.0), (2, 13, 4.0), (3, 15, 2.0)],
    [(1, 10), (2, 11), (4, 10)],
)
EVERY = (*PROBES, *ITEM_PROBES)
WORKED_OUT = {parse(row[0]).with_(k="k") for row in ALL_ROWS}
"""Definitions of which a value is worked out by hand."""
ON_PROBES = Problem.of([probe.case for probe in EVERY], [probe.k for probe in EVERY])


def value(definition: Definition) -> float:
    return float(evaluate(definition, Problem.of([SHAPE], 2)).mean[0])


@VARIANTS
def test_every_entry_evaluates_and_says_when_it_differs_and_where_it_is_stated(variant: Variant) -> None:
    assert not math.isinf(value(variant.definition))
    assert parse(variant.signature).signature() == variant.signature
    assert variant.definition.with_(k="k") in WORKED_OUT
    assert bool(variant.differs) == bool(variant.definition.differs_on)
    assert variant.names and all(variant.names)
    cited = (*variant.citations, *variant.in_code)
    assert all(citation.at and citation.source.title and citation.source.place for citation in cited)


def test_what_is_in_code_only_is_not_documented() -> None:
    only_in_code = [variant for variant in CATALOGUE if variant.in_code]
    assert only_in_code
    assert not any(variant.citations or documents_formula(variant.definition) for variant in only_in_code)
    assert all("no text that we know states it" in variant.source for variant in only_in_code)


@pytest.mark.parametrize("metric", FAMILIES)
def test_the_canonical_point_comes_first(metric: str) -> None:
    variants = variants_of(metric)
    assert not variants or variants[0].signature == Definition.of(metric).signature()


@VARIANTS
def test_it_differs_from_the_canonical_one_on_some_probe(variant: Variant) -> None:
    definition = shortest(variant.definition)
    canonical = Definition.of(definition.metric, k="k")
    if not definition.differs_on:
        return
    first, second = (evaluate(each, ON_PROBES).mean for each in (definition, canonical))
    assert any(abs(a - b) > 1e-3 or math.isnan(a) != math.isnan(b) for a, b in zip(first, second, strict=True))


# Everyday names of metrics lead to their names in signatures.


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("map", "average_precision"), ("MAP@10", "average_precision"), ("mrr", "reciprocal_rank"),
        ("recip_rank", "reciprocal_rank"), ("hr", "hit_rate"), ("hits", "hit_rate"), ("hit", "hit_rate"),
        ("success", "hit_rate"), ("p", "precision"), ("precision_at_k", "precision"), ("ap", "average_precision"),
        ("rr", "reciprocal_rank"), ("ndcg_cut", "ndcg"), ("NDCG@20", "ndcg"), ("r-precision", "r_precision"),
        ("R-Precision", "r_precision"), ("roc_auc", "auc"), ("F1", "f_score"), ("log loss", "log_loss"),
        ("nDCG", "ndcg"), ("P_10", "precision"), ("map_cut.10", "average_precision"), ("precisionAtK", "precision"),
        ("HitRatio", "hit_rate"), ("MeanReciprocalRank", "reciprocal_rank"), ("recall at 5", "recall"),
        ("ndcg_score", "ndcg"), ("R2", "r_squared"), ("mrr10", "reciprocal_rank"), ("NDCG20", "ndcg"),
        ("hr5", "hit_rate"), ("NERR10", "nerr"), ("f1_10", "f_score"),
    ],
)  # fmt: skip
def test_everyday_names(text: str, metric: str) -> None:
    assert metric_named(text) == metric


@pytest.mark.parametrize("metric", FAMILIES)
def test_a_name_in_signatures_is_itself(metric: str) -> None:
    assert metric_named(metric) == metric


def test_what_is_no_name_is_none_and_may_be_near_one() -> None:
    assert metric_named("personalization") is None
    assert nearest_metric("ndgc") == "ndcg"
    assert nearest_metric("zzzzzz") is None


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        ("MAP@10|denominator:r", "average_precision@10|denominator:r"), ("P_10", "precision@10"), ("hr", "hit_rate"),
        ("ndcg10", "ndcg@10"), ("f1", "f_score"), ("r2", "r_squared"),
        ("ndcg_at_k|gain:exp2", "ndcg@k|gain:exp2"), ("ndcg_cut_20", "ndcg@20|gain:linear"),
        ("context precision@10", "average_precision@10|denominator:hits"), ("R_cap@10", "recall@10|denominator:min"),
        ("contextual_relevancy", "precision|denominator:shown"), ("Context Recall", "recall"),
        ("recall_cap@5|denominator:r", "recall@5|denominator:r"),
        ("serendipity@3", "serendipity@3"), ("recall@20|denominator:min", "recall@20|denominator:min"),
    ],
)  # fmt: skip
def test_signatures_may_begin_with_an_everyday_name(text: str, signature: str) -> None:
    assert signature_named(text) == signature


def test_a_name_without_a_definition_here_says_what_it_is() -> None:
    with pytest.raises(SignatureError, match="azure-ai-evaluation: 25 times the grades"):
        parse_named("XDCG@3")


def test_no_name_stands_for_two_metrics() -> None:
    listed = [(name, metric) for metric, _, names in _NAMES for name in names]
    assert [(name, metric) for name, metric in listed if metric_named(name) != metric] == []
    assert len({name for name, _ in listed}) == len(listed)


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("recall_min", "recall"),
        ("compute_average_precision_at_10", "average_precision"),
        ("computeNDCG", "ndcg"),
        ("nDCG_score", "ndcg"),
        ("hit_at_k", "hit_rate"),
        ("mean_reciprocal_rank_of_first", "reciprocal_rank"),
        ("p_value", None),  # one letter within a name says nothing
        ("p", "precision"),
        ("evaluate", None),
    ],
)
def test_the_name_of_a_function_says_its_metric(name: str, metric: str | None) -> None:
    assert metric_in_name(name) == metric


def test_names_of_trec_eval_alone_have_its_formula() -> None:
    """By its m_ndcg_cut.c gains are the judgements and the ideal is their own; by m_map_cut.c the sum is over r."""
    rows = {1: ["x", "a"]}
    found = evaluate_rows(rows, {1: {"a": 3.0, "b": 1.0}}, 2, ["ndcg_cut_2"])
    assert found["ndcg_cut_2"].mean == pytest.approx((3 / math.log2(3)) / (3 + 1 / math.log2(3)))
    assert evaluate_rows({1: ["a"]}, {1: ["a", "b", "c"]}, 1, ["map_cut_1"])["map_cut_1"].mean == pytest.approx(1 / 3)
    assert parse_named("ndcg_cut_5|gain:binary").signature() == "ndcg@5"
    assert parse_named("ndcg_5").signature() == "ndcg@5" and parse_named("map_5").signature() == "average_precision@5"


# Look-ups in the catalogue: names of equal definitions, and whether a source states a formula.


def test_what_is_equal_has_the_name_of_the_first() -> None:
    assert names_of(parse("precision@7"))[0] == "precision"
    assert names_of(parse("ndcg@20|gain:exp2")) == ("WNDCG", "NDCG with exponential gain")
    assert names_of(parse("ndcg@20|gain:exp2|discount:ln"))[0] == "WNDCG"
    assert names_of(parse("ndcg@20|gain:square_minus_1")) == ()


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
