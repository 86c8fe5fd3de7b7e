"""Numbers and foreign text, formatted for readers."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass

Pairs = tuple[tuple[str, str], ...]
"""Pairs of name and text, in the order in which they are shown."""

_LINE_CHARACTERS = "\n\t"
_HALF_WAY = re.compile(r"\.\d{3}5$")
"""Finds that a number has four decimals, and the last is a five."""
# Format characters that some scripts need to join letters.
_JOINERS = "\u200c\u200d"


def printable(text: str) -> str:
    """Return ``text`` with control, invisible and reordering characters written as escapes.

    Right-to-left letters stay; characters that could reorder the text around them, or drive a terminal, do not.
    """
    if text.replace("\n", "").replace("\t", "").isprintable():  # fast path: no character of a hidden category
        return text
    return "".join(_escape(char) if _hidden(char) else char for char in text)


def _hidden(char: str) -> bool:
    if char in _LINE_CHARACTERS or char in _JOINERS:
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


def shortened(text: str, longest: int) -> str:
    """Return ``text`` in at most ``longest`` characters; an ellipsis ends a cut one."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def rounded(value: float) -> str:
    """Return ``value`` with three decimals, as in the paper; from a million on with three significant digits.

    A number that lies half-way between two of three decimals, such as 0.1695, is returned with its four: a library that
    rounds may have made it of a number above or below, so that a further rounding could go wrong.
    """
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if abs(value) >= 1e6:
        return f"{value:.3g}"
    every = str(float(value))
    text = every if _HALF_WAY.search(every) else f"{value:.3f}"
    return text.removeprefix("-") if not float(text) else text.replace("-", "−")


def short(value: float | None) -> str:
    """Return ``value`` as :func:`rounded` does; a dash for None."""
    return "–" if value is None else rounded(value)


def exact(value: float | None) -> str:
    """Return every digit of ``value``; a dash for None."""
    return "–" if value is None else repr(value)


def brief(value: float | None) -> str:
    """Return ``value`` with two significant digits, for deviations and tolerances; a dash for None."""
    return "–" if value is None else f"{value:.2g}"


def figure(value: float) -> str:
    """Return ``value`` in its shortest form: ``4``, ``0.25``, ``nan``."""
    return f"{value:g}"


@dataclass(frozen=True)
class Passage:
    """A foreign text: its head on one line, and the whole text if that says more, else None."""

    head: str
    whole: str | None


def passage(text: str, length: int = 240, end: bool = False) -> Passage:
    """Return ``text`` cut to ``length`` characters on one line.

    Args:
        text: Foreign text of any length.
        length: Most characters of the head.
        end: Keep the end of the text instead of its beginning, as for tracebacks.
    """
    line = one_line(text[-4 * length :] if end else text[: 4 * length])
    if len(line) <= length and len(text) <= 4 * length:
        return Passage(line, text.strip("\n") if "\n" in text.strip() else None)
    head = "… " + line[-length:] if end else line[:length] + " …"
    return Passage(head, text.strip("\n"))


def web_link(address: str) -> str | None:
    """Return ``address`` if it is a plain http or https address, else None: nothing else may become a link."""
    plain = address.strip()
    web = plain.lower().startswith(("https://", "http://"))
    return plain if web and plain.isprintable() and not any(c in plain for c in " \"'<>\\`") else None
