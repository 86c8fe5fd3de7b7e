"""The page of findings: who agrees with whom, what differs from canonical and documented, texts for issues."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import EvidenceSummary
from recsys_metric_audit.reports.renderers.findings_page import render_findings
from tests.support.result_samples import differing, finding, library, lost, result, witness

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
