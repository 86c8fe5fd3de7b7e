"""Reads the HTML page: its elements, with the part that the page keeps compressed in its place."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from recsys_metric_audit.reports.verification.document import Cell, Row, Table, UnreadableError, plain

_PACKED = re.compile(r'<script type="text/plain" id="packed">([^<]*)</script>')
_VOID = {"meta", "link", "br", "img", "input", "hr", "rect", "path", "use", "circle", "line"}


@dataclass
class Node:
    """One element; ``parts`` are its texts and elements in their order."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    parts: list[Node | str] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        """Return the classes of the element."""
        return self.attributes.get("class", "").split()

    @property
    def text(self) -> str:
        """Return all text in the element, on one line."""
        return plain("".join(self._texts()))

    def _texts(self) -> Iterator[str]:
        for part in self.parts:
            if isinstance(part, str):
                yield part
            else:
                yield from part._texts()

    def all(self, tag: str, of_class: str = "") -> list[Node]:
        """Return the elements inside that have a tag and a class, in their order."""
        return list(self._inside(tag, of_class))

    def first(self, tag: str, of_class: str = "") -> Node:
        """Return the first such element; an empty one if there is none."""
        return next(self._inside(tag, of_class), Node(""))

    def _inside(self, tag: str, of_class: str) -> Iterator[Node]:
        waiting = self.parts[::-1]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Node):
                if part.tag == tag and (not of_class or of_class in part.classes):
                    yield part
                waiting += part.parts[::-1]

    def without(self, *tags: str) -> str:
        """Return the text of the element without that of the elements of some tags."""
        kept = [part for part in self.parts if isinstance(part, str) or part.tag not in tags]
        return plain("".join(part if isinstance(part, str) else part.text for part in kept))


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("page")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].parts.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].parts.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if len(self.open) > 1 and self.open[-1].tag == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].parts.append(data)


def read_page(text: str, file: str) -> Node:
    """Return the elements of a page.

    Raises:
        UnreadableError: if the page has no packed part, or its elements are not closed in their order.
    """
    if len(_PACKED.findall(text)) != 1:
        raise UnreadableError(file, "it is no page of this tool: it has no packed part")
    try:
        whole = _PACKED.sub(lambda found: zlib.decompress(base64.b64decode(found[1])).decode(), text)
    except (ValueError, zlib.error):
        raise UnreadableError(file, "its packed part is damaged") from None
    return read_elements(whole, file)


def read_elements(text: str, file: str) -> Node:
    """Return the elements of a page that has no packed part, or has it in its place."""
    builder = _Builder()
    builder.feed(text)
    builder.close()
    if len(builder.open) != 1:
        raise UnreadableError(file, f"its element {builder.open[-1].tag} is not closed")
    return builder.open[0]


def page_table(figure: Node) -> tuple[Table, list[str]]:
    """Return one of the tables of a page, without the paper's values in brackets, and the lines of its key."""
    name, caption = figure.first("figcaption").first("b").text.rstrip("."), figure.first("figcaption").without("b")
    heads = figure.first("thead").all("th")[1:]
    columns = tuple(plain(f"{head.without('small')} {head.first('small').text}") for head in heads)
    rows = [Row(row.first("th").text, tuple(Cell(cell.without("sup", "small"), cell.first("sup").text)
                                            for cell in row.all("td")))
            for row in figure.first("tbody").all("tr")]  # fmt: skip
    key = [line for line in figure.first("ul", "key").all("li") if line.first("span", "quiet").text != "says the paper"]
    return Table(name, caption, columns, tuple(rows)), [line.text for line in key]
