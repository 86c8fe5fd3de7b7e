"""Axes and their values in words, from the reference; unknown axes and values keep their bare names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reference.equality.axis_meanings import (
    acts_on_zero_gains_only,
    takes_one_ranking,
    value_meaning_in,
)
from recsys_metric_audit.reference.equality.axis_meanings import axis_question as question_in
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.axis import Axis
from recsys_metric_audit.reports.model.level_meaning import parsed
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.wording.formatting import shortened

UNKNOWN = "formula"
"""Part of axes that the reference does not know: they are shown as differences of the formula, never hidden."""


@dataclass(frozen=True)
class AxisDifference:
    """One axis on which a definition is not canonical.

    ``value`` and ``canonical`` are the two values, ``means`` and ``canonical_means`` their meanings, ``asks`` the
    meaning of the axis, and ``part`` the part of the definition that the axis belongs to.
    """

    axis: str
    value: str
    canonical: str
    asks: str = ""
    means: str = ""
    canonical_means: str = ""
    part: str = UNKNOWN


def _axis(metric: str, name: str) -> Axis | None:
    family = FAMILIES.get(metric)
    return family.axis(name) if family is not None and name in family.canonical else None


def value_meaning(metric: str, axis: str, value: str) -> str:
    """Return the meaning of ``value`` on ``axis``; empty if the reference does not know it."""
    known = _axis(metric, axis)
    return known.value(value).meaning if known is not None and known.admits(value) else ""


def of_one_ranking(finding: Finding) -> bool:
    """Return True if a finding's definition takes the rows of all users as one ranking: no edge is about one user."""
    definition = parsed(finding.signature)
    return definition is not None and takes_one_ranking(definition)


def no_hit_is_without_gain(finding: Finding) -> bool:
    """Return True if ``no_hit`` of a finding is about users whose gains are all 0, not about those without a hit."""
    definition = parsed(finding.signature)
    return definition is not None and "no_hit" in definition.axes and acts_on_zero_gains_only(definition)


def _meaning(finding: Finding, axis: str, value: str) -> str:
    """Return the meaning of a value in the definition of a finding; empty if the reference does not know it."""
    definition = parsed(finding.signature)
    if definition is None or axis not in definition.axes:
        return value_meaning(computed_metric(finding), axis, value)
    return value_meaning_in(definition, axis, value)


def computed_metric(finding: Finding) -> str:
    """Return the metric of a finding's signature, which need not be the one that the function is named after."""
    head = (finding.signature or finding.metric).split("|")[0].split("@")[0]
    return head if head in FAMILIES else finding.metric


def axis_differences(finding: Finding, canonical: Mapping[str, str]) -> tuple[AxisDifference, ...]:
    """Return the axes on which the definition of ``finding`` is not canonical, axes of the formula first.

    Args:
        finding: An identified finding.
        canonical: Canonical values by axis, for axes that the reference does not know.
    """
    metric = computed_metric(finding)
    found = []
    for name in finding.differs_on:
        axis, value = _axis(metric, name), finding.definition.get(name, "")
        usual = axis.canonical if axis else canonical.get(name, "")
        found.append(
            AxisDifference(
                name, value, usual, _asks(finding, name), _meaning(finding, name, value),
                _meaning(finding, name, usual), axis.part if axis else UNKNOWN,
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda each: _RANK.index(each.part)))


_LONGEST = 40
_RANK = ("formula", "averaging", "edges", "order")


def axis_question(finding: Finding, axis: str) -> str:
    """Return the question of an axis in a few words; its name if the reference does not know it."""
    return _asks(finding, axis).split(" (")[0] or axis


def _asks(finding: Finding, axis: str) -> str:
    definition, known = parsed(finding.signature), _axis(computed_metric(finding), axis)
    if definition is not None and axis in definition.axes:
        return question_in(definition, axis)
    return known.meaning if known else ""


def variant_label(differs: Sequence[AxisDifference]) -> str:
    """Return a short label of a variant: its first difference as ``axis:value``, and the number of further ones."""
    if not differs:
        return ""
    more = f" +{len(differs) - 1}" if len(differs) > 1 else ""
    first = f"{differs[0].axis}:{differs[0].value}"
    return shortened(first, _LONGEST) + more
