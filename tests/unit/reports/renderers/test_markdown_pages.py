"""Hold reports in Markdown: tables, findings, changes, drift, history, contradictions."""

from __future__ import annotations

import json
import re

import pytest

from recsys_metric_audit.reports.model.level_meaning import Move
from recsys_metric_audit.reports.model.result import EvidenceSummary
from recsys_metric_audit.reports.pins.drift import Drift
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation
from recsys_metric_audit.reports.pins.meaning_changes import LibraryMeanings, version_steps
from recsys_metric_audit.reports.pins.version_history import History, HistoryCell, HistoryRow
from recsys_metric_audit.reports.renderers import markdown
from recsys_metric_audit.reports.renderers.drift_formats import as_annotations, as_json, as_pull_request, as_text
from recsys_metric_audit.reports.renderers.findings_page import render_contradictions, render_findings
from recsys_metric_audit.reports.renderers.history_formats import as_json as history_json
from recsys_metric_audit.reports.renderers.history_formats import as_markdown
from recsys_metric_audit.reports.renderers.history_formats import as_text as history_text
from recsys_metric_audit.reports.tables.paper_tables import paper_tables
from recsys_metric_audit.reports.writers.history_page import history_page
from tests.support.extreme_results import hostile, many
from tests.support.result_samples import differing, finding, library, lost, result, small_result, witness

# Markdown, against texts written by hand and against hostile input.

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


# The page of findings: who agrees with whom, what differs from canonical and documented, texts for issues.

CLAIM = {
    "claimed": "recall@k|denominator:r", "claim_says": "divided by the relevant items", "matches_claim": False,
    "claim_witness": witness(), "witness": witness(), "verdict": "undocumented",
}  # fmt: skip


def page(*findings: object, **places: str) -> str:
    entries = (library("alpha"), library("beta", claims=places))
    return render_findings(result(libraries=entries, findings=findings))


def test_libraries_of_one_formula_stand_together() -> None:
    text = page(finding("ndcg"), differing("ndcg", "beta", "gain", "exp2", 0.2))
    section = text.partition("### NDCG")[2].partition("\n\n## ")[0]
    assert section.strip().splitlines() == [
        "- canonical (`ndcg@k`): Alpha",
        "- gain 2^g - 1 (`ndcg@k|gain:exp2`), canonical on yes/no data: Beta",
    ]
    assert "Canonical in every function that was measured: Alpha 1.0." in text


def test_a_contradicted_claim_has_its_quotation_and_a_text_to_send() -> None:
    made = differing("recall", "beta", "denominator", "min", 0.2, **CLAIM, script="import beta\n")
    text = page(finding("recall"), made, **{"beta.recall": "docstring of beta.recall"})
    assert "1 formula other than the library's own documentation states" in text
    assert "- **Recall**: divides by min(k, r), not by r, 0.200 here (`beta.recall`)\n" in text
    assert "  - Documented: “divided by the relevant items”" in text and "; docstring of beta.recall" in text
    assert "a list with gains [4 0], and relevant items not in it [2 2]" in text.replace("\\", "")
    issue = text.partition("````markdown")[2].partition("````\n")[0]
    assert "# recall: documentation and code state different formulas of Recall" in issue
    assert "says (docstring of beta.recall):" in issue
    assert "  ```python\n  import beta\n  ```" in issue


def test_without_a_script_the_command_that_prints_one_is_told() -> None:
    text = page(differing("recall", "beta", "denominator", "min", 0.2, **CLAIM))
    assert "`audit reproduce 'beta==1.0:beta.recall'`" in text


def test_a_documented_formula_needs_no_issue() -> None:
    made = differing("ndcg", "beta", "gain", "exp2", 0.2, documented_by=("library",))
    text = page(made)
    assert "(`beta.ndcg`), as documented" in text
    assert "<details>" not in text


def test_an_undocumented_formula_asks_for_documentation() -> None:
    text = page(differing("ndcg", "beta", "gain", "exp2", 0.2, verdict="undocumented"))
    assert "(`beta.ndcg`), documented nowhere" in text
    assert "# ndcg: the documentation does not say which NDCG is computed" in text


