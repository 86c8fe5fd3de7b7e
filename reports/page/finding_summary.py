"""Sums up a finding in the order in which a reader asks: the formula, its effect here, then level by level."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reference.space.contract_words import MEANING
from recsys_metric_audit.reference.space.levels import LEVELS, Level, level_of
from recsys_metric_audit.reports.model.result import Effect, Finding, Reference
from recsys_metric_audit.reports.plots.waterfall import signed
from recsys_metric_audit.reports.wording.axis_words import AxisDifference, axis_differences, axis_question
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.formula_words import formula_contrast, formula_words
from recsys_metric_audit.reports.wording.labels import VERDICT_MEANINGS, joined, metric_title
from recsys_metric_audit.reports.wording.meanings import IDENTIFIED
from recsys_metric_audit.reports.wording.shown_values import is_canonical_value

LEVEL_TITLES: Mapping[Level, str] = {
    "formula": "Formula", "who_counts": "Who counts", "input": "Input handling",
}  # fmt: skip
_STATES = {"library": "its own documentation", "catalogue": "a source of the catalogue"}
_NOTHING = 5e-7
"""Smallest change of a value that is told as one: six decimals."""


@dataclass(frozen=True)
class LevelLine:
    """Holds one level of a finding: its title, and pairs of a state and its words.

    A state is ``as canonical`` (without words), ``differs``, ``not known``, ``cannot matter`` or ``does not apply``.
    """

    title: str
    states: tuple[tuple[str, str], ...]


def computed_sentence(finding: Finding) -> str:
    """Return what a measured function computes, in one sentence that needs no signature."""
    title = metric_title(finding.metric)
    if finding.verdict == "agrees":
        return f"It computes the canonical {title}."
    if finding.verdict not in IDENTIFIED or finding.formula is None:
        return f"{title}: {VERDICT_MEANINGS[finding.verdict or 'unexplained']}."
    words = formula_contrast(finding.metric, finding.formula)
    return f"It computes {title} by another formula: {words}." if words else f"It computes the usual {title}."


def effect_sentence(finding: Finding, canonical: Reference | None) -> str:
    """Return what a measured function gives on the data, and which level moves it from the canonical value."""
    if finding.value is None:
        return "It gives a value for each user and no mean."
    value = rounded(finding.value)
    if canonical is None:
        return f"On this data it is {value}."
    usual = rounded(canonical.value)
    if is_canonical_value(finding, canonical):
        if value != usual:
            return f"On this data it is {value}: the canonical {usual} to the digits that it gives."
        return f"On this data it is {value}, and so is the canonical {metric_title(finding.metric)}."
    if value == usual:
        value, usual = told_apart(finding.value, canonical.value)
    found = f"On this data it is {value}, the canonical {usual}"
    return f"{found}{_moves(finding.effect)}." if finding.effect else f"{found}."


def _moves(effect: Effect) -> str:
    """Return a clause that says which level moves the value by how much."""
    by = {"the formula": effect.formula, "who counts": effect.who_counts, "input handling": effect.input}
    still = [name for name, change in by.items() if abs(change) < _NOTHING]
    moving = [f"{name} makes {signed(c)} of it" for name, c in by.items() if abs(c) >= _NOTHING]
    broken = [f"from {name} on it is no number" for name, change in by.items() if math.isnan(change)][:1]
    nothing = [f"{joined(still)} {'make' if len(still) > 1 else 'makes'} nothing of it"] if still else []
    return "; " + ", ".join([*moving, *broken, *nothing])


def level_lines(finding: Finding, canonical: Mapping[str, str]) -> tuple[LevelLine, ...]:
    """Return a line for each level; none for a finding of which no definition is known.

    Args:
        finding: A finding.
        canonical: Canonical values by axis, for axes that the reference does not know.
    """
    if not finding.definition or finding.signature is None:
        return ()
    differences = axis_differences(finding, canonical)
    return tuple(LevelLine(LEVEL_TITLES[level], _states(finding, level, differences)) for level in LEVELS)


def _states(finding: Finding, level: Level, differences: Sequence[AxisDifference]) -> tuple[tuple[str, str], ...]:
    own = [each for each in differences if level_of(each.axis) == level]
    differs = "; ".join(map(_difference, own))
    if level == "formula" and own and finding.formula:  # the sentence above names the canonical values
        differs = formula_words(finding.metric, finding.formula)
    unknown = "; ".join(axis_question(finding, axis) for axis in finding.unknown if level_of(axis) == level)
    states = [
        ("differs", differs),
        ("not known", unknown),
        ("cannot matter", _reasons(finding, finding.cannot_matter, level)),
        ("does not apply", _reasons(finding, finding.does_not_apply, level)),
    ]
    told = tuple((state, words) for state, words in states if words)
    return told if differs else (("as canonical", ""), *told)


def _difference(each: AxisDifference) -> str:
    here, usual = each.means or each.value, each.canonical_means or each.canonical
    return f"{_brief(each.asks) or each.axis}: {here} (canonical: {usual})"


def _reasons(finding: Finding, reasons: Mapping[str, str], level: Level) -> str:
    """Return the axes of a level with their reasons; axes with one reason share it."""
    by_reason: dict[str, list[str]] = {}
    for axis, reason in reasons.items():
        if level_of(axis) == level:
            by_reason.setdefault(one_line(reason), []).append(axis_question(finding, axis))
    return "; ".join(f"{', '.join(axes)} ({reason})" for reason, axes in by_reason.items())


def _brief(text: str) -> str:
    return text.split(" (")[0]


def who_counts_words(finding: Finding, canonical: Mapping[str, str]) -> str:
    """Return who counts in a function: ``as canonical``, or the differences."""
    own = [each for each in axis_differences(finding, canonical) if level_of(each.axis) == "who_counts"]
    return "; ".join(_difference(each) for each in own) or "as canonical"


def contract_words(finding: Finding) -> str:
    """Return what a function takes, and with what the adapter called it; empty if its contract is not recorded."""
    takes = "; ".join(MEANING.get(word, word) for part, word in finding.takes.items() if word != "any")
    called = f"Called with: {joined([one_line(each) for each in finding.called_with])}." if finding.called_with else ""
    return " ".join(filter(None, (f"It takes {takes}." if takes else "", called)))


def documented_words(finding: Finding) -> str:
    """Return who states the formula of an identified finding; empty if none was identified."""
    if finding.verdict not in IDENTIFIED:
        return ""
    by = joined([_STATES[each] for each in finding.documented_by])
    if not by:
        return "The formula is stated by neither its own documentation nor a source of the catalogue."
    return f"The formula is stated by {by}."
