"""Formulas as MathML."""

from __future__ import annotations

from xml.etree import ElementTree

from recsys_metric_audit.reports.handbook.mathml import mathml


def test_a_fraction_becomes_one() -> None:
    root = ElementTree.fromstring(mathml(r"\frac{H}{k}"))
    (fraction,) = root.iter("mfrac")
    assert ["".join(part.itertext()) for part in fraction] == ["H", "k"]


def test_characters_stand_for_themselves_except_those_of_markup() -> None:
    assert "≤" in mathml(r"j \le k") and "&#x" not in mathml(r"j \le k")
    assert "&lt;" in mathml(r"i \lt j") or "&#x0003C;" in mathml(r"i \lt j")
    assert ElementTree.fromstring(mathml(r"i \lt j")).tag == "math"


def test_a_formula_stands_on_a_line_of_its_own_or_in_the_text() -> None:
    assert 'display="block"' in mathml("r") and 'display="inline"' in mathml("r", block=False)
