"""The catalogue: every entry parses, evaluates, is cited to a place, and differs from the canonical one somewhere."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.cases.item_probes import ITEM_PROBES
from recsys_metric_audit.reference.catalogue import CATALOGUE, Variant, documents_formula, variants_of
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import FAMILIES
from tests.support.generated_inputs import make
from tests.support.hand_computed import ALL_ROWS

VARIANTS = pytest.mark.parametrize("variant", CATALOGUE, ids=lambda variant: variant.signature)
SHAPE = make(
    [(1, 10, 5.0), (1, 11, 4.0), (1, 12, 3.0), (2, 10, 1.0), (2, 13, 1.0), (3, 11, 0.5)],
    [(1, 11, 3.0), (1, 12, 5.0), (2, 13, 4.0), (3, 15, 2.0)],
    [(1, 10), (2, 11), (4, 10)],
)
EVERY = (*PROBES, *ITEM_PROBES)
ON_PROBES = Problem.of([probe.case for probe in EVERY], [probe.k for probe in EVERY])


def value(definition: Definition) -> float:
    return float(evaluate(definition, Problem.of([SHAPE], 2)).mean[0])


@VARIANTS
def test_every_entry_evaluates(variant: Variant) -> None:
    assert not math.isinf(value(variant.definition))
    assert parse(variant.signature).signature() == variant.signature


@VARIANTS
def test_every_entry_has_a_row_worked_out_by_hand(variant: Variant) -> None:
    assert variant.definition.with_(k="k") in {parse(row[0]).with_(k="k") for row in ALL_ROWS}


@VARIANTS
def test_a_variant_says_when_it_differs_and_the_canonical_one_does_not(variant: Variant) -> None:
    assert bool(variant.differs) == bool(variant.definition.differs_on)
    assert variant.names and all(variant.names)


@VARIANTS
def test_citations_name_a_place(variant: Variant) -> None:
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
