"""Values as tables and sentences show them, and whether they are the canonical ones."""

from __future__ import annotations

import math

from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.wording.formatting import rounded


def gives_canonical_value(finding: Finding, canonical: float | None) -> bool:
    """Return True if the library's value is the canonical one to the digits that the library gives and that are shown.

    Args:
        finding: A measured finding.
        canonical: The canonical value of its metric on the data; None if there is none.
    """
    if finding.value is None or canonical is None:
        return False
    if finding.effect is not None and finding.effect.same_value:
        return True
    return not math.isnan(canonical) and rounded(finding.value) == rounded(canonical)


def shown_value(finding: Finding, canonical: float | None) -> str:
    """Return the value of a finding that has one, as it is shown.

    A library that rounds (0.1695 for 0.16945) would seem to differ if its value were rounded again (0.170 and 0.169):
    where both are the same number, the canonical one is shown.
    """
    if finding.value is None:
        raise ValueError(f"{finding.library} {finding.function} has no value")
    same = canonical is not None and finding.effect is not None and finding.effect.same_value
    return rounded(canonical if same and canonical is not None else finding.value)
