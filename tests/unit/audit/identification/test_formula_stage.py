"""The formula stage: points that fit, by the slow oracle's answers."""

from __future__ import annotations

import numpy as np
import pytest

from audit.identification.formula_stage import (
    fitting_formulas,
    fitting_plain_probes,
    nearest_formula,
    shows_a_formula,
)
from audit.observations.evidence import Evidence, evidence_on
from audit.observations.observation import Observation, Tolerance
from reference.cases import Kind
from reference.definitions.definition import parse
from reference.metrics import METRICS
from tests.support.answers_of_oracle import measured, oracle_observation

EXACT = Tolerance(1e-9, "float64")


def plain(signature: str) -> Evidence:
    return evidence_on(oracle_observation(signature), Kind("single_user"))


@pytest.mark.parametrize("signature", ["recall@k", "recall@k|denominator:min", "precision@k|denominator:shown"])
def test_the_first_group_holds_the_formula(signature: str) -> None:
    definition = parse(signature)
    first = next(fitting_formulas(plain(signature), definition.metric, True, EXACT, 3, 3))
    own = {axis.name for axis in definition.family.axes}
    assert {axis: value for axis, value in definition.axes.items() if axis in own} in [
        {axis: value for axis, value in point.items() if axis in own} for point in first
    ]


def test_another_cut_off_is_a_change_of_the_second_level() -> None:
    evidence = plain("recall@k|cutoff:k_plus_1")
    assert list(fitting_formulas(evidence, "recall", True, EXACT, 1, 3)) == []
    (group,) = fitting_formulas(evidence, "recall", True, EXACT, 2, 3)
    assert any(point["cutoff"] == "k_plus_1" for point in group)


def test_few_answers_are_not_enough() -> None:
    evidence = plain("recall@k").only(slice(0, 2))
    assert list(fitting_formulas(evidence, "recall", True, EXACT, 1, 3)) == []
    assert list(fitting_formulas(evidence.only(slice(0, 0)), "recall", True, EXACT, 1, 0)) == []


@pytest.mark.parametrize("answered", [True, False])
def test_gains_are_cut_only_if_fractions_were_answered(answered: bool) -> None:
    every = plain("ndcg@k|gain:linear_whole")
    evidence = every.only(answered | ~every.problem.has_fractions)
    (group,) = fitting_formulas(evidence, "ndcg", True, EXACT, 1, 3)
    usual = {axis.name: axis.canonical for axis in METRICS["ndcg"].axes}
    gains = {point["gain"] for point in group if {**usual, "gain": point["gain"]} == {**usual, **point}}
    assert gains == {"linear_whole" if answered else "linear"}


def test_candidates_that_plain_probes_contradict_go() -> None:
    observation = oracle_observation("recall@k")
    candidates = [parse("recall@k"), parse("recall@k|denominator:min")]
    assert fitting_plain_probes(candidates, observation, EXACT) == candidates[:1]


def test_a_number_that_no_policy_gives_is_beyond_all_of_them() -> None:
    # Where nobody is relevant only a policy has a number: 0.37 is none.
    observation = oracle_observation("recall@k")
    nobody = [probe for probe in plain("recall@k").probes if not len(probe.case.truth.user)]
    odd = {**observation.probes, **{probe.name: measured(0.37) for probe in nobody}}
    expected = [] if nobody else [parse("recall@k")]
    assert fitting_plain_probes([parse("recall@k")], Observation("f", odd, {}), EXACT) == expected


def test_several_values_that_no_policy_gives_show_a_formula() -> None:
    evidence = plain("recall@k")
    assert shows_a_formula(evidence, EXACT)
    constant = Observation("f", {probe.name: measured(1.0) for probe in evidence.probes}, {})
    assert not shows_a_formula(evidence_on(constant, Kind("single_user")), EXACT)


def test_the_nearest_formula_is_contradicted_by_the_fewest_probes() -> None:
    observation = oracle_observation("recall@k")
    evidence = evidence_on(observation, Kind("single_user"))
    number = int(np.flatnonzero(evidence.value == 0.5)[0])
    wrong = evidence.probes[number]
    changed = Observation("f", {**observation.probes, wrong.name: measured(0.625)}, {})
    fit = nearest_formula(evidence_on(changed, Kind("single_user")), "recall", True, EXACT, 9)
    assert (fit.definitions, fit.stage, fit.cases) == ((), "formula", 9)
    assert fit.nearest == parse("recall@k") and fit.counterexample is wrong
    assert fit.residual == pytest.approx(0.125)
