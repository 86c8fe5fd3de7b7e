"""The multi-user stages: averaging and edges, suspension and resumption, by the slow oracle's answers."""

from __future__ import annotations

import pytest

from audit.identification.multi_user_stages import (
    MultiUserEvidence,
    follow_stages,
    force_stages,
    resume_stages,
)
from audit.observations.evidence import evidence_on
from audit.observations.observation import Observation, Tolerance
from reference.cases import Kind
from reference.definitions.definition import parse
from tests.support.answers_of_oracle import oracle_observation

EXACT = Tolerance(1e-9, "float64")
RECALL = [parse("recall@k")]


def evidence(observation: Observation) -> MultiUserEvidence:
    return MultiUserEvidence(
        evidence_on(observation, Kind("multi_user")), evidence_on(observation, Kind("degenerate")), EXACT, 100
    )


@pytest.mark.parametrize(
    "signature",
    ["recall@k", "recall@k|users:both", "recall@k|pooling:pooled", "recall@k|users:all|undefined:1",
     "recall@k|no_list:error", "recall@k|mean:quadratic"],
)  # fmt: skip
def test_averaging_and_edges_are_decided(signature: str) -> None:
    fit = follow_stages(evidence(oracle_observation(signature)), RECALL)
    assert fit.definitions == (parse(signature).simplified(),)
    assert (fit.unidentified_axes, fit.suspended, fit.cases) == ((), None, 100)
    assert fit.deviation < 1e-12


def test_without_an_answer_nothing_is_decided() -> None:
    fit = follow_stages(evidence(Observation("f", {}, {})), RECALL)
    assert fit.definitions == tuple(RECALL) and fit.user_values_only
    assert fit.unidentified_axes == ("users", "pooling", "weight", "mean", "undefined", "no_hit", "no_list", "nobody")


def test_a_formula_that_no_average_fits_is_contradicted() -> None:
    fit = follow_stages(evidence(oracle_observation("recall@k")), [parse("recall@k|denominator:min")])
    assert (fit.definitions, fit.stage) == ((), "multi_user")
    assert fit.nearest is not None and fit.counterexample is not None


def test_too_many_candidates_suspend_the_search_and_few_resume_it() -> None:
    answers = evidence(oracle_observation("recall@k|users:both"))
    suspended = follow_stages(answers, RECALL, many=2)
    assert suspended.suspended is not None and suspended.suspended.step == 0
    assert "no_list" in suspended.unidentified_axes
    resumed = resume_stages(suspended, answers)
    assert resumed.definitions == (parse("recall@k|users:both"),)
    assert (resumed.suspended, resumed.unidentified_axes) == (None, ())


def test_what_is_forced_is_followed_as_far_as_can_be() -> None:
    answers = evidence(oracle_observation("recall@k|users:both"))
    forced = force_stages(follow_stages(answers, RECALL, many=2), answers)
    assert forced.definitions == (parse("recall@k|users:both"),)
    assert forced.suspended is None
