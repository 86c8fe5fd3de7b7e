"""The other forms: each against a text written by hand, and against hostile input."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from audit import cli
from reports.model.read_result import read_result
from reports.model.result import Evidence, Result, Step
from reports.model.write_result import result_json, write_result
from reports.page.decision import decision, order, swapped, tau
from reports.plots.waterfall import signed, waterfall
from reports.renderers import comparison_formats, data_files, latex, markdown, terminal
from reports.renderers.registry import COMPARISON_FORMATS, REPORT_FORMATS
from reports.tables.comparison import Change, compare_results
from reports.tables.paper_tables import paper_tables
from reports.tables.tidy_rows import TIDY_COLUMNS, tidy_rows
from reports.wording.surprises import surprises
from tests.support.result_samples import differing, finding, hostile, library, lost, many, result


def small(**changes: object) -> Result:
    """Two library versions and two metrics: small enough to write every form by hand."""
    entries = (library(), library("beta", "2_3"))
    found = (
        finding("average_precision"),
        finding("recall", value=math.nan),
        differing("average_precision", "beta", "denominator", "r", 0.0321, "wrong-denominator", version="2_3"),
        lost("recall", "beta", "failed", "=cmd|' /C calc'!A0", version="2_3"),
    )
    return result(**{"libraries": entries, "findings": found} | changes)


LATEX = r"""\begingroup\footnotesize\setlength{\tabcolsep}{3pt}
\begin{longtable}{lrr}
\caption*{\textbf{Table 1.} The same predictions at k = 20, as each library reports them.}\\
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
MAP \textsuperscript{a} \texttt{average\_precision@20\textbar{}\allowbreak{}denominator:r} (wrong-denominator)\\
\end{flushleft}"""


def test_latex_is_a_table_with_booktabs() -> None:
    assert latex.render_table(paper_tables(small())[0]) == LATEX


@pytest.mark.slow
@pytest.mark.parametrize("made", [small, result, hostile, many])
def test_latex_compiles(made: object, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    (tmp_path / "report.tex").write_text(latex.render_report(made()), encoding="utf-8")  # type: ignore[operator]
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "report.pdf").stat().st_size > 10_000


def test_a_comparison_in_latex_compiles(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    (tmp_path / "report.tex").write_text(
        comparison_formats.as_latex(compare_results(small(), hostile())), encoding="utf-8"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]


def test_latex_acts_on_nothing_foreign() -> None:
    assert latex.escape(r"\input{/etc/passwd} $x_1$ 50% #&~^") == (
        r"\textbackslash{}input\{/etc/passwd\} \$x\_1\$ 50\% \#\&\textasciitilde{}\textasciicircum{}"
    )
    assert latex.escape("é ש \u202e") == "é [U+05E9] \\textbackslash{}u202e"


CSV = (
    "library,version,function,metric,k,status,verdict,value,canonical_value,signature,differs_on,classes,equivalent,"
    "claimed,matches_claim,reason,live,python,dataset,dataset_digest\r\n"
    "alpha,1.0,alpha.average_precision,average_precision,20,measured,agrees,0.0391,0.0391,average_precision@20,,,,,,,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
    "alpha,1.0,alpha.recall,recall,20,measured,agrees,nan,0.0957,recall@20,,,,,,,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
    "beta,2_3,beta.average_precision,average_precision,20,measured,variant,0.0321,0.0391,"
    "average_precision@20|denominator:r,denominator,wrong-denominator,,,,,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
    "beta,2_3,beta.recall,recall,20,failed,,,0.0957,,,,,,,'=cmd|' /C calc'!A0,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
)


def test_csv_has_a_row_for_each_finding_and_runs_nothing() -> None:
    data = small().dataset.model_copy(update={"digest": "sha256:D"})
    assert data_files.as_csv(TIDY_COLUMNS, tidy_rows(small(dataset=data))) == CSV


def test_parquet_keeps_types_and_every_digit() -> None:
    table = pq.read_table(io.BytesIO(data_files.as_parquet(TIDY_COLUMNS, tidy_rows(small()))))
    assert table.column_names == list(TIDY_COLUMNS)
    assert str(table.schema.field("value").type) == "double"
    values = table["value"].to_pylist()
    assert values[0] == 0.0391 and math.isnan(values[1]) and values[3] is None
    assert table["k"].to_pylist() == [20, 20, 20, 20]
    assert table["reason"].to_pylist()[3] == "=cmd|' /C calc'!A0", "nothing is changed where nothing is run"


MARKDOWN = """\
# Do libraries compute the same metric?

