"""Writes a page as an outline that can be read and compared: a line for each block or row of a table."""

from __future__ import annotations

from recsys_metric_audit.reports.verification.document import plain
from recsys_metric_audit.reports.verification.readers import Node

_WORDS = "a abbr b bdi br cite code em i input label mark math option q s select small span strong sub sup"
INLINE = set(_WORDS.split())
UNREAD = ("meta", "script", "style", "svg")
SHOWN = ("id", "href", "title", "aria-label", "data-l", "data-s", "value")
"""Attributes that a reader is shown or led by, or that the page's script reads."""


def outline(node: Node) -> list[str]:
    """Return the lines of an element: tag, classes, attributes and text."""
    name = ".".join([node.tag, *node.classes]) + _attributes(node)
    if node.tag in UNREAD or _is_inline(node):
        return [name] if node.tag in UNREAD else [plain(f"{name}: {_inline(node)}")]
    if node.tag == "tr":
        return [plain(f"{name}: " + " | ".join(_inline(cell) for cell in node.parts if isinstance(cell, Node)))]
    lines, words = [], ""
    for part in [*node.parts, None]:
        if isinstance(part, str) or (part and _is_inline(part)):
            words += part if isinstance(part, str) else _inline(part)
        elif part or lines:
            lines += [f" {plain(words)}"] if words.strip() else []
            lines += [f" {line}" for line in outline(part)] if part else []
            words = ""
    return [name, *lines] if lines else [plain(f"{name}: {words}")]


def _is_inline(node: Node) -> bool:
    return node.tag == "math" or (
        node.tag in INLINE and all(isinstance(part, str) or _is_inline(part) for part in node.parts)
    )


def _inline(node: Node) -> str:
    marks = ".".join(node.classes) + _attributes(node)
    text = "".join(part if isinstance(part, str) else _inline(part) for part in node.parts)
    if node.tag in ("br", "div", "li", "p"):
        text += " "
    return f"{{{marks} {text}}}" if marks else text


def _attributes(node: Node) -> str:
    return "".join(f"[{name}={plain(node.attributes[name])}]" for name in SHOWN if node.attributes.get(name))
