"""On the paper's own data: how many digits of its values come out where the definitions agree?"""

from __future__ import annotations

import math
from dataclasses import dataclass

from reference.definitions.definition import parse
from reports.model.result import Finding, Result
from reports.paper import published
from reports.paper.judging import definitions
from reports.paper.published import TITLES, K, Published
from reports.paper.sample_data import same
from reports.wording.formatting import one_line
from reports.wording.labels import metric_title

DATASET = "ml-20m"


@dataclass(frozen=True)
class Digits:
    """One value of the paper beside one of the run: ``digits`` are the significant ones that are the same."""

    library: str
    version: str
    function: str
    metric: str
    paper: float
    value: float
    digits: int


def compared(result: Result) -> tuple[Digits, ...]:
    """Return every pair of values whose definitions give the same on data like the paper's; none for other data."""
    if result.dataset.name != DATASET:
        return ()
    return tuple(
        Digits(TITLES[each.library], finding.version, one_line(finding.function), metric_title(each.metric), each.full,
               finding.value, alike(each.full, finding.value))
        for each in dict.fromkeys(published.published()) if each.full is not None and each.variant
        for finding in result.findings if finding.value is not None and _agrees(finding, each)
    )  # fmt: skip


def _agrees(finding: Finding, cell: Published) -> bool:
    if (finding.library, finding.metric) != (cell.library, cell.metric) or finding.k not in (K, None):
        return False
    fitting, why = definitions(finding)
    claimed = parse(cell.variant)
    return not why and all(each.metric == cell.metric and same(each, claimed, "full") for each in fitting)


def alike(one: float, other: float) -> int:
    """Return how many leading significant digits two values share, at most 16.

    That is the largest n for which their difference is below half a unit of the n-th digit of the first.
    """
    if one == other:
        return 16
    if not (math.isfinite(one) and math.isfinite(other)) or one == 0:
        return 0
    lead = math.floor(math.log10(abs(one)))
    return max(0, min(16, math.floor(lead + 1 - math.log10(2 * abs(one - other)))))
