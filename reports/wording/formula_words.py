"""A formula in words: what it does that the canonical one does not."""

from __future__ import annotations

from functools import cache

from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reports.wording.axis_words import AxisPhrases, value_meaning
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.phrases.formula_phrases import OWN, SHARED
from recsys_metric_audit.reports.wording.phrases.item_phrases import ITEM_PHRASES

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
    definition = _definition(formula)
    return formula if definition is None else "; ".join(_name(metric, definition) + _phrases(definition, False))


def formula_contrast(metric: str, formula: str) -> str:
    """Return ``formula`` in words beside the canonical one: ``divides by r, not by min(k, r)``.

    The canonical counterparts are left out where the words would be longer than ``LONGEST``.
    """
    definition = _definition(formula)
    if definition is None:
        return formula
    both = "; ".join(_name(metric, definition) + _phrases(definition, True))
    return both if len(both) <= LONGEST else formula_words(metric, formula)


def axis_phrase(metric: str, axis: str, value: str) -> str:
    """Return what ``value`` on ``axis`` does, in a few words; the reference's meaning if no phrase is known."""
    known = _of_axis(metric, axis)
    if known and value in known.values:
        return known.values[value]
    if known and known.number:
        return known.number.format(value)
    return f"{axis}: {value_meaning(metric, axis, value) or value}"


def axis_contrast(metric: str, axis: str, value: str = "") -> str:
    """Return what the canonical value of ``axis`` does instead of ``value``; empty if no phrase is known."""
    known = _of_axis(metric, axis)
    return known.own_instead.get(value, known.instead) if known else ""


def _of_axis(metric: str, axis: str) -> AxisPhrases | None:
    own = OWN.get(metric) or ITEM_PHRASES.get(metric, {})
    return own.get(axis) or SHARED.get(axis)


def _definition(formula: str) -> Definition | None:
    try:
        return parse(formula)
    except SignatureError:
        return None


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
