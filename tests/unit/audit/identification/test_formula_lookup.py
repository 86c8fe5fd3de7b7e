"""The formula stage: points that fit, by the slow oracle's answers."""

from __future__ import annotations

import pytest

from audit.identification.formula_lookup import (
    fitting_formulas,
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


def test_several_values_that_no_policy_gives_show_a_formula() -> None:
    evidence = plain("recall@k")
    assert shows_a_formula(evidence, EXACT)
    constant = Observation("f", {probe.name: measured(1.0) for probe in evidence.probes}, {})
    assert not shows_a_formula(evidence_on(constant, Kind("single_user")), EXACT)
