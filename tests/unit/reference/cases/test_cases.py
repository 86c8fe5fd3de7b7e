"""Hold the probes: what is drawn exhaustively, each kind of input, what a probe refuses."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from math import comb
from operator import ne

import numpy as np
import pytest

from recsys_metric_audit.audit.questions.item_cases import item_questions
from recsys_metric_audit.reference.cases import (
    DEGENERATE,
    EXHAUSTIVE,
    MIXED,
    PROBES,
    Kind,
    Probe,
    User,
    input_handling,
    multi_user,
    single_user,
    split_batch,
    split_users,
)
from recsys_metric_audit.reference.cases.exhaustive import LONGEST, patterns
from recsys_metric_audit.reference.cases.item_probes import ITEM_PROBES, SHOWN_ITEMS
from recsys_metric_audit.reference.cases.probe import case_from_rows, case_from_users, default_scores, item_ids
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import ITEM_METRICS
from tests.support.slow_parameters import slow_but_first

# Probes are built from users or from rows as their docstrings say.


def test_ids_are_in_no_order_as_numbers_or_as_text() -> None:
    assert item_ids(5) == (11, 12, 10, 14, 15)
    assert item_ids(0) == ()
    ids = list(item_ids(9))
    for key in (int, str):
        assert ids not in (sorted(ids, key=key), sorted(ids, key=key, reverse=True))


def test_default_scores_are_distinct_positive_and_best_first() -> None:
    first, second = default_scores(6, 1), default_scores(6, 2)
    assert list(first) == sorted(first, reverse=True) and min(first) > 0 and max(first) < 1
    assert not set(first) & set(second)


def test_a_case_from_users_has_their_hits_and_what_they_miss() -> None:
    case = case_from_users("two", [User((2, 0, 4), (3,), train=1), User((), (2,), train=0)], threshold=1.0, why="both")
    assert case.predictions.user.tolist() == [1, 1, 1] and case.predictions.item.tolist() == [11, 12, 10]
    truth = zip(case.truth.user.tolist(), case.truth.item.tolist(), case.truth.gain.tolist(), strict=True)
    assert list(truth) == [(1, 11, 2.0), (1, 10, 4.0), (1, 500, 3.0), (2, 500, 2.0)]
    assert case.train.item.tolist() == [900] and case.threshold == 1.0 and case.why == "both"


def test_a_case_from_rows_has_a_catalogue_of_all_items_and_the_unseen_ones() -> None:
    case = case_from_rows("rows", [(1, 10, 0.5)], [(1, 12, 2.0)], [(1, 14)], unseen=(16,))
    assert case.catalogue.tolist() == [10, 12, 14, 16]
    assert case.predictions.score.dtype == np.float64 and case.truth.gain.tolist() == [2.0]


@pytest.mark.parametrize("probes", [(*PROBES, *EXHAUSTIVE, *DEGENERATE, *MIXED)])
def test_probes_have_names_of_their_own_and_a_reason(probes: tuple[Probe, ...]) -> None:
    assert len({probe.name for probe in probes}) == len(probes)
    assert all(probe.case.why and probe.k >= 1 for probe in probes)


def test_users_of_a_probe_are_those_of_its_case() -> None:
    """Rebuilt from its users a case has the same gains row by row, wherever users are given."""
    for probe in (each for each in PROBES if each.users and each.kind in (Kind("single_user"), Kind("multi_user"))):
        again = case_from_users(probe.name, probe.users)
        assert again.truth.gain.tolist() == probe.case.truth.gain.tolist(), probe.name
        assert again.predictions.item.tolist() == probe.case.predictions.item.tolist(), probe.name


# Single-user probes: the plain table, and its variants with other gains, thresholds, truth orders.


def test_a_row_of_the_table_is_gains_by_rank_cut_off_and_missed_gains() -> None:
    probe = single_user.USUAL[0]  # "2 0 0 0 | 3 | 2"
    assert (probe.users[0].ranked, probe.users[0].missed, probe.k) == ((2.0, 0.0, 0.0, 0.0), (2.0,), 3)
    assert probe.name == "[2 0 0 0] k3 miss 2"


def test_unit_probes_have_the_hits_of_the_plain_ones_and_gains_of_one() -> None:
    for plain, unit in zip(single_user.USUAL, single_user.UNIT_GAINS, strict=False):
        assert unit.case.truth.item.tolist() == plain.case.truth.item.tolist()
        assert set(unit.case.truth.gain.tolist()) == {1.0} and unit.case.threshold == 1.0
        assert unit.k == plain.k


def test_the_last_unit_probes_begin_their_truth_with_another_item_than_the_best_ranked() -> None:
    for probe in single_user.UNIT_GAINS[len(single_user.USUAL) :]:
        listed = [item for item in probe.case.predictions.item.tolist() if item in probe.case.truth.item.tolist()]
        assert probe.case.truth.item.tolist()[0] != listed[0]


def test_probes_of_one_have_one_relevant_item() -> None:
    assert all(
        len(probe.case.truth.item) == 1 for probe in (*single_user.ONE_RELEVANT, *single_user.ONE_RELEVANT_UNIT_GAIN)
    )


# Multi-user probes: every unusual state is there, and variants change gains and thresholds only.


def state(user: User, k: int) -> str:
    hits = [gain > 0 for gain in user.ranked]
    if not any(hits) and not user.missed:
        return "no truth"
    if not user.ranked:
        return "no list"
    if all(hits):
        return "all relevant"
    return "ordinary" if any(hits[:k]) else "no hit"


def test_every_state_stands_beside_ordinary_users() -> None:
    seen = [{state(user, probe.k) for user in probe.users} for probe in multi_user.USUAL]
    for name in ("no truth", "no list", "no hit", "all relevant"):
        assert any(states == {name, "ordinary"} for states in seen), name
    assert any(len(states) == 5 for states in seen), "and all of them together"


def test_degenerate_probes_put_everybody_into_one_state() -> None:
    assert [{state(user, probe.k) for user in probe.users} for probe in multi_user.DEGENERATE[:4]] == [
        {"no truth"}, {"no list"}, {"no hit"}, {"all relevant"}
    ]  # fmt: skip


@pytest.mark.parametrize(
    "variant", [multi_user.UNIT_GAINS, multi_user.ABOVE_THRESHOLD, multi_user.ALL_LISTED, multi_user.RATED_MISSES]
)
def test_a_variant_has_the_users_and_cut_offs_of_the_usual_probes(variant: tuple[Probe, ...]) -> None:
    assert [len(probe.users) for probe in variant] == [len(probe.users) for probe in multi_user.USUAL]
    assert [probe.k for probe in variant] == [probe.k for probe in multi_user.USUAL]


def test_what_each_variant_changes() -> None:
    assert all(set(probe.case.truth.gain.tolist()) <= {1.0} for probe in multi_user.UNIT_GAINS)
    assert all((probe.case.truth.gain > probe.case.threshold).all() for probe in multi_user.ABOVE_THRESHOLD)
    assert all(not user.missed for probe in multi_user.ALL_LISTED for user in probe.users if user.ranked)
    assert all(gain > 0 for probe in multi_user.RATED_MISSES for user in probe.users for gain in user.ranked), (
        "all rows rated"
    )


# Every small input is there once, and a batch splits down to single users without losing one.


@pytest.mark.parametrize("relevant", range(1, LONGEST + 1))
def test_patterns_are_all_lists_with_at_most_so_many_hits(relevant: int) -> None:
    """Of the 2^n lists of length n, those with up to r hits are a sum of binomial coefficients."""
    users = patterns(relevant)
    expected = sum(comb(length, hits) for length in range(1, LONGEST + 1) for hits in range(min(relevant, length) + 1))
    assert len(users) == len({user.ranked for user in users}) == expected
    assert all(sum(gain > 0 for gain in user.ranked) + len(user.missed) == relevant for user in users)


def test_a_batch_holds_every_list_with_every_number_of_relevant_items() -> None:
    lists = [hits for length in range(1, LONGEST + 1) for hits in product((False, True), repeat=length)]
    expected = {(hits, r) for hits in lists for r in range(max(sum(hits), 1), LONGEST + 1)}
    for k, probe in enumerate(EXHAUSTIVE, 1):
        found = {(tuple(gain > 0 for gain in user.ranked), _relevant(user.ranked, user.missed)) for user in probe.users}
        assert probe.k == k and found == expected and len(probe.users) == len(expected)
        sizes = [user.rows for user in probe.users]
        assert sizes == sorted(sizes), "smallest first"


def _relevant(ranked: tuple[float, ...], missed: tuple[float, ...]) -> int:
    return sum(gain > 0 for gain in ranked) + len(missed)


def test_a_batch_splits_by_relevant_items_and_then_into_users() -> None:
    whole = EXHAUSTIVE[2]
    parts = split_batch(whole)
    assert [{_relevant(user.ranked, user.missed) for user in part.users} for part in parts] == [
        {r} for r in range(1, LONGEST + 1)
    ]
    assert sum(len(part.users) for part in parts) == len(whole.users)
    single = split_batch(parts[0])
    assert [probe.users for probe in single] == [(user,) for user in parts[0].users]
    assert [probe.name for probe in single] == [probe.name for probe in split_users(parts[0])]
    assert {probe.k for probe in (*parts, *single)} == {whole.k}


# Probes of input handling: variants change gains, thresholds or lists, and nothing else.

BY_NAME = {probe.name: probe for probe in input_handling.USUAL}


def test_unit_variants_have_gains_of_one() -> None:
    for probe in input_handling.UNIT_GAINS:
        plain = BY_NAME[probe.name.removeprefix("gains of 1: ")]
        assert set(probe.case.truth.gain.tolist()) == {1.0} and probe.case.threshold == 1.0
        assert probe.kind == Kind(plain.kind.role, "unit_gains") and probe.case.predictions is plain.case.predictions


def test_above_variants_have_every_gain_above_the_threshold() -> None:
    for probe in input_handling.ABOVE_THRESHOLD:
        plain = BY_NAME[probe.name.removeprefix("threshold below: ")]
        assert (probe.case.truth.gain > probe.case.threshold).all() and probe.case.truth is plain.case.truth


def test_listed_variants_append_missed_items_and_two_misses_below_all_scores() -> None:
    for probe in input_handling.ALL_LISTED:
        plain = BY_NAME[probe.name.removeprefix("all listed: ")]
        rows, more = len(plain.case.predictions.item), probe.case.predictions.item
        missed = set(plain.case.truth.item.tolist()) - set(plain.case.predictions.item.tolist())
        assert set(more[rows:].tolist()) == missed | {400, 401}
        assert (np.diff(probe.case.predictions.score[rows:]) < 0).all()
        assert probe.case.predictions.score[rows:].max() < plain.case.predictions.score.min()
        assert set(more.tolist()) <= set(probe.case.catalogue.tolist())


def test_order_probes_hold_ties_or_rows_out_of_order() -> None:
    for probe in (each for each in input_handling.USUAL if each.kind == Kind("order")):
        score = probe.case.predictions.score
        assert len(set(score.tolist())) < len(score) or (np.diff(score) > 0).any(), probe.name


# The probes of metrics beyond accuracy: nothing unusual on ordinary rows, and every two definitions are told apart.

SHARED = [probe for probe in item_questions("gini") if probe.kind == SHOWN_ITEMS]
LATER = ("order", "ties", "duplicates", "truth_duplicates")


@cache
def problem(metric: str, *, ordinary: bool = False) -> Problem:
    """Return the questions to functions of a metric, or those of ordinary rows, as one problem."""
    probes = [probe for probe in item_questions(metric) if not ordinary or probe.kind == SHOWN_ITEMS]
    return Problem.of([probe.case for probe in probes], [probe.k for probe in probes])


def outcomes(definition: Definition, asked: Problem) -> tuple[float, ...]:
    made = evaluate(definition, asked)
    return tuple(
        np.where(made.refused, np.inf, np.nan_to_num(made.mean, nan=-7.0, posinf=1e6, neginf=-1e6)).round(6).tolist()
    )


@pytest.mark.parametrize("probe", SHARED, ids=lambda probe: probe.name)
def test_rows_of_ordinary_probes_descend_without_ties_repeats_and_train_items(probe: Probe) -> None:
    rec, train = probe.case.predictions, probe.case.train
    pairs = list(zip(rec.user.tolist(), rec.item.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    assert not set(pairs) & set(zip(train.user.tolist(), train.item.tolist(), strict=True))
    steps = np.diff(rec.score)[np.diff(rec.user) == 0]
    assert (steps < 0).all()


def test_two_probes_have_no_recommendations_and_one_of_them_no_truth() -> None:
    empty = [probe for probe in ITEM_PROBES if not len(probe.case.predictions.user)]
    assert sorted(len(probe.case.truth.user) for probe in empty) == [0, 2]
    assert len({probe.name for probe in item_questions()}) == len(item_questions())


def test_copies_in_the_truth_are_the_only_unusual_thing_of_their_probes() -> None:
    copied = [probe for probe in item_questions() if probe.kind.role == "truth_duplicates"]
    for case in (probe.case for probe in copied):
        rec, truth = case.predictions, case.truth
        assert len({*zip(rec.user.tolist(), rec.item.tolist(), strict=True)}) == len(rec.user)
        rated: dict[tuple[int, int], list[float]] = {}
        for user, item, gain in zip(truth.user.tolist(), truth.item.tolist(), truth.gain.tolist(), strict=True):
            rated.setdefault((user, item), []).append(gain)
        assert any(len(gains) > 1 for gains in rated.values())
        assert all(len(set(gains)) == 1 for gains in rated.values())
    assert copied and not [probe for probe in item_questions("gini") if probe in copied]


@pytest.mark.parametrize("name", slow_but_first(ITEM_METRICS))
def test_ordinary_rows_tell_every_two_formulas_apart(name: str) -> None:
    """All but those that are equal whatever the rows: of those near the canonical one, and of a draw of all."""
    metric = ITEM_METRICS[name]
    axes = [axis for axis in metric.all_axes if axis.name not in LATER]
    seen: dict[tuple[float, ...], Definition] = {}
    every = list(product(*(axis.names for axis in axes)))
    near = [chosen for chosen in every if sum(map(ne, chosen, (axis.canonical for axis in axes))) <= 2]
    for chosen in (*near, *random.Random(name).sample(every, min(len(every), 1000))):
        values = {**metric.canonical, **dict(zip([axis.name for axis in axes], chosen, strict=True))}
        if metric.refusal(values) is None:
            point = Definition.of(name, values)
            other = seen.setdefault(outcomes(point, problem(name, ordinary=True)), point)
            assert are_equal(point, other), f"{point} and {other}"
    assert len(seen) > 5


@pytest.mark.parametrize("name", [name for name, metric in ITEM_METRICS.items() if "ties" in metric.canonical])
def test_the_probes_tell_every_two_ways_of_handling_rows_apart(name: str) -> None:
    axes = [axis for axis in ITEM_METRICS[name].all_axes if axis.name in LATER]
    points = {
        shortest(Definition.of(name, dict(zip([axis.name for axis in axes], chosen, strict=True))))
        for chosen in product(*(axis.names for axis in axes))
    }
    assert len({outcomes(point, problem(name)) for point in points}) == len(points)
