"""The multi-user stages: averaging and edges, and searches that wait, by the slow oracle's answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.identification import multi_user_stages
from audit.identification.multi_user_stages import MultiUserEvidence, follow_stages
from audit.identification.recheck import evidence_on_distinguishing_inputs
from audit.observations.evidence import evidence_on
from audit.observations.fit import Contradicted
from audit.observations.observation import Observation, Tolerance
from audit.questions.distinguishing import distinguishing_inputs
from reference.cases import Kind
from reference.definitions.definition import parse
from tests.support.answers_of_oracle import measured, oracle_observation

EXACT = Tolerance(1e-9, "float64")
RECALL = [parse("recall@k")]
MANY = 200
"""Enough for the choices of one definition at each stage, too few for those of two at the first."""


def evidence(observation: Observation) -> MultiUserEvidence:
    multi_user, degenerate = (evidence_on(observation, Kind(role)) for role in ("multi_user", "degenerate"))
    return MultiUserEvidence(multi_user, degenerate, evidence_on_distinguishing_inputs(observation), EXACT, 100)


@pytest.mark.parametrize(
    "signature",
    ["recall@k", "recall@k|users:both", "recall@k|pooling:pooled", "recall@k|users:all|undefined:1",
     "recall@k|no_list:error", "recall@k|mean:quadratic"],
)  # fmt: skip
def test_averaging_and_edges_are_decided(signature: str) -> None:
    fit = follow_stages(evidence(oracle_observation(signature)), RECALL)
    assert fit.definitions == (parse(signature).simplified(),)
    assert (fit.unidentified_axes, fit.suspended, fit.cases) == ((), False, 100)
    assert fit.deviation < 1e-12


def test_without_an_answer_nothing_is_decided() -> None:
    fit = follow_stages(evidence(Observation("f", {}, {})), RECALL)
    assert fit.definitions == tuple(RECALL) and fit.user_values_only
    assert fit.unidentified_axes == ("users", "pooling", "weight", "mean", "undefined", "no_hit", "no_list", "nobody")


def test_a_formula_that_no_average_fits_is_contradicted() -> None:
    fit = follow_stages(evidence(oracle_observation("recall@k")), [parse("recall@k|denominator:min")])
    assert (fit.definitions, fit.stage) == ((), "multi_user")
    assert fit.nearest is not None and fit.counterexample is not None


def test_too_many_candidates_suspend_the_search_until_inputs_leave_fewer() -> None:
    signature, both = "recall@k|users:both", [parse("recall@k"), parse("recall@k|denominator:min")]
    suspended = follow_stages(evidence(oracle_observation(signature)), both, many=MANY)
    assert suspended.definitions == tuple(both) and suspended.suspended
    assert {"users", "pooling", "no_list"} <= set(suspended.unidentified_axes)
    further = distinguishing_inputs(both, frozenset(), unidentified=suspended.unidentified_axes)
    fit = follow_stages(evidence(oracle_observation(signature, further=further)), both, many=MANY)
    assert fit.definitions == (parse(signature),)
    assert (fit.suspended, fit.unidentified_axes) == (False, ())


def test_inputs_that_no_candidate_fits_end_a_search_that_waits() -> None:
    both = [parse("recall@k"), parse("recall@k|denominator:min")]
    further = distinguishing_inputs(both, frozenset(), unidentified=("no_list", "pooling"))
    observation = oracle_observation("recall@k")
    odd = replace(
        observation,
        probes={**observation.probes, **{probe.name: measured(0.123) for probe in further}},
        further_probes=further,
    )
    fit = follow_stages(evidence(odd), both, many=MANY)
    assert isinstance(fit, Contradicted) and fit.stage == "distinguishing input"


def test_what_is_forced_is_followed_as_far_as_can_be() -> None:
    fit = follow_stages(evidence(oracle_observation("recall@k|users:both")), RECALL, many=2, forced=True)
    assert fit.definitions == (parse("recall@k|users:both"),)
    assert not fit.suspended


def test_where_none_of_those_followed_fits_a_stage_is_passed_and_its_axes_are_unidentified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(multi_user_stages, "MAX_FOLLOWED_WHEN_STUCK", MANY)
    first_is_wrong = [parse("recall@k|denominator:min"), parse("recall@k")]
    fit = follow_stages(evidence(oracle_observation("recall@k")), first_is_wrong, many=MANY, forced=True)
    assert fit.definitions == (parse("recall@k"),)
    assert fit.unidentified_axes == ("users", "pooling", "weight", "mean")
