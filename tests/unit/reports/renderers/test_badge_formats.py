"""Badges as SVG and as the document that shields.io reads."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from recsys_metric_audit.reports.pins.badge_text import Badge
from recsys_metric_audit.reports.renderers.badge_formats import as_endpoint, as_svg

BADGE = Badge("ndcg", "gain:exp2 & more", "#e05d44")


def test_the_endpoint_document_has_the_names_of_schema_version_1() -> None:
    assert json.loads(as_endpoint(BADGE)) == {
        "schemaVersion": 1, "label": "ndcg", "message": "gain:exp2 & more", "color": "#e05d44",
    }  # fmt: skip


def test_the_drawing_is_svg_with_both_texts() -> None:
    pytest.importorskip("anybadge")
    drawn = ElementTree.fromstring(as_svg(Badge("ndcg", "agrees", "#4c1")))
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    texts = {each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"ndcg", "agrees"} <= texts
