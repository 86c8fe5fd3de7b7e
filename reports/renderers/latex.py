"""LaTeX: a whole document with booktabs tables, from which single tables can be copied."""

from __future__ import annotations

from collections.abc import Sequence

from recsys_metric_audit.reports.headlines.headlines import QUESTION, answer, metric_headlines
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.tables.paper_tables import paper_tables as all_tables
from recsys_metric_audit.reports.tables.table import Cell, KeyEntry, Row, Table
from recsys_metric_audit.reports.wording.formatting import one_line
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
_NORMAL_WIDTH = 6
"""Largest number of columns in normal type; tables with more are set in smaller type."""
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
    heads = [column.heading for column in table.columns]
    below = [column.subheading for column in table.columns]
    lines = [
        rf"\begingroup\{'scriptsize' if len(heads) > _NORMAL_WIDTH else 'footnotesize'}\setlength{{\tabcolsep}}{{3pt}}",
        rf"\begin{{longtable}}{{l{'r' * len(heads)}}}",
        rf"\caption*{{\textbf{{{escape(table.name)}.}} {escape(table.caption)}}}\\",
        r"\toprule",
        _line(["", *map(escape, heads)]),
        *([_line(["", *map(escape, below)])] if any(below) else []),
        r"\midrule\endhead",
        r"\bottomrule\endfoot",
    ]
    for row in table.rows:
        lines.append(_row(row, len(heads)))
        lines += [r"\midrule"] if row.kind == "reference" else []
    lines.append(r"\end{longtable}\endgroup")
    return "\n".join([*lines, *([_key(table.key)] if table.key else [])])


def _row(row: Row, width: int) -> str:
    label = escape(row.label) if row.kind == "reference" else escape(f"{row.label} {row.detail}")
    if row.note:
        return _line([label, rf"\multicolumn{{{width}}}{{l}}{{\itshape {escape(row.note.split(':', 1)[0])}}}"])
    cells = [label, *map(_cell, row.cells)]
    return _line([rf"\textit{{{cell}}}" for cell in cells] if row.kind == "reference" else cells)


def _cell(cell: Cell) -> str:
    mark = rf"\textsuperscript{{{escape(cell.mark)}}}" if cell.mark else ""
    return escape(cell.text) + mark + (f" {{[{escape(cell.published)}]}}" if cell.published else "")


def _key(key: Sequence[KeyEntry]) -> str:
    lines = [r"\begin{flushleft}\footnotesize"]
    for mark in key:
        words = f" ({escape(mark.words)})" if mark.words else ""
        lines.append(rf"{escape(mark.column)} \textsuperscript{{{escape(mark.mark)}}} {escape(mark.meaning)}{words}\\")
    return "\n".join([*lines, r"\end{flushleft}"])


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def code(text: str) -> str:
    """Return a signature in typewriter type, in which lines may break after each axis."""
    breakable = escape(text).replace(_REPLACEMENTS["|"], _REPLACEMENTS["|"] + r"\allowbreak{}")
    return rf"\texttt{{{breakable}}}"


def escape(text: str) -> str:
    """Return ``text`` on one line, escaped for LaTeX; letters that its fonts lack become ``[U+05E9]``."""
    return "".join(_REPLACEMENTS.get(char) or _letter(char) for char in one_line(text))


def _letter(char: str) -> str:
    return char if char.isascii() or char in _ACCENTED else f"[U+{ord(char):04X}]"
