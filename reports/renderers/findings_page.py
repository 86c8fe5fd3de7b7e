"""Writes findings in Markdown: who agrees with whom, what libraries compute otherwise, contradicted documentation."""

from __future__ import annotations

from recsys_metric_audit.reports.headlines import library_differences as differences
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.renderers.markdown import fill_template
from recsys_metric_audit.reports.wording.formula_words import formula_contrast
from recsys_metric_audit.reports.wording.labels import SIGN_MEANINGS, VERDICT_MEANINGS


def render_findings(result: Result) -> str:
    """Return the page of findings of a run: by metric, by library, between releases."""
    libraries = differences.library_differences(result)
    return fill_template(
        "findings.md.j2",
        run=result,
        libraries=libraries,
        contradicted=sum(each.contradicted is not None for own in libraries for each in own.differences),
        canonical=[
            f"{own.library.title} {own.library.version}" for own in libraries if own.measured and not own.differences
        ],
        formula_groups=differences.formula_groups,
        release_changes=differences.release_changes,
        computed_words=_words,
        standing=_standing,
    )


def _words(each: differences.Difference, finding: Finding) -> str:
    if each.formula:
        return formula_contrast(each.metric, each.formula) or "canonical, which is not what its documentation states"
    return SIGN_MEANINGS.get(finding.verdict or "", VERDICT_MEANINGS.get(finding.verdict or "", "not known"))


def _standing(each: differences.Difference, finding: Finding) -> str:
    if each.contradicted or not each.formula:
        return ""
    if "library" in finding.documented_by:
        return ", as documented"
    return ", a formula of the literature" if each.documented else ", documented nowhere"


def render_contradictions(result: Result) -> str:
    """Return one entry a contradicted statement: library, functions, sentence, place, what is computed, witness."""
    return fill_template("contradictions.md.j2", found=differences.contradictions(result))
