"""Numbers and foreign text made fit to show."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass

Pairs = tuple[tuple[str, str], ...]
"""Names and the words that belong to them, in the order in which they are shown."""

_KEPT = "\n\t"
# Format characters that letters of real scripts need: the joiners.
_JOINERS = "\u200c\u200d"


def printable(text: str) -> str:
    """Return ``text`` with control characters and invisible or reordering ones written as escapes.

    Right-to-left letters stay; what could reorder the text around them, or drive a terminal, does not.
    """
    if text.replace("\n", "").replace("\t", "").isprintable():  # nothing of the categories that are hidden
        return text
    return "".join(_escape(char) if _hidden(char) else char for char in text)


def _hidden(char: str) -> bool:
    if char in _KEPT or char in _JOINERS:
        return False
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _escape(char: str) -> str:
    point = ord(char)
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def one_line(text: str) -> str:
    """Return ``text`` printable and on one line."""
    return printable(" ".join(text.split()))


def rounded(value: float) -> str:
    """Return ``value`` with three decimals as in the paper; far larger ones with three digits."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if abs(value) >= 1e6:
        return f"{value:.3g}"
    text = f"{value:.3f}"
    return text.removeprefix("-") if not float(text) else text.replace("-", "−")


def exact(value: float | None) -> str:
    """Return every digit of ``value``; a dash for one that is not there."""
    return "–" if value is None else repr(value)


def brief(value: float | None) -> str:
    """Return ``value`` with few digits, for deviations and tolerances; a dash for one that is not there."""
    return "–" if value is None else f"{value:.2g}"


def figure(value: float) -> str:
    """Return ``value`` in its shortest form: ``4``, ``0.25``, ``nan``."""
    return f"{value:g}"


@dataclass(frozen=True)
class Passage:
    """A foreign text: its beginning, and the whole where that is longer."""

    head: str
    whole: str | None


def passage(text: str, length: int = 240, end: bool = False) -> Passage:
    """Return ``text`` on one line, cut to ``length`` (from the end, where the point is, with ``end``)."""
    line = one_line(text[-4 * length :] if end else text[: 4 * length])
    if len(line) <= length and len(text) <= 4 * length:
        return Passage(line, text.strip("\n") if "\n" in text.strip() else None)
    head = "… " + line[-length:] if end else line[:length] + " …"
    return Passage(head, text.strip("\n"))


def web_link(address: str) -> str | None:
    """Return ``address`` when it is a plain web address, else ``None``: no other scheme becomes a link."""
    plain = address.strip()
    web = plain.lower().startswith(("https://", "http://"))
    return plain if web and plain.isprintable() and not any(c in plain for c in " \"'<>\\`") else None
