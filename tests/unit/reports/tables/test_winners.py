"""Table 3 and its page: which recommender is first by which definition, on hand-made rankings."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reports.model.ranking import DefinitionRanking, Lead
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.model.result_file import packaged_run
from recsys_metric_audit.reports.page.definition_winners import definition_winners
from recsys_metric_audit.reports.renderers import markdown, terminal
from recsys_metric_audit.reports.tables.winners import metric_winners, winners_summary, winners_table
from recsys_metric_audit.reports.wording.labels import PAPER_METRICS
from tests.support.html_reader import Reader
from tests.support.html_reader import page_text as html
from tests.support.result_samples import differing, finding, library, restated, result

EXP2, NONE = "ndcg@20|gain:exp2", "ndcg@20|ideal:none"


def ranking(signature: str, one: float, two: float, low: float, high: float) -> DefinitionRanking:
    other = "two" if one > two else "one"
    return DefinitionRanking(
        signature=signature,
        values={"one": one, "two": two},
        leads={other: Lead(difference=abs(one - two), low=low, high=high)},
    )


CANONICAL = ranking("ndcg@20", 0.0934, 0.08, 0.01, 0.02)
ALIKE = finding(), differing("ndcg", "beta", "gain", "exp2", 0.09), differing("ndcg", "gamma", "ideal", "none", 1.0)


def made(*rankings: DefinitionRanking, findings: tuple[Finding, ...] = ALIKE) -> Result:
    libraries = (library(), library("beta"), library("gamma"))
    return result(rankings=(CANONICAL, *rankings), findings=findings, libraries=libraries, recommenders=("one",))


def row(of: Result) -> list[str]:
    table = winners_table(of)
    assert table is not None
    (only,) = table.rows
    return [only.label, *(cell.text for cell in only.cells)]


def key(of: Result) -> list[str]:
    table = winners_table(of)
    assert table is not None
    return [entry.line for entry in table.key]


def test_a_change_is_beyond_chance_where_both_leads_are() -> None:
    own = made(ranking(EXP2, 0.09, 0.10, 0.005, 0.015), ranking(NONE, 1.0, 1.1, -0.1, 0.3))
    assert row(own) == ["NDCG", "one", "0.013 [0.010, 0.020]", "1", "two 2", "1 of 2"]
    assert key(own) == ["NDCG  two first by Beta and Gamma"]
    assert winners_summary(own, metric_winners(own)) == (
        "Of one and two, ranked by 3 definitions of 1 metric, the first depends on the definition of NDCG. "
        "1 of these changes is beyond chance."
    )


def test_a_change_of_a_lead_that_was_none_is_not_beyond_chance() -> None:
    unsure = ranking("ndcg@20", 0.0934, 0.08, -0.01, 0.02)
    own = made().model_copy(update={"rankings": (unsure, ranking(EXP2, 0.09, 0.10, 0.005, 0.015))})
    assert row(own)[-2:] == ["two 1", "0 of 1"]
    assert winners_summary(own, metric_winners(own)).endswith("None of these changes is beyond chance.")


def test_where_nothing_changes_the_sentence_says_so() -> None:
    own = made(ranking(EXP2, 0.09, 0.05, 0.01, 0.02))
    assert row(own) == ["NDCG", "one", "0.013 [0.010, 0.020]", "2", "–", "–"]
    assert winners_summary(own, metric_winners(own)) == (
        "Not here: of one and two, ranked by 2 definitions of 1 metric, all definitions of a metric put the same "
        "recommender first."
    )


def test_a_function_that_was_asked_something_else_is_left_out() -> None:
    """By its value, 0.3 where its definition gives 0.09, or because it was asked about one relevant item a user."""
    changed = ranking(EXP2, 0.09, 0.10, 0.005, 0.015)
    elsewhere = differing("ndcg", "beta", "gain", "exp2", 0.3)
    axes = {"definition": {"gain": "exp2", "truth": "first"}, "assumed": {"truth": "first"}}
    first = differing("ndcg", "beta", "gain", "exp2", 0.09, **axes)
    silent = restated(ALIKE[1], value=None)
    assert row(made(changed, findings=(finding(), elsewhere)))[-2:] == ["–", "–"]
    assert row(made(changed, findings=(finding(), first)))[-2:] == ["–", "–"]
    assert row(made(changed, findings=(finding(), silent)))[-2:] == ["two 1", "1 of 1"]


def test_definitions_without_an_order_are_counted_and_explained() -> None:
    without = DefinitionRanking(signature=EXP2, reason="one: too many orders of ties")
    alike = DefinitionRanking(signature=NONE, values={"one": 1.0, "two": 1.0}, leads={})
    own = made(without, alike)
    assert row(own)[3:5] == ["1", "–"]
    assert key(own) == ["NDCG  no order by 2 further definitions"]
    shown = definition_winners(own)
    assert shown is not None
    assert [each.reason for each in shown.metrics[0].rows] == [
        "", "one: too many orders of ties", "no order: all are alike or not a number",
    ]  # fmt: skip


def test_a_lead_without_an_interval_says_so_and_is_not_beyond_chance() -> None:
    own = made(ranking(EXP2, 0.09, 0.10, math.nan, math.nan))
    assert row(own)[-1] == "0 of 1"
    shown = definition_winners(own)
    assert shown is not None
    assert [each.lead for each in shown.metrics[0].rows] == ["0.013 [0.010, 0.020]", "0.010 no interval"]


def test_no_ranking_no_table() -> None:
    assert winners_table(result()) is None and definition_winners(result()) is None
    assert winners_table(result(rankings=(ranking("map@20", 1, 0, 0, 1),))) is None
    assert winners_summary(result(), ()) == ""


def test_the_table_is_printed_and_says_whose_values_these_are() -> None:
    own = made(ranking(EXP2, 0.09, 0.10, 0.005, 0.015))
    for text in (terminal.render_report(own), markdown.render_report(own)):
        assert "Table 3" in text and "libraries were asked about one only" in " ".join(text.split())
    several = own.model_copy(update={"recommenders": ("one", "two")})
    assert "libraries were asked about" not in terminal.render_report(several)


def test_the_page_shows_every_definition_with_its_values_and_who_computes_it() -> None:
    own = made(ranking(EXP2, 0.09, 0.10, 0.005, 0.015))
    reader = Reader(html(own))
    shown = " ".join("".join(reader.words).split())
    assert "nothing is ranked here" not in shown
    assert "1 of these changes is beyond chance" in shown
    assert "audit run --recommender one,two asks the libraries about all." in shown
    assert "two 0.010 [0.005, 0.015] 0.090 0.100 ndcg@20|gain:exp2 Beta 1.0" in shown
    ids = reader.values("id")
    assert {link[1:] for link in reader.values("href") if link.startswith("#")} <= set(ids)


def test_definitions_with_the_same_figures_share_a_row() -> None:
    alike = ranking(EXP2, 0.0934, 0.08, 0.01, 0.02)
    shown = definition_winners(made(alike, findings=(finding(), restated(ALIKE[1], value=0.0934))))
    assert shown is not None
    (only,) = shown.metrics[0].rows
    assert (only.signature, only.others) == ("ndcg@20", (EXP2,))
    assert [name for name, _ in only.libraries] == ["Alpha 1.0", "Beta 1.0"]


@pytest.mark.slow
def test_the_recorded_run_ranks_by_every_definition_of_its_tables() -> None:
    recorded = packaged_run().result
    ranked = {each.signature for each in recorded.rankings}
    wanted = {
        each.signature
        for each in recorded.findings
        if each.metric in PAPER_METRICS and each.verdict in ("agrees", "variant", "undocumented")
    }
    assert wanted <= ranked
    names = {tuple(each.values) for each in recorded.rankings if each.values}
    assert names == {("ease", "itemknn", "popular", "random")}
    by_metric = {row.metric: row.value for row in recorded.reference}
    assert [round(each.canonical.ranking.values["ease"], 6) for each in metric_winners(recorded)] == [
        round(by_metric[metric], 6) for metric in PAPER_METRICS
    ]
