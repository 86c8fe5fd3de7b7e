"""Marks findings that average other users, and explains the marks in a line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reports.model.result import Finding
from reports.wording.meanings import IDENTIFIED

USERS_MARK = "†"
"""Mark of a finding that averages other users."""
UNUSUAL_MARK = "‡"
"""Mark of a finding in which an unusual user counts as something else."""

_USERS = {
    "both": "those with relevant items and a list",
    "predictions": "those with a list",
    "all": "those with either",
    "hits": "those with a hit",
    "one_relevant": "those with one relevant item",
    "truth_rows": "those with truth rows, relevant or not",
}
_SITUATIONS = {
    "undefined": "no relevant item",
    "no_list": "no list",
    "no_hit": "no hit",
    "no_negatives": "no irrelevant item",
    "nobody": "nobody left",
}
_OUTCOMES = {
    "skip": "left out",
    "formula": "as the formula gives",
    "half": "1/2",
    "nan": "NaN",
    "error": "raises",
    "previous": "the value before",
    "ends_all": "makes all 0",
}


def who_counts_mark(finding: Finding) -> str:
    """Return the marks of a finding: a dagger for other users, a double one for unusual users; empty if canonical."""
    axes = _axes(finding)
    users = USERS_MARK if "users" in axes else ""
    return users + (UNUSUAL_MARK if set(axes) - {"users"} else "")


def who_counts_lines(findings: Sequence[Finding]) -> tuple[tuple[str, str], ...]:
    """Return a line for each kind of mark that occurs in ``findings``: the mark and its meaning, commonest first."""
    users: Counter[str] = Counter()
    unusual: dict[str, Counter[str]] = {axis: Counter() for axis in _SITUATIONS}
    for finding in findings:
        for axis in _axes(finding):
            value = finding.definition.get(axis, "")
            if axis == "users":
                users[_USERS.get(value, value)] += 1
            else:
                unusual.setdefault(axis, Counter())[_OUTCOMES.get(value, value)] += 1
    lines = []
    if users:
        lines.append((USERS_MARK, f"averages other users: {_or(users)}"))
    told = [f"{_SITUATIONS.get(axis, axis)}: {_or(outcomes)}" for axis, outcomes in unusual.items() if outcomes]
    if told:
        lines.append((UNUSUAL_MARK, f"an unusual user counts otherwise ({'; '.join(told)})"))
    return tuple(lines)


def _axes(finding: Finding) -> tuple[str, ...]:
    return finding.levels.get("who_counts", ()) if finding.verdict in IDENTIFIED else ()


def _or(counted: Counter[str]) -> str:
    return " or ".join(text for text, _ in counted.most_common())
