"""HTML pages: self-contained, under a content security policy that allows only their own style and script."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Callable

from jinja2 import Environment
from markupsafe import Markup, escape

from recsys_metric_audit.reference.catalogue import variants_of
from recsys_metric_audit.reference.formula_text import NOTATION, averaging_lines, formula_lines, template_of
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reports.handbook.choosing import QUESTIONS, SOURCE, figures
from recsys_metric_audit.reports.handbook.metric_entries import axes_of, mathml
from recsys_metric_audit.reports.headlines.headlines import QUESTION, answer, metric_headlines
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.page.function_entries import (
    computed_sentence,
    contract_words,
    documented_words,
    effect_sentence,
    level_lines,
)
from recsys_metric_audit.reports.page.library_pages import facts
from recsys_metric_audit.reports.page.page import build_page
from recsys_metric_audit.reports.renderers import templates
from recsys_metric_audit.reports.wording import formatting
from recsys_metric_audit.reports.wording.anchors import finding_anchor, fragment, library_anchor, reproduce_command
from recsys_metric_audit.reports.wording.formatting import passage, printable, web_link
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.meanings import meaning_in_words
from recsys_metric_audit.reports.wording.variant_letters import hue

_BLOCK_WHITESPACE = re.compile(
    r"(</?(?:td|th|tr|thead|tbody|table|div|p|li|ul|ol|dl|dt|dd|h[123]|section|article|details|summary|"
    r"figure|figcaption|header|svg|g|rect|path|option)\b[^<>]*>)\n\s*(?=<)"
)
"""White space after a block's tag and before the next tag, which no browser shows."""
_SHOWN = (formatting.brief, formatting.exact, formatting.figure, formatting.one_line, formatting.short)
"""Filters that show a number or a text."""
_SAYS: tuple[Callable[..., object], ...] = (
    answer, averaging_lines, axes_of, computed_sentence, contract_words, documented_words, effect_sentence, facts,
    finding_anchor, formula_lines, fragment, hue, level_lines, library_anchor, meaning_in_words, metric_headlines,
    passage, reproduce_command, template_of, variants_of, web_link,
)  # fmt: skip
"""What templates call: functions that say in words what a finding, a library version or a result holds."""


def render_report(result: Result) -> str:
    """Return the page ``index.html`` of ``result``."""
    return render_template("index.html", title=QUESTION, page=build_page(result), figures=figures())


def render_template(template: str, **values: object) -> str:
    """Return a page made from one of :mod:`reports`' templates.

    Args:
        template: File name of the template.
        values: What it prints; style, script and policy are added.
    """
    style = (templates.TEMPLATES / "style.css").read_text(encoding="utf-8")
    script = (templates.TEMPLATES / "script.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    # Markup, because both elements hold raw text: escaping would change the bytes that the policy has the digest of.
    raw = {"style": Markup(style), "script": Markup(script)}
    text = ENVIRONMENT.get_template(template).render(policy=policy, **raw, **values)
    return _squeezed(text)


def pack(text: str) -> str:
    """Return ``text`` compressed (zlib) in base 64, which the script of the page unpacks.

    The pages of formulas and findings are most of a report and say much of it many times over: compressed they take a
    fifteenth of the room. Tables stay as they are: they are read without a script, too.
    """
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _squeezed(text: str) -> str:
    return _BLOCK_WHITESPACE.sub(r"\1", text)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _template_environment() -> Environment:
    environment = templates.environment(_escaped)
    environment.filters |= {each.__name__: each for each in (*_SHOWN, mathml, metric_title)}
    environment.filters |= {"apart": _isolated, "packed": lambda text: pack(_squeezed(str(text)))}
    environment.globals |= {each.__name__: each for each in _SAYS}
    environment.globals |= {"METRICS": METRICS, "NOTATION": NOTATION, "QUESTIONS": QUESTIONS, "SOURCE": SOURCE}
    return environment


def _escaped(text: str) -> Markup:
    """Return text escaped for HTML, without hidden characters."""
    return escape(printable(text))


def _isolated(text: str) -> Markup:
    """Return foreign text, escaped; if it may be written from right to left, in a ``bdi`` element."""
    shown = _escaped(text)
    return shown if text.isascii() else Markup("<bdi>{}</bdi>").format(shown)


ENVIRONMENT = _template_environment()
"""Renders all page templates: every value is escaped, none may be missing."""
