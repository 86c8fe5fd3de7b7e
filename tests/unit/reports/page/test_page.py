"""``index.html`` as text, its matrix, libraries and decision."""

from __future__ import annotations

import base64
import hashlib
import math
import re
import zlib
from pathlib import Path

import pytest

from bench.sixty import sixty
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.page.decision_impact import (
    decision,
    finite_values,
    kendall_tau_b,
    order_by_value,
    swapped_pairs,
)
from recsys_metric_audit.reports.page.library_pages import facts, library_pages
from recsys_metric_audit.reports.page.matrix import agreements, columns, matrices, matrix_cell
from recsys_metric_audit.reports.page.page import build_page
from recsys_metric_audit.reports.renderers.html import pack, render_report
from recsys_metric_audit.reports.wording.anchors import finding_anchor
from recsys_metric_audit.reports.wording.meanings import meaning_in_words
from recsys_metric_audit.reports.wording.variant_letters import assign_letters
from tests.support.compared_results import two_versions
from tests.support.extreme_results import HOSTILE, hostile
from tests.support.html_reader import Reader, page_text, unpack
from tests.support.html_reader import page_text as html
from tests.support.result_samples import CANONICAL, differing, finding, library, lost, result

# ``index.html`` as text: complete, self-contained, and nothing foreign in it becomes markup.

TEMPLATES = Path(__file__).parents[4] / "reports" / "templates"


@pytest.mark.parametrize("made", [result, hostile])
def test_every_element_is_closed_every_id_is_unique_and_every_link_arrives(made: object) -> None:
    reader = Reader(html(made()))  # type: ignore[operator]
    assert reader.open == []
    ids = reader.values("id")
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"\S+", name) for name in ids)
    for link in reader.values("href"):
        assert link[1:] in ids if link.startswith("#") else link.startswith(("https://", "http://"))


def test_nothing_is_fetched_and_one_script_runs() -> None:
    reader = Reader(html(result()))
    assert render_report(result()).count("<script") == 2, "the one that runs, and the packed part"
    tags = [tag for tag, _ in reader.elements]
    assert set(tags) & {"img", "link", "iframe", "object", "base", "embed", "image"} == set()
    assert tags.count("script") == 1
    assert not reader.values("style")
    assert not reader.values("src")
    assert not [name for _, given in reader.elements for name in given if name.startswith("on")]
    for file in ("style.css", "script.js"):
        raw = (TEMPLATES / file).read_text(encoding="utf-8")
        assert not re.search(r"url\(|@import|fetch\(|XMLHttp|innerHTML|</|https?:", raw), file


def test_the_policy_allows_this_style_and_this_script_and_nothing_else() -> None:
    text = html(result())
    digests = {}
    for tag in ("style", "script"):
        raw = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.S)
        assert raw
        digests[tag] = base64.b64encode(hashlib.sha256(raw[1].encode()).digest()).decode()
    policy = next(given["content"] for tag, given in Reader(text).elements if "http-equiv" in given)
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests['style']}'; script-src 'sha256-{digests['script']}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_foreign_text_is_shown_and_never_acts() -> None:
    text = html(hostile())
    reader = Reader(text)
    shown = "".join(reader.words)
    assert [tag for tag, _ in reader.elements].count("script") == 1
    assert not {tag for tag, _ in reader.elements} & {"img", "bold"}
    assert not [name for _, given in reader.elements for name in given if name.startswith("on")]
    assert "javascript:" not in "".join(reader.values("href"))
    assert HOSTILE[0] in shown
    assert HOSTILE[1] in shown
    assert HOSTILE[2] in shown, "a template's own marks are text"
    assert "\\u202egnp.exe" in shown
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", text)


def test_the_whole_of_a_long_error_can_be_seen() -> None:
    shown = "".join(Reader(html(hostile())).words)
    assert "line 79" in shown
    assert shown.count("line 40\n") >= 1


def told(made: Result) -> str:
    return re.sub(r"\s+", " ", "".join(Reader(html(made)).words))


def test_a_module_that_was_put_in_the_place_of_another_is_told_with_its_reason() -> None:
    assert "imported, never used" in told(result())


