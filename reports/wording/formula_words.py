"""Formulas, and who counts, in words: what a definition does that the canonical one does not."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from math import isnan
from pathlib import Path

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reports.model.level_meaning import parsed
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.wording.axis_words import no_hit_is_without_gain, of_one_ranking, value_meaning
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.meanings import IDENTIFIED

Phrases = Mapping[str, str | list[str]]
"""The phrases of an axis by value; ``phrases.toml`` describes them."""


def _read_phrases() -> Mapping[str, Mapping[str, Phrases]]:
    text = (Path(__file__).parent / "phrases.toml").read_text(encoding="utf-8")
    found: dict[str, dict[str, Phrases]] = {}
    for metrics, axes in tomllib.loads(text).items():
        for metric in metrics.split():
            found.setdefault(metric, {}).update(axes)
    return found


PHRASES = _read_phrases()
"""The phrases of each axis by metric; ``*`` stands for every metric without its own."""

LONGEST = 84
"""Most characters of a formula's words up to which the canonical values stand beside the formula's own."""

USUAL = "computes the formula that is canonical unless a run overrides it"
"""Words of a formula without a difference, in a run that holds libraries against another one."""


@cache  # asked 5,300 times for the forms of the recorded run: saves 0.3 of 5 seconds
def formula_words(metric: str, formula: str) -> str:
    """Return ``formula`` in words without its canonical counterpart: ``divides by r``.

    Args:
        metric: The metric after which the function is named.
        formula: A signature with axes of the formula level only.

    Returns:
        The words; empty for the canonical formula; the signature itself if it does not parse.
    """
    definition = parsed(formula)
    return formula if definition is None else "; ".join(_name(metric, definition) + _phrases(definition, False))


def formula_contrast(metric: str, formula: str) -> str:
    """Return ``formula`` in words beside the canonical one: ``divides by r, not by min(k, r)``.

    The canonical counterparts are left out where the words would be longer than ``LONGEST``.
    """
    definition = parsed(formula)
    if definition is None:
        return formula
    both = "; ".join(_name(metric, definition) + _phrases(definition, True))
    return both if len(both) <= LONGEST else formula_words(metric, formula)


def axis_phrase(metric: str, axis: str, value: str) -> str:
    """Return what ``value`` on ``axis`` does, in a few words; the reference's meaning if no phrase is known."""
    known = axis_phrases(metric, axis)
    if value in known:
        return known[value][0] if isinstance(known[value], list) else str(known[value])
    if "number" in known:
        return str(known["number"]).format(value)
    return f"{axis}: {value_meaning(metric, axis, value) or value}"


def axis_contrast(metric: str, axis: str, value: str = "") -> str:
    """Return what the canonical value of ``axis`` does instead of ``value``; empty if no phrase is known."""
    known = axis_phrases(metric, axis)
    own = known.get(value)
    return own[1] if isinstance(own, list) else str(known.get("instead", ""))


def axis_phrases(metric: str, axis: str) -> Phrases:
    """Return the phrases of an axis; empty if there are none."""
    return PHRASES.get(metric, {}).get(axis) or PHRASES["*"].get(axis, {})


def _name(metric: str, definition: Definition) -> list[str]:
    """Return the metric that is computed, if it is not the one that the function is named after."""
    return [f"is {metric_title(definition.metric)}"] if definition.metric != metric else []


def _phrases(definition: Definition, with_canonical: bool) -> list[str]:
    # The phrase of a weight says that users are weighted.
    axes = [axis for axis in definition.differs_on if axis != "pooling" or "weight" not in definition.differs_on]
    found = []
    for axis in axes:
        value = definition.axes[axis]
        instead = axis_contrast(definition.metric, axis, value) if with_canonical else ""
        found.append(", ".join(filter(None, (axis_phrase(definition.metric, axis, value), instead))))
    return found


USERS_MARK = "†"
"""Mark of a finding that averages other users."""
UNUSUAL_MARK = "‡"
"""Mark of a finding in which an unusual user counts as something else."""
WHOLE_MARK = "§"
"""Mark of a finding that has the canonical formula and reads whole lists, as the function takes no cut-off."""

