"""The packed part of a page: nothing is lost, and the tables are not in it."""

from __future__ import annotations

import base64
import re
import zlib

import pytest

from recsys_metric_audit.reports.page.packed import pack, unpack
from recsys_metric_audit.reports.renderers.html import render_report
from tests.support.html_reader import page_text
from tests.support.result_samples import result


def test_packed_text_is_zlib_in_base_64() -> None:
    text = "<p>ü ≠ " * 100
    assert zlib.decompress(base64.b64decode(pack(text))).decode() == text
    assert len(pack(text)) < len(text) / 5


def test_a_page_is_unpacked_where_the_packed_part_stood() -> None:
    page = f'<p>a</p><script type="text/plain" id="packed">{pack("<p>b</p>")}</script><p>c</p>'
    assert unpack(page) == "<p>a</p><p>b</p><p>c</p>"
    assert unpack("<p>nothing packed</p>") == "<p>nothing packed</p>"


@pytest.mark.slow
def test_without_a_script_the_tables_are_there_and_the_findings_are_not() -> None:
    plain, whole = render_report(result()), page_text(result())
    for selector in ('class="matrix"', 'class="edge-matrix"', 'class="functions"', 'class="variants"', "<noscript>"):
        assert selector in plain and selector in whole
    assert 'class="finding"' not in plain
    assert len(re.findall('<article class="finding"', whole)) == len(result().findings)
