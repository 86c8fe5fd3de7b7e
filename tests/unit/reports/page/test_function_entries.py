"""The entries of a meaning's page: which findings share one, whose script is shown."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import Behaviour
from recsys_metric_audit.reports.page.page import build_page
from recsys_metric_audit.reports.wording.anchors import finding_anchor
from tests.support.compared_results import two_versions
from tests.support.html_reader import Reader
from tests.support.html_reader import page_text as html
from tests.support.result_samples import result, witness


def test_every_finding_has_its_own_place() -> None:
    entries = [place.anchor for m in build_page(result()).meanings for e in m.entries for place in e.occurrences]
    assert sorted(entries) == sorted(finding_anchor(found) for found in result().findings)
    assert len(set(entries)) == len(entries)


def test_versions_of_equal_value_stand_in_one_line() -> None:
    made = two_versions()
    same = made.findings[1].model_copy(update={"value": made.findings[0].value})
    (shown,) = build_page(made.model_copy(update={"findings": (made.findings[0], same)})).meanings
    assert [[place.version for place in row] for row in shown.entries[0].rows] == [["2.0", "1.0"]]


def test_versions_of_which_the_same_is_told_share_an_entry_with_a_table_of_their_values() -> None:
    made = two_versions()
    (shown,) = build_page(made).meanings
    (entry,) = shown.entries
    assert [(place.version, place.exact) for place in entry.occurrences] == [("2.0", "0.31"), ("1.0", "0.32")]
    assert [place.anchor for place in entry.occurrences] == [finding_anchor(found) for found in made.findings]
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
    assert (first.script, second.script) == ("print(1)\n", "")
    assert second.like is not None
    assert second.like.anchor == first.first.anchor
    assert second.own_script == "audit reproduce 'alpha==1.0:alpha.other[log=2]' --k 20"


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
    assert [each.own for each in entry.occurrences] == [("120",), ("7",)]
    assert "Cases asked" not in dict(entry.evidence)
