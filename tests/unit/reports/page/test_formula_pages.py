"""The page of a meaning: its findings, definition and plots."""

from __future__ import annotations

import re

from recsys_metric_audit.reports.page.formula_pages import formula_pages
from recsys_metric_audit.reports.page.page import build_page
from recsys_metric_audit.reports.plots.plots import draw_scatters
from tests.support.compared_results import two_versions
from tests.support.html_reader import page_text
from tests.support.result_samples import differing, finding, library, result


def test_findings_stand_under_what_they_compute() -> None:
    found = [
        (m.mark, m.signature, *m.verdicts, [e.library for e in m.entries])
        for m in build_page(result()).meanings
        if m.metric == "MAP"
    ]
    assert found == [
        ("", "average_precision@k", "agrees", ["Alpha"]),
        ("a", "average_precision@k|denominator:r", "variant", ["Beta"]),
        ("b", "average_precision@k|denominator:k", "variant", ["Delta"]),
        ("?", "", "unexplained", ["Gamma"]),
    ]
    metric = next(m for m in build_page(result()).metrics if m.title == "MAP")
    assert metric.summary == "3 formulas identified in 4 findings"


def test_functions_of_one_formula_share_a_page_and_stand_there_by_who_counts() -> None:
    other = differing("ndcg", "delta", "no_hit", "skip", 0.2, verdict="agrees", version="3.0")
    made = result(findings=(other, finding("ndcg")))
    (page,) = formula_pages(made, draw_scatters(made))
    assert page.signature == "ndcg@k"
    assert [(who.split(":")[0], [e.library for e in entries]) for who, entries in page.circles] == [
        ("as canonical", ["Alpha"]),
        ("relevant items exist, but the formula is 0/0 without a hit", ["Delta"]),
    ]
    assert [entry.signature for entry in page.entries] == ["ndcg@k|no_hit:skip", "ndcg@k"]
    assert page.averaging == (), "other users count in one of the two"


def test_what_fits_nothing_shares_no_page() -> None:
    two = [finding(name=n, verdict="unexplained", signature=None, definition={}) for n in ("alpha", "delta")]
    made = build_page(result(findings=(two[0], two[1].model_copy(update={"version": "3.0"}))))
    assert [[e.library for e in m.entries] for m in made.meanings] == [["Alpha"], ["Delta"]]


def test_versions_that_fit_nothing_share_a_page_and_functions_that_fit_nothing_do_not() -> None:
    lost = {"verdict": "unexplained", "signature": None, "definition": {}, "differs_on": ()}
    made = two_versions(**lost)
    (shown,) = build_page(made).meanings
    assert [place.version for entry in shown.entries for place in entry.occurrences] == ["2.0", "1.0"]
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
    assert [(entry.library, entry.verdict, entry.heading.split(" ")[-1]) for entry in page.entries] == [
        ("Alpha", "undocumented", "states"), ("Beta", "variant", "formula"),
    ]  # fmt: skip
    assert page.verdicts == ("undocumented", "variant")
    assert page.heading == " or ".join(entry.heading for entry in page.entries)
    told = re.findall(r'<p class="says"><small>Verdict</small>.*?<span>(.*?)</span></p>', page_text(made), re.DOTALL)
    assert told == [entry.heading for entry in page.entries]


def test_versions_with_other_verdicts_do_not_share_an_entry() -> None:
    old = differing("ndcg", "alpha", "ideal", "all", 0.2, verdict="undocumented", version="0.9")
    new = differing("ndcg", "alpha", "ideal", "all", 0.2)
    made = result(libraries=(library(), library(version="0.9")), findings=(new, old))
    (page,) = formula_pages(made, draw_scatters(made))
    assert [(entry.versions, entry.verdict) for entry in page.entries] == [
        (("1.0",), "variant"), (("0.9",), "undocumented"),
    ]  # fmt: skip