def test_what_was_not_measured_or_identified_is_named() -> None:
    unknown = finding("auc", "beta", verdict="unexplained", signature=None, formula=None, definition={})
    text = page(lost("ndcg", "beta", "failed", "it raises"), unknown)
    assert "1 function measured, 0 with the canonical formula; 1 not: `beta.ndcg`." in text
    assert "- **AUC**: no formula fits, 0.705 here (`beta.auc`)" in text


def test_a_change_between_releases_is_told_with_both() -> None:
    entries = (library("alpha", "2.0"), library("alpha", "1.0"))
    old = differing("ndcg", "alpha", "gain", "exp2", 0.2)
    text = render_findings(result(libraries=entries, findings=(finding("ndcg", version="2.0"), old)))
    assert "- Alpha `alpha.ndcg` (NDCG): gain 2^g - 1 in 1.0; canonical in 2.0" in text
    assert "1 library, 1 function measured" in text  # the older release counts for changes only


def test_foreign_text_cannot_write_markdown() -> None:
    made = differing("recall", "beta", "denominator", "min", 0.2, **CLAIM | {"claim_says": "`<b>` ````\n# head @you"})
    text = page(made)
    assert "\n# head" not in text.replace("  # ", "")
    assert "“\\`&lt;b&gt;" in text


def test_what_no_definition_predicts_is_told() -> None:
    seen = EvidenceSummary(unpredicted="No definition predicts what it gives on ties.")
    text = page(finding("ndcg", verdict="unexplained", signature=None, definition={}, evidence=seen))
    assert "\n  - No definition predicts what it gives on ties.\n" in text


# Each library has a section with what changed in it, or stands in the list of those in which nothing did.


def library_of_changes_page(name: str, *versions: tuple[str, dict[str, str]]) -> LibraryMeanings:
    """Return a library with the signature of each function by version."""
    pins = tuple(
        VersionExpectation(
            library=name, version=version, dataset="d", k=20,
            functions={
                function: FunctionExpectation.model_validate(
                    {"metric": "precision", "status": "measured", "verdict": "variant", "formulas": [signature]}
                )
                for function, signature in functions.items()
            },
        )
        for version, functions in versions
    )  # fmt: skip
    return LibraryMeanings(name, name.title(), pins, {}, version_steps(pins, {}, lambda *_: ""))


def changes(*libraries: LibraryMeanings) -> str:
    """Return the part of the page that says what changed."""
    page = history_page(libraries, small_result())
    return page[page.index("## What changed") :].rstrip("\n")


def test_a_change_stands_under_its_release_with_both_formulas_and_the_witness() -> None:
    made = library_of_changes_page(
        "alpha", ("1.0", {"a.f": "precision@k"}), ("1.1", {"a.f": "precision@k|denominator:shown"})
    )
    _, section = changes(made).split("\n\n", 1)
    assert section.startswith("### Alpha\n\nCompared: 1.0, 1.1.\n\n**1.1**, compared with 1.0 (1 function):\n\n")
    assert (
        "- **Precision**, formula: canonical (`precision@k`) → divides by min(k, list length) "
        "(`precision@k|denominator:shown`) (`a.f`)\n"
        "  - Witness: a list with gains \\[2\\], k = 2: 0.500 before, 1.000 now"
    ) in section


def test_the_newest_step_comes_first_and_one_without_a_change_is_left_out() -> None:
    made = library_of_changes_page(
        "alpha", ("1", {"a.f": "precision@k"}), ("2", {"a.f": "precision@k"}),
        ("3", {"a.f": "precision@k|denominator:shown"}), ("4", {"a.f": "precision@k"}),
    )  # fmt: skip
    _, section = changes(made).split("\n\n", 1)
    assert section.index("**4**") < section.index("**3**")
    assert "**2**" not in section


