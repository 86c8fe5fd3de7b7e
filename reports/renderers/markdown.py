"""Markdown: the tables of ``tables.md``, of pull-request comments and of the README."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup
from markupsafe import escape as xml_escape

from recsys_metric_audit.reports.headlines.headlines import QUESTION, answer, metric_headlines, surprises
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.renderers import templates
from recsys_metric_audit.reports.tables.behaviour_matrix import behaviour_glossary, behaviour_matrix
from recsys_metric_audit.reports.tables.paper_tables import paper_tables as all_tables
from recsys_metric_audit.reports.tables.table import Table
from recsys_metric_audit.reports.tables.winners import winners_table
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import count, joined, metric_title
from recsys_metric_audit.reports.wording.library_groups import ALL_GROUPS
from recsys_metric_audit.reports.wording.meanings import open_cutoff

LIMIT = 60_000
"""Most bytes of a comment on a pull request, with some room below GitHub's limit."""


def render_report(result: Result, group: str | None = ALL_GROUPS) -> str:
    """Return ``tables.md``: question, answer, headlines, tables, surprises, and the data and command of the run.

    The tables have rows of the libraries of ``group`` only.

    It fits into a pull-request comment: lines at the end that do not fit are replaced by a note.
    """
    data = result.dataset
    source = (
        f"{data.name}: {count(data.users, 'user')}, {count(data.items, 'item')}, "
        f"{count(data.pairs, 'relevant pair')}. recsys-metric-audit {result.tool}, "
        f"{result.time:%Y-%m-%d}: {result.command}"
    )
    parts = [
        f"# {QUESTION}",
        escape(answer(result)),
        *filter(None, [render_headlines(result)]),
        *map(render_table, filter(None, (*all_tables(result, group), winners_table(result, group)))),
        *filter(None, ["\n".join(f"- {escape(each.words)}" for each in surprises(result))]),
        *render_behaviours(result),
        escape(source),
    ]
    return fit_comment(parts)


def render_headlines(result: Result) -> str:
    """Return a list of the headlines of the metrics: who computes which formula, with what value."""
    lines = (line.partition(":") for line in metric_headlines(result))
    return "\n".join(f"- **{escape(title)}**:{escape(f'x{rest}')[1:]}" for title, _, rest in lines)


def fit_comment(parts: Sequence[str], limit: int = LIMIT) -> str:
    """Return ``parts`` joined to at most ``limit`` bytes; lines left out at the end are counted in a note."""
    text = "\n\n".join(parts) + "\n"
    if len(text.encode()) <= limit:
        return text
    lines, used = text.split("\n"), 0
    note = "\n*Left out: the last {:,} lines. The HTML report has everything.*\n"
    room = limit - len(note) - 12
    for number, line in enumerate(lines):
        used += len(line.encode()) + 1
        if used > room:
            return "\n".join(lines[:number]) + "\n" + note.format(len(lines) - number)
    return text


def render_behaviours(result: Result) -> list[str]:
    """Return the edge-behaviour matrix and its glossary, or an empty list if the run had no experiments."""
    table = behaviour_matrix(result)
    if table is None:
        return []
    return [
        render_table(table),
        "\n".join(f"- {escape(term)}: {escape(sense)}" for term, sense in behaviour_glossary(result)),
    ]


def render_table(table: Table) -> str:
    """Return ``table`` with its caption above and its key below."""
    return fill_template("table.md.j2", table=table).rstrip("\n")


def fill_template(name: str, **values: object) -> str:
    """Return a page of Markdown made from a template; what it prints is escaped unless a filter made it Markdown."""
    return _ENVIRONMENT.get_template(name).render(values)


def _environment() -> Environment:
    environment = templates.environment(escape, keep_trailing_newline=True)
    environment.filters |= {"bare_name": bare_name, "code": _code, "code_list": code_list, "joined": joined}
    # A pipe ends a table's cell even inside a code span.
    environment.filters["code_cell"] = lambda text: _code(text).replace("|", "\\|")
    environment.filters |= {"metric_title": metric_title, "plain": lambda text: Markup(one_line(text))}
    environment.filters |= {"plain_lines": Markup, "xml": xml_escape, "urn": lambda text: Markup(quote(text, safe=":"))}
    environment.globals |= {"count": count, "formula_words": formula_words, "open_cutoff": open_cutoff}
    return environment


def _code(text: str) -> Markup:
    return Markup(code_span(text))


def code_list(names: Iterable[str], most: int | None = 4) -> Markup:
    """Return names as code spans, at most ``most``, and the number of further ones."""
    every = [*names]
    more = len(every) - len(every[:most])
    return Markup(", ".join([*map(code_span, every[:most]), *([f"{more} more"] if more else [])]))


def bare_name(function: str) -> str:
    """Return the last part of a function's name, without its options."""
    return function.partition("[")[0].rpartition(".")[2]


def escape(text: str) -> str:
    """Return ``text`` on one line, escaped for Markdown and HTML."""
    plain = re.sub(r"([\\`*_\[\]|~#])", r"\\\1", one_line(text))
    plain = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # An invisible word joiner keeps GitHub and others from turning names and addresses into mentions and links.
    return re.sub(r"(?<!\w)@(?=\w)", "@\u2060", plain).replace("://", ":\u2060//")


def code_span(text: str) -> str:
    """Return ``text`` as a code span, in more backticks than any run of backticks inside."""
    plain = one_line(text)
    ticks = "`" * (max((len(run) for run in re.findall(r"`+", plain)), default=0) + 1)
    space = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{ticks}{space}{plain}{space}{ticks}"


_ENVIRONMENT = _environment()