No. Of 1 metric that 2 library versions computed from the same predictions, they differ on 1; MAP alone is computed \
in 2 ways, with values from 0.032 to 0.039.

- Furthest from the canonical value (1): MAP of Beta 2\\_3, 0.032 for 0.039

**Table 1.** The same predictions at k = 20, as each library reports them.

|  | MAP | Recall |
|---|---:|---:|
| *Canonical* | *0.039* | *0.096* |
| Alpha 1.0 | 0.039 | nan |
| Beta 2\\_3 | 0.032<sup>a</sup> | failed |

- MAP <sup>a</sup> `average_precision@20|denominator:r` (wrong-denominator)

MovieLens-100K, EASE: 943 users, 1,682 items, 17,512 relevant pairs. recsys-metric-audit 0.1.0, 2025-03-01: audit run \
--dataset movielens-100k -k 20
"""


def test_markdown_for_a_comment() -> None:
    assert markdown.render_report(small(experiments=())) == MARKDOWN


@pytest.mark.slow
def test_markdown_fits_a_comment_and_says_what_it_left_out() -> None:
    libraries = tuple(library(f"library-with-a-long-name-{n}", "1.0") for n in range(2000))
    found = tuple(finding(name=entry.library) for entry in libraries)
    shown = markdown.render_report(result(libraries=libraries, findings=found))
    assert len(shown.encode()) <= 60_000
    assert "*Left out: the last" in shown.splitlines()[-1]
    assert len(markdown.render_report(many()).encode()) <= 60_000
    assert markdown.fit_comment(["é" * 10, "b"], limit=10_000) == "é" * 10 + "\n\nb\n"


TEXT = """\
No. Of 1 metric that 2 library versions computed from the same predictions, they differ on 1; MAP
alone is computed in 2 ways, with values from 0.032 to 0.039.
! Furthest from the canonical value (1): MAP of Beta 2_3, 0.032 for 0.039

Table 1. The same predictions at k = 20, as each library reports them.
━━━━━━━━━━━━━━━━━━━━━━━━━━
             MAP    Recall
──────────────────────────
Canonical  0.039     0.096
┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈
Alpha 1.0  0.039       nan
Beta 2_3   0.032 a  failed
━━━━━━━━━━━━━━━━━━━━━━━━━━
MAP  a  average_precision@20|denominator:r  wrong-denominator
"""


def test_the_terminal_says_the_answer_then_surprises_then_tables() -> None:
    assert terminal.render_report(small()) == TEXT


@pytest.mark.parametrize("made", [result, hostile, many])
def test_the_terminal_fits_a_hundred_columns(made: object) -> None:
    lines = terminal.render_report(made()).splitlines()  # type: ignore[operator]
    assert max(map(cell_len, lines)) <= 100


def test_surprises_come_in_the_order_of_their_surprise() -> None:
    assert [each.words for each in surprises(result())] == [
        "Not as documented (1): MAP of Beta 2.3.1, denominator:r",
        "Gives different answers to the same question (1): Recall of Gamma 0.4",
        # |0.4631 − 0.0934| / 0.0934 = 3.96, |1.151 − 0.475| / 0.475 = 1.42, |0.0034 − 0.0391| / 0.0391 = 0.91
        "Furthest from the canonical value (7): NDCG of Gamma 0.4, 0.463 for 0.093; HitRate of Beta 2.3.1, 1.151 for "
        "0.475; MAP of Gamma 0.4, 0.003 for 0.039; and 4 more",
        "Fits no definition (1): MAP of Gamma 0.4",
        "Did not run (1): Omega 9 (unavailable)",
    ]


def test_a_change_of_meaning_between_two_versions_is_a_surprise() -> None:
    new = differing("ndcg", "alpha", "gain", "exp2", 0.1, version="2.0")
    made = surprises(result(libraries=(library(version="2.0"), library()), findings=(new, finding())))
    assert made[0].words == "Another meaning than in the version before (1): NDCG of Alpha 2.0 (before: 1.0)"


def before_and_after() -> tuple[Result, Result]:
    first = small()
    entries = (library(version="1.1"), library("beta", "2_3"), library("new", "1"))
    found = (
        differing("average_precision", "alpha", "denominator", "k", 0.02, version="1.1"),
        finding("recall", version="1.1", value=math.nan),
        differing("average_precision", "beta", "denominator", "r", 0.0322, "wrong-denominator", version="2_3"),
        finding("recall", "beta", "2_3"),
        finding("ndcg", "beta", "2_3"),
    )
    return first, result(libraries=entries, findings=found)


def test_what_changed_between_two_runs() -> None:
    found = compare_results(*before_and_after())
    assert found.changes == (
        Change("meaning", "alpha", "1.0 → 1.1", "alpha.average_precision", 20, "average_precision@k",
               "average_precision@k|denominator:k"),
        Change("status", "beta", "2_3", "beta.recall", 20, "failed", "recall@k"),
        Change("library", "new", "1", "", None, "", "audited"),
        Change("new", "beta", "2_3", "beta.ndcg", 20, "", "ndcg@k"),
        Change("value", "beta", "2_3", "beta.average_precision", 20, "0.0321", "0.0322"),
    )  # fmt: skip


def test_nothing_changed_between_a_run_and_itself() -> None:
    for made in (result(), hostile(), many(8)):
        assert compare_results(made, made).changes == ()
        assert comparison_formats.as_text(compare_results(made, made)) == "Nothing changed.\n"


def test_values_count_as_changed_beyond_the_tolerance_only() -> None:
    exact, rounded = Evidence(tolerance=1e-9), Evidence(tolerance=5e-5)
    for seen, changed in ((exact, 1), (rounded, 0)):
        pair = [finding(value=value, evidence=seen) for value in (0.09340, 0.09341)]
        made = [result(libraries=(library(),), findings=(each,)) for each in pair]
        assert len(compare_results(*made).changes) == changed


def test_other_data_is_said_and_values_are_then_not_compared() -> None:
    other = result().dataset.model_copy(update={"digest": "sha256:11", "name": "other"})
    one = result(libraries=(library(),), findings=(finding(),))
    two = result(libraries=(library(),), findings=(finding(value=0.5),), dataset=other)
    made = compare_results(one, two)
    assert [change.kind for change in made.changes] == ["data"]
    assert made.words == "1 change. The data is not the same, so values are not compared."


COMPARED = """\
5 changes. Computes something else: 1, runs in one run only: 1, library version in one run only, or in another state: \
1, new function: 1 and another value, the same meaning: 1.