_USERS = {
    "both": "with relevant items and a list",
    "predictions": "with a list",
    "all": "with either",
    "hits": "with a hit",
    "one_relevant": "with one relevant item",
    "truth_rows": "with truth rows, relevant or not",
    "both_rows": "with truth rows, relevant or not, and a list",
}
_SITUATIONS = {
    "undefined": "no relevant item",
    "no_list": "no list",
    "no_hit": "no hit",
    "no_negatives": "no irrelevant item",
}

_GAINS_OF_0 = "only gains of 0"
"""Says on whom ``no_hit`` acts in a formula that is defined without a hit."""


def reading_marks(finding: Finding) -> str:
    """Return the marks of a finding beside that of its formula; empty if a canonical function is like it.

    A dagger stands for other users, a double one for unusual users, a section sign for whole lists.
    """
    axes = moving_axes(finding)
    users = USERS_MARK if "users" in axes else ""
    unusual = UNUSUAL_MARK if set(axes) - {"users"} else ""
    return users + unusual + (WHOLE_MARK if reads_whole_lists(finding) else "")


def reads_whole_lists(finding: Finding) -> bool:
    """Return True if a finding agrees, and its number stands for whole lists where others stand for the first k."""
    return finding.verdict == "agrees" and finding.k is None and finding.definition.get("cutoff") == "none"


def reading_lines(findings: Sequence[Finding]) -> tuple[tuple[str, str], ...]:
    """Return a line for each kind of mark that occurs in ``findings``: the mark and its meaning in a line."""
    users: Counter[str] = Counter()
    unusual: dict[str, None] = {}
    for finding in findings:
        for axis in moving_axes(finding):
            if axis == "users":
                value = finding.definition.get(axis, "")
                users[_USERS.get(value, value)] += 1
            else:
                unusual[_situation(finding, axis)] = None
    lines = []
    if users:
        lines.append((USERS_MARK, f"counts other users: {' or '.join(text for text, _ in users.most_common())}"))
    met = [words for words in (*_SITUATIONS.values(), _GAINS_OF_0) if words in unusual]
    if unusual:
        lines.append((UNUSUAL_MARK, f"counts otherwise who has {', '.join(met)}"))
    if any(map(reads_whole_lists, findings)):
        lines.append((WHOLE_MARK, "takes no k: reads the whole list"))
    return tuple(lines)


def nan_words(findings: Sequence[Finding]) -> str:
    """Return why the means of ``findings`` that are NaN are so: the users who count as NaN, or that nobody counts.

    Empty if none is NaN, or if no definition says why.
    """
    by_users: dict[str, None] = {}
    for finding in findings:
        if not _is_nan(finding.value):
            continue
        users = [_situation(finding, axis) for axis in _SITUATIONS if finding.definition.get(axis) == "nan"]
        named = f"{', '.join(users[:-1])} or {users[-1]}" if len(users) > 1 else "".join(users)
        if of_one_ranking(finding):
            by_users["all rows together give 0/0"] = None
        elif users:
            by_users[f"a user with {named} counts as NaN, and so does the mean"] = None
        elif _is_nan(finding.evidence.fitted_value):
            by_users["nobody is left to be averaged"] = None
    return "; or ".join(by_users)


def _situation(finding: Finding, axis: str) -> str:
    return _GAINS_OF_0 if axis == "no_hit" and no_hit_is_without_gain(finding) else _SITUATIONS.get(axis, axis)


def _is_nan(value: float | None) -> bool:
    return value is not None and isnan(value)


def moving_axes(finding: Finding) -> tuple[str, ...]:
    """Return the axes of who counts on which an identified finding differs and that can move a number in a table.

    What comes out where nobody is left moves none, as somebody is left in the data of a table. Nor do the edges of a
    single ranking of all rows, which has relevant and irrelevant ones there.
    """
    axes = finding.levels.get("who_counts", ()) if finding.verdict in IDENTIFIED else ()
    still = {NOBODY.name, *(_SITUATIONS if of_one_ranking(finding) else ())}
    return tuple(axis for axis in axes if axis not in still)
