"""A contract that answers contradict is a fault of the adapter; one that they bear out is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import pytest

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.contract_check import PROMISES, contract_fault, promises, read_by_contract
from recsys_metric_audit.audit.behaviours.responses import FunctionUnderTest
from recsys_metric_audit.audit.behaviours.scenarios import (
    CONTRACT,
    EXCHANGED,
    ONLY_LISTED,
    SCENARIOS,
    SEPARATE_CHANGES,
    TURNED,
)
from recsys_metric_audit.audit.libraries.function import Function, Made, Takes
from recsys_metric_audit.audit.process.protocol import Errored, Outcome, Unaskable
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.space.contract_words import RULED_OUT
from tests.support.behaviour_samples import TIGHT, outcome

# Functions over a case that read their input in known ways, and their answers to all that a contract is checked on.

Reads = Callable[[Case, int], float]
"""A metric as an adapter and its library compute it together."""


def lists(case: Case) -> dict[int, list[tuple[int, float]]]:
    """Items with scores of each user, as given."""
    made: dict[int, list[tuple[int, float]]] = {}
    rec = case.predictions
    for user, item, score in zip(rec.user.tolist(), rec.item.tolist(), rec.score.tolist(), strict=True):
        made.setdefault(user, []).append((item, score))
    return made


def relevant(case: Case, *, least: float | None = None) -> dict[int, list[tuple[int, float]]]:
    """Items with gains of each user, as given; only gains from ``least`` up."""
    made: dict[int, list[tuple[int, float]]] = {}
    rel = case.truth
    for user, item, gain in zip(rel.user.tolist(), rel.item.tolist(), rel.gain.tolist(), strict=True):
        if least is None or gain >= least:
            made.setdefault(user, []).append((item, gain))
    return made


def mean_of_hits(
    case: Case, k: int, *, by_score: bool, graded: bool = False, unlisted: bool = True, repeats: bool = False
) -> float:
    """Sum gain / rank over the hits of the first k, over all relevant items, and average over users.

    ``by_score``: sort rows by score; ``graded``: read gains; ``unlisted``: count relevant items that are not listed;
    ``repeats``: count a truth row as often as it stands there.
    """
    values = []
    for user, truth in relevant(case).items():
        rows = lists(case).get(user, [])
        rows = sorted(rows, key=lambda row: -row[1]) if by_score else rows
        gains = {item: gain if graded else 1.0 for item, gain in truth}
        listed = {item for item, _ in rows}
        counted = [item for item, _ in truth if unlisted or item in listed]
        size = len(counted if repeats else set(counted))
        ranked = [item for item, _ in rows][:k]
        values.append(sum(gains.get(item, 0.0) / rank for rank, item in enumerate(ranked, 1)) / max(1, size))
    return sum(values) / len(values) if values else 0.0


def mean_of_dense_scores(case: Case, k: int) -> float:
    """Compute the same from a score for every item: an item has its last score, and rows have no order."""
    values = []
    for user, truth in relevant(case).items():
        scores = dict(lists(case).get(user, []))
        ranked = sorted(scores, key=lambda item: (-scores[item], item))[:k]
        held = {item for item, _ in truth}
        values.append(sum(1 / rank for rank, item in enumerate(ranked, 1) if item in held) / max(1, len(held)))
    return sum(values) / len(values) if values else 0.0


def declared(
    reads: Reads,
    takes: Mapping[str, str],
    *,
    decides: tuple[str, ...] = (),
    refuses: Callable[[Case], Outcome | None] = lambda case: None,
) -> FunctionUnderTest:
    """Return a function whose adapter declares ``takes``, with its answers; ``refuses`` may give another outcome."""
    own = Function(
        name="lib.metric", metric="ndcg", takes=Takes.model_validate(takes),
        called_with=(Made(what="what it makes", decides=decides),) if decides else (),
    )  # fmt: skip

    def answer(case: Case, k: int) -> Outcome:
        return refuses(case) or outcome(reads(case, k))

    every = (*scenarios.SCENARIOS, *scenarios.SEPARATE_CHANGES, *scenarios.CONTRACT)
    made = {each.name: {k: (answer(each.case, k),) * each.repeat for k in each.ks} for each in every}
    probes = {probe.name: answer(probe.case, probe.k) for probe in PROBES}
    return FunctionUnderTest(own, probes, made, TIGHT, other_seed={name: probes[name] for name in scenarios.SEEDED})


def refusing_fractions(case: Case) -> Outcome | None:
    """Refuse gains that are not whole, as a library that wants integers does."""
    fractional = bool((case.truth.gain % 1 != 0).any())
    return Errored("ValueError", "grades must be integers", "") if fractional else None


# A contract that answers contradict is a fault of the adapter; one that they bear out is not.


BY_ROWS = partial(mean_of_hits, by_score=False)
BY_SCORE = partial(mean_of_hits, by_score=True)
GRADED = partial(mean_of_hits, by_score=True, graded=True)
REPEATING = partial(mean_of_hits, by_score=True, repeats=True)
LISTED = partial(mean_of_hits, by_score=True, unlisted=False)


def truth_held(case: Case, k: int) -> float:
    """Count the truth rows: neither scores nor the order of rows act."""
    return len(case.truth.item) / (k + len(case.truth.item))


@pytest.mark.parametrize(
    ("reads", "takes"),
    [
        (BY_ROWS, {"input": "ranked", "truth": "set"}),
        (BY_ROWS, {"input": "ranked", "truth": "list"}),
        (BY_ROWS, {"input": "ranks"}),
        (BY_SCORE, {"input": "scores"}),
        (GRADED, {"input": "scores", "truth": "graded"}),
        (REPEATING, {"input": "scores", "truth": "list"}),
        (LISTED, {"input": "labels", "truth": "set"}),
        (mean_of_dense_scores, {"input": "matrix", "truth": "set"}),
        (truth_held, {"input": "scores"}),
    ],
)
def test_a_right_declaration_is_no_fault(reads: Reads, takes: Mapping[str, str]) -> None:
    assert contract_fault(declared(reads, takes)) is None


@pytest.mark.parametrize(
    ("reads", "takes", "said", "shown"),
    [
        (BY_SCORE, {"input": "ranked"}, 'input = "ranked" (a ranked list', "only scores change"),
        (BY_SCORE, {"input": "ranks"}, 'input = "ranks" (rows of user, item and rank', "only scores change"),
        (BY_ROWS, {}, 'input = "scores" (rows of user, item and score, which', "the order of rows is the argument"),
        (BY_ROWS, {"input": "matrix"}, 'input = "matrix"', "an item is repeated"),
        (BY_ROWS, {"input": "labels"}, 'input = "labels"', "the order of rows is the argument"),
        (BY_SCORE, {"input": "matrix"}, 'input = "matrix"', "an item is repeated"),
        (BY_SCORE, {"input": "labels"}, 'input = "labels"', "items that are not listed leave the truth"),
        (GRADED, {"truth": "list"}, 'truth = "list"', "gains from the threshold up change"),
        (GRADED, {"truth": "set"}, 'truth = "set"', "gains from the threshold up change"),
        (partial(LISTED, graded=True), {"input": "labels"}, 'input = "labels"', "gains from the threshold up change"),
        (REPEATING, {"truth": "set"}, 'truth = "set"', "a truth row is repeated"),
        (BY_ROWS, {"input": "pairs"}, 'input = "pairs"', "rows are shuffled"),
        (GRADED, {"gains": "whole"}, 'gains = "whole"', "a fractional gain is answered"),
    ],
)
def test_a_declaration_that_answers_contradict_is_a_fault(
    reads: Reads, takes: Mapping[str, str], said: str, shown: str
) -> None:
    fault = contract_fault(declared(reads, takes))
    assert fault is not None
    assert fault.startswith(f"harness fault: the adapter declares {said}")
    assert shown in fault


def test_a_fault_shows_the_smallest_input_with_both_answers() -> None:
    # By hand: the hit is at rank 1 of four rows, one more relevant item is missed: (1 / 1) / 2. The list with the
    # copy has hits at ranks 1 and 2: (1 + 1 / 2) / 2.
    fault = contract_fault(declared(BY_SCORE, {"input": "matrix"}))
    assert fault is not None
    assert fault.endswith("but an item is repeated, and 0.5 becomes 0.75 (relevant item twice inside k)")


def test_whole_gains_are_declared_where_all_fractions_are_refused() -> None:
    fault = contract_fault(declared(GRADED, {}, refuses=refusing_fractions))
    assert fault is not None
    assert "inputs with fractional gains are refused" in fault
    assert "ValueError: grades must be integers" in fault
    assert contract_fault(declared(GRADED, {"gains": "whole"}, refuses=refusing_fractions)) is None


def test_a_function_that_refuses_every_gain_says_nothing_of_fractions() -> None:
    assert contract_fault(declared(GRADED, {}, refuses=lambda case: Errored("TypeError", "no argument k", ""))) is None


@pytest.mark.parametrize(
    ("reads", "axis", "shown"),
    [
        (GRADED, "relevance", "gains from the threshold up change"),
        (REPEATING, "truth_duplicates", "a truth row is repeated"),
    ],
)
def test_what_an_adapter_says_that_it_makes_is_held_against_the_answers(reads: Reads, axis: str, shown: str) -> None:
    fault = contract_fault(declared(reads, {}, decides=(axis,)))
    assert fault is not None
    assert fault.startswith('harness fault: the adapter declares that it makes "what it makes", but ')
    assert shown in fault
    assert contract_fault(declared(BY_SCORE, {}, decides=(axis,))) is None


def test_an_error_where_only_scores_change_contradicts_a_ranked_list() -> None:
    turned = next(each for each in scenarios.CONTRACT if each.name == scenarios.TURNED)

    def refuses(case: Case) -> Outcome | None:
        return Errored("ValueError", "scores must descend", "") if case.name == turned.case.name else None

    fault = contract_fault(declared(BY_ROWS, {"input": "ranked"}, refuses=refuses))
    assert fault is not None
    assert "becomes an error (ValueError: scores must descend)" in fault


def test_what_the_adapter_cannot_pass_on_contradicts_nothing() -> None:
    def refuses(case: Case) -> Outcome | None:
        pairs = list(zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True))
        return Unaskable("an item has one score") if len(set(pairs)) < len(pairs) else None

    assert contract_fault(declared(BY_SCORE, {"input": "matrix"}, refuses=refuses)) is None


def test_a_function_that_answers_otherwise_each_time_contradicts_nothing() -> None:
    tested = declared(BY_SCORE, {"input": "ranked"})
    by_turns = {3: (outcome(0.1), outcome(0.2), outcome(0.3))}
    changing = replace(tested, scenarios={**tested.scenarios, scenarios.CALLED_AGAIN: by_turns})
    assert contract_fault(tested) is not None
    assert contract_fault(changing) is None
    assert contract_fault(replace(tested, other_seed={scenarios.ORDINARY: outcome(0.9)})) is None


def test_what_was_not_asked_contradicts_nothing() -> None:
    tested = declared(BY_SCORE, {"input": "ranked"})
    assert contract_fault(tested) is not None
    assert contract_fault(replace(tested, scenarios={})) is None


@pytest.mark.parametrize("short", [10, 99])
def test_a_refusal_for_another_reason_says_nothing_of_fractions(short: int) -> None:
    """Tests a function that refuses unlisted relevant items of short lists, and most fractional inputs with them."""

    def refuses(case: Case) -> Errored | None:
        listed = set(zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True))
        unlisted = set(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True)) - listed
        if not unlisted or len(listed) > short:
            return None
        return Errored("ValueError", f"item {min(unlisted)[1]} is without a score", "")

    tested = declared(GRADED, {}, refuses=refuses)
    assert contract_fault(tested) is None
    # It still says nothing where it was not asked any fraction with all relevant items listed.
    fractional = {probe.name for probe in PROBES if (probe.case.truth.gain % 1 != 0).any()}
    whole = {name: each for name, each in tested.probes.items() if name not in fractional}
    refused = {name: tested.probes[name] for name in fractional if isinstance(tested.probes[name], Errored)}
    assert len(refused) > 2
    assert contract_fault(replace(tested, probes={**whole, **refused})) is None

    def refuses_both(case: Case) -> Errored | None:
        return refuses(case) or refusing_fractions(case)

    fault = contract_fault(declared(GRADED, {}, refuses=refuses_both))
    assert fault is not None
    assert "inputs with fractional gains are refused" in fault


# A contract is asked only what can contradict it.


OF_CONTRACTS = {each.name for each in CONTRACT}


def function(takes: Mapping[str, str], *decides: str) -> Function:
    made = (Made(what="labels", decides=decides),) if decides else ()
    return Function(name="f", metric="ndcg", takes=Takes.model_validate(takes), called_with=made)


@pytest.mark.parametrize(
    ("takes", "asked"),
    [
        ({}, {ONLY_LISTED, TURNED}),
        ({"input": "ranked", "truth": "graded"}, {ONLY_LISTED, TURNED}),
        ({"input": "ranked", "truth": "set"}, {ONLY_LISTED, TURNED, EXCHANGED}),
        ({"input": "ranks", "truth": "list"}, {ONLY_LISTED, TURNED, EXCHANGED}),
        ({"input": "matrix"}, {ONLY_LISTED, TURNED}),
        ({"input": "labels"}, {ONLY_LISTED, TURNED, EXCHANGED}),
        ({"input": "pairs"}, set()),
    ],
)
def test_scenarios_of_a_contract(takes: Mapping[str, str], asked: set[str]) -> None:
    assert read_by_contract(function(takes)) & OF_CONTRACTS == asked


def test_labels_that_the_adapter_makes_are_asked_about_gains() -> None:
    assert read_by_contract(function({}, "relevance")) & OF_CONTRACTS == {ONLY_LISTED, TURNED, EXCHANGED}
    assert [declares for declares, _ in promises(function({}, "relevance"))] == ['that it makes "labels"']


def test_of_a_list_whose_scores_change_nothing_else_does() -> None:
    cases = {each.name: each.case for each in (*SCENARIOS, *CONTRACT)}
    for promise in PROMISES["ranked"]:
        one, other = cases[promise.one], cases[promise.other]
        assert one.predictions.item.tolist() == other.predictions.item.tolist()
        assert one.predictions.user.tolist() == other.predictions.user.tolist()
        assert one.predictions.score.tolist() != other.predictions.score.tolist()
        assert one.truth.item.tolist() == other.truth.item.tolist()


def test_every_promise_is_of_inputs_that_exist_and_of_a_word_that_is_known() -> None:
    known = {probe.name for probe in PROBES} | {each.name for each in (*SCENARIOS, *SEPARATE_CHANGES, *CONTRACT)}
    for word, own in PROMISES.items():
        assert RULED_OUT[word], word
        assert {name for promise in own for name in (promise.one, promise.other)} <= known
