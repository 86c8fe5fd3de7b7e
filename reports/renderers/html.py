"""The page ``index.html``: self-contained, nothing fetched, nothing runs but its own script, under a strict policy."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from reports.model.result import Result
from reports.page.page import page as view
from reports.wording.answer import QUESTION
from reports.wording.formatting import brief, exact, figure, printable

_BETWEEN = re.compile(
    r"(</?(?:td|th|tr|thead|tbody|table|div|p|li|ul|ol|dl|dt|dd|h[123]|section|article|details|summary|"
    r"figure|figcaption|header|svg|g|rect|path|option)\b[^<>]*>)\n\s*(?=<)"
)
"""A line break beside an element that begins or ends a block, where it means nothing."""
_TEMPLATES = Path(__file__).parent.parent / "templates"


def render_report(result: Result) -> str:
    """Return ``index.html`` of ``result``."""
    return render_template("index.html", title=QUESTION, page=view(result))


def render_template(template: str, **values: object) -> str:
    """Return a page with our style and script in it and a policy that allows these two and nothing else."""
    style = (_TEMPLATES / "style.css").read_text(encoding="utf-8")
    script = (_TEMPLATES / "script.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    # Markup, because both elements hold raw text: escaping would change the bytes under the digest.
    raw = {"style": Markup(style), "script": Markup(script)}
    text = template_environment().get_template(template).render(policy=policy, **raw, **values)
    return _BETWEEN.sub(r"\1", text)


def _digest(style: str) -> str:
    return base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()


@cache
def template_environment() -> Environment:
    """Return the environment in which all page templates are rendered: every value is escaped, none may be missing."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters["exact"] = exact
    environment.filters["figure"] = figure
    environment.filters["brief"] = brief
    environment.filters["apart"] = _apart
    return environment


def _shown(value: object) -> object:
    """Return what a template prints: foreign text without hidden characters, escaped afterwards."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _apart(text: str) -> Markup:
    """Return foreign text to be shown; with letters that may be written from the right, in an element of its own."""
    shown = escape(printable(text))
    return shown if text.isascii() else Markup("<bdi>{}</bdi>").format(shown)