def test_libraries_without_a_change_are_listed_with_their_versions() -> None:
    same = library_of_changes_page("beta", ("1", {"b.f": "precision@k"}), ("2", {"b.f": "precision@k"}))
    single = library_of_changes_page("gamma", ("7_0", {"c.f": "precision@k"}))
    assert changes(same, single).split("\n\n") == [
        "## What changed (0 libraries)",
        "## No change of meaning between the versions compared",
        "- **Beta** 1, 2. 1 function in the newest.",
        "## One version only",
        "Nothing to compare with: Gamma 7\\_0.",
    ]


def test_a_formula_that_is_gone_and_what_is_computed_instead() -> None:
    made = library_of_changes_page(
        "alpha", ("1", {"a.prec_at": "precision@k"}), ("2", {"a.Prec": "precision@k|denominator:shown"})
    )
    _, section = changes(made).split("\n\n", 1)
    assert "**2**, compared with 1 (no function under the same name):" in section
    assert (
        "no function computes any more: canonical (`precision@k`); instead: divides by min(k, list length)" in section
    )


def test_a_value_without_a_rule_is_not_told_as_canonical() -> None:
    versions = ("1", {"a.f": "precision@k"}), ("2", {"a.f": "precision@k"})
    made = library_of_changes_page("alpha", *versions)
    other = made.pins[1].functions["a.f"].model_copy(update={"input": {"ties": "other"}})
    pins = made.pins[0], made.pins[1].model_copy(update={"functions": {"a.f": other}})
    steps = version_steps(pins, {}, lambda *_: "probe 'x|y': 1 before, 0 now")
    section = changes(LibraryMeanings("alpha", "Alpha", pins, {}, steps))
    assert "**Precision**, input handling: `ties`: as given (a stable sort) → by no known rule (`a.f`)" in section
    assert "  - Witness: probe 'x\\|y': 1 before, 0 now" in section


# Drift in every format, against texts written by hand.

CHANGED = Drift(
    "a", "2.0", "a.ndcg", "changed", "ndcg@k (agrees)", "ndcg@k|gain:exp2 (variant)",
    (Move("gain", "binary", "exp2"),), "one user, 100%", "1.0", ("formula",),
)  # fmt: skip


def test_plain_text() -> None:
    assert as_text([CHANGED]) == (
        "a 2.0: a.ndcg computes another formula since 1.0\n"
        "  before    ndcg@k (agrees)\n"
        "  now       ndcg@k|gain:exp2 (variant)\n"
        "  moved     gain: binary → exp2 (formula)\n"
        "  witness   one user, 100%"
    )
    assert as_text([Drift("a", "2.0", "", "unaccepted")]) == "a 2.0 has nothing accepted to be held against"


TIES = Drift(
    "a", "1.0", "a.ndcg", "changed", "ndcg@k", "ndcg@k|ties:best", (Move("ties", "given", "best", "input"),), "", "1.0",
    ("input",),
)  # fmt: skip
KNOWN = Drift(
    "a", "1.0", "a.ndcg", "known", "ndcg@k", "ndcg@k", (Move("users", "both", "not known", "who_counts", "unknown"),)
)


def test_a_warning_is_called_one() -> None:
    assert as_text([TIES]) == (
        "warning: a 1.0: a.ndcg handles unusual input otherwise\n"
        "  expected  ndcg@k\n"
        "  found     ndcg@k|ties:best\n"
        "  moved     ties: given → best (input handling)"
    )
    assert as_text([KNOWN]).splitlines()[-1] == "  not known users: both → not known (who counts)"
    assert as_annotations([(TIES, "f")]).startswith("::warning file=f,title=")
    assert as_annotations([(TIES, "f")], strict=True).startswith("::error file=f,title=")
    assert json.loads(as_json([TIES]))[0]["severity"] == "warning"


def test_annotations_are_escaped_as_github_asks() -> None:
    (line,) = as_annotations([(CHANGED, "a,b:c.json")]).splitlines()
    assert line == (
        "::error file=a%2Cb%3Ac.json,title=a 2.0%3A a.ndcg computes another formula since 1.0::"
        "before: ndcg@k (agrees)%0Anow: ndcg@k|gain:exp2 (variant)%0Amoved: gain: binary → exp2 (formula)%0A"
        "witness: one user, 100%25"
    )


