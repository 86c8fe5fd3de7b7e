"""The pages of formulas, their entries, and the pages of metrics."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from recsys_metric_audit.reports.model.result import Behaviour, Bin, Effect, EvidenceSummary, Finding, Reference, Result
from recsys_metric_audit.reports.page.formula_pages import MetricPage, formula_pages, metric_pages
from recsys_metric_audit.reports.page.function_entries import (
    LevelLine,
    computed_sentence,
    contract_words,
    documented_words,
    effect_sentence,
    held_out_line,
    level_lines,
    who_counts_words,
)
from recsys_metric_audit.reports.page.page import build_page
from recsys_metric_audit.reports.plots.plots import draw_scatters
from recsys_metric_audit.reports.wording.anchors import finding_anchor, reproduce_command
from tests.support.compared_results import two_versions
from tests.support.html_reader import Reader
from tests.support.html_reader import page_text as html
from tests.support.result_samples import differing, finding, library, lost, result, witness

# The page of a meaning: its findings, definition and plots.


def test_functions_of_one_formula_share_a_page_and_stand_there_by_who_counts() -> None:
    other = differing("ndcg", "delta", "no_hit", "skip", 0.2, verdict="agrees", version="3.0")
    made = result(findings=(other, finding("ndcg")))
    (page,) = formula_pages(made, draw_scatters(made))
    assert page.signature == "ndcg@k"
    assert [(who.split(":")[0], [e.library.title for e in entries]) for who, entries in page.circles] == [
        ("as canonical", ["Alpha"]),
        ("relevant items exist, but the formula is 0/0 without a hit", ["Delta"]),
    ]
    assert [entry.signature for entry in page.entries] == ["ndcg@k|no_hit:skip", "ndcg@k"]
    assert page.averaging == (), "other users count in one of the two"


def test_what_fits_nothing_shares_no_page() -> None:
    two = [finding(name=n, verdict="unexplained", signature=None, definition={}) for n in ("alpha", "delta")]
    made = build_page(result(findings=(two[0], two[1].model_copy(update={"version": "3.0"}))))
    assert [[e.library.title for e in m.entries] for m in made.meanings] == [["Alpha"], ["Delta"]]


def test_versions_that_fit_nothing_share_a_page_and_functions_that_fit_nothing_do_not() -> None:
    lost = {"verdict": "unexplained", "signature": None, "definition": {}, "differs_on": ()}
    made = two_versions(**lost)
    (shown,) = build_page(made).meanings
    assert [each.version for entry in shown.entries for each in entry.findings] == ["2.0", "1.0"]
    other = made.findings[1].model_copy(update={"function": "alpha.other"})
    assert len(build_page(made.model_copy(update={"findings": (made.findings[0], other)})).meanings) == 2


def test_a_signature_of_another_version_of_this_tool_has_no_formula() -> None:
    found = finding(signature="ndcg@20|no_such_axis:1", verdict="variant")
    made = result(findings=(found,))
    (page,) = formula_pages(made, draw_scatters(made))
    assert (page.formula, page.averaging, page.known, page.measured) == ((), (), True, True)


def test_each_function_has_its_own_verdict_where_only_one_of_two_is_documented() -> None:
    documented = differing("ndcg", "beta", "ideal", "all", 0.2, documented_by=("library",), version="2.3.1")
    other = differing("ndcg", "alpha", "ideal", "all", 0.2, verdict="undocumented")
    made = result(findings=(other, documented))
    (page,) = formula_pages(made, draw_scatters(made))
    assert [(entry.library.title, entry.verdict, entry.heading.split(" ")[-1]) for entry in page.entries] == [
        ("Alpha", "undocumented", "states"), ("Beta", "variant", "formula"),
    ]  # fmt: skip
    assert page.verdicts == ("undocumented", "variant")
    assert page.heading == " or ".join(entry.heading for entry in page.entries)
    told = re.findall(r'<p class="says"><small>Verdict</small>.*?<span>(.*?)</span></p>', html(made), re.DOTALL)
    assert told == [entry.heading for entry in page.entries]


def test_versions_with_other_verdicts_do_not_share_an_entry() -> None:
    old = differing("ndcg", "alpha", "ideal", "all", 0.2, verdict="undocumented", version="0.9")
    new = differing("ndcg", "alpha", "ideal", "all", 0.2)
    made = result(libraries=(library(), library(version="0.9")), findings=(new, old))
    (page,) = formula_pages(made, draw_scatters(made))
    assert [(entry.versions, entry.verdict) for entry in page.entries] == [
        (("1.0",), "variant"), (("0.9",), "undocumented"),
    ]  # fmt: skip


# The entries of a meaning's page: which findings share one, whose script is shown.


def test_every_finding_has_its_own_place() -> None:
    entries = [finding_anchor(each) for m in build_page(result()).meanings for e in m.entries for each in e.findings]
    assert sorted(entries) == sorted(finding_anchor(found) for found in result().findings)
    assert len(set(entries)) == len(entries)


def test_versions_of_equal_value_stand_in_one_line() -> None:
    made = two_versions()
    same = made.findings[1].model_copy(update={"value": made.findings[0].value})
    (shown,) = build_page(made.model_copy(update={"findings": (made.findings[0], same)})).meanings
    assert [[each.version for each in row] for row in shown.entries[0].rows.values()] == [["2.0", "1.0"]]


def test_versions_of_which_the_same_is_told_share_an_entry_with_a_table_of_their_values() -> None:
    made = two_versions()
    (shown,) = build_page(made).meanings
    (entry,) = shown.entries
    assert [(each.version, each.value) for each in entry.findings] == [("2.0", 0.31), ("1.0", 0.32)]
    assert [entry.findings] == [made.findings]
    assert entry.versions == ("2.0", "1.0")
    text = html(made)
    assert text.count("print(1)") == 1
    assert {finding_anchor(found) for found in made.findings} <= set(Reader(text).values("id"))


def test_versions_that_act_differently_on_an_edge_have_entries_of_their_own() -> None:
    made = two_versions()
    odd = {"no_list": Behaviour(name="skipped", text="2 of 3 users", slug="missing-recommendations")}
    other = made.findings[1].model_copy(update={"behaviours": odd})
    (shown,) = build_page(made.model_copy(update={"findings": (made.findings[0], other)})).meanings
    assert [entry.versions for entry in shown.entries] == [("2.0",), ("1.0",)]


def test_a_second_function_with_the_same_meaning_says_whose_script_shows_it_and_how_to_have_its_own() -> None:
    made = two_versions()
    other = made.findings[1].model_copy(update={"function": "alpha.other[log=2]", "script": "print(2)\n"})
    (shown,) = build_page(made.model_copy(update={"findings": (made.findings[0], other)})).meanings
    first, second = shown.entries
    assert (first.like, second.like) == (None, first.first)
    assert reproduce_command(second.first) == "audit reproduce 'alpha==1.0:alpha.other[log=2]' --k 20"
    shown_scripts = html(made.model_copy(update={"findings": (made.findings[0], other)}))
    assert "print(1)" in shown_scripts and "print(2)" not in shown_scripts


def test_an_entry_shows_its_own_witness_only_if_the_page_shows_another() -> None:
    made = two_versions()
    other = made.findings[1].model_copy(update={"witness": witness().model_copy(update={"case": "another"})})
    (shown,) = build_page(made.model_copy(update={"findings": (made.findings[0], other)})).meanings
    assert [entry.own_witness for entry in shown.entries] == [False, True]


def test_evidence_that_differs_between_versions_is_a_column() -> None:
    made = two_versions()
    more = made.findings[1].evidence.model_copy(update={"cases": 7})
    other = made.findings[1].model_copy(update={"evidence": more})
    (shown,) = build_page(made.model_copy(update={"findings": (made.findings[0], other)})).meanings
    (entry,) = shown.entries
    assert entry.columns == ("Cases asked",)
    assert [own for *_, own in entry.rows] == [("120",), ("7",)]
    assert "Cases asked" not in dict(entry.evidence)


# The page of a metric shows variants side by side, on the axes that tell them apart.


def pages(made: Result) -> tuple[MetricPage, ...]:
    drawn = draw_scatters(made)
    return metric_pages(made, formula_pages(made, drawn), drawn)


LIBRARIES = [library(), library(version="0.9"), library("beta"), library("gamma")]
FOUND = (
    finding("recall", value=math.nan),
    finding("ndcg"),
    finding("ndcg", version="0.9"),
    differing("ndcg", "beta", "gain", "exp2", 0.3, scatter=(Bin(canonical=0.5, library=0.25, users=7),)),
    differing("ndcg", "beta", "ideal", "all", 0.4, function="beta.other", verdict="undocumented"),
    lost("ndcg", "gamma", "failed", "IndexError: 20"),
)
NDCG, RECALL = pages(result(libraries=LIBRARIES, findings=FOUND))


def test_metrics_stand_in_the_order_of_the_paper() -> None:
    assert [page.name for page in (NDCG, RECALL)] == ["ndcg", "recall"]


def test_variants_stand_side_by_side_on_every_axis_on_which_one_differs() -> None:
    assert NDCG.axes == ("gain", "ideal")
    assert [(each.label, [moved for _, moved in each.values]) for each in NDCG.variants] == [
        ("canonical", [False, False]), ("gain:exp2", [True, False]), ("ideal:all", [False, True]),
    ]  # fmt: skip
    assert RECALL.axes == () and [each.values for each in RECALL.variants] == [()]


def test_a_variant_names_its_libraries_with_their_versions() -> None:
    versions = {each.label: [(name, told) for name, told, _ in each.versions] for each in NDCG.variants}
    assert versions == {
        "canonical": [("Alpha", "1.0, 0.9")], "gain:exp2": [("Beta", "1.0")], "ideal:all": [("Beta", "1.0")],
    }  # fmt: skip


def test_the_summary_counts_formulas_and_findings_also_lost_ones() -> None:
    assert NDCG.summary == "3 formulas identified in 5 findings"
    assert [each.verdicts for each in NDCG.others] == [("failed",)]
    assert RECALL.summary == "1 formula identified in 1 finding"


def test_the_canonical_value_is_told_with_every_digit() -> None:
    assert NDCG.canonical == (("ndcg@20", "0.0934"),)


def test_plots_are_there_where_there_is_something_to_draw() -> None:
    assert len(NDCG.strips) == 1 and len(NDCG.scatters) == 1
    assert RECALL.strips == () and RECALL.scatters == ()


LOST = {"status": "failed", "reason": "no such metric", "verdict": None, "value": None, "signature": None}


def test_a_metric_of_another_version_of_this_tool_has_a_page_without_a_handbook() -> None:
    strange = finding("ndcg").model_copy(update={"metric": "strange"} | LOST)
    (page,) = pages(result(libraries=[library()], findings=(strange,)))
    assert (page.name, page.handbook, page.variants) == ("strange", None, ())
    assert NDCG.handbook is not None


# The two sentences and the three levels of a finding.


def exponential(**changes: Any) -> Finding:
    given: dict[str, Any] = {
        "signature": "ndcg@20|gain:exp2|ideal:all|no_hit:skip",
        "formula": "ndcg@20|gain:exp2|ideal:all",
        "definition": {"gain": "exp2", "ideal": "all", "no_hit": "skip", "order": "score"},
        "differs_on": ("gain", "ideal", "no_hit"),
        "verdict": "variant",
    }
    return finding("ndcg", **given | changes)


def row(value: float) -> Reference:
    return Reference(metric="ndcg", k=20, signature="ndcg@20", value=value)


def effect(formula: float, who_counts: float, handling: float, same: bool = False) -> Effect:
    total = formula + who_counts + handling
    return Effect(formula=formula, who_counts=who_counts, input=handling, total=total, same_value=same)


def test_the_first_sentence_says_what_is_computed() -> None:
    assert computed_sentence(finding("ndcg")) == "It computes the canonical NDCG."
    assert computed_sentence(differing("precision", "alpha", "denominator", "shown", 0.1)) == (
        "It computes Precision by another formula: divides by min(k, list length), not by k."
    )
    unsure = finding("recall", verdict="unexplained", signature=None, definition={})
    assert computed_sentence(unsure) == "Recall: no definition fits."


def test_the_second_sentence_says_which_level_moves_the_number_by_how_much() -> None:
    moved = exponential(value=0.163, effect=effect(-0.006, 0.0, 0.0))
    assert effect_sentence(moved, row(0.169)) == (
        "On this data it is 0.163, the canonical 0.169; the formula makes −0.006 of it, "
        "who counts and input handling make nothing of it."
    )
    both = exponential(value=0.2, effect=effect(0.02, 0.011, 0.0))
    assert effect_sentence(both, row(0.169)) == (
        "On this data it is 0.200, the canonical 0.169; the formula makes +0.020 of it, who counts makes +0.011 of it, "
        "input handling makes nothing of it."
    )


def test_what_the_call_passes_is_not_said_to_be_the_formula() -> None:
    one_item = {"does_not_apply": {"truth": "the adapter's doing"}, "assumed": {"truth": "first"}}
    agrees = finding("ndcg", value=0.1, effect=effect(-0.069, 0.0, 0.0), **one_item)
    assert "; what the call passes makes −0.069 of it, who counts" in effect_sentence(agrees, row(0.169))
    other = exponential(value=0.1, effect=effect(-0.069, 0.0, 0.0), **one_item)
    assert "; the formula with what the call passes makes −0.069 of it" in effect_sentence(other, row(0.169))
    users = exponential(
        value=0.1,
        effect=effect(-0.069, 0.0, 0.0),
        does_not_apply={"users": "the adapter's doing"},
        assumed={"users": "all"},
    )
    assert "; the formula makes −0.069 of it" in effect_sentence(users, row(0.169))


def test_a_number_that_does_not_move_is_said_to_be_the_canonical_one() -> None:
    still = exponential(value=0.1695, effect=effect(0.0, 0.0, 0.0, same=True))
    assert effect_sentence(still, row(0.16946)) == (
        "On this data it is 0.1695: the canonical 0.169 to the digits that it gives."
    )
    same = still.model_copy(update={"value": 0.16946})
    assert effect_sentence(same, row(0.16946)) == "On this data it is 0.169, and so is the canonical NDCG."


def test_nan_and_missing_numbers_are_told_as_such() -> None:
    broken = exponential(value=math.nan, effect=effect(-0.006, math.nan, math.nan))
    assert effect_sentence(broken, row(0.169)) == (
        "On this data it is nan, the canonical 0.169; the formula makes −0.006 of it, "
        "from who counts on it is no number."
    )
    assert effect_sentence(exponential(value=None), row(0.169)) == "It gives a value for each user and no mean."
    assert effect_sentence(exponential(value=0.5), None) == "On this data it is 0.500."
    assert effect_sentence(exponential(value=0.5), row(0.169)) == "On this data it is 0.500, the canonical 0.169."


def test_each_level_is_as_canonical_or_says_what_differs_and_what_is_not_known() -> None:
    told = exponential(
        unknown=("ties",),
        cannot_matter={"no_list": "every user has a list"},
        does_not_apply={"duplicates": "every item has one score", "counted_scores": "every item has one score"},
    )
    assert level_lines(told, {}) == (
        LevelLine("Formula", (("differs", "gain 2^g - 1; divides by the DCG of all relevant items"),)),
        LevelLine(
            "Who counts",
            (
                (
                    "differs",
                    "relevant items exist, but all their gains are 0: left out of the mean (canonical: counts as 0)",
                ),
                ("cannot matter", "a user with relevant items and no recommendations (every user has a list)"),
            ),
        ),
        LevelLine(
            "Input handling",
            (
                ("as canonical", ""),
                ("not known", "order of equal scores"),
                (
                    "does not apply",
                    "an item that is recommended twice, which recommended rows can be hits (every item has one score)",
                ),
            ),
        ),
    )
    assert [line.states for line in level_lines(finding("ndcg"), {})] == [(("as canonical", ""),)] * 3


def test_a_finding_without_a_definition_has_no_levels() -> None:
    assert level_lines(finding("recall", verdict="unstable", signature=None, definition={}), {}) == ()


def test_who_counts_is_told_apart_from_the_rest() -> None:
    assert who_counts_words(exponential(), {}).startswith("relevant items exist")
    assert who_counts_words(differing("precision", "alpha", "denominator", "shown", 0.1), {}) == "as canonical"


def test_the_contract_is_told_in_words() -> None:
    takes = {"input": "ranked", "truth": "set", "gains": "any"}
    assert contract_words(finding("ndcg", takes=takes, called_with=("ranks from rows", "a mask"))) == (
        "It takes a ranked list for each user: the order is the argument; relevant items as a set or a mask, without "
        "gains. Called with: ranks from rows and a mask."
    )
    assert contract_words(finding("ndcg")) == ""


def test_who_states_the_formula_is_told_of_identified_formulas_only() -> None:
    both = finding("ndcg", documented_by=("library", "catalogue"))
    assert documented_words(both) == (
        "The formula is stated by its own documentation and a source of the catalogue."
    )  # fmt: skip
    assert documented_words(finding("ndcg")) == (
        "The formula is stated by neither its own documentation nor a source of the catalogue."
    )
    assert documented_words(finding("recall", verdict="unstable", signature=None, definition={})) == ""


# One line tells what was tried on held-out inputs.


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ({}, ""),
        ({"held_out_users": 1320, "held_out_cases": 12}, "1,320 users in 12 cases, all predicted"),
        (
            {"held_out_users": 1320, "held_out_cases": 12, "held_out": "without ties"},
            "1,320 users in 12 cases, all predicted (without ties)",
        ),
        ({"held_out": "not tried: it refuses them"}, "not tried: it refuses them"),
        (
            {"held_out_users": 9, "held_out_cases": 1, "refuted": {"ties": "user 1", "mean": "user 2"}},
            "9 users in 1 case, all predicted; ties: user 1; mean: user 2",
        ),
        ({"refuted": {"ties": "user 1"}}, "ties: user 1"),
    ],
)
def test_the_line_tells_what_was_tried_left_out_and_refuted(told: dict[str, object], line: str) -> None:
    assert held_out_line(EvidenceSummary(**told)) == line  # type: ignore[arg-type]
