"""Markdown, against texts written by hand and against hostile input."""

from __future__ import annotations

import re

import pytest

from recsys_metric_audit.reports.renderers import markdown
from recsys_metric_audit.reports.tables.paper_tables import paper_tables
from tests.support.extreme_results import hostile, many
from tests.support.result_samples import finding, library, result, small_result

MARKDOWN = """\
# Do libraries compute the same metric?

No. Of 1 metric that 2 library versions computed from the same predictions, they differ on the formula of 1; MAP alone \
has 2 formulas, with values from 0.032 to 0.039.

- **MAP**: 1 of 2 computes the canonical formula (0.039); 1 other: Beta 0.032 (divides by r).
- **Recall**: 1 of 2 computes the canonical formula (0.096; Alpha nan); Beta failed.

**Table 1.** The same predictions at k = 20, as each library reports them; letters mark other formulas.

|  | MAP | Recall |
|---|---:|---:|
| *Canonical* | *0.039* | *0.096* |
| Alpha 1.0 | 0.039 | nan |
| Beta 2\\_3 | 0.032<sup>a</sup> | failed |

- MAP <sup>a</sup> divides by r, not by min(k, r)

MovieLens-100K, EASE: 943 users, 1,682 items, 17,512 relevant pairs. recsys-metric-audit 0.1.0, 2025-03-01: audit run \
--dataset movielens-100k -k 20
"""


def test_markdown_for_a_comment() -> None:
    assert markdown.render_report(small_result(experiments=())) == MARKDOWN


@pytest.mark.slow
def test_markdown_fits_a_comment_and_says_what_it_left_out() -> None:
    libraries = tuple(library(f"library-with-a-long-name-{n}", "1.0") for n in range(2000))
    found = tuple(finding(name=entry.library) for entry in libraries)
    shown = markdown.render_report(result(libraries=libraries, findings=found))
    assert len(shown.encode()) <= 60_000
    assert "*Left out: the last" in shown.splitlines()[-1]
    assert len(markdown.render_report(many()).encode()) <= 60_000
    assert markdown.fit_comment(["é" * 10, "b"], limit=10_000) == "é" * 10 + "\n\nb\n"


def test_markdown_table_2() -> None:
    assert markdown.render_table(paper_tables(result())[1]) == (
        "**Table 2.** AUC, by the meaning of what each library computes under this name.\n"
        "\n"
        "|  | GAUC canonical | SAUC a | GAUC@20 b | other |\n"
        "|---|---:|---:|---:|---:|\n"
        "| *Canonical* | *0.705* | *–* | *–* | *–* |\n"
        "| Alpha 1.0 | 0.705 | – | – | – |\n"
        "| Beta 2.3.1 | 0.705 | 0.687 | – | – |\n"
        "| Gamma 0.4 (recorded) | – | – | – | timed out |\n"
        "| Delta 3.0 | – | – | 0.283 | – |\n"
        "\n"
        "- AUC <sup>a</sup> ranks the rows of all users together, not user by user\n"
        "- AUC <sup>b</sup> takes pairs of the first k rows, not of the whole list"
    )


def test_markdown_marks_and_failures() -> None:
    lines = markdown.render_table(paper_tables(result())[0]).splitlines()
    assert "| Omega 9 | unavailable |  |  |  |  |  |  |" in lines
    assert "- Omega 9: unavailable: Python 3.7 was not found." in lines
    gamma = next(line for line in lines if line.startswith("| Gamma"))
    assert "| failed | 0.003<sup>?</sup> | 0.275<sup>a</sup> |" in gamma


def test_markdown_carries_no_foreign_markup() -> None:
    shown = markdown.render_report(hostile())
    outside_code = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", shown)
    assert set(re.findall(r"<[^>]*>", outside_code)) <= {"<sup>", "</sup>"}
    for table in paper_tables(hostile()):
        lines = [line for line in markdown.render_table(table).splitlines() if line.startswith("|")]
        assert len(lines) == 2 + len(table.rows)
        for line in lines:
            assert len(re.findall(r"(?<!\\)\|", line)) == len(table.columns) + 2, "whatever bars a name holds"


@pytest.mark.parametrize(
    ("given", "shown"), [("a|b", "`a|b`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a\nb", "`a b`")]
)
def test_code_spans_hold_backticks(given: str, shown: str) -> None:
    assert markdown.code_span(given) == shown


def test_mentions_and_links_of_foreign_text_stay_text() -> None:
    assert markdown.escape("@all see http://x") == "@\u2060all see http:\u2060//x"
    assert markdown.escape("GAUC@20") == "GAUC@20"
