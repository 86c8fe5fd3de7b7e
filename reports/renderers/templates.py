"""Provides the templates of pages, documents and pictures, and what fills them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

TEMPLATES = Path(__file__).parent.parent / "templates"


def environment(escape: Callable[[str], str], **more: Any) -> Environment:
    """Return what fills templates in one language: no value may be missing, and each is escaped.

    Args:
        escape: Escapes text for the language; what a filter made :class:`Markup` stays as it is.
        more: Further settings of Jinja.
    """
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: value if isinstance(value, Markup) else Markup(escape(str(value))),
        **more,
    )