Computes something else
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
    assert comparison_formats.as_text(compare_results(*before_and_after())) == COMPARED


def test_a_comparison_in_every_other_form() -> None:
    made = compare_results(*before_and_after())
    assert (
        "| computes something else | alpha 1.0 → 1.1 alpha.average\\_precision @\u206020 | average\\_precision@k | "
        in (comparison_formats.as_markdown(made))
    )
    assert json.loads(comparison_formats.as_json(made))["changes"][1]["after"] == "recall@k"
    lines = list(csv.DictReader(io.StringIO(comparison_formats.as_csv(made))))
    assert [line["kind"] for line in lines] == ["meaning", "status", "library", "new", "value"]
    assert pq.read_table(io.BytesIO(comparison_formats.as_parquet(made))).num_rows == 5
    page = comparison_formats.as_html(compare_results(small(), hostile()))
    assert page.count("<script") == 0 and "&lt;script&gt;" in page


@pytest.mark.parametrize("form", REPORT_FORMATS)
def test_every_form_of_a_report_is_written_whole(form: str, tmp_path: Path) -> None:
    for name, made in (("one", result()), ("two", hostile())):
        write_result(made, tmp_path / name)
        out = tmp_path / f"{name}.{form}"
        done = CliRunner().invoke(cli.app, ["report", str(tmp_path / name), "--format", form, "--out", str(out)])
        assert done.exit_code == 0, done.output
        written = REPORT_FORMATS[form](made)
        assert out.read_bytes() == (written.encode() if isinstance(written, str) else written) or form == "parquet"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", f"one.{form}", "two", f"two.{form}"]


@pytest.mark.parametrize("form", COMPARISON_FORMATS)
def test_every_form_of_a_comparison_is_written_whole(form: str, tmp_path: Path) -> None:
    for name, made in zip("ab", before_and_after(), strict=True):
        write_result(made, tmp_path / name)
    words = ["compare", str(tmp_path / "a"), str(tmp_path / "b" / "audit.json"), "--format", form]
    done = CliRunner().invoke(cli.app, [*words, "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out").stat().st_size > 100


def test_the_json_form_is_the_result_file_itself(tmp_path: Path) -> None:
    path = write_result(result(), tmp_path)
    done = CliRunner().invoke(cli.app, ["report", str(tmp_path), "--format", "json"])
    assert done.stdout == path.read_text(encoding="utf-8")
    assert result_json(read_result(tmp_path)) == done.stdout


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"format": 99}', "newer"),
        ('{"format": 0}', "no version writes"),
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
    done = CliRunner().invoke(cli.app, words)
    assert done.exit_code == 2
    assert said in done.stderr and "Traceback" not in done.stderr and done.stdout == ""


