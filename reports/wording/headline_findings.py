"""Headline findings: the one function that represents a library version and a metric, as in Table 1."""

from __future__ import annotations

import math
from collections.abc import Iterable

from recsys_metric_audit.reports.model.result import Finding, Result

ABSENT = ("not_offered", "unavailable")
"""Statuses of functions that a library version does not have, or that no environment could run."""


def findings_at(result: Result, k: int) -> list[Finding]:
    """Return the findings at cut-off ``k``, and the findings of functions that take no cut-off."""
    return [finding for finding in result.findings if finding.k in (k, None)]


def headline_findings(result: Result, k: int) -> list[Finding]:
    """Return one finding per (library, version, metric) at ``k``: the function that Table 1 shows."""
    return headlines(findings_at(result, k))


def headlines(findings: Iterable[Finding]) -> list[Finding]:
    """Return one finding per (library, version, metric), given those at one cut-off.

    It is the first function, in the library's order, that the library offers. Functions that give per-user values
    without a mean come after those that give a mean. The call that the library's documentation asks for comes first,
    and functions with options (``[``) come after functions without options.
    """
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.library, finding.version, finding.metric), []).append(finding)
    return [min(group, key=_distance_from_headline) for group in groups.values()]


def gives_a_number(finding: Finding) -> bool:
    """Return True if a finding has a mean that is not NaN."""
    return finding.value is not None and not math.isnan(finding.value)


def _distance_from_headline(finding: Finding) -> tuple[bool, bool, bool, bool]:
    without_mean = finding.status == "measured" and finding.value is None
    return finding.status in ABSENT, without_mean, finding.documented_call is None, "[" in finding.function
