"""Formulas for browsers: MathML from LaTeX."""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup


@cache
def mathml(latex: str, *, block: bool = True) -> Markup:
    """The formula as a ``<math>`` element. ``latex`` must be our own: its MathML is not escaped again."""
    from latex2mathml.converter import convert

    made = convert(latex, display="block" if block else "inline").replace(
        ' xmlns="http://www.w3.org/1998/Math/MathML"', ""
    )
    return Markup(re.sub(r"&#x([0-9A-F]+);", _plain, made))


def _plain(found: re.Match[str]) -> str:
    """A character for its number, which is longer; those that markup is made of stay as they are."""
    char = chr(int(found[1], 16))
    return found[0] if char in "<>&\"'" else char
