"""LaTeX: a whole document with booktabs tables, from which single tables can be copied."""

from __future__ import annotations

from collections.abc import Sequence

from jinja2 import Environment
from markupsafe import Markup

from recsys_metric_audit.reports.headlines.headlines import QUESTION, answer, metric_headlines
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.renderers import templates
from recsys_metric_audit.reports.tables.paper_tables import paper_tables as all_tables
from recsys_metric_audit.reports.tables.table import Table
from recsys_metric_audit.reports.wording.formatting import one_line, printable
from recsys_metric_audit.reports.wording.library_groups import ALL_GROUPS

_HEAD = r"""\documentclass[10pt]{article}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\usepackage[a4paper,landscape,margin=1.5cm]{geometry}
\usepackage{booktabs,longtable,caption}
\setlength{\LTcapwidth}{\linewidth}
\begin{document}
"""
_REPLACEMENTS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''", "–": "--", "—": "---", "−": r"$-$", "∞": r"$\infty$", "…": r"\dots{}",
    "→": r"$\rightarrow$", "≠": r"$\neq$", "≥": r"$\geq$", "≤": r"$\leq$", "×": r"$\times$", "τ": r"$\tau$",
    "‘": "`", "’": "'", "²": r"\textsuperscript{2}", "@": r"@", "†": r"\dag{}", "‡": r"\ddag{}", "§": r"\S{}",
    "°": r"\textdegree{}",
}  # fmt: skip
_ACCENTED = "ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿß"
"""Letters with accents that the default fonts can compose."""


def render_report(result: Result, group: str | None = ALL_GROUPS) -> str:
    """Return the tables of ``result``, of the libraries of ``group``, as a LaTeX document that pdflatex compiles."""
    headlines = [escape(line) for line in metric_headlines(result)]
    parts = [rf"\section*{{{escape(QUESTION)}}}", escape(answer(result)), *headlines]
    return document([*parts, *map(render_table, all_tables(result, group))])


def document(parts: Sequence[str]) -> str:
    """Return a LaTeX document of ``parts``, with all packages that they need."""
    return _HEAD + "\n\n".join(parts) + "\n\\end{document}\n"


def render_table(table: Table) -> str:
    """Return ``table`` as a longtable with its caption above and its key below."""
    return fill_template("table.tex.j2", table=table).rstrip("\n")


def fill_template(name: str, **values: object) -> str:
    """Return LaTeX made from a template; what it prints is escaped unless a filter made it LaTeX."""
    return _ENVIRONMENT.get_template(name).render(values)


def _environment() -> Environment:
    marks = {"block": ("<%", "%>"), "variable": ("<<", ">>"), "comment": ("<#", "#>")}  # the usual ones are LaTeX
    starts = {f"{name}_start_string": start for name, (start, _) in marks.items()}
    ends = {f"{name}_end_string": end for name, (_, end) in marks.items()}
    environment = templates.environment(escape, **starts, **ends)
    environment.filters |= {"code": code, "plain": lambda text: Markup(printable(text))}
    return environment


def code(text: str) -> Markup:
    """Return a signature in typewriter type, in which lines may break after each axis."""
    breakable = escape(text).replace(_REPLACEMENTS["|"], _REPLACEMENTS["|"] + r"\allowbreak{}")
    return Markup(rf"\texttt{{{breakable}}}")


def escape(text: str) -> str:
    """Return ``text`` on one line, escaped for LaTeX; letters that its fonts lack become ``[U+05E9]``."""
    return "".join(_REPLACEMENTS.get(char) or _letter(char) for char in one_line(text))


def _letter(char: str) -> str:
    return char if char.isascii() or char in _ACCENTED else f"[U+{ord(char):04X}]"


_ENVIRONMENT = _environment()
