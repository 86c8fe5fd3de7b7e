"""LaTeX, against a text written by hand and against hostile input."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from recsys_metric_audit.reports.renderers import latex
from recsys_metric_audit.reports.tables.paper_tables import paper_tables
from tests.support.extreme_results import hostile, many
from tests.support.result_samples import result, small_result

CAPTION = (
    r"\caption*{\textbf{Table 1.} The same predictions at k = 20, as each library reports them; letters mark other "
    r"formulas.}\\"
)
LATEX = r"""\begingroup\footnotesize\setlength{\tabcolsep}{3pt}
\begin{longtable}{lrr}
CAPTION
\toprule
 & MAP & Recall \\
\midrule\endhead
\bottomrule\endfoot
\textit{Canonical} & \textit{0.039} & \textit{0.096} \\
\midrule
Alpha 1.0 & 0.039 & nan \\
Beta 2\_3 & 0.032\textsuperscript{a} & failed \\
\end{longtable}\endgroup
\begin{flushleft}\footnotesize
MAP \textsuperscript{a} divides by r, not by min(k, r)\\
\end{flushleft}"""


def test_latex_is_a_table_with_booktabs() -> None:
    assert latex.render_table(paper_tables(small_result())[0]) == LATEX.replace("CAPTION", CAPTION)


@pytest.mark.slow
@pytest.mark.parametrize("made", [small_result, result, hostile, many])
def test_latex_compiles(made: object, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    (tmp_path / "report.tex").write_text(latex.render_report(made()), encoding="utf-8")  # type: ignore[operator]
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "report.pdf").stat().st_size > 10_000


def test_latex_acts_on_nothing_foreign() -> None:
    assert latex.escape(r"\input{/etc/passwd} $x_1$ 50% #&~^") == (
        r"\textbackslash{}input\{/etc/passwd\} \$x\_1\$ 50\% \#\&\textasciitilde{}\textasciicircum{}"
    )
    assert latex.escape("é ש \u202e") == "é [U+05E9] \\textbackslash{}u202e"
