"""One finding against a claim: in which settings does the identified definition equal the claimed one?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.paper.claims import ClaimSubject, Setting
from recsys_metric_audit.reports.paper.sample_data import equal_on


class ClaimVerdict(StrEnum):
    """The verdict on a claim, worst first."""

    contradicted = "contradicted"
    versions = "true for these versions only"
    way = "true only for the paper's way of calling"
    reproduced = "reproduced"
    open = "not verifiable"


@dataclass(frozen=True)
class JudgedFinding:
    """One finding by which a claim is judged.

    Attributes:
        finding: The finding.
        verdict: Its verdict on the claim.
        equal_in: Settings in which every fitting definition equals the claimed one.
        unequal_in: Settings in which no fitting definition equals it.
        undecided_in: Settings in which some fitting definitions equal it and some do not.
        differences: Axes on which the identified definition is not the claimed one, as ``axis:value``.
        reason: Why the finding does not decide; empty if it does.
    """

    finding: Finding
    verdict: ClaimVerdict
    equal_in: tuple[Setting, ...] = ()
    unequal_in: tuple[Setting, ...] = ()
    undecided_in: tuple[Setting, ...] = ()
    differences: tuple[str, ...] = ()
    reason: str = ""


def judge_finding(finding: Finding, subject: ClaimSubject, settings: Sequence[Setting]) -> JudgedFinding:
    """Return the verdict of one finding on the claim about ``subject``.

    Args:
        finding: The finding.
        subject: The claimed definition.
        settings: The settings to compare in; the first is the paper's.
    """
    if subject.fails:
        return _judge_failure(finding)
    fitting, reason = fitting_definitions(finding)
    if reason:
        return JudgedFinding(finding, ClaimVerdict.open, reason=reason)
    if any(each.metric != subject.metric for each in fitting):
        differences = (fitting[0].metric,)
        return JudgedFinding(finding, ClaimVerdict.contradicted, unequal_in=tuple(settings), differences=differences)
    equal = [{setting for setting in settings if equal_on(each, subject.claimed, setting)} for each in fitting]
    equal_in = tuple(setting for setting in settings if all(setting in each for each in equal))
    unequal_in = tuple(setting for setting in settings if not any(setting in each for each in equal))
    undecided_in = tuple(setting for setting in settings if setting not in equal_in + unequal_in)
    if settings[0] in undecided_in:
        reason = f"of what fits ({_first_of(fitting)}) some is as claimed"
        return JudgedFinding(finding, ClaimVerdict.open, equal_in, unequal_in, undecided_in, reason=reason)
    if settings[0] in unequal_in:
        verdict = ClaimVerdict.contradicted
    else:
        verdict = ClaimVerdict.way if unequal_in else ClaimVerdict.reproduced
    return JudgedFinding(finding, verdict, equal_in, unequal_in, undecided_in, _differences(fitting[0], subject))


def _differences(identified: Definition, subject: ClaimSubject) -> tuple[str, ...]:
    """Return the axes on which the two definitions differ, of formula and averaging and of the claim's own."""
    claimed = subject.claimed.axes
    parts = ("formula", "averaging")
    compared = {axis.name for axis in identified.family.all_axes if axis.part in parts} | set(subject.expects)
    return tuple(f"{axis}:{value}" for axis, value in identified.values if axis in compared and value != claimed[axis])


def fitting_definitions(finding: Finding) -> tuple[tuple[Definition, ...], str]:
    """Return every definition that fits a finding and an empty reason, or no definition and the reason."""
    if finding.verdict is None:
        return (), f"{finding.status.replace('_', ' ')}: {finding.reason}"
    if finding.signature is None:
        near = finding.evidence.nearest
        more = f"; the nearest is {near.signature}, off by up to {near.deviation:.2g}" if near else ""
        return (), f"{finding.verdict}: what it computes is not identified{more}"
    if finding.verdict == "ambiguous" and not finding.equivalent:
        return (), "several definitions fit, and this file holds only one of them"
    try:
        return tuple(parse(each) for each in (finding.signature, *finding.equivalent)), ""
    except SignatureError as error:
        return (), f"the signature is of another version of this tool: {error}"


def _first_of(fitting: Sequence[Definition]) -> str:
    more = f" or {len(fitting) - 1} more" if len(fitting) > 1 else ""
    return f"{fitting[0].signature()}{more}"


def _judge_failure(finding: Finding) -> JudgedFinding:
    """Return the verdict on the claim that there is no value: an error, or NaN on the data, bears it out."""
    is_nan = finding.value is not None and math.isnan(finding.value)
    if finding.status in ("failed", "crashed", "timed_out") or is_nan:
        return JudgedFinding(finding, ClaimVerdict.reproduced)
    if finding.value is None:
        reason = "it answers user by user; whether a mean fails was not asked"
        return JudgedFinding(finding, ClaimVerdict.open, reason=reason)
    return JudgedFinding(finding, ClaimVerdict.contradicted)