def test_what_is_not_in_the_result_is_said_to_be_absent() -> None:
    bare = finding(
        "ndcg", verdict="variant", signature="ndcg@20|gain:exp2", differs_on=("gain",),
        definition=CANONICAL["ndcg"][0] | {"gain": "exp2"},
    )  # fmt: skip
    shown = told(result(findings=(bare,), blind={}, experiments=(), recommenders=()))
    for words in (
        "This result does not say which axes its data cannot identify.",
        "One recommender was measured, so nothing is ranked here.",
        "No experiment beyond the formula was made in this result.",
        "The difference was not taken apart into axes in this result.",
        "No per-user values to draw",
        "No script of its own in this result.",
        "The formula is stated by neither its own documentation nor a source of the catalogue.",
    ):
        assert words in shown, words


def test_an_empty_run_is_a_page_too() -> None:
    shown = "".join(Reader(html(result(libraries=(), findings=(), reference=()))).words)
    assert "Nothing could be measured in this run." in shown
    assert "No library was in the run." in shown


@pytest.mark.slow
def test_sixty_versions_by_twelve_metrics_stay_small_with_all_their_evidence() -> None:
    made = sixty()
    assert len(made.libraries) == 60
    assert len({found.metric for found in made.findings}) == 12
    differing = [found for found in made.findings if found.verdict not in (None, "agrees")]
    assert all(found.witness and found.witness.worked and found.script and found.behaviours for found in differing)
    assert sum(bool(found.scatter) for found in differing) > 300
    assert sum(len(found.decomposition) > 2 for found in differing) > 150
    file = render_report(made)
    assert len(file.encode()) < 1_500_000, "half of what a page may have: real runs are richer"
    reader = Reader(unpack(file))
    assert reader.open == []
    ids = reader.values("id")
    assert len(ids) == len(set(ids))
    assert {finding_anchor(found) for found in made.findings} <= set(ids), "every finding can be linked to"
    assert {link[1:] for link in reader.values("href") if link.startswith("#")} <= set(ids)


def test_a_scatter_is_drawn_once_on_the_page_of_its_metric_and_used_by_every_meaning_that_looks_alike() -> None:
    made = two_versions()
    other = differing("ndcg", "alpha", "gain", "linear", 0.3, scatter=made.findings[0].scatter)
    made = made.model_copy(update={"findings": (made.findings[0], other)})
    (metric,) = build_page(made).metrics
    (drawn,) = metric.scatters
    assert drawn.marks == ("a", "b")
    reader = Reader(html(made))
    assert [given["href"] for tag, given in reader.elements if tag == "use"] == [f"#{drawn.shapes}"] * 2
    assert reader.values("id").count(drawn.shapes) == 1


def test_templates_are_short_and_trust_nothing() -> None:
    files = sorted(TEMPLATES.glob("*.html"))
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 170
        assert not re.search(r"\|\s*safe|autoescape|\{%-?\s*set\b", text), "templates only loop and print"


# The packed part of a page: nothing is lost, and the tables are not in it.


def test_packed_text_is_zlib_in_base_64() -> None:
    text = "<p>ü ≠ " * 100
    assert zlib.decompress(base64.b64decode(pack(text))).decode() == text
    assert len(pack(text)) < len(text) / 5


def test_a_page_is_unpacked_where_the_packed_part_stood() -> None:
    page = f'<p>a</p><script type="text/plain" id="packed">{pack("<p>b</p>")}</script><p>c</p>'
    assert unpack(page) == "<p>a</p><p>b</p><p>c</p>"
    assert unpack("<p>nothing packed</p>") == "<p>nothing packed</p>"


@pytest.mark.slow
def test_without_a_script_the_tables_are_there_and_the_findings_are_not() -> None:
    plain, whole = render_report(result()), page_text(result())
    for selector in ('class="matrix"', 'class="edge-matrix"', 'class="functions"', 'class="variants"', "<noscript>"):
        assert selector in plain and selector in whole
    assert 'class="finding"' not in plain
    assert len(re.findall('<article class="finding"', whole)) == len(result().findings)


