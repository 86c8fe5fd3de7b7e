"""Entries of metrics: every metric has a formula in words and in MathML, and every citation can be followed."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from recsys_metric_audit.reference.catalogue import CATALOGUE
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.handbook.metric_entries import metric_entry, shared_axes
from recsys_metric_audit.reports.renderers.html import template_environment


def test_every_metric_has_an_entry_that_says_why_its_canonical_point_is_one() -> None:
    for told in map(metric_entry, FAMILIES):
        assert told.measures and told.why and told.formula and told.averaging
        assert told.signature == Definition.of(told.name).signature()


@pytest.mark.parametrize("name", FAMILIES)
def test_formulas_are_well_formed_mathml(name: str) -> None:
    told = metric_entry(name)
    variants = [line for variant in told.variants for line in (*variant.formula, *variant.averaging)]
    for line in (*told.formula, *told.averaging, *variants):
        root = ElementTree.fromstring(line.math)
        assert root.tag == "math" and len(root.findall(".//")) > 1
        assert "\\" not in "".join(root.itertext()), line.math


def test_ndcg_is_told_from_its_axes() -> None:
    (variant,) = (each for each in metric_entry("ndcg").variants if each.signature == "ndcg@k|discount:ln|ideal:none")
    text = "\n".join(line.text for line in variant.formula)
    assert "ln(j + 1)" in text and "IDCG" not in text and "log2" not in text


def test_links_of_sources_are_web_addresses() -> None:
    links = {citation.source.link for variant in CATALOGUE for citation in variant.citations} - {""}
    assert links and all(link.startswith(("https://", "http://")) for link in links)


def test_the_partial_renders_every_entry() -> None:
    head = '{% from "handbook.html" import show_details %}'
    template = template_environment().from_string(
        head + "{% for each in entries %}{{ show_details(each) }}{% endfor %}"
    )
    entries = [metric_entry(name) for name in FAMILIES]
    page = template.render(entries=entries)
    for told in entries:
        for variant in told.variants if len(told.variants) > 1 else ():
            assert f"<code>{variant.signature}</code>" in page
    assert "&lt;math" not in page and page.count("<math") == page.count("</math>")
    shown = [line for each in entries if len(each.variants) > 1 for v in each.variants for line in v.formula]
    assert page.count("<math") == len(shown) > 50


def test_an_entry_marks_its_canonical_values() -> None:
    for axis in metric_entry("recall").axes:
        assert [choice.canonical for choice in axis.choices].count(True) == 1
    (variant,) = (each for each in metric_entry("recall").variants if each.canonical)
    assert (variant.signature, variant.name, variant.differs) == ("recall@k", "recall", "")


def test_shared_axes_are_those_outside_the_formula_each_once() -> None:
    names = [axis.name for axis in shared_axes()]
    assert len(names) == len(set(names)) and {"users", "ties", "no_hit"} <= set(names)
    assert "denominator" not in names and "gain" not in names
