"""Formulas for browsers: MathML from LaTeX."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup


@cache
def mathml(latex: str, *, block: bool = True) -> Markup:
    """The formula as a ``<math>`` element. ``latex`` must be our own: its MathML is not escaped again."""
    from latex2mathml.converter import convert

    return Markup(convert(latex, display="block" if block else "inline"))
