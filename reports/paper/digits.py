"""Counts the digits of the paper's values that are reproduced on its own data, where the definitions agree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.paper.judging import fitting_definitions
from recsys_metric_audit.reports.paper.published import PAPER_K, PAPER_TITLES, PublishedCell, published_cells
from recsys_metric_audit.reports.paper.sample_data import equal_on
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.labels import metric_title

DATASET = "ml-20m"
"""Name of the paper's data set."""


@dataclass(frozen=True)
class Digits:
    """One value of the paper beside one of the run; ``digits`` is the number of significant digits they share."""

    library: str
    version: str
    function: str
    metric: str
    paper: float
    value: float
    digits: int


def compare_digits(result: Result) -> tuple[Digits, ...]:
    """Return every value of the paper beside each value of the run whose definition equals the published one.

    Definitions are compared on data that resembles the paper's. Empty if the run is on other data than the paper's.
    """
    if result.dataset.name != DATASET:
        return ()
    found = []
    for cell, finding in product(dict.fromkeys(published_cells()), result.findings):
        if cell.full is not None and cell.variant and finding.value is not None and _agrees(finding, cell):
            title, digits = PAPER_TITLES[cell.library], common_digits(cell.full, finding.value)
            name, metric = one_line(finding.function), metric_title(cell.metric)
            found.append(Digits(title, finding.version, name, metric, cell.full, finding.value, digits))
    return tuple(found)


def _agrees(finding: Finding, cell: PublishedCell) -> bool:
    if (finding.library, finding.metric) != (cell.library, cell.metric) or finding.k not in (PAPER_K, None):
        return False
    fitting, reason = fitting_definitions(finding)
    claimed = parse(cell.variant)
    return not reason and all(each.metric == cell.metric and equal_on(each, claimed, "full") for each in fitting)


def common_digits(one: float, other: float) -> int:
    """Return how many leading significant digits two values share, at most 16.

    Returns:
        The largest n for which their difference is below half a unit of the n-th significant digit of ``one``.
    """
    if one == other:
        return 16
    if not (math.isfinite(one) and math.isfinite(other)) or one == 0:
        return 0
    lead = math.floor(math.log10(abs(one)))
    return max(0, min(16, math.floor(lead + 1 - math.log10(2 * abs(one - other)))))
