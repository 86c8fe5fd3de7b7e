"""Headline findings: the one function that represents a library version and a metric, as in Table 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

from reports.model.result import Finding, Result
from reports.wording.meanings import formula

ABSENT = ("not_offered", "unavailable")
"""Statuses of functions that a library version does not have, or that no environment could run."""


def findings_at(result: Result, k: int) -> list[Finding]:
    """Return the findings at cut-off ``k``, and those of functions that take no cut-off."""
    return [finding for finding in result.findings if finding.k in (k, None)]


def headline_findings(result: Result, k: int) -> list[Finding]:
    """Return one finding per (library, version, metric) at ``k``: the function that Table 1 shows.

    It is the first function, in the library's order, that the library offers. Functions that give per-user values
    without a mean come after those that give a mean, and functions with options (``[``) after those without. A call
    that gives no number (NaN, or it fails) gives way to another documented call of the same function that gives one.
    """
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings_at(result, k):
        groups.setdefault((finding.library, finding.version, finding.metric), []).append(finding)
    return [_with_a_number(min(group, key=_distance_from_headline), group) for group in groups.values()]


def gives_a_number(finding: Finding) -> bool:
    """Return True if a finding has a mean that is not NaN."""
    return finding.value is not None and not math.isnan(finding.value)


def _distance_from_headline(finding: Finding) -> tuple[bool, bool, bool]:
    without_mean = finding.status == "measured" and finding.value is None
    return finding.status in ABSENT, without_mean, "[" in finding.function


def _with_a_number(chosen: Finding, group: Sequence[Finding]) -> Finding:
    """Return ``chosen``, or if it gives no number the first other call of its function that gives one.

    Options that make a function compute another formula are no other call of it: of the two calls one formula must
    have been identified, or if none was, one must be documented.
    """
    if chosen.status in ABSENT or gives_a_number(chosen):
        return chosen
    others = (each for each in group if gives_a_number(each) and _is_another_call(each, chosen))
    return next(others, chosen)


def _is_another_call(other: Finding, chosen: Finding) -> bool:
    if other.function.split("[")[0] != chosen.function.split("[")[0]:
        return False
    return formula(other) == formula(chosen) if formula(chosen) else other.claimed == chosen.claimed