# The matrix of library versions and metrics: cells, shares, versions with the same meanings.


def test_a_cell_without_a_value_shows_its_status_or_that_values_are_per_user() -> None:
    marks = assign_letters(result())
    assert matrix_cell(None, 0, marks, None).text == "–"
    late = matrix_cell(lost("auc", "gamma", "timed_out", "no answer within 120 s"), 1, marks, None)
    assert (late.verdict, late.more) == ("timed_out", "gamma.auc: no answer within 120 s")
    assert matrix_cell(finding(value=None), 1, marks, None).text == "per user"


def test_columns_are_those_of_the_paper_then_the_others() -> None:
    found = [finding(metric) for metric in ("recall", "ndcg")]
    other = found[0].model_copy(update={"metric": "novelty"})
    assert columns([other, *found]) == ["ndcg", "recall", "novelty"]


def test_there_is_a_matrix_for_every_cut_off() -> None:
    assert [each.k for each in matrices(result(k=(20, 5)))] == [20, 5]


# The library versions that compute one meaning.


def test_library_versions_with_the_same_formula_are_known_as_the_same() -> None:
    versions = [library("alpha", "1.0"), library("beta", "2"), library("gamma", "3"), library("delta", "4")]
    found = (
        finding(), finding(name="beta", version="2"), differing("ndcg", "gamma", "gain", "exp2", 0.1, version="3"),
        finding(name="delta", version="4", verdict="unexplained", signature=None, definition={}),
    )  # fmt: skip
    made = build_page(result(libraries=tuple(versions), findings=found))
    same = {line.title: line.same for line in made.matrices[0].rows}
    assert same["Alpha"] == same["Beta"]
    assert len({same["Alpha"], same["Gamma"], same["Delta"]}) == 3
    ((name, _, groups),) = made.agreements
    assert name == "NDCG"
    assert [(g.label, g.libraries, g.versions) for g in groups] == [
        ("canonical", "Alpha 1.0; Beta 2", 2),
        ("gain 2^g - 1", "Gamma 3", 1),
    ]


def test_what_is_not_identified_agrees_with_nothing() -> None:
    lost = {"verdict": "unexplained", "signature": None, "definition": {}}
    assert agreements(result(libraries=(library(),), findings=(finding(**lost),)), 20) == ()


def test_versions_of_one_library_stand_together_and_the_largest_group_first() -> None:
    entries = (library("beta"), library("alpha", "2.0"), library("alpha", "1.0"))
    found = (differing("ndcg", "beta", "gain", "exp2", 0.1), finding(version="2.0"), finding(version="1.0"))
    ((_, _, groups),) = agreements(result(libraries=entries, findings=found), 20)
    assert [(group.libraries, group.versions) for group in groups] == [("Alpha 2.0 and 1.0", 2), ("Beta 1.0", 1)]


# The page of a library: changes between versions, merged cells.


def test_a_change_between_versions_is_told() -> None:
    new = differing("ndcg", "alpha", "gain", "exp2", 0.1, version="2.0")
    made = build_page(result(libraries=(library(version="2.0"), library()), findings=(new, finding())))
    (shown,) = made.libraries
    assert shown.changes == ((finding(), new),)
    assert meaning_in_words(new) == "ndcg@k|gain:exp2"
    assert [cell.changed for cell in shown.functions[0].cells if cell] == [True, False]


def test_versions_that_compute_the_same_share_a_cell_and_a_change_ends_it() -> None:
    old = differing("ndcg", "alpha", "gain", "exp2", 0.1, version="1.0")
    entries = tuple(library(version=version) for version in ("3.0", "2.0", "1.0"))
    made = build_page(result(libraries=entries, findings=(finding(version="3.0"), finding(version="2.0"), old)))
    (row,) = made.libraries[0].functions
    assert [(cell.span, cell.changed) for cell in row.cells if cell] == [(2, True), (1, False)]


def test_a_version_without_the_function_has_no_cell() -> None:
    (page,) = library_pages(result(libraries=(library(version="2.0"), library()), findings=(finding(),)))
    first, second = page.functions[0].cells
    assert first is None and second is not None and not page.changes


