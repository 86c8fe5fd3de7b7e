"""HTML pages: foreign text is escaped, and the policy allows their own style and script only."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from recsys_metric_audit.reports.renderers import html
from recsys_metric_audit.reports.renderers.html import render_template, template_environment

TEMPLATES = Path(html.__file__).parent.parent / "templates"


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_style_and_policy_are_those_of_the_template_files() -> None:
    text = render_template("comparison.html", title="t", words="w", rows=[])
    (style,) = re.findall(r"<style>(.*?)</style>", text, flags=re.S)
    assert style == (TEMPLATES / "style.css").read_text(encoding="utf-8")
    assert f"style-src &#39;sha256-{digest(style)}&#39;" in text
    assert "default-src &#39;none&#39;" in text


def test_foreign_text_is_escaped_and_isolated() -> None:
    shown = template_environment().from_string("{{ a }}|{{ b | apart }}|{{ c | apart }}")
    assert shown.render(a="<b>\u202e", b="plain", c="שלום") == "&lt;b&gt;\\u202e|plain|<bdi>שלום</bdi>"


def test_white_space_between_blocks_goes_and_within_text_stays() -> None:
    squeezed = html._BLOCK_WHITESPACE.sub(r"\1", "<ul>\n <li>a\nb</li>\n <li><b>c</b>\n<i>d</i></li>\n</ul>")
    assert squeezed == "<ul><li>a\nb</li><li><b>c</b>\n<i>d</i></li></ul>"
