"""Markdown, LaTeX and the terminal's text are read as blocks; a layout that is not known is an error."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reports.verification.document import Cell, Row, Table, UnreadableError
from recsys_metric_audit.reports.verification.page_reader import read_page
from recsys_metric_audit.reports.verification.text_readers import read_latex, read_markdown, read_terminal

TABLE = Table(
    "Table 1", "A caption.", ("MAP", "AUC"),
    (
        Row("Canonical", (Cell("0.077"), Cell("0.833"))),
        Row("rs_metrics 0.6.0", (Cell("0.073", "a†"), Cell("–"))),
        Row("Off 1", (Cell("unavailable"), Cell(""))),
    ),
)  # fmt: skip
MARKDOWN = r"""One \_ sentence.

**Table 1.** A caption.

|  | MAP | AUC |
|---|---:|---:|
| *Canonical* | *0.077* | *0.833* |
| rs\_metrics 0.6.0 | 0.073<sup>a†</sup> | – |
| Off 1 | unavailable |  |

- MAP <sup>a</sup> divides by r
"""
LATEX = r"""\documentclass{article}
\begin{document}
One \_ sentence.

\begingroup\footnotesize
\begin{longtable}{lrr}
\caption*{\textbf{Table 1.} A caption.}\\
\toprule
 & MAP & AUC \\
\midrule\endhead
\bottomrule\endfoot
\textit{Canonical} & \textit{0.077} & \textit{0.833} \\
\midrule
rs\_metrics 0.6.0 & 0.073\textsuperscript{a\dag{}} & -- \\
Off 1 & \multicolumn{2}{l}{\itshape unavailable} \\
\end{longtable}\endgroup
\begin{flushleft}\footnotesize
MAP \textsuperscript{a} divides by r\\
\end{flushleft}
\end{document}
"""
TERMINAL = """One _
sentence.

Table 1. A caption.
━━━━━━━━━━━━━━━━━━━━━━━━━━━━
                     MAP
────────────────────────────
Canonical          0.077
┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈
rs_metrics 0.6.0   0.073 a†
Off 1              unavailable: no Python
━━━━━━━━━━━━━━━━━━━━━━━━━━━━
━━━━━━━━━━━━━━━━━━━━━━━━━━━━
                     AUC
────────────────────────────
Canonical          0.833
━━━━━━━━━━━━━━━━━━━━━━━━━━━━
MAP a  divides by
  r   † other users
"""


def test_markdown_and_latex_are_read_as_what_they_show() -> None:
    assert read_markdown(MARKDOWN, "") == ["One _ sentence.", TABLE, "MAP a divides by r"]
    *rows, _ = TABLE.rows
    one_cell = Table(TABLE.name, TABLE.caption, TABLE.columns, (*rows, Row("Off 1", (Cell("unavailable"),))))
    assert read_latex(LATEX, "") == ["One _ sentence.", one_cell, "MAP a divides by r"]


def test_blocks_of_columns_in_the_terminal_are_one_table() -> None:
    sentence, table, *key = read_terminal(TERMINAL, "", ["MAP", "AUC"])
    assert (sentence, key) == ("One _ sentence.", ["MAP a divides by r", "† other users"])
    assert isinstance(table, Table)
    assert table.columns == ("MAP", "AUC")
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["0.077", "0.833"], ["0.073 a†", "–"], ["unavailable: no Python", "–"],
    ]  # fmt: skip


@pytest.mark.parametrize("old", ["| MAP | AUC |", "|---|---:|---:|", " | –", "| Off"])
def test_a_table_of_another_layout_is_not_read(old: str) -> None:
    assert old in MARKDOWN
    with pytest.raises(UnreadableError, match="Table 1"):
        read_markdown(MARKDOWN.replace(old, ""), "tables.md")


def test_no_other_form_is_guessed_at() -> None:
    with pytest.raises(UnreadableError, match="whole LaTeX document"):
        read_latex(LATEX.replace("\\end{document}", ""), "x.tex")
    with pytest.raises(UnreadableError, match="unknown headings: NDCG"):
        read_terminal(TERMINAL.replace(" MAP", "NDCG"), "", ["MAP", "AUC"])
    with pytest.raises(UnreadableError, match="it has the row"):
        read_terminal(TERMINAL.replace("0.073 a†", "0.073 a† x y"), "", ["MAP", "AUC"])
    with pytest.raises(UnreadableError, match="no packed part"):
        read_page("<p>Hello</p>", "index.html")
    with pytest.raises(UnreadableError, match="damaged"):
        read_page('<script type="text/plain" id="packed">AAAA</script>', "index.html")
    packed = '<script type="text/plain" id="packed">eJwDAAAAAAE=</script>'
    with pytest.raises(UnreadableError, match="div is not closed"):
        read_page(f"<div>{packed}", "index.html")
