"""Tells whether the value of a finding is the canonical one."""

from __future__ import annotations

import math

from recsys_metric_audit.reports.model.result import Finding, Reference
from recsys_metric_audit.reports.wording.formatting import rounded


def is_canonical_value(finding: Finding, canonical: Reference | None) -> bool:
    """Return True if the library's value is the canonical one to the digits that the library gives.

    The effect of a function without a cut-off is measured from the canonical value of whole lists, which is not the
    one at k.

    Args:
        finding: A measured finding.
        canonical: The canonical value of its metric on the data; None if there is none.
    """
    if finding.value is None or canonical is None:
        return False
    of_whole_lists = finding.k is None and canonical.k is not None
    if finding.effect is not None and not of_whole_lists:
        return finding.effect.same_value
    return math.isclose(finding.value, canonical.value, rel_tol=1e-9)


def gives_canonical_value(finding: Finding, canonical: Reference | None) -> bool:
    """Return True if the library's value is the canonical one, or is shown with the same three decimals.

    That is enough for a mark in a table, not for a sentence that says that the two are the same number.
    """
    if finding.value is None or canonical is None:
        return False
    alike = not math.isnan(canonical.value) and rounded(finding.value) == rounded(canonical.value)
    return alike or is_canonical_value(finding, canonical)
