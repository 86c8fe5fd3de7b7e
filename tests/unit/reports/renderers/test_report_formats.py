"""Every output format of a result and of a comparison."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import math
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest
from rich.console import Console

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.model.result_file import read_result, result_json, write_result
from recsys_metric_audit.reports.paper.claims import PaperHead
from recsys_metric_audit.reports.paper.digits import Digits
from recsys_metric_audit.reports.paper.reaudit import ClaimView, FindingView, Reaudit, SubjectView
from recsys_metric_audit.reports.pins.badge_text import Badge, as_endpoint, as_svg
from recsys_metric_audit.reports.renderers import comparison_formats, data_files, html, latex, registry
from recsys_metric_audit.reports.renderers.html import ENVIRONMENT, render_report, render_template
from recsys_metric_audit.reports.renderers.reaudit_formats import (
    LINES,
    WIDTH,
    as_json,
    as_markdown,
    print_claim,
    screen_lines,
)
from recsys_metric_audit.reports.renderers.registry import COMPARISON_FORMATS, REPORT_FORMATS
from recsys_metric_audit.reports.tables.comparison import compare_results
from recsys_metric_audit.reports.tables.paper_tables import paper_tables
from recsys_metric_audit.reports.tables.tidy_rows import TIDY_COLUMNS, tidy_rows
from recsys_metric_audit.reports.verification.readers import Node, read_elements, read_page
from tests.support.command_line import audit
from tests.support.compared_results import two_runs
from tests.support.extreme_results import hostile, many
from tests.support.page_outline import outline
from tests.support.result_samples import differing, finding, library, result, small_result

# Hold the other forms of reports: HTML, LaTeX, data files, badges, comparisons, papers.

# Every output format, as a user asks for it on the command line.


@pytest.mark.parametrize("form", REPORT_FORMATS)
def test_every_form_of_a_report_is_written_whole(form: str, tmp_path: Path) -> None:
    for name, made in (("one", result()), ("two", hostile())):
        write_result(made, tmp_path / name)
        out = tmp_path / f"{name}.{form}"
        done = audit("report", str(tmp_path / name), "--format", form, "--out", str(out))
        assert done.exit_code == 0, done.output
        written = REPORT_FORMATS[form](made)
        assert out.read_bytes() == (written.encode() if isinstance(written, str) else written) or form == "parquet"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", f"one.{form}", "two", f"two.{form}"]


@pytest.mark.parametrize("form", COMPARISON_FORMATS)
def test_every_form_of_a_comparison_is_written_whole(form: str, tmp_path: Path) -> None:
    for name, made in zip("ab", two_runs(), strict=True):
        write_result(made, tmp_path / name)
    words = ["compare", str(tmp_path / "a"), str(tmp_path / "b" / "audit.json"), "--format", form]
    done = audit(*words, "--out", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out").stat().st_size > 100


def test_the_json_form_is_the_result_file_itself(tmp_path: Path) -> None:
    path = write_result(result(), tmp_path)
    done = audit("report", str(tmp_path), "--format", "json")
    assert done.stdout == path.read_text(encoding="utf-8")
    assert result_json(read_result(tmp_path)) == done.stdout


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"format": 99}', "newer"),
        ('{"format": 0}', "reads format 4 alone"),
        ('{"format": 1', "not JSON"),
        ("{}", "no format number"),
    ],
)
@pytest.mark.parametrize("verb", [["report", "--format", "md"], ["compare"]])
def test_a_file_of_another_format_or_a_damaged_one_is_a_message(
    verb: list[str], content: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "audit.json").write_text(content)
    words = [verb[0], str(tmp_path), *([str(tmp_path)] if verb[0] == "compare" else []), *verb[1:]]
    done = audit(*words)
    assert done.exit_code == 2
    assert said in done.stderr and "Traceback" not in done.stderr and done.stdout == ""


def test_parquet_is_not_printed(tmp_path: Path) -> None:
    write_result(result(), tmp_path)
    done = audit("report", str(tmp_path), "--format", "parquet")
    assert done.exit_code == 2 and "--out findings.parquet" in done.stderr


# HTML pages: foreign text is escaped, and the policy allows their own style and script only.

TEMPLATES = Path(html.__file__).parent.parent / "templates"


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_style_and_policy_are_those_of_the_template_files() -> None:
    text = render_template("comparison.html", title="t", words="w", rows=[])
    (style,) = re.findall(r"<style>(.*?)</style>", text, flags=re.S)
    assert style == (TEMPLATES / "style.css").read_text(encoding="utf-8")
    assert f"style-src &#39;sha256-{digest(style)}&#39;" in text
    assert "default-src &#39;none&#39;" in text


def test_foreign_text_is_escaped_and_isolated() -> None:
    shown = ENVIRONMENT.from_string("{{ a }}|{{ b | apart }}|{{ c | apart }}")
    assert shown.render(a="<b>\u202e", b="plain", c="שלום") == "&lt;b&gt;\\u202e|plain|<bdi>שלום</bdi>"


def test_white_space_between_blocks_goes_and_within_text_stays() -> None:
    squeezed = html._BLOCK_WHITESPACE.sub(r"\1", "<ul>\n <li>a\nb</li>\n <li><b>c</b>\n<i>d</i></li>\n</ul>")
    assert squeezed == "<ul><li>a\nb</li><li><b>c</b>\n<i>d</i></li></ul>"


# LaTeX, against a text written by hand and against hostile input.

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


# CSV and Parquet.

NO_EFFECT, NO_STATES = "," * 5, "," * 7
CSV = (
    "library,version,function,metric,k,status,verdict,value,canonical_value,same_value,effect_formula,"
    "effect_who_counts,effect_input,effect_total,signature,formula,differs_on,differs_formula,differs_who_counts,"
    "differs_input,unknown,cannot_matter,does_not_apply,documented_by,classes,equivalent,"
    "claimed,matches_claim,reason,live,python,dataset,dataset_digest\r\n"
    f"alpha,1.0,alpha.average_precision,average_precision,20,measured,agrees,0.0391,0.0391{NO_EFFECT},"
    f"average_precision@20,average_precision@20,{NO_STATES},,,,,,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
    f"alpha,1.0,alpha.recall,recall,20,measured,agrees,nan,0.0957{NO_EFFECT},recall@20,recall@20,{NO_STATES},,,,,,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
    f"beta,2_3,beta.average_precision,average_precision,20,measured,variant,0.0321,0.0391{NO_EFFECT},"
    "average_precision@20|denominator:r,average_precision@20|denominator:r,denominator,denominator,,,,,,,"
    "wrong-denominator,,,,,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
    f"beta,2_3,beta.recall,recall,20,failed,,,0.0957{NO_EFFECT},,,{NO_STATES},,,,,'=cmd|' /C calc'!A0,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
)


def test_csv_has_a_row_for_each_finding_and_runs_nothing() -> None:
    data = small_result().dataset.model_copy(update={"digest": "sha256:D"})
    assert data_files.as_csv(TIDY_COLUMNS, tidy_rows(small_result(dataset=data))) == CSV


def test_parquet_keeps_types_and_every_digit() -> None:
    table = pq.read_table(io.BytesIO(data_files.findings_parquet(small_result())))
    assert table.column_names == list(TIDY_COLUMNS)
    assert str(table.schema.field("value").type) == "double"
    values = table["value"].to_pylist()
    assert values[0] == 0.0391 and math.isnan(values[1]) and values[3] is None
    assert table["k"].to_pylist() == [20, 20, 20, 20]
    assert table["reason"].to_pylist()[3] == "=cmd|' /C calc'!A0", "nothing is changed where nothing is run"


# Badges as SVG and as the document that shields.io reads.

BADGE = Badge("ndcg", "gain:exp2 & more", "#e05d44")


def test_the_endpoint_document_has_the_names_of_schema_version_1() -> None:
    assert json.loads(as_endpoint(BADGE)) == {
        "schemaVersion": 1, "label": "ndcg", "message": "gain:exp2 & more", "color": "#e05d44",
    }  # fmt: skip


def test_the_drawing_is_svg_with_both_texts() -> None:
    pytest.importorskip("anybadge")
    drawn = ElementTree.fromstring(as_svg(Badge("ndcg", "agrees", "#4c1")))
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    texts = {each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"ndcg", "agrees"} <= texts


# A comparison in every format.


def test_a_comparison_in_latex_compiles(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    (tmp_path / "report.tex").write_text(
        comparison_formats.as_latex(compare_results(small_result(), hostile())), encoding="utf-8"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]


COMPARED = """\
5 changes. Computes another formula: 1, runs in one run only: 1, library version in one run only, or in another state: \
1, new function: 1 and another value, the same meaning: 1.

