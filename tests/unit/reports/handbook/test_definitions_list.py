"""The documented definitions as JSON and as a Markdown table."""

from __future__ import annotations

import json

from recsys_metric_audit.reference.catalogue import Variant, variants_of
from recsys_metric_audit.reference.catalogue.bibliography import TAMM, Citation
from recsys_metric_audit.reports.handbook.definitions_list import as_json, as_markdown

UNCITED = Variant("recall@k|denominator:min", ("a | b",), "Higher.", ())
CITED = Variant("recall@k", ("recall",), "", (Citation(TAMM, "§4.1"),))


def test_json_has_both_signatures_both_formulas_and_the_sources() -> None:
    first, second = json.loads(as_json([CITED, UNCITED]))
    assert first["signature"] == "recall@k" and first["canonical"] and first["differs_on"] == []
    assert first["formula"][0] == "recall@k = H / r" and first["latex"][0].startswith(r"\text{recall@}")
    assert first["sources"] == [{"text": "Tamm et al. 2021, §4.1", "title": f"{TAMM.title}. {TAMM.place}",
                                 "link": TAMM.link}]  # fmt: skip
    assert second["differs_on"] == ["denominator"] and second["sources"] == [] and not second["canonical"]


def test_markdown_is_a_row_a_variant_with_pipes_of_signatures_escaped() -> None:
    head, rule, cited, uncited = as_markdown([CITED, UNCITED]).splitlines()
    assert head == "| signature | name | differs | stated by |" and rule == "|---|---|---|---|"
    assert cited == f"| `recall@k` | recall | canonical | [Tamm et al. 2021, §4.1]({TAMM.link}) |"
    assert uncited.startswith("| `recall@k\\|denominator:min` |") and uncited.endswith("| in use, stated nowhere |")


def test_every_variant_of_a_metric_is_listed() -> None:
    assert len(json.loads(as_json(variants_of("ndcg")))) == len(variants_of("ndcg"))
