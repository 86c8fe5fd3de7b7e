"""An HTML reader for tests: elements, text, and whether every element is closed in its order."""

from __future__ import annotations

import base64
import re
import zlib
from html.parser import HTMLParser

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.renderers.html import render_report

VOID = {"meta", "link", "br", "img", "input", "hr"}


_PACKED = re.compile(r'<script type="text/plain" id="packed">([A-Za-z0-9+/=]*)</script>')


def unpack(page: str) -> str:
    """Return a page with its packed part in the place where its script puts it."""
    return _PACKED.sub(lambda found: zlib.decompress(base64.b64decode(found[1])).decode(), page)


def page_text(made: Result) -> str:
    """Return the page of a result as it stands in a browser: with its packed part unpacked."""
    return unpack(render_report(made))


class Reader(HTMLParser):
    """Collects elements, attributes and text, and checks that every element is closed in its order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("dd", "td", "th", "li", "p", "br"):
            self.words.append(" ")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def values(self, attribute: str) -> list[str]:
        return [given[attribute] or "" for _, given in self.elements if attribute in given]
