"""Rechecks on inputs that a fit was not found on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from audit.identification.recheck import (
    evidence_on_distinguishing_inputs,
    fitting_beside_open_axes,
    needs_all_listed,
    policies_for_unshown_states,
    recheck_on_distinguishing_inputs,
    recheck_on_rated_users,
    recheck_on_small_lists,
    survivors_of_distinguishing_inputs,
)
from audit.observations.fit import Fitting
from audit.observations.observation import Observation, Tolerance
from audit.questions.distinguishing import distinguishing_inputs
from reference.cases import EXHAUSTIVE, PROBES, Kind, Probe
from reference.definitions.definition import parse
from tests.support.answers_of_oracle import answers_of_oracle, measured, oracle_observation

EXACT = Tolerance(1e-9, "float64")
RECALL, MIN = parse("recall@k"), parse("recall@k|denominator:min")


@cache
def between() -> tuple[Probe, ...]:
    """Return inputs that tell the two definitions apart."""
    return distinguishing_inputs([RECALL, MIN], frozenset())


def fit(*signatures: str) -> Fitting:
    return Fitting(tuple(map(parse, signatures)), 0.0, EXACT, 7, unidentified_axes=("mean",))


def test_whoever_answers_only_where_all_items_are_listed_needs_that() -> None:
    answers = answers_of_oracle("recall@k")
    listed = {probe.name: answers[probe.name] for probe in PROBES if probe.kind != Kind("multi_user")}
    assert needs_all_listed(Observation("f", listed, {}))
    assert not needs_all_listed(Observation("f", answers, {}))


def test_small_lists_leave_what_fits_them() -> None:
    small = [probe for probe in EXHAUSTIVE if probe.k == 2]
    observation = oracle_observation("recall@k", further=small)
    assert recheck_on_small_lists(fit("recall@k", "recall@k|denominator:min"), observation).definitions == (RECALL,)


def test_small_lists_that_contradict_all_are_named_as_the_stage() -> None:
    observation = oracle_observation("recall@k", further=[probe for probe in EXHAUSTIVE if probe.k == 2])
    refuted = recheck_on_small_lists(fit("recall@k|denominator:min"), observation)
    assert (refuted.definitions, refuted.stage, refuted.nearest) == ((), "every small list", MIN)
    assert refuted.unidentified_axes == ("mean",) and refuted.cases == 7


def test_distinguishing_inputs_leave_what_fits_them() -> None:
    observation = oracle_observation("recall@k", further=between())
    both = fit("recall@k", "recall@k|denominator:min")
    assert recheck_on_distinguishing_inputs(both, observation).definitions == (RECALL,)
    refuted = recheck_on_distinguishing_inputs(fit("recall@k|denominator:min"), observation)
    assert (refuted.definitions, refuted.stage) == ((), "distinguishing input")


def test_where_none_was_asked_all_stay() -> None:
    both, observation = fit("recall@k", "recall@k|denominator:min"), oracle_observation("recall@k")
    assert survivors_of_distinguishing_inputs(both.definitions, both, observation) == (both.definitions, 0.0)
    assert recheck_on_distinguishing_inputs(both, observation).definitions == both.definitions


@pytest.mark.parametrize("open_axes", [("no_list",), ("undefined", "pooling")])
def test_definitions_are_compared_only_on_what_open_axes_do_not_change(open_axes: tuple[str, ...]) -> None:
    answers = evidence_on_distinguishing_inputs(oracle_observation("recall@k", further=between()))
    assert answers is not None
    several_users = len({user for probe in between() for user in probe.case.truth.user.tolist()}) > 1
    expected = [RECALL, MIN] if "pooling" in open_axes and several_users else [RECALL]
    assert fitting_beside_open_axes([RECALL, MIN], answers, open_axes, EXACT, per_user=False) == expected


def test_a_fit_that_waits_is_not_compared_again() -> None:
    observation = oracle_observation("recall@k", further=between())
    waiting = replace(fit("recall@k", "recall@k|denominator:min"), suspended=True)
    assert recheck_on_distinguishing_inputs(waiting, observation) == waiting


def test_policies_of_states_that_were_shown_stay() -> None:
    assert policies_for_unshown_states(fit("recall@k"), oracle_observation("recall@k")) == (RECALL,)
    assert len(policies_for_unshown_states(fit("recall@k"), Observation("f", {}, {}))) > 1


def test_users_who_rated_only_what_is_not_relevant_tell_truth_rows_from_relevant_items() -> None:
    """Elsewhere users without relevant items have no truth rows either: both definitions fit there."""
    skips, counts = "recall@k|relevance:positive", "recall@k|users:truth_rows|undefined:0|relevance:positive"
    both, listed = "recall@k|users:both|relevance:positive", "recall@k|users:both_rows|undefined:0|relevance:positive"
    for signature, fitted in ((skips, skips), (counts, skips), (both, both), (listed, both)):
        found = recheck_on_rated_users(fit(fitted), oracle_observation(signature)).definitions
        assert [each.signature() for each in found] == [signature]


def test_rated_users_whom_no_definition_describes_leave_the_averaged_users_unidentified() -> None:
    odd = {probe.name: measured(0.123) for probe in PROBES if probe.kind == Kind("rated_users")}
    liked, every = fit("recall@k|relevance:positive"), fit("recall@k")
    assert recheck_on_rated_users(liked, Observation("f", odd, {})).unidentified_axes == ("mean", "users")
    assert recheck_on_rated_users(every, Observation("f", odd, {})) == every
    assert recheck_on_rated_users(liked, Observation("f", {}, {})) == liked
