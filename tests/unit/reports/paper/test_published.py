"""The published values: signatures exist, and full precision rounds to what is printed."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.paper.published import published_cells


def test_every_variant_that_the_paper_claims_is_a_definition_and_every_value_fits_its_print() -> None:
    for each in published_cells():
        if each.variant:
            assert parse(each.variant).metric == each.metric
        if each.full is not None:
            digits = len(each.printed.rstrip("*").split(".")[1])
            assert f"{each.full:.{digits}f}" == each.printed.rstrip("*")