def test_a_version_says_whether_it_was_run_replayed_or_partly_remembered() -> None:
    entries = (
        library(version="3.0"), library(version="2.0", kept="2025-02-01"),
        library(version="1.0", live=False, recorded="2025-01-01"), library(version="0.9", live=False),
        library(version="0.8", confirms="2025-03-01"),
    )  # fmt: skip
    (page,) = library_pages(result(libraries=entries, findings=()))
    assert [dict(facts(version))["Run"] for version in page.versions] == [
        "live",
        "live; what it answered on 2025-02-01 or before was not asked again",
        "replayed from a recording of 2025-01-01",
        "replayed from a recording of an unknown day",
        "live; its initial answers are those of 2025-03-01, when it was identified",
    ]


# The decision impact: which recommender each library's metric ranks first.


def ranked(*values: dict[str, float]) -> str:
    """Return the summary over one library for each dict of values by recommender; the first is canonical."""
    entries = tuple(library(f"lib{number}") for number in range(len(values)))
    found = tuple(finding(name=f"lib{number}", by_recommender=each) for number, each in enumerate(values))
    made = decision(result(libraries=entries, findings=found, reference=()))
    assert made is not None
    return made.summary


def test_the_summary_says_whether_the_winner_the_order_or_nothing_changes() -> None:
    one = {"ease": 0.3, "itemknn": 0.2, "popular": 0.1}
    behind = {"ease": 0.3, "itemknn": 0.1, "popular": 0.2}
    assert ranked(one, one).startswith("Not here: of ease, itemknn and popular, ranked by 1 metric")
    assert ranked(one, behind).startswith("Not the winner: of ")
    assert ranked(one, {"ease": 0.1, "itemknn": 0.2, "popular": 0.1}).startswith("Yes: of ")


# Orders of recommenders by hand: ties, swapped pairs, Kendall's τ-b.


def test_kendalls_tau_is_that_of_the_textbook() -> None:
    abcd = (("a",), ("b",), ("c",), ("d",))
    assert kendall_tau_b(abcd, abcd) == 1
    assert kendall_tau_b(abcd, abcd[::-1]) == -1
    assert kendall_tau_b(abcd, (("b",), ("a",), ("c",), ("d",))) == pytest.approx(4 / 6)  # 5 pairs agree, 1 is swapped
    assert kendall_tau_b(abcd, (("a", "b"), ("c",), ("d",))) == pytest.approx(5 / math.sqrt(6 * 5))  # one tie: τ-b
    assert math.isnan(kendall_tau_b(abcd, (("a", "b", "c", "d"),)))
    assert swapped_pairs((("b",), ("a",), ("c",)), (("a",), ("b",), ("c",))) == ("b over a",)


def test_orders_put_the_best_first_and_know_errors_from_scores() -> None:
    assert order_by_value({"x": 0.1, "y": 0.3, "z": 0.1}) == (("y",), ("x", "z"))
    assert order_by_value({"x": 0.1, "y": 0.3}, lower_is_better=True) == (("x",), ("y",))


def test_values_equal_up_to_rounding_are_tied() -> None:
    assert order_by_value({"x": 0.3, "y": 0.1 + 0.2}) == order_by_value({"x": 0.1 + 0.2, "y": 0.3}) == (("x", "y"),)
    assert order_by_value({"x": 0.3, "y": 0.3 + 1e-9}) == (("y",), ("x",))


def test_only_names_that_both_orders_rank_are_compared() -> None:
    assert kendall_tau_b((("a",), ("b",), ("x",)), (("y",), ("a",), ("b",))) == 1
    assert swapped_pairs((("b",), ("x",), ("a",)), (("a",), ("b",), ("y",))) == ("b over a",)


def test_a_tie_is_no_swap() -> None:
    assert swapped_pairs((("a", "b"),), (("a",), ("b",))) == ()


def test_values_that_are_missing_or_not_finite_are_left_out() -> None:
    assert finite_values({"a": 0.5, "b": None, "c": math.nan, "d": math.inf}) == {"a": 0.5}
