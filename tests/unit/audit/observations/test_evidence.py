"""Evidence: answers as arrays, and the probes on which they contradict a definition."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from recsys_metric_audit.audit.observations.evidence import (
    Evidence,
    are_one_number,
    contradictions,
    evaluate_cached,
    gather_evidence,
    is_policy_value,
    largest_deviation,
    largest_user_deviation,
    shows_a_formula,
    smallest_probe,
    survivors,
    values_of_users,
)
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.reference.cases import Kind, Probe, User
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import takes_one_ranking
from recsys_metric_audit.reference.input.case import Ids
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from tests.support.generated_inputs import random_case, sampled
from tests.support.oracle_means import Result
from tests.support.oracle_means import evaluate as slow

EXACT = Tolerance(1e-9, "float64")
RECALL = parse("recall@k")

# Recall at 2: half (one of two relevant items), one (one of one), none (no hit).
HALF = Probe(Kind("single_user"), case_from_users("half", [User((2, 0), (2,))]), 2)
ONE = Probe(Kind("single_user"), case_from_users("one", [User((0, 2, 0))]), 2)
NONE = Probe(Kind("single_user"), case_from_users("none", [User((0, 0), (2,))]), 2)
BOTH = Probe(Kind("multi_user"), case_from_users("both", [User((2, 0), (2,)), User((0, 2, 0))]), 2)
TWICE = Probe(Kind("duplicates"), case_from_users("twice", [User((2, 0, 2), items=(10, 11, 10))]), 2)
REFUSED = Errored("ValueError", "", "")


def mean(value: float) -> Measured:
    return Measured(value, None, None, "float", 0.0)


def users_told(values: dict[int, float]) -> Measured:
    return Measured(None, np.array(list(values)), np.array(list(values.values())), "float", 0.0)


def evidence(*pairs: tuple[Probe, Outcome | None]) -> Evidence:
    outcomes = {probe.name: outcome for probe, outcome in pairs if outcome is not None}
    return gather_evidence(outcomes, [probe for probe, _ in pairs])


def test_one_number_on_all_probes_of_all_parts() -> None:
    zeros = evidence((HALF, mean(0.0)), (ONE, mean(0.0)), (BOTH, users_told({1: 0.0, 2: 0.0})), (NONE, REFUSED))
    assert are_one_number([zeros]) and are_one_number([zeros, zeros])
    assert not are_one_number([zeros, evidence((ONE, mean(0.5)))])
    assert not are_one_number([zeros, evidence((BOTH, users_told({1: 0.0, 2: 1.0})))])
    assert not are_one_number([evidence((HALF, mean(0.0)), (ONE, REFUSED))])  # one number says nothing of others


def test_answers_become_arrays() -> None:
    found = evidence((HALF, mean(0.5)), (ONE, REFUSED), (BOTH, users_told({1: 0.5, 2: 1.0})), (NONE, None))
    assert found.measured.tolist() == [True, False, False, False]
    assert found.refused.tolist() == [False, True, False, False]
    assert found.by_user.tolist() == [False, False, True, False]
    assert found.value[0] == 0.5 and np.isnan(found.value[1:]).all()
    assert found.user_given.tolist() == [False, False, True, True, False]
    assert found.user_value[2:4].tolist() == [0.5, 1.0]
    assert (found.answered, found.has_no_number) == (3, False)


def test_errors_are_answers_without_a_number() -> None:
    refused, nothing = evidence((HALF, REFUSED)), evidence((HALF, None))
    assert (refused.has_no_number, refused.answered) == (True, 1)
    assert (nothing.has_no_number, nothing.answered) == (True, 0)
    assert evidence((HALF, mean(math.nan))).has_no_number


def test_only_the_chosen_probes_stay_answered() -> None:
    found = evidence((HALF, mean(0.5)), (ONE, REFUSED), (BOTH, users_told({1: 0.5, 2: 1.0})))
    for chosen in (slice(1, 2), np.array([False, True, False])):
        kept = found.only(chosen)
        assert kept.probes == found.probes
        assert (kept.measured.tolist(), kept.refused.tolist()) == ([False] * 3, [False, True, False])
        assert not kept.by_user.any()


def test_refusals_count_where_a_definition_expects_them() -> None:
    raising = parse("recall@k|duplicates:error")
    found = evidence((HALF, REFUSED), (TWICE, REFUSED))
    assert not found.without_refusals().refused.any()
    assert found.expected_refusals([RECALL, raising]).refused.tolist() == [False, True]


def outcome(made: Result, users: Ids, by_user: bool) -> Outcome:
    """Return what a function answers for which the slow oracle computes: a mean, values of users, or an error."""
    if made.refused:
        return REFUSED
    if not by_user:
        return mean(made.mean)
    return users_told(
        {user: value for user, (value, counted) in zip(users.tolist(), made.users, strict=True) if counted}
    )


def is_another(one: Outcome, other: Outcome) -> bool:
    if not isinstance(one, Measured) or not isinstance(other, Measured):
        return type(one) is not type(other)
    pairs = [(one.mean, other.mean)] if one.users is None else [(one.values, other.values), (one.users, other.users)]
    return not all(len(np.ravel(a)) == len(np.ravel(b)) and np.allclose(a, b, 1e-9, 1e-9, True) for a, b in pairs)


@pytest.mark.parametrize("by_user", [False, True])
def test_a_definition_is_contradicted_where_the_oracle_has_another_outcome(by_user: bool) -> None:
    """Answers of drawn definitions, and of those with some axes moved, on cases of users in any state."""
    rng, counts = random.Random(5), Counter[bool]()
    while counts.total() < 1_000:
        metric = METRICS[rng.choice([*METRICS])]
        own, computed = (sampled(metric, rng.randrange(10**6), 0.1).with_(nobody="nan") for _ in range(2))
        values = {*own.axes.values(), *computed.axes.values()}
        if values & {*WITHOUT_RULE, "pooled", "average"} or (by_user and any(map(takes_one_ranking, (own, computed)))):
            continue
        probes = [Probe(Kind("held_out"), replace(random_case(rng), name=str(n)), 2) for n in range(8)]
        made = {
            each: [slow(metric.name, each.axes, probe.case, each.k and 2) for probe in probes]
            for each in (own, computed)
        }
        ids = [np.union1d(probe.case.predictions.user, probe.case.truth.user) for probe in probes]
        right, answered = (
            [outcome(*row, by_user) for row in zip(made[each], ids, strict=True)] for each in (own, computed)
        )
        several = [not by_user or sum(counted for _, counted in each.users) > 1 for each in made[computed]]
        asked = [n for n, each in enumerate(made[own]) if several[n] and any(counted for _, counted in each.users)]
        if not asked:
            continue
        found = evidence(*((probes[n], answered[n]) for n in asked))
        expected = [is_another(right[n], answered[n]) for n in asked]
        assert contradictions(own, found, EXACT).tolist() == expected, (str(own), str(computed))
        assert bool(survivors([own], found, EXACT)[0]) is not any(expected)
        counts.update(expected)
    assert min(counts.values()) > 200


def test_the_deviation_is_that_of_probes_that_fit() -> None:
    found = evidence((HALF, mean(0.51)), (ONE, mean(0.75)))
    wide = Tolerance(0.02, "wide")
    assert contradictions(RECALL, found, wide).tolist() == [False, True]
    assert largest_deviation(RECALL, found, wide) == pytest.approx(0.01)


def test_an_error_where_a_ratio_of_sums_is_0_over_0_is_no_contradiction() -> None:
    nobody = Probe(Kind("multi_user"), case_from_users("nobody", [User((0, 0)), User((0, 0, 0))]), 2)
    found = evidence((nobody, REFUSED))
    assert not contradictions(parse("recall@k|pooling:pooled"), found, EXACT).any()
    # Recall of a mean over nobody is NaN as well, but there is no ratio of sums that the error could stand for.
    assert contradictions(RECALL, found, EXACT).all()


def test_an_error_where_nobody_is_left_is_what_its_rule_predicts() -> None:
    nobody = Probe(Kind("multi_user"), case_from_users("nobody", [User((0, 0)), User((0, 0, 0))]), 2)
    somebody = Probe(Kind("multi_user"), case_from_users("one of two", [User((0, 2)), User((0, 0, 0))]), 2)
    found = evidence((nobody, REFUSED), (somebody, REFUSED))
    for signature, expected in {"recall@k|nobody:error": [False, True], "recall@k|nobody:0": [True, True]}.items():
        wrong = contradictions(parse(signature), found, EXACT)
        assert wrong.tolist() == expected, signature


def test_values_are_sorted_to_their_users() -> None:
    value, given = values_of_users(users_told({7: 0.25, 3: 0.5, 99: 1.0}), np.array([3, 5, 7]))
    assert given.tolist() == [True, False, True]
    assert value[[0, 2]].tolist() == [0.5, 0.25] and math.isnan(value[1])
    assert not values_of_users(mean(0.5), np.array([3]))[1].any()


def test_values_that_policies_give() -> None:
    value, k = np.array([np.nan, 1.0, 0.5, 0.25, 0.3, 0.0]), np.full(6, 4)
    assert is_policy_value(value, k, EXACT).tolist() == [True, True, True, True, False, False]
    one_row_less_or_more = np.array([1 / 3, 1 / 5, 1 / 6])
    assert is_policy_value(one_row_less_or_more, k[:3], EXACT).tolist() == [True, True, False]
    assert is_policy_value(np.array([0.34]), k[:1], Tolerance(0.01, "2 decimals")).all()


def test_the_largest_deviation_of_users_on_chosen_probes() -> None:
    found = evidence((BOTH, users_told({1: 0.4, 2: 1.0})), (HALF, mean(0.5)))
    made = evaluate_cached(RECALL, found.problem)
    assert largest_user_deviation(made, found, np.array([True, True])) == pytest.approx(0.1)
    assert largest_user_deviation(made, found, np.array([False, True])) == 0.0


def test_the_smallest_chosen_probe() -> None:
    probes = [BOTH, HALF, ONE, NONE]
    assert smallest_probe(probes, np.array([True, False, True, False])) is ONE  # 3 + 1 rows, against 7 + 3
    assert smallest_probe(probes, np.zeros(4, dtype=bool)) is None


def test_several_values_that_no_policy_gives_show_a_formula() -> None:
    assert shows_a_formula(evidence((HALF, mean(0.3)), (ONE, mean(0.7))), EXACT)
    assert not shows_a_formula(evidence((HALF, mean(0.3)), (ONE, mean(0.3))), EXACT)
    assert not shows_a_formula(evidence((HALF, mean(0.5)), (ONE, mean(1.0)), (NONE, mean(0.3))), EXACT)
