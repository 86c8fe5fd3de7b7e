"""Tells which formulas are equal on yes/no data, where every gain is 1."""

from __future__ import annotations

from collections.abc import Iterable

from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.equality.observed import are_equal_on_yes_no_data
from recsys_metric_audit.reports.model.result import Finding, Reference
from recsys_metric_audit.reports.wording.meanings import formula


def equals_canonical_on_yes_no_data(finding: Finding, canonical: Reference | None) -> bool:
    """Return True if the formula of a finding gives what the canonical one gives wherever every gain is 1.

    A function that takes no cut-off is compared with the canonical formula of whole lists.
    """
    own, usual = _parsed(formula(finding)), _parsed(canonical.signature if canonical else "")
    if own is None or usual is None:
        return False
    if finding.k is None and own.axes.get("cutoff") == "none" and "cutoff" in usual.axes:
        usual = usual.with_(cutoff="none")
    return are_equal_on_yes_no_data(own, usual)


def distinct_on_yes_no_data(signatures: Iterable[str]) -> list[str]:
    """Return the signatures without those that are equal to an earlier one wherever every gain is 1."""
    kept: dict[str, Definition | None] = {}
    for signature in signatures:
        own = _parsed(signature)
        if own is None or not any(each and are_equal_on_yes_no_data(own, each) for each in kept.values()):
            kept[signature] = own
    return list(kept)


def _parsed(signature: str) -> Definition | None:
    """Return a definition; None for no signature, or one of another version of this tool."""
    try:
        return parse(signature) if signature else None
    except SignatureError:
        return None
