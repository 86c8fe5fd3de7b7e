"""Read every form of the recorded run: it says what the libraries returned; what says something else is found."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.model.result_file import packaged_run
from recsys_metric_audit.reports.page import formula_pages
from recsys_metric_audit.reports.renderers import markdown
from recsys_metric_audit.reports.renderers.registry import REPORT_FORMATS
from recsys_metric_audit.reports.tables import paper_tables
from recsys_metric_audit.reports.verification.document import Table, UnreadableError, is_rounding
from recsys_metric_audit.reports.verification.ledger import KINDS, Ledger
from recsys_metric_audit.reports.verification.readers import read_latex, read_markdown, read_page, read_terminal
from recsys_metric_audit.reports.verification.verify import Form, Kind, verify
from recsys_metric_audit.reports.writers.readme import SIX, newest_versions
from tests.support.result_samples import differing, finding, library, result, small_result

# Read every form of the recorded run: it says what the libraries returned; what says something else is found.

ROOT = Path(__file__).parents[4]
LEAST: dict[Kind, tuple[int, ...]] = {
    "findings": (1200, 0, 0, 1200), "csv": (2900, 0, 1000, 13_000), "latex": (300, 200, 0, 700),
    "text": (300, 200, 0, 700), "md": (300, 200, 0, 700), "html": (4500, 1400, 6500, 4500),
}  # fmt: skip
"""Numbers, marks, verdicts and sentences that the reader has to find in each form of the recorded run at least."""


@cache
def recorded() -> Result:
    return packaged_run().result


def form(kind: Kind, of: Result) -> Form:
    return Form(kind, kind, str(REPORT_FORMATS[kind](of)))


def read(*forms: Form, of: Result | None = None) -> list[str]:
    return [str(each) for ledger in verify(of or recorded(), forms) for each in ledger.mismatches]


def some_libraries(of: Result, *names: str) -> Result:
    libraries = tuple(each for each in of.libraries if each.library in names)
    return of.model_copy(
        update={"libraries": libraries, "findings": tuple(each for each in of.findings if each.library in names)}
    )


@cache
def judged() -> dict[str, Ledger]:
    return {each.file: each for each in verify(recorded(), [form(kind, recorded()) for kind in LEAST])}


@pytest.mark.parametrize("kind", LEAST)
def test_every_form_of_the_recorded_run_says_what_was_returned(kind: Kind) -> None:
    assert list(map(str, judged()[kind].mismatches)) == []


@pytest.mark.parametrize("kind", LEAST)
def test_no_form_is_read_by_reading_nothing(kind: Kind) -> None:
    counts = judged()[kind].counts
    assert all(counts[each] >= least for each, least in zip(KINDS, LEAST[kind], strict=True)), counts
    for text in ("", "Hello.\n", "<html></html>"):
        with pytest.raises(UnreadableError):
            verify(recorded(), [Form(kind, kind, text)])


def test_readme_and_page_of_findings_say_what_was_returned() -> None:
    newest, tables = newest_versions(recorded()), (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    (ledger,) = verify(newest, [Form("tables.md", "md", tables[tables.index("- **") :])])
    assert list(map(str, ledger.mismatches)) == []
    assert ledger.counts["numbers"] > 100
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme[readme.index("<!-- begin: table 1 -->\n") : readme.index("<!-- end: table 1 -->")]
    headlines, table = section.split("**Table 1.**")
    assert headlines.partition("\n")[2].strip() in tables
    rows = [line for line in table.splitlines() if line.startswith("| ")][2:]
    assert len(rows) == len(SIX) and {*rows} <= {*tables.splitlines()}, "rows of the README are those of the page"
    assert read(Form("findings.md", "findings", (ROOT / "docs" / "findings.md").read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("kind", LEAST)
@pytest.mark.parametrize("made", [result, small_result], ids=["every verdict", "small"])
def test_there_is_no_false_alarm(kind: Kind, made: Callable[[], Result]) -> None:
    assert read(form(kind, made()), of=made()) == []


@pytest.mark.parametrize(
    ("shown", "edited"),
    [
        ("| AUC  | itemknn |", "| AUC  | ease |"),
        ("0.026 \\[0.015, 0.036\\]", "0.026 \\[0.016, 0.036\\]"),
        ("| itemknn 2 |", "| itemknn 92 |"),
        ("MAP itemknn first by DaisyRec", "MAP itemknn first by Cornac"),
    ],
)
def test_an_edit_of_the_table_of_recommenders_is_found(shown: str, edited: str) -> None:
    text = form("md", recorded()).text
    assert text.count(shown) == 1
    assert len(read(Form("md", "md", text.replace(shown, edited)))) == 1


@pytest.mark.parametrize(
    ("shown", "edited"),
    [
        ("evaluate\\[precision,expected\\]°:", "evaluate\\[precision,expected\\]:"),
        ("get\\_recall: canonical", "get\\_recall: divides by min(k, r)"),
        ("evaluate\\_recall\\_cap: divides by min(k, r)", "evaluate\\_recall\\_cap: canonical"),
        ("APCWLMetric°", "MAPMetric°"),
        ("| DeepEval 4.3.1 |", "| RecBole 1.2.1 |"),
        ("what was retrieved is all that it reads", "all is read"),
    ],
)
def test_an_edit_of_the_table_of_names_in_retrieval_is_found(shown: str, edited: str) -> None:
    text = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    start = text.index("**Table 4.**")
    whole = text[text.index("- **") : start]
    assert text[start:].count(shown) == 1
    (ledger,) = verify(
        newest_versions(recorded()), [Form("tables.md", "md", whole + text[start:].replace(shown, edited))]
    )
    assert ledger.mismatches


@pytest.mark.parametrize("kind", ["md", "latex", "text", "html"])
def test_the_canonical_value_in_place_of_the_returned_one_is_found(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    made = paper_tables.finding_cell

    def cell(found: Finding | None, *others: Any) -> Any:
        shown = made(found, *others)
        of_cornac = found is not None and (found.library, found.metric) == ("cornac", "reciprocal_rank")
        return replace(shown, text="0.279") if of_cornac else shown

    monkeypatch.setattr(paper_tables, "finding_cell", cell)
    run = some_libraries(recorded(), "cornac", "rectools")
    found = read(form(kind, run), of=run)
    assert f"{kind}: Cornac 3.0.1, MRR: printed 0.279, returned 0.2855641537112208" in found


def test_a_page_with_the_verdict_of_another_finding_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    made = formula_pages._page

    def page(*given: Any) -> Any:
        right = made(*given)
        same = {"verdict": right.group.first.verdict}
        return replace(
            right,
            entries=tuple(
                replace(each, findings=tuple(finding.model_copy(update=same) for finding in each.findings))
                for each in right.entries
            ),
        )

    monkeypatch.setattr(formula_pages, "_page", page)
    run = some_libraries(recorded(), "elliot", "rectools")
    found = read(form("html", run), of=run)
    (wrong,) = [line for line in found if "RecTools 0.19.0, rectools.metrics.CatalogCoverage: printed This" in line]
    printed, returned = wrong.split(", returned ")
    assert printed.endswith("catalogue states") and returned.endswith("computes another documented formula")


def test_numbers_that_are_said_to_be_one_and_are_not_are_found() -> None:
    """Precision is 0.0576 in the samples, and 0.0579 in beta: both read 0.058."""
    libraries = (library(), library("beta"), library("gamma"))
    others = [differing("precision", name, "denominator", "shown", 0.0579) for name in ("beta", "gamma")]
    made = result(libraries=libraries, findings=(finding("precision"), *others))
    said = form("md", made)
    assert read(said, of=made) == []
    for right, wrong, place in (
        ("with values from 0.0576 to 0.0579", "with one value here", "answer, sentence"),
        ("2 others, 0.058", "2 others, the same number here", "Precision, headline"),
    ):
        assert right in said.text
        found = read(Form("md", "md", said.text.replace(right, wrong)), of=made)
        assert [line for line in found if place in line], found


def test_a_score_of_a_smallest_input_that_is_another_is_found() -> None:
    run = some_libraries(recorded(), "scikit_learn")
    text = form("findings", run).text
    scores = r"and scores \[0.9 0.7 0.7 0.7 0.2\]"
    assert scores in text and read(Form("findings", "findings", text), of=run) == []
    edited = text.replace(scores, scores.replace("0.2", "0.3"))
    assert any("scikit-learn" in each for each in read(Form("findings", "findings", edited), of=run))


def test_a_count_that_is_one_too_high_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    made = markdown.metric_headlines

    def lines(of: Result) -> list[str]:
        return [re.sub(r"\d+(?= of)", lambda found: str(int(found[0]) + 1), line, count=1) for line in made(of)]

    monkeypatch.setattr(markdown, "metric_headlines", lines)
    found = read(form("md", recorded()))
    assert "md: HitRate, headline: printed 27, returned 26" in found
    assert len([line for line in found if "headline: printed" in line]) == 7


def test_a_letter_of_two_formulas_is_found() -> None:
    text = form("md", recorded()).text
    row = next(line for line in text.splitlines() if line.startswith("| DaisyRec 2.3.0 "))
    other = text.replace(row, row.replace("0.219<sup>b</sup>", "0.219<sup>a</sup>"))
    found = [line for line in read(Form("md", "md", other)) if "DaisyRec 2.3.0, MAP" in line]
    (said,) = found
    assert "printed a, returned average_precision@k|denominator:hits" in said


def test_a_letter_on_a_canonical_formula_is_found() -> None:
    text = form("md", recorded()).text.replace(
        "| PyTorch-Ignite 0.5.5 | 0.703 |", "| PyTorch-Ignite 0.5.5 | 0.703<sup>a</sup> |"
    )
    assert "md: PyTorch-Ignite 0.5.5, HitRate: printed 0.703 a, returned 0.70333331823349" in read(
        Form("md", "md", text)
    )


def test_words_of_another_formula_are_found() -> None:
    text = form("md", recorded()).text
    assert "MAP <sup>a</sup> divides by r," in text
    other = text.replace("MAP <sup>a</sup> divides by r,", "MAP <sup>a</sup> divides by k,")
    found = read(form("findings", recorded()), Form("md", "md", other))
    assert any(
        "printed divides by k, not by min(k, r), returned average_precision@k|denominator:r" in each for each in found
    )


def test_a_row_that_is_missing_or_elsewhere_is_found() -> None:
    text = form("md", recorded()).text
    rows = [line for line in text.splitlines() if line.startswith("| C")]
    first, second = rows[:2]
    assert any("no row" in each for each in read(Form("md", "md", text.replace(second + "\n", "", 1))))
    turned = text.replace(first, "·", 1).replace(second, first, 1).replace("·", second, 1)
    assert any("in another order" in each for each in read(Form("md", "md", turned)))


def test_a_headline_that_is_missing_is_found() -> None:
    text = form("md", recorded()).text
    line = next(each for each in text.splitlines() if each.startswith("- **NDCG**"))
    assert any("md: headlines, metrics" in each for each in read(Form("md", "md", text.replace(f"{line}\n", ""))))


def test_a_sentence_of_an_unknown_kind_is_not_passed_over() -> None:
    text = form("md", recorded()).text + "\nSome 12 of 15 libraries are wrong.\n"
    with pytest.raises(UnreadableError, match="unknown sentence 'Some 12 of 15"):
        verify(recorded(), [Form("tables.md", "md", text)])


def test_what_was_cut_off_at_its_end_is_read_as_far_as_it_goes() -> None:
    text = form("md", recorded()).text
    whole = text[: text.index("| XGBoost")] + "\n*Left out: the last 60 lines. The HTML report has everything.*\n"
    assert not [each for each in read(Form("md", "md", whole)) if "no row" in each]


def test_edge_behaviour_is_counted_anew() -> None:
    run = result(
        libraries=(library("beta", "2.3.1"),), findings=tuple(f for f in result().findings if f.library == "beta")
    )
    text = form("md", run).text
    assert "| a user without list  | skipped |" in text
    assert read(Form("md", "md", text), of=run) == []
    other = text.replace("| a user without list  | skipped |", "| a user without list  | counted |")
    assert read(Form("md", "md", other), of=run) == [
        "md: a user without list, Beta 2.3.1: printed counted, returned skipped"
    ]


def test_a_run_without_results_is_read() -> None:
    lost = finding("ndcg", status="failed", verdict=None, reason="no", value=None, signature=None, definition={})
    run = result(libraries=(library(),), findings=(lost,))
    for of in (run, result(k=())):
        assert read(form("md", of), form("text", of), of=of) == []


def test_every_cut_off_has_its_tables() -> None:
    first = result()
    again = [each.model_copy(update={"k": 5}) for each in (*first.findings, *first.reference) if each.k == 20]
    findings = (*first.findings, *(each for each in again if isinstance(each, Finding)))
    reference = (*first.reference, *(each for each in again if not isinstance(each, Finding)))
    run = first.model_copy(update={"k": (20, 5), "findings": findings, "reference": reference})
    forms = [form(kind, run) for kind in LEAST]
    assert read(*forms, of=run) == []
    one = run.model_copy(update={"k": (20,)})
    with pytest.raises(UnreadableError, match=r"2 times Table 1, for 1 cut-offs|of the cut-off"):
        verify(one, [next(each for each in forms if each.kind == "latex")])


# Hold printed numbers against returned ones: rounded by hand.


@pytest.mark.parametrize(
    ("printed", "returned"),
    [
        ("0.286", 0.2855641537), ("0.170", 0.1695), ("0.169", 0.1695), ("0.1695", 0.1695), ("0.500", 0.5),
        ("−0.001", -0.00123), ("0.000", 0.0), ("1.23e+06", 1_234_567.0), ("nan", math.nan), ("−∞", -math.inf),
        ("0.30000000000000004", 0.1 + 0.2), ("1,351", 1351.0),
    ],
)  # fmt: skip
def test_a_number_within_half_a_unit_is_a_rounding(printed: str, returned: float) -> None:
    assert is_rounding(printed, returned)


@pytest.mark.parametrize(
    ("printed", "returned"),
    [
        ("0.279", 0.2855641537), ("0.287", 0.2855641537), ("0.001", -0.00123), ("0.5001", 0.5), ("0.16949", 0.1695),
        ("nan", 0.1), ("0.1", math.nan), ("∞", -math.inf), ("0.1", None), ("per user", 0.1), ("", 0.1),
    ],
)  # fmt: skip
def test_any_other_number_is_none(printed: str, returned: float | None) -> None:
    assert not is_rounding(printed, returned)


# Markdown, LaTeX and the terminal's text are read as blocks; a layout that is not known is an error.

TABLE = Table(
    "Table 1", "A caption.", ("MAP", "AUC"),
    (
        ("Canonical", ("0.077", "0.833")), ("rs_metrics 0.6.0", ("0.073 a†", "–")), ("Off 1", ("unavailable", "")),
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
    one_cell = Table(TABLE.name, TABLE.caption, TABLE.columns, (*rows, ("Off 1", ("unavailable",))))
    assert read_latex(LATEX, "") == ["One _ sentence.", one_cell, "MAP a divides by r"]


def test_blocks_of_columns_in_the_terminal_are_one_table() -> None:
    sentence, table, *key = read_terminal(TERMINAL, "", ["MAP", "AUC"])
    assert (sentence, key) == ("One _ sentence.", ["MAP a divides by r", "† other users"])
    assert isinstance(table, Table)
    assert table.columns == ("MAP", "AUC")
    assert [cells for _, cells in table.rows] == [
        ("0.077", "0.833"), ("0.073 a†", "–"), ("unavailable: no Python", "–"),
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
    with pytest.raises(UnreadableError, match="Table 1 has the row"):
        read_terminal(TERMINAL.replace("0.073 a†", "0.073 a† x y"), "", ["MAP", "AUC"])
    with pytest.raises(UnreadableError, match="no packed part"):
        read_page("<p>Hello</p>", "index.html")
    with pytest.raises(UnreadableError, match="damaged"):
        read_page('<script type="text/plain" id="packed">AAAA</script>', "index.html")
    packed = '<script type="text/plain" id="packed">eJwDAAAAAAE=</script>'
    with pytest.raises(UnreadableError, match="div is not closed"):
        read_page(f"<div>{packed}", "index.html")
