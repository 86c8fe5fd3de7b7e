"""Answers of functions under test, written by hand as numbers, and the judges by the experiment's name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.experiments import METAMORPHIC_TESTS
from recsys_metric_audit.audit.behaviours.responses import FunctionUnderTest, Responses
from recsys_metric_audit.audit.behaviours.scenarios import SCENARIOS, SEPARATE_CHANGES
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reports.model.result import Behaviour

TIGHT = Tolerance(1e-9, "float64")

NAN = math.nan

JUDGES = {trial.name: trial.judge for trial in METAMORPHIC_TESTS}

PROBE_NAMES = {probe.name for probe in PROBES}

Given = float | Outcome | Mapping[int, float]


def outcome(given: Given) -> Outcome:
    if isinstance(given, Mapping):
        users, values = np.array(list(given), dtype=np.int64), np.array(list(given.values()))
        return Measured(None, users, values, "float", 0.0)
    return Measured(given, None, None, "float", 0.0) if isinstance(given, int | float) else given


def view(answers: Mapping[str, Given | Sequence[Given]], *, has_k: bool = True, seeded: Given = 0.5) -> Responses:
    """Answers by probe or scenario; a list is one answer a repetition, a scenario at several k has one a cut-off."""
    probes = {name: outcome(each) for name, each in answers.items() if name in PROBE_NAMES}  # type: ignore[arg-type]
    made: dict[str, dict[int | None, tuple[Outcome, ...]]] = {}
    known = {scenario.name: scenario for scenario in (*SCENARIOS, *SEPARATE_CHANGES)}
    for name, each in answers.items():
        if name in probes:
            continue
        several = list(each) if isinstance(each, list | tuple) else [each]
        ks = known[name].ks
        outcomes = [outcome(one) for one in several]
        made[name] = (
            {k: (one,) for k, one in zip(ks, outcomes, strict=True)} if len(ks) > 1 else {ks[0]: tuple(outcomes)}
        )
    return Responses(probes, made, TIGHT, has_k, dict.fromkeys(scenarios.SEEDED, outcome(seeded)))


def judged(name: str, answers: Mapping[str, Given | Sequence[Given]], **more: object) -> Behaviour:
    return JUDGES[name](view(answers, **more))  # type: ignore[arg-type]


ERROR = Errored("ValueError", "no\nmore", "")


def subject(answers: Mapping[str, Given], name: str = "lib.recall", metric: str = "recall") -> FunctionUnderTest:
    made = view(answers)
    return FunctionUnderTest(Function(name=name, metric=metric), made.probes, made.scenarios, TIGHT)
