"""The list of contradictions as Markdown."""

from __future__ import annotations

from recsys_metric_audit.reports.renderers.contradictions_format import render_contradictions
from tests.support.result_samples import finding, library, result


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
