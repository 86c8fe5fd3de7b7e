"""Findings as a tidy table: one row per finding, with the columns of :mod:`reports.tables.tidy_columns`."""

from __future__ import annotations

from typing import Any

from recsys_metric_audit.reports.model.result import Finding, Library, Reference, Result


def tidy_rows(result: Result) -> list[dict[str, Any]]:
    """Return one row per finding in the order of the result: column to value, None where the finding has no value."""
    libraries = {(entry.library, entry.version): entry for entry in result.libraries}
    right = {(row.metric, row.k): row for row in result.reference}
    return [
        _row(finding, libraries[finding.library, finding.version], _canonical(finding, right), result)
        for finding in result.findings
    ]


def _canonical(finding: Finding, right: dict[tuple[str, int | None], Reference]) -> Reference | None:
    return right.get((finding.metric, finding.k)) or right.get((finding.metric, None))


def _row(finding: Finding, entry: Library, canonical: Reference | None, result: Result) -> dict[str, Any]:
    effect = finding.effect
    return {
        "library": finding.library,
        "version": finding.version,
        "function": finding.function,
        "metric": finding.metric,
        "k": finding.k,
        "status": finding.status,
        "verdict": finding.verdict,
        "value": finding.value,
        "canonical_value": canonical.value if canonical else None,
        "same_value": effect.same_value if effect else None,
        "effect_formula": effect.formula if effect else None,
        "effect_who_counts": effect.who_counts if effect else None,
        "effect_input": effect.input if effect else None,
        "effect_total": effect.total if effect else None,
        "signature": finding.signature,
        "formula": finding.formula,
        "differs_on": "; ".join(finding.differs_on),
        "differs_formula": "; ".join(finding.levels.get("formula", ())),
        "differs_who_counts": "; ".join(finding.levels.get("who_counts", ())),
        "differs_input": "; ".join(finding.levels.get("input", ())),
        "unknown": "; ".join(finding.unknown),
        "cannot_matter": "; ".join(finding.cannot_matter),
        "does_not_apply": "; ".join(finding.does_not_apply),
        "documented_by": "; ".join(finding.documented_by),
        "classes": "; ".join(finding.classes),
        "equivalent": "; ".join(finding.equivalent),
        "claimed": finding.claimed,
        "matches_claim": finding.matches_claim,
        "reason": finding.reason,
        "live": finding.live,
        "python": entry.python,
        "dataset": result.dataset.name,
        "dataset_digest": result.dataset.digest,
    }
