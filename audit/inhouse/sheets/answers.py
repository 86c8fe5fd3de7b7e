"""Identifies what gave the answers in a file: nothing can be asked, so no verdict is given that needs more answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from recsys_metric_audit.audit.identification.steps import identify
from recsys_metric_audit.audit.inhouse.call import Call
from recsys_metric_audit.audit.inhouse.function_inputs import NOT_HELD, function_inputs
from recsys_metric_audit.audit.inhouse.identification import FUNCTION, Identified, with_near_fit
from recsys_metric_audit.audit.inhouse.running import Running
from recsys_metric_audit.audit.inhouse.shapes import FRAMES
from recsys_metric_audit.audit.inhouse.sheets.further_cases import FurtherCases, further_cases
from recsys_metric_audit.audit.inhouse.sheets.probe_files import case_id, read_answers
from recsys_metric_audit.audit.inhouse.summary import Summary, summarise
from recsys_metric_audit.audit.libraries.metric_name import metric_of_relevance
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.nobody_left import with_rule_for_nobody
from recsys_metric_audit.audit.process.protocol import Conversation, Measured
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.reference.evaluation.evaluate import Problem

_NOT_ASKED = Running(lambda cases, asks: Conversation(None, (), 0.0))
"""Who gave the answers cannot be asked."""


@dataclass(frozen=True, eq=False)
class AnswersResult:
    """Holds what gave the answers in a file, and the further cases that would settle what they leave open."""

    summary: Summary
    further: FurtherCases | None

    def as_json(self) -> dict[str, Any]:
        """Return the summary as JSON values, with the ids of the further cases."""
        probes = self.further.probes if self.further is not None else ()
        cases = [{"case": case_id(probe), "k": probe.k, "why": probe.case.why} for probe in probes]
        return {**self.summary.as_json(), "would_settle": cases}


def identify_answers(path: Path, metric: str, k: int | None) -> AnswersResult:
    """Identify what gave the answers in a file; see :func:`audit.inhouse.sheets.probe_files.read_answers`.

    Args:
        path: the file.
        metric: the metric whose name the answers bear.
        k: the only cut-off that the cases were written at; None for several.
    """
    inputs, call = function_inputs(FRAMES, k), Call(_NOT_ASKED, FRAMES, k)
    observation, named = read_answers(path, inputs), metric_of_relevance(metric)
    function = call.function(FUNCTION, named)
    diagnosis = identify(function, observation, Problem.of([inputs.data], inputs.k))
    answers = {name: each for name, each in observation.probes.items() if isinstance(each, Measured)}
    given, fit = replace(observation, probes=answers), diagnosis.fit
    assert fit is not None
    if isinstance(fit, Fitting):
        fit = with_rule_for_nobody(fit, observation)
    diagnosis = replace(diagnosis, observation=given, fit=replace(fit, cases=len(answers)))
    trial = Trial(diagnosis, why_not="the answers come from a file")
    found = with_near_fit(Identified(call, named, given, inputs, inputs.data, NOT_HELD, trial))
    summary = summarise(str(path), found)
    return AnswersResult(summary, further_cases(summary, given, inputs.probes))
