"""No finding states an axis that the contract of its function, or its adapter, rules out: for every contract there is.

Each function computes what its adapter cannot but make of it: rows in their order, the last of two scores, all gains.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from recsys_metric_audit.audit.findings.finding import Subject, make_finding
from recsys_metric_audit.audit.libraries.contract import Input, Takes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Errored, Outcome
from recsys_metric_audit.audit.questions.item_cases import item_questions
from recsys_metric_audit.reference.cases import PROBES, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.model.result import Finding
from tests.support.answers_of_oracle import measured
from tests.support.observed_definitions import DATA
from tests.support.own_libraries import own_libraries


def contracts() -> list[Function]:
    """Return a function for each metric with each set of axes that a library.toml rules out."""
    found: dict[tuple[str, bool, tuple[str, ...]], Function] = {}
    for manifest in own_libraries().values():
        for function in manifest.functions:
            if function.ruled_out:
                found.setdefault((function.metric, function.cutoff, tuple(sorted(function.ruled_out))), function)
    return list(found.values())


def computed(function: Function) -> Definition:
    """Return a definition with another than the canonical value on each axis that is ruled out, as far as there is."""
    family, values = FAMILIES[function.metric], dict[str, str]()
    for axis in (axis for axis in family.all_axes if axis.name in function.ruled_out):
        for name in axis.names:
            tried = {**values, axis.name: name}
            moved = name not in (family.canonical[axis.name], "other", "unspecified", "error")
            if moved and family.refusal({**family.canonical, **tried}) is None:
                values = tried
                break
    k = "k" if function.cutoff else None
    return Definition.of(function.metric, values if function.cutoff else {**_uncut(family.canonical), **values}, k)


def _uncut(canonical: Mapping[str, str]) -> dict[str, str]:
    return {"cutoff": "none"} if "cutoff" in canonical else {}


@cache
def problem(probes: tuple[Probe, ...]) -> Problem:
    """Return probes as one problem, whose placements all definitions share."""
    return Problem.of([probe.case for probe in probes], [probe.k for probe in probes])


@cache
def answered(definition: Definition) -> Observation:
    probes = PROBES if definition.family.reads == "relevance" else item_questions()
    made = evaluate(definition, problem(probes))
    refused: Outcome = Errored("ValueError", "", "")
    answers = [refused if no else measured(float(value)) for no, value in zip(made.refused, made.mean, strict=True)]
    k = None if definition.k is None else 3
    on_data = measured(float(evaluate(definition, DATA.at(3)).mean[0]))
    return Observation("f", dict(zip((probe.name for probe in probes), answers, strict=True)), {k: on_data})


def found(function: Function) -> Finding:
    definition = computed(function)
    observation = answered(definition)
    fit = Fitting((definition,), 0.0, Tolerance(1e-9, "float64"), len(observation.probes))
    (k,) = observation.data
    return make_finding(Subject("lib", "1.0", function), k, observation, fit, DATA)


@pytest.mark.parametrize("function", contracts(), ids=lambda each: f"{each.metric}-{each.name}")
@pytest.mark.slow
def test_nothing_is_stated_that_a_contract_rules_out(function: Function) -> None:
    row, metric = found(function), FAMILIES[function.metric]
    acting = function.ruled_out.keys() & computed(function).axes.keys()
    assert row.status == "measured"
    assert acting <= row.does_not_apply.keys()
    stated = {*row.definition, *row.differs_on, *row.unknown, *row.cannot_matter}
    stated |= {axis for axes in row.levels.values() for axis in axes}
    assert not stated & function.ruled_out.keys()
    slugs = {metric.axis(axis).value(name).slug for axis in acting for name in metric.axis(axis).names}
    assert not slugs - {None} & set(row.classes)
    assert row.witness is None, row.witness.text


@pytest.mark.parametrize(
    ("word", "axis", "value"),
    [("ranked", "order", "rows"), ("ranks", "order", "rows"), ("matrix", "duplicates", "last")],
)
def test_what_would_be_told_without_the_contract(word: Input, axis: str, value: str) -> None:
    """What these functions compute is another definition, and is told of a function that takes rows with scores."""
    definition = Definition.of("recall", {axis: value})
    fit = Fitting((definition,), 0.0, Tolerance(1e-9, "float64"), 1)
    rows = [
        make_finding(
            Subject("lib", "1.0", Function(name="lib.f", metric="recall", takes=takes)), 3, answered(definition), fit,
            DATA,
        ) for takes in (Takes(), Takes(input=word))
    ]  # fmt: skip
    assert [axis in row.differs_on for row in rows] == [True, False]
    assert [row.witness is None for row in rows] == [False, True]
    assert [row.verdict for row in rows] == ["agrees", "agrees"]