def test_a_pull_request_says_what_changed_and_what_did_not() -> None:
    assert as_pull_request("New versions", [CHANGED], 7).splitlines() == [
        "# New versions", "", "## `a.ndcg` computes another formula", "", "| | |", "|---|---|",
        "| before | `ndcg@k (agrees)` |", "| now | `ndcg@k\\|gain:exp2 (variant)` |",
        "| moved | gain: binary → exp2 (formula) |",
        "| witness | one user, 100% |", "", "7 functions compute what they did.",
    ]  # fmt: skip
    assert as_pull_request("New versions", [], 0) == "# New versions\n\nNothing to compare.\n"


def test_json_has_the_fields_of_drift() -> None:
    (found,) = json.loads(as_json([CHANGED]))
    assert found["moves"] == [{"name": "gain", "old": "binary", "new": "exp2", "level": "formula", "kind": "changed"}]
    assert (found["levels"], found["severity"]) == (["formula"], "error")
    assert (found["kind"], found["against"]) == ("changed", "1.0")


# A history in every format, against texts written by hand.

CHANGE = Drift(
    "a",
    "3.0",
    "a.ndcg",
    "changed",
    "ndcg@k",
    "ndcg@k|gain:exp2",
    (Move("gain", "binary", "exp2"),),
    "",
    "2.0",
    ("formula",),
)
CELLS = (
    HistoryCell("1.0", "ndcg@k", None),
    HistoryCell("2.0", "ndcg@k", None),
    HistoryCell("3.0", "ndcg@k|gain:exp2", CHANGE),
)
HISTORY = History("a", ("1.0", "2.0", "3.0"), (HistoryRow("a.ndcg", "ndcg", CELLS),), ())


def test_equal_versions_share_a_line_and_a_star_marks_a_change() -> None:
    assert history_text(HISTORY) == (
        "a: 1.0, 2.0, 3.0\n"
        "\n"
        "a.ndcg (ndcg)   changed in 3.0 (formula)\n"
        "  1.0, 2.0  ndcg@k\n"
        "* 3.0       ndcg@k|gain:exp2\n"
        "              gain: binary → exp2 (formula)"
    )


def test_a_changed_cell_is_bold() -> None:
    assert as_markdown(HISTORY).splitlines()[2:] == [
        "| Function | 1.0 | 2.0 | 3.0 | Changed in |",
        "|---|---|---|---|---|",
        "| **`a.ndcg`** | `ndcg@k` | `ndcg@k` | **`ndcg@k\\|gain:exp2`** | 3.0 (formula) |",
    ]


def test_json_says_in_which_versions_a_function_changed() -> None:
    (row,) = json.loads(history_json(HISTORY))["rows"]
    assert row["changed_in"] == ["3.0"]
    assert row["changed_levels"] == {"3.0": ["formula"]}
    assert row["cells"][2]["change"]["moves"][0]["new"] == "exp2"


# The list of contradictions as Markdown.


def test_each_contradiction_is_an_entry_with_sentence_and_place() -> None:
    claim = {"claimed": "recall@k|denominator:r", "claim_says": "divided by\\frac{r}{1}", "matches_claim": False}
    computed = {"signature": "recall@20|denominator:min", "definition": {"denominator": "min"}}
    made = finding("recall", "beta", **claim, **computed)
    text = render_contradictions(
        result(libraries=(library("beta", claims={"beta.recall": "docstring of beta.recall"}),), findings=(made,))
    )
    assert "1 statement of a library's documentation is contradicted" in text
    assert "## Beta 1.0: Recall" in text and "- Functions: `beta.recall`" in text
    assert "- Documented (docstring of beta.recall): `divided by\\frac{r}{1}`, that is denominator: " in text
    assert "(`recall@k|denominator:min`)" in text


def test_a_run_without_contradictions_says_so() -> None:
    text = render_contradictions(result(libraries=(library(),), findings=(finding(),)))
    assert "No statement of a library's documentation is contradicted" in text