def test_parquet_is_not_printed(tmp_path: Path) -> None:
    write_result(result(), tmp_path)
    done = CliRunner().invoke(cli.app, ["report", str(tmp_path), "--format", "parquet"])
    assert done.exit_code == 2 and "--out findings.parquet" in done.stderr


def test_kendalls_tau_is_that_of_the_textbook() -> None:
    abcd = (("a",), ("b",), ("c",), ("d",))
    assert tau(abcd, abcd) == 1
    assert tau(abcd, abcd[::-1]) == -1
    assert tau(abcd, (("b",), ("a",), ("c",), ("d",))) == pytest.approx(4 / 6)  # 5 pairs agree, 1 is swapped
    assert tau(abcd, (("a", "b"), ("c",), ("d",))) == pytest.approx(5 / math.sqrt(6 * 5))  # one tie: τ-b
    assert math.isnan(tau(abcd, (("a", "b", "c", "d"),)))
    assert swapped((("b",), ("a",), ("c",)), (("a",), ("b",), ("c",))) == ("b over a",)


def test_orders_put_the_best_first_and_know_errors_from_scores() -> None:
    assert order({"x": 0.1, "y": 0.3, "z": 0.1}) == (("y",), ("x", "z"))
    assert order({"x": 0.1, "y": 0.3}, lower_is_better=True) == (("x",), ("y",))


def test_the_decision_that_a_library_changes() -> None:
    made = decision(result())
    assert made is not None
    (ranking,) = made.rankings
    canonical, other = ranking.orders
    assert (canonical.order, canonical.canonical, canonical.who) == ("ease > itemknn > popular", True, ())
    assert (other.first, other.order, other.swapped) == ("itemknn", "itemknn > ease > popular", ("itemknn over ease",))
    assert other.tau == "0.33"  # 2 of 3 pairs agree, 1 is swapped
    assert other.taus == ("0.33", "1.00")
    assert [name for name, *_ in other.who] == ["Beta 2.3.1"]
    assert made.words == (
        "Yes: of ease, itemknn and popular, ranked by 1 metric, the winner depends on the library for 1: MAP."
    )
    assert decision(result(recommenders=("ease",))) is None


def test_a_waterfall_goes_from_the_canonical_value_to_the_fitted_one() -> None:
    found = next(each for each in result().findings if each.decomposition)
    made = waterfall(found)
    assert made is not None
    assert [(bar.name, bar.kind, bar.figure) for bar in made.bars] == [
        ("canonical", "total", "0.039"), ("denominator", "down", "−0.007"), ("this definition", "total", "0.032"),
    ]  # fmt: skip
    first, step, last = made.bars
    assert first.x == last.x
    assert step.x == pytest.approx(last.x + last.width, abs=0.2), "the step hangs where the last value ends"
    assert step.x + step.width == pytest.approx(first.x + first.width, abs=0.2)


def test_axes_that_follow_each_other_without_a_change_share_a_row() -> None:
    values = (("", 0.5), ("gain", 0.5), ("ideal", 0.5), ("users", 0.4), ("ties", 0.4))
    steps = tuple(Step(axis=axis, signature=axis, value=value) for axis, value in values)
    made = waterfall(finding(decomposition=steps))
    assert made is not None
    assert [(bar.name, bar.figure, bar.then) for bar in made.bars] == [
        ("canonical", "0.500", "0.5"), ("gain, ideal", "±0", "0.5"), ("users", "−0.100", "0.4"), ("ties", "±0", "0.4"),
        ("this definition", "0.400", "0.4"),
    ]  # fmt: skip


def test_a_waterfall_of_what_is_no_number_is_told_and_not_drawn() -> None:
    steps = (Step(axis="", signature="s", value=0.5), Step(axis="gain", signature="t", value=math.nan))
    made = waterfall(finding(decomposition=steps))
    assert made is not None and not made.drawn
    assert [bar.figure for bar in made.bars] == ["0.500", "nan", "nan"]


@pytest.mark.parametrize(
    ("change", "shown"), [(0.0, "±0"), (0.25, "+0.250"), (-0.25, "−0.250"), (4e-5, "+4.0e-05"), (math.inf, "∞")]
)
def test_a_change_is_shown_with_its_sign(change: float, shown: str) -> None:
    assert signed(change) == shown
