"""Hold the questions: crafted, generated and random cases, items, thresholds, own data."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from math import inf

import numpy as np
import pytest

from recsys_metric_audit.audit.data.synthetic import TRAIN_DRAWN, synthetic
from recsys_metric_audit.audit.libraries.function import Function, Takes
from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.fit import Fit, Fitting
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.questions import crafted_cases as crafted
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.audit.questions.case_features import FEATURES
from recsys_metric_audit.audit.questions.contract_probes import is_asked
from recsys_metric_audit.audit.questions.initial import DATA, INITIAL_PROBES, REPEATED, plan
from recsys_metric_audit.audit.questions.item_cases import item_questions, reads_items
from recsys_metric_audit.audit.questions.own_data import SUFFIXES, change_for, data_for
from recsys_metric_audit.audit.questions.random_cases import one_user_case, several_users_case
from recsys_metric_audit.audit.questions.threshold_cases import (
    Bracket,
    has_own_threshold,
    threshold_bracket,
    threshold_probes,
    threshold_questions,
    with_told_threshold,
)
from recsys_metric_audit.reference.cases import EXHAUSTIVE, PROBES, Probe
from recsys_metric_audit.reference.cases.item_probes import FAMILY_PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.metrics import METRICS
from tests.support.answers_of_oracle import answers_of_oracle, oracle_observation
from tests.support.observed_definitions import CASE as CASE_OF_ITEM_CASES
from tests.support.oracle_means import evaluate as slow

# The initial questions: what is asked of whom, in which order.

CASE = PROBES[0].case
CUT, WHOLE = Function(name="cut", metric="recall"), Function(name="whole", metric="recall", cutoff=False)


def test_asks_are_numbered_in_their_order_and_name_known_cases() -> None:
    made = plan([CUT, WHOLE], CASE, (1, 5))
    assert [ask.id for ask in made.asks] == list(range(len(made.asks)))
    assert {ask.case for ask in made.asks} == set(made.cases)
    assert set(made.probe_of) | made.data == {ask.id for ask in made.asks}


def test_probes_come_first_then_the_data_then_some_probes_again() -> None:
    made = plan([CUT], CASE, (1, 5))
    names = [probe.name for probe in INITIAL_PROBES]
    assert [made.probe_of.get(ask.id) for ask in made.asks] == [*names, None, *names[:REPEATED]]
    (on_data,) = (ask for ask in made.asks if ask.id in made.data)
    assert (on_data.case, on_data.ks, on_data.functions, on_data.fresh) == (DATA, (1, 5), ("cut",), False)


def test_a_function_without_cut_off_is_asked_each_small_list_once() -> None:
    made = plan([WHOLE], CASE, (1,))
    assert all(ask.ks == (None,) for ask in made.asks)
    asked = [made.probe_of[ask.id] for ask in made.asks if ask.id in made.probe_of]
    small = {probe.name for probe in EXHAUSTIVE if probe.k == 1}
    assert {name for name in asked if name in {probe.name for probe in EXHAUSTIVE}} == small


def test_other_recommenders_are_asked_after_the_data() -> None:
    made = plan([CUT], CASE, (1,), {"random": PROBES[1].case})
    (other,) = made.other_recommenders
    assert made.other_recommenders[other] == "random"
    assert made.cases[made.asks[other].case] is PROBES[1].case
    assert other == max(made.data) + 1


def test_variants_of_probes_wait() -> None:
    every = [probe for probe in (*PROBES, *EXHAUSTIVE) if probe.kind.variant == "usual"]
    assert list(INITIAL_PROBES) == every and len(every) < len(PROBES)


def test_a_sample_of_users_is_asked_at_the_cut_offs_of_the_data_and_is_no_data() -> None:
    made = plan([CUT], CASE, (1, 5), {"random": PROBES[1].case}, sample=PROBES[2].case)
    (asked,) = (ask for ask in made.asks if ask.id in made.sample)
    assert made.cases[asked.case] is PROBES[2].case
    assert (asked.ks, asked.functions, asked.fresh) == ((1, 5), ("cut",), False)
    assert not made.sample & (made.data | made.other_recommenders.keys() | made.probe_of.keys())
    assert not plan([CUT], CASE, (1, 5)).sample


def test_functions_of_whole_gains_are_asked_the_sample_with_gains_rounded_up() -> None:
    half = replace(CASE, truth=replace(CASE.truth, gain=CASE.truth.gain + 0.5))
    whole = Function(name="whole", metric="ndcg", takes=Takes(gains="whole"))
    made = plan([CUT, whole], half, (1,), sample=half)
    asked = {ask.functions: made.cases[ask.case].truth.gain.tolist() for ask in made.asks if ask.id in made.sample}
    assert asked == {("cut",): half.truth.gain.tolist(), ("whole",): np.ceil(half.truth.gain).tolist()}


# Crafted cases show the one thing that they are built for.

Rows = dict[int, list[tuple[int, float]]]


def tables(probe: Probe) -> tuple[Rows, Rows]:
    """Recommended (item, score) and relevant (item, gain), by user."""
    made: list[Rows] = []
    for table, value in (
        (probe.case.predictions, probe.case.predictions.score),
        (probe.case.truth, probe.case.truth.gain),
    ):
        rows: Rows = {}
        for user, item, number in zip(table.user.tolist(), table.item.tolist(), value.tolist(), strict=True):
            rows.setdefault(user, []).append((item, number))
        made.append(rows)
    return made[0], made[1]


@pytest.mark.parametrize("what", crafted.TIED_NAMES)
@pytest.mark.parametrize("number", range(6))
def test_items_with_names_of_unequal_length_tie_across_the_cut(what: str, number: int) -> None:
    probe = crafted.tied_names_case(number, what)
    for rows in tables(probe)[0].values():
        (tie,) = (score for score, count in Counter(score for _, score in rows).items() if count == 3)
        tied = [item for item, score in rows if score == tie]
        above = sum(score > tie for _, score in rows)
        assert above < probe.k < above + len(tied)


@pytest.mark.parametrize("number", range(6))
def test_copies_of_the_relevant_item_tie(number: int) -> None:
    rows, truth = tables(crafted.tied_copies_case(number))
    for user, own in rows.items():
        relevant = truth[user][0][0]
        scores = [score for item, score in own if item == relevant]
        assert len(scores) == 2 and scores[0] == scores[1]


@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize("number", range(6))
def test_a_miss_stands_twice_above_the_hit(number: int, rated: bool) -> None:
    rows, truth = tables(crafted.repeated_miss_case(number, rated=rated))
    for user, own in rows.items():
        relevant = next(item for item, gain in truth[user] if gain == 4.0)
        items = [item for item, _ in own]
        assert max(Counter(items[: items.index(relevant)]).values()) == 2
        assert (len(truth[user]) > 1) is rated


@pytest.mark.parametrize("number", range(3))
def test_a_hit_has_a_gain_below_zero_beside_an_unusual_user(number: int) -> None:
    rows, truth = tables(crafted.negative_gain_case(number))
    assert dict(truth[1])[rows[1][0][0]] == -1.0
    third = (bool(rows.get(3)), bool(truth.get(3)))
    assert (
        third
        == {"no list": (False, True), "no truth": (True, False), "no hit": (True, True)}[
            crafted.STATE_BESIDE_NEGATIVE_GAIN[number]
        ]
    )


@pytest.mark.parametrize("number", range(len(crafted.WORTHLESS_GAINS)))
def test_what_is_worth_nothing_belongs_to_a_user_without_a_list(number: int) -> None:
    probe = crafted.worthless_case(number, listed=False)
    rows, truth = tables(probe)
    assert 2 not in rows and all(gain < probe.case.threshold for _, gain in truth[2])


@pytest.mark.parametrize("number", range(len(crafted.WORTHLESS_GAINS)))
def test_the_only_hit_is_worth_nothing_but_another_relevant_item_is(number: int) -> None:
    probe = crafted.worthless_case(number, listed=True)
    rows, truth = tables(probe)
    hits = {item for item, _ in rows[2]} & dict(truth[2]).keys()
    assert [dict(truth[2])[item] for item in hits] == [crafted.WORTHLESS_GAINS[number]]
    assert max(gain for _, gain in truth[2]) > probe.case.threshold


@pytest.mark.parametrize("listed", [False, True])
def test_all_items_that_exist_are_relevant_to_one_user(listed: bool) -> None:
    probe = crafted.all_relevant_case(listed=listed)
    rows, truth = tables(probe)
    assert {item for item, _ in truth[2]} == set(probe.case.catalogue.tolist())
    assert (2 in rows) is listed and not len(probe.case.train.user)


@pytest.mark.parametrize("number", range(6))
def test_the_only_relevant_item_is_listed_twice(number: int) -> None:
    rows, truth = tables(crafted.repeated_hit_case(number))
    for user, own in rows.items():
        ((relevant, _),) = truth[user]
        assert [item for item, _ in own].count(relevant) == 2


@pytest.mark.parametrize("number", range(4))
def test_long_lists_have_more_than_ten_items(number: int) -> None:
    for all_relevant in (False, True):
        rows, truth = tables(crafted.long_lists_case(number, all_relevant=all_relevant))
        assert all(len(own) > 10 for own in rows.values())
        assert all((len(truth[user]) == len(own)) is all_relevant for user, own in rows.items())


@pytest.mark.parametrize("unsorted", [False, True])
@pytest.mark.parametrize("number", range(2))
def test_ranks_nine_to_twelve_of_long_lists_tie(number: int, unsorted: bool) -> None:
    rows, truth = tables(crafted.long_tied_lists_case(number, unsorted=unsorted))
    for user, own in rows.items():
        best = sorted(own, key=lambda row: -row[1])
        assert len({score for _, score in best[8:12]}) == 1 and best[7][1] > best[8][1] > best[12][1]
        assert truth[user][0][0] in [item for item, _ in best[8:12]]
    sorted_rows = [own == sorted(own, key=lambda row: -row[1]) for own in rows.values()]
    assert all(sorted_rows) is not unsorted


def test_gains_of_1() -> None:
    probe = crafted.with_gains_of_1(crafted.repeated_hit_case(0))
    assert set(probe.case.truth.gain.tolist()) == {1.0} and probe.case.threshold == 1.0
    assert probe.name == "separating case 1: a hit once more, gains of 1"


# Cases that tell definitions apart: the same ones in every process, whatever the order in which sets are walked.

DIGESTS = """
import hashlib
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.reference.cases import PROBES, EXHAUSTIVE
probes = (*generated_cases.pool().probes, *PROBES, *EXHAUSTIVE)
told = "".join(f"{probe.name}{probe.k}{input_digest(probe.case)}" for probe in probes)
print(len(probes), hashlib.sha256(told.encode()).hexdigest())
"""


@pytest.mark.slow
def test_every_process_asks_the_same_cases() -> None:
    """A recording holds answers by the digest of the input: it can only be replayed where that stays the same."""
    told = {
        subprocess.run(
            [sys.executable, "-c", DIGESTS], env={**os.environ, "PYTHONHASHSEED": seed},
            check=True, capture_output=True, text=True,
        ).stdout
        for seed in ("0", "1", "2")
    }  # fmt: skip
    assert len(told) == 1
    assert int(told.pop().split()[0]) > 600


def test_no_two_cases_have_one_name() -> None:
    names = [probe.name for probe in generated_cases.pool().probes]
    assert len(set(names)) == len(names)


@pytest.mark.slow
@pytest.mark.parametrize("one_ranking", ["average_precision@k|over:stacked", "auc@k|list:topk|scope:stacked"])
def test_no_case_has_more_orders_of_ties_than_can_be_averaged(one_ranking: str) -> None:
    # One ranking of all users' rows has the most: their equal scores tie.
    values = evaluate(parse(f"{one_ranking}|ties:average"), generated_cases.pool().problem).mean
    assert len(values) == len(generated_cases.pool().probes)


def test_cases_come_with_their_features_the_fewest_first() -> None:
    probes, features = generated_cases.pool().probes, generated_cases.pool().features
    assert len(probes) == len(features) == len(generated_cases.pool().problem.cases)
    assert features[0] == frozenset()
    assert probes[0].name == "separating case 1: nothing unusual"
    assert all(probe.kind.role in ("distinguishing", "mixed") for probe in probes)


# Which functions are asked which probes: those of metrics beyond accuracy have their own.

COVERAGE, RECALL = (
    Function(name="lib.coverage", metric="catalogue_coverage"),
    Function(name="lib.recall", metric="recall"),
)


def asked(functions: list[Function], name: str) -> list[str]:
    made = plan(functions, CASE_OF_ITEM_CASES, (3,))
    return [made.probe_of[ask.id] for ask in made.asks if name in ask.functions and ask.id in made.probe_of]


def test_each_function_is_asked_its_own_probes_and_the_first_ones_twice() -> None:
    of_items = [probe.name for probe in item_questions(COVERAGE.metric)]
    of_relevance = [probe.name for probe in INITIAL_PROBES]
    both = [COVERAGE, RECALL]
    assert asked(both, COVERAGE.name) == of_items + of_items[:REPEATED]
    assert asked(both, RECALL.name) == of_relevance + of_relevance[:REPEATED]


def test_a_function_of_relevance_is_asked_the_same_beside_one_of_items() -> None:
    assert asked([RECALL], RECALL.name) == asked([COVERAGE, RECALL], RECALL.name)
    assert (
        plan([RECALL], CASE_OF_ITEM_CASES, (3,)).cases.keys()
        < plan([COVERAGE, RECALL], CASE_OF_ITEM_CASES, (3,)).cases.keys()
    )


def test_a_probe_is_not_asked_across_kinds_even_where_it_is_kept() -> None:
    assert reads_items(COVERAGE) and not reads_items(RECALL)
    assert not is_asked(COVERAGE, INITIAL_PROBES[0], [INITIAL_PROBES[0].name])
    assert not is_asked(RECALL, item_questions()[0], [item_questions()[0].name])


def test_probes_of_one_metric_are_asked_of_its_functions_alone() -> None:
    own = {probe.name for probe in FAMILY_PROBES["new_share"]}
    new_share = Function(name="lib.novelty", metric="new_share")
    assert own <= set(asked([new_share, COVERAGE], new_share.name))
    assert not own & set(asked([new_share, COVERAGE], COVERAGE.name))


def test_a_contract_rules_probes_of_order_out() -> None:
    ranks = Function.model_validate({"name": "lib.gini", "metric": "gini", "takes": {"input": "ranks"}})
    roles = {probe.kind.role for probe in item_questions() if is_asked(ranks, probe)}
    assert roles == {"multi_user", "duplicates"}


# Functions that count who has an item are asked about synthetic data with train rows.

RECALL_OF_OWN_DATA, NOVELTY = Function(name="recall", metric="recall"), Function(name="novelty", metric="novelty")
CASE_OF_OWN_DATA = synthetic(10, 30).case


def test_each_function_is_asked_about_data_of_its_own() -> None:
    made = plan([RECALL_OF_OWN_DATA, NOVELTY], CASE_OF_OWN_DATA, (1, 5), {"random": CASE_OF_OWN_DATA})
    asked = {ask.case: ask.functions for ask in made.asks if ask.id in made.data}
    assert asked == {DATA: ("recall",), DATA + SUFFIXES[TRAIN_DRAWN]: ("novelty",)}
    assert made.cases[DATA] is CASE_OF_OWN_DATA and len(made.cases[DATA + SUFFIXES[TRAIN_DRAWN]].train.user) >= 30
    assert set(made.other_recommenders.values()) == {"random"}


def test_the_reference_is_given_the_train_rows_too() -> None:
    data = Problem.of([CASE_OF_OWN_DATA], None)
    assert data_for(RECALL_OF_OWN_DATA, data) is data
    assert len(data_for(NOVELTY, data).cases[0].train.user) >= 30
    assert data_for(NOVELTY, data) is data_for(NOVELTY, data), "placements are shared"
    assert change_for(NOVELTY)[1] == TRAIN_DRAWN


# Random cases have the features they are drawn for, and are the same in every run.


def of_first(case: Case) -> tuple[list[tuple[int, float]], list[tuple[int, float]], list[int]]:
    """Recommended (item, score), relevant (item, gain) and training items of user 1, who has every feature."""
    rec, rel, train = case.predictions, case.truth, case.train
    rows = [(i, s) for u, i, s in zip(rec.user.tolist(), rec.item.tolist(), rec.score.tolist(), strict=True) if u == 1]
    truth = [(i, g) for u, i, g in zip(rel.user.tolist(), rel.item.tolist(), rel.gain.tolist(), strict=True) if u == 1]
    return rows, truth, train.item[train.user == 1].tolist()


def has(feature: str, case: Case) -> bool:
    rows, truth, _ = of_first(case)
    items, scores, gains = [i for i, _ in rows], [s for _, s in rows], dict(truth)
    match feature:
        case "no list":
            return not rows
        case "no truth":
            return not truth
        case "no hit":
            return bool(rows) and not set(items) & set(gains)
        case "only hits":
            return set(items) <= set(gains)
        case "ties":
            return max(Counter(scores).values()) > 1
        case "repeats":
            return max(Counter(items).values()) > 1
        case "copies":
            return max(Counter(item for item, _ in truth).values()) > 1
        case "signs":
            return min(scores) <= 0 and 0.0 in scores
        case "gains of 1":
            return set(gains.values()) == {1.0}
        case "one relevant item":
            return len(truth) == 1
        case "rated misses":
            return set(items) <= set(gains)
        case "short list":
            return len(rows) < 4
        case _:
            return True


@pytest.mark.parametrize("feature", FEATURES)
def test_the_first_user_has_the_feature(feature: str) -> None:
    for number in range(6):
        probe = several_users_case(frozenset({feature}), number)
        assert has(feature, probe.case), probe.name
        assert feature in probe.name


def test_the_number_of_users_and_the_name_follow_the_number() -> None:
    for number, users in ((0, 3), (1, 4)):
        probe = several_users_case(frozenset(), number)
        assert set(probe.case.predictions.user.tolist()) == set(range(1, users + 1))
        assert probe.name == f"separating case {number + 1}: nothing unusual"


def test_one_user_is_alone() -> None:
    probe = one_user_case(frozenset({"ties"}), 0)
    assert set(probe.case.predictions.user.tolist()) == set(probe.case.truth.user.tolist()) == {1}
    assert probe.name == "separating case 1: one user, ties" and has("ties", probe.case)


def test_a_case_is_drawn_the_same_again() -> None:
    one, other = (several_users_case(frozenset({"ties", "gains"}), 3) for _ in range(2))
    assert one.k == other.k and one.case.predictions.score.tolist() == other.case.predictions.score.tolist()
    assert several_users_case(frozenset({"ties"}), 3, k=1).k == 1


def test_the_threshold_goes_with_the_gains() -> None:
    thresholds = {
        name: several_users_case(frozenset({name}), 0).case.threshold for name in ("gains", "gains of 1", "ties")
    }
    assert thresholds == {"gains": 3.0, "gains of 1": 1.0, "ties": 2.0}


# Inputs that tell from which gain on an item is relevant, by the slow oracle's answers.


@pytest.mark.parametrize(
    ("bracket", "rule", "gains"),
    [
        (Bracket(0.5, 1.0), "1", (0.50001, 0.99999)),
        (Bracket(0.50001, 0.99999), "0.99999", (0.6, 0.7, 0.8, 0.9)),
        (Bracket(0.6, 0.7), "0.7", (0.60001, 0.69999)),
        (Bracket(0.60001, 0.69999), "0.69999", tuple(round(0.6 + n / 100, 2) for n in range(1, 10))),
        (Bracket(0.5, 0.50001), "above_0.5", ()),
        (Bracket(0.69999, 0.7), "0.7", ()),
        (Bracket(2.5, 3.0), "3", (2.50001, 2.99999)),
        (Bracket(4.0, inf), "above_4", ()),
    ],
)
def test_the_gains_to_ask_about_next(bracket: Bracket, rule: str, gains: tuple[float, ...]) -> None:
    assert bracket.gains() == pytest.approx(gains) and bracket.rule == rule


@pytest.mark.parametrize(
    ("signature", "own"),
    [("recall@k|relevance:0.5", True), ("recall@k|relevance:above_2", True), ("recall@k|relevance:above_t", False),
     ("recall@k", False), ("gini@k", False)],
)  # fmt: skip
def test_a_number_that_is_no_part_of_the_input(signature: str, own: bool) -> None:
    assert has_own_threshold(parse(signature)) is own


def test_the_probes_leave_a_threshold_between_two_of_their_gains() -> None:
    evidence = gather_evidence(answers_of_oracle("recall@k|relevance:1"), PROBES)
    assert threshold_bracket(parse("recall@k|relevance:1"), evidence, Tolerance(1e-9, "float64")) == (0.5, 1.0)


def test_ties_without_a_rule_say_nothing_of_a_threshold() -> None:
    """Answers by item id contradict rows as given on ties, whatever is relevant: a threshold is told all the same."""
    truth, tolerance = "recall@k|relevance:above_0.75|ties:item_desc", Tolerance(1e-9, "float64")
    fit: Fit = Fitting((parse("recall@k|relevance:1|ties:other"),), 0.0, tolerance, len(PROBES))
    evidence = gather_evidence(answers_of_oracle(truth), PROBES)
    while more := threshold_questions(fit, evidence):
        asked = (*evidence.probes, *more)
        evidence = gather_evidence(oracle_observation(truth, further=asked[len(PROBES) :]).probes, asked)
        fit = with_told_threshold(fit, evidence)
    assert fit.definitions == (parse("recall@k|relevance:above_0.75|ties:other"),)


@pytest.mark.parametrize("metric", [name for name, each in METRICS.items() if "relevance" in each.canonical])
def test_each_answer_tells_if_the_gain_is_relevant(metric: str) -> None:
    definition = parse(f"{metric}@k" if parse(metric).k else metric)
    if definition.family.axis("relevance").numeric is None:
        return  # ratings are compared whatever they are
    own = definition.with_(relevance="1")
    probes = threshold_probes(own, Bracket(0.5, 1.0))
    assert len(probes) == 2, f"nothing tells the threshold of {metric}"
    # The oracle compares exactly, and a float is not the decimal that is written: so thresholds beside the gain.
    for probe, (below, beyond) in zip(probes, (("0.5", "0.6"), ("0.9", "1")), strict=True):
        made = [slow(metric, own.with_(relevance=rule).axes, probe.case, probe.k).mean for rule in (below, beyond)]
        assert abs(made[0] - made[1]) > 1e-3
