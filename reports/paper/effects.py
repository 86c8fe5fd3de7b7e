"""Adds to a claim from the findings: changes measured on the run's data, and functions that it does not mean."""

from __future__ import annotations

import re
from dataclasses import dataclass

from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.paper.claims import Beside, Effect
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.meanings import formula

CANONICAL = "computes the canonical formula"


@dataclass(frozen=True)
class MeasuredEffect:
    """Holds the effect of one change alone on the mean of one function, on the data of the run: before and after."""

    label: str
    library: str
    version: str
    data: str
    before: float
    after: float


@dataclass(frozen=True)
class BesideFinding:
    """Describes functions that a claim does not mean; ``words`` is empty if they were not audited."""

    label: str
    words: str


def measured_effects(effects: tuple[Effect, ...], result: Result) -> tuple[MeasuredEffect, ...]:
    """Return each change as measured in the first finding that was decomposed so far; none where no finding was."""
    found = (_measured(effect, result) for effect in effects)
    return tuple(each for each in found if each is not None)


def _measured(effect: Effect, result: Result) -> MeasuredEffect | None:
    for finding in result.findings:
        if finding.library == effect.library and re.search(effect.function, finding.function):
            steps = finding.decomposition
            moved = [place for place, step in enumerate(steps) if step.axis in effect.axes]
            if moved and set(effect.axes) <= {step.axis for step in steps}:
                before, after = steps[moved[0] - 1].value, steps[moved[-1]].value
                data = one_line(result.dataset.name)
                return MeasuredEffect(effect.label, finding.library, one_line(finding.version), data, before, after)
    return None


def findings_beside(beside: tuple[Beside, ...], result: Result) -> tuple[BesideFinding, ...]:
    """Return what the functions beside a claim compute, in words."""
    return tuple(BesideFinding(each.label, _computed(each, result)) for each in beside)


def _computed(beside: Beside, result: Result) -> str:
    meant = [
        each
        for each in result.findings
        if (each.library, each.metric, each.version) == (beside.library, beside.metric, beside.version)
        and re.search(beside.function, each.function)
    ]
    words = dict.fromkeys(_in_words(each) for each in meant)
    return " or ".join(filter(None, words))


def _in_words(finding: Finding) -> str:
    if finding.verdict in (None, "unexplained", "unstable", "ambiguous"):
        return ""
    return formula_words(finding.metric, formula(finding)) or CANONICAL