Computes another formula
  alpha 1.0 → 1.1 alpha.average_precision @20
    - average_precision@k
    + average_precision@k|denominator:k

Runs in one run only
  beta 2_3 beta.recall @20
    - failed
    + recall@k

Library version in one run only, or in another state
  new 1
    - nothing
    + audited

New function
  beta 2_3 beta.ndcg @20
    - nothing
    + ndcg@k

Another value, the same meaning
  beta 2_3 beta.average_precision @20
    - 0.0321
    + 0.0322
"""


def test_a_comparison_in_the_terminal() -> None:
    assert comparison_formats.as_text(compare_results(*two_runs())) == COMPARED


def test_a_comparison_in_every_other_form() -> None:
    made = compare_results(*two_runs())
    assert (
        "| computes another formula | alpha 1.0 → 1.1 alpha.average\\_precision @\u206020 | average\\_precision@k | "
        in (comparison_formats.as_markdown(made))
    )
    assert json.loads(comparison_formats.as_json(made))["changes"][1]["after"] == "recall@k"
    lines = list(csv.DictReader(io.StringIO(comparison_formats.as_csv(made))))
    assert [line["kind"] for line in lines] == ["formula", "status", "library", "new", "value"]
    assert pq.read_table(io.BytesIO(comparison_formats.as_parquet(made))).num_rows == 5
    page = comparison_formats.as_html(compare_results(small_result(), hostile()))
    assert page.count("<script") == 0 and "&lt;script&gt;" in page


# Every form tells the re-audit of a paper, from claims written by hand.

HEAD = PaperHead(authors="Ann & Bob", title="Do metrics agree?", venue="RecSys 2099", link="https://example.org")
FINDING = FindingView(
    "lib.recall", "1.0", True, True, "recall@k|denominator:min", "as the paper says", math.nan, "1/2, not 1/3"
)
ABOUT = SubjectView("Lib", "Recall", "1.0", "confirmed", "", (FINDING,))


def claim(number: int, answer: str = "yes", reason: str = "It does.") -> ClaimView:
    return ClaimView(
        number, f"Claim {number}", "The library | divides by k.", "§3", "confirmed", "In full.", (ABOUT,),
        ("measured",), ("1 + 1 = 2",), answer, reason, ("the lost file",),
    )  # fmt: skip


def reaudit(*told: ClaimView) -> Reaudit:
    return Reaudit("ann2099", HEAD, told, (), ())


def lines_of(found: Reaudit, *others: str) -> list[str]:
    return screen_lines(found, "a run", others)


def test_a_claim_has_its_answer_and_its_reason() -> None:
    assert lines_of(reaudit(claim(1), claim(2, "no", "It does not.")))[-4:] == [
        " 1  yes       Claim 1", "    It does.", " 2  no        Claim 2", "    It does not.",
    ]  # fmt: skip


def test_answers_are_counted() -> None:
    found = reaudit(claim(1), claim(2, "no"), claim(3, "no"))
    assert lines_of(found)[0] == "Ann & Bob (RecSys 2099), re-audited. 3 claims: 2 “no”, 1 “yes”"
    assert as_markdown(found, "a run").startswith("# Ann &amp; Bob, Do metrics agree? RecSys 2099, re-audited\n")


def test_twenty_long_reasons_fit_on_the_screen_and_the_severest_is_told_in_full() -> None:
    long = "reason " * 60  # 420 characters: 5 lines of 96
    shown = lines_of(
        reaudit(*(claim(number, "no" if number == 13 else "yes", long) for number in range(1, 21))), "x2098"
    )
    assert len(shown) <= LINES and max(map(len, shown)) <= WIDTH
    assert shown[-1] == "Other papers (audit paper KEY): x2098."
    at = shown.index("13  no        Claim 13")
    assert " ".join(line.strip() for line in shown[at + 1 : at + 6]) == long.strip()
    assert shown[shown.index("20  yes       Claim 20") + 1].endswith(" …")


def test_the_command_for_a_claim_names_the_paper_where_it_has_to() -> None:
    assert "audit paper ann2099 NUMBER tells a claim in full." in lines_of(reaudit(claim(1)))
    assert "audit paper NUMBER tells a claim in full." in lines_of(reaudit(claim(1)), "x2098")


def test_a_claim_in_full_tells_its_evidence_and_what_cannot_be_checked() -> None:
    output = StringIO()
    print_claim(claim(7), Console(file=output, width=200, color_system=None))
    assert [line.rstrip() for line in output.getvalue().splitlines()] == [
        "7. Claim 7: CONFIRMED",
        "   The paper, §3: The library | divides by k.",
        "   It does.",
        "   In full.",
        "   - 1 + 1 = 2",
        "   - measured",
        "   - Lib 1.0 (recorded) lib.recall: recall@k|denominator:min, as the paper says. Witness: 1/2, not 1/3",
        "   Not verifiable here: the lost file",
    ]


def test_a_claim_in_markdown_is_escaped() -> None:
    page = as_markdown(reaudit(claim(7)), "a run").split("\n\n")
    assert page[1:5] == [
        "<https://example.org>",
        "From a run. 1 claim: 1 confirmed.",
        "## 7. Claim 7: confirmed",
        r"*The paper, §3: The library \| divides by k.*",
    ]
    assert "- Not verifiable here: the lost file" in page[-1]


def test_table_3_and_equal_digits_close_the_page_of_the_paper_that_has_them() -> None:
    digits = Digits("Lib", "1.0", "lib.recall", "Recall", 0.1234, 0.12341, 4)
    full = replace(
        reaudit(claim(1)), table3=(("cites", "9/15"), ("defines", "6/15")), papers=(("Ann", "names none"),),
        digits=(digits,),
    )  # fmt: skip
    page = as_markdown(full, "a run")
    assert "| cites | defines |\n| --- | --- |\n| 9/15 | 6/15 |\n\n- Ann: names none" in page
    assert page.rstrip().endswith("0.12341, in the paper 0.1234: 4 digits are the same")


def test_json_holds_every_field_and_no_number_that_json_lacks() -> None:
    told = json.loads(as_json(reaudit(claim(7)), "a run"))
    assert (told["from"], told["paper"], told["key"]) == ("a run", HEAD.citation, "ann2099")
    (only,) = told["told"]
    assert (only["number"], only["arithmetic"], only["unverified"]) == (7, ["1 + 1 = 2"], ["the lost file"])
    assert only["about"][0]["evidence"][0]["value"] == "nan"


# HTML pages as they were looked at, each as an outline: ``RENEW_APPROVED=1 pytest THIS_FILE`` writes them anew.

APPROVED = Path(__file__).with_name("approved")
PARTS = ("handbook", "paper")
"""Sections of the report with files of their own, so that a change of them does not hide other changes."""


def before() -> Result:
    """Return a run before that of :func:`result`, in which beta computes something else."""
    found = (finding("ndcg"), differing("average_precision", "beta", "denominator", "k", 0.02, version="2.3.1"))
    return result(libraries=(library(), library("beta", "2.3.1")), findings=found)


def without_parts(node: Node) -> Node:
    """Return an element without the sections of PARTS, and with the longest section of each class alone."""
    kept: dict[str, Node | str] = {}
    for place, given in enumerate(node.parts):
        if isinstance(given, str) or given.attributes.get("id") not in PARTS:
            part = given if isinstance(given, str) else without_parts(given)
            alike = isinstance(part, Node) and part.tag == "section" and len(part.classes) > 1
            kind = part.attributes["class"] if isinstance(part, Node) and alike else str(place)
            kept[kind] = max(kept.get(kind, part), part, key=length)
    return replace(node, parts=list(kept.values()))


def length(part: Node | str) -> int:
    return 0 if isinstance(part, str) else len(outline(part))


@cache
def report() -> Node:
    return read_page(render_report(result()), "report")


def part(name: str) -> list[str]:
    (section,) = [each for each in report().all("section") if each.attributes.get("id") == name]
    return outline(section)


def page(text: str) -> list[str]:
    return outline(read_elements(text, "page"))


PAGES: dict[str, Callable[[], list[str]]] = {
    "report": lambda: outline(without_parts(report())),
    **{f"report-{name}": partial(part, name) for name in PARTS},
    "comparison": lambda: page(comparison_formats.as_html(compare_results(before(), result()))),
    "then-and-now": lambda: page(registry.SIDE_BY_SIDE_FORMATS["html"](result(), 1)),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_was_looked_at(name: str) -> None:
    file, shown = APPROVED / f"{name}.txt", "\n".join(PAGES[name]()) + "\n"
    if os.environ.get("RENEW_APPROVED"):
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8"), "look at the page, then: RENEW_APPROVED=1 pytest THIS_FILE"
