"""Hold what audit try says of an adapter, and of contracts that fit it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from recsys_metric_audit.audit.authoring.adapter_trial import PLAIN_CASES, Trial, try_functions, with_fitting_contracts
from recsys_metric_audit.audit.authoring.trial_text import trial_lines
from recsys_metric_audit.audit.libraries.function import Function, Takes
from recsys_metric_audit.audit.process.protocol import Conversation, Errored, Measured, NotOffered, Outcome
from recsys_metric_audit.reference.input.case import Case
from tests.support.defined_responder import DefinedResponder

# A trial shows what functions return on plain cases, and which adapters are not sane.

FOUR = {"lib.hit": "hit_rate", "lib.prec": "precision", "lib.rec": "recall", "lib.rr": "reciprocal_rank"}
CANONICAL = {name: f"{metric}@k" for name, metric in FOUR.items()}


def functions(**takes: str) -> list[Function]:
    return [Function.model_validate({"name": name, "metric": FOUR[name], "takes": takes}) for name in FOUR]


def trial(signatures: dict[str, str], responder: DefinedResponder | None = None, **takes: str) -> Trial:
    named = {each.name: each for each in functions(**takes)}
    return try_functions([named[name] for name in signatures], responder or DefinedResponder(signatures))


def ascending(case: Case) -> Case:
    rows = case.predictions
    return replace(case, predictions=replace(rows, user=rows.user[::-1], item=rows.item[::-1], score=-rows.score[::-1]))


def strange_ids(case: Case) -> Case:
    return replace(case, truth=replace(case.truth, item=case.truth.item + 100_000))


def test_there_are_ten_cases_and_seven_list_all_that_is_relevant() -> None:
    assert len({case.name for case in PLAIN_CASES}) == 10
    assert sum(all(not user.missed for user in case.users) for case in PLAIN_CASES) == 7


def test_values_are_those_worked_out_by_hand() -> None:
    [tried] = trial({"lib.prec": "precision@k"}).functions
    by_hand = {
        "perfect list": 1, "perfect list, reversed": 0, "hit below the cut-off only": 0,
        "hits at 2 and 3": Fraction(1, 2), "three grades": Fraction(2, 3),
        "list shorter than the cut-off": Fraction(2, 6), "one relevant item not listed": Fraction(1, 3),
        "hits below the cut-off, one not listed": Fraction(1, 2), "two users": Fraction(1, 4),
        "two users, unequal lists": Fraction(1, 3),
    }  # fmt: skip
    assert tried.measured == pytest.approx({name: float(value) for name, value in by_hand.items()})
    assert tried.canonical == pytest.approx(tried.measured)


def test_a_right_adapter_is_sane() -> None:
    found = trial(CANONICAL)
    assert found.sane
    assert [each.nearest[0].definition.signature() for each in found.functions] == list(CANONICAL.values())
    assert [each.nearest[0].equal for each in found.functions] == [10] * 4


def test_the_nearest_formula_is_the_one_computed() -> None:
    [tried] = trial({"lib.rec": "recall@k|denominator:min"}).functions
    assert tried.nearest[0].definition.signature() == "recall@k|denominator:min"
    assert tried.nearest[0].equal == 10


@pytest.mark.parametrize(
    ("change", "cut", "said"),
    [
        (ascending, 0, "the order is ascending"),
        (strange_ids, 0, "no hit is seen at any place"),
        (lambda case: case, 1, "lists are cut one place beside the cut-off"),
        (lambda case: case, -1, "lists are cut one place beside the cut-off"),
    ],
)
@pytest.mark.slow
def test_a_fault_that_functions_share_is_the_adapters(change, cut: int, said: str) -> None:  # type: ignore[no-untyped-def]
    two = {name: CANONICAL[name] for name in ("lib.hit", "lib.rr")}
    found = trial(two, DefinedResponder(two, change, cut))
    assert found.fault is not None and said in found.fault
    assert not found.sane


@pytest.mark.parametrize("cut", ["k_minus_1", "k_plus_1"])
@pytest.mark.parametrize("metric", ["reciprocal_rank", "ndcg", "precision", "hit_rate"])
def test_a_cut_off_by_one_is_seen_in_every_metric(metric: str, cut: str) -> None:
    computed = f"{metric}@k|cutoff:{cut}"
    found = try_functions([Function(name="lib.f", metric=metric)], DefinedResponder({"lib.f": computed}))
    assert found.functions[0].nearest[0].definition.signature() == computed
    assert found.functions[0].nearest[1].equal < 10


@pytest.mark.parametrize("computed", ["novelty@k|denominator:k", "new_share@k|denominator:k", "gini@k|over:shown"])
def test_functions_beyond_accuracy_are_shown_beside_the_nearest_formulas(computed: str) -> None:
    metric = computed.partition("@")[0]
    found = try_functions([Function(name="lib.f", metric=metric)], DefinedResponder({"lib.f": computed}))
    (tried,) = found.functions
    assert found.sane and len(tried.canonical) == len(tried.measured) == 10
    assert tried.nearest[0].definition.signature() == computed and tried.nearest[0].equal == 10
    assert tried.nearest[1].equal < 10


def test_a_single_function_is_told_that_its_order_is_reversed() -> None:
    found = trial({"lib.rr": "reciprocal_rank@k"}, DefinedResponder({"lib.rr": "reciprocal_rank@k"}, ascending))
    assert not found.sane
    assert "the order is reversed" in found.functions[0].faults[0]


def test_a_wrong_contract_is_told() -> None:
    found = trial({"lib.rr": "reciprocal_rank@k"}, input="ranked")
    assert not found.sane
    assert 'declares input = "ranked"' in found.functions[0].faults[0]


def test_a_library_that_refuses_all_is_not_sane() -> None:
    found = trial({"lib.rr": "reciprocal_rank@k"}, DefinedResponder({}, refuses=("lib.rr",)))
    assert not found.sane
    lines = "\n".join(trial_lines(found))
    assert "refused: ValueError: lib.rr takes no frames" in lines
    assert "NOT SANE: no function returned a number" in lines


def test_one_function_gets_a_table_and_several_a_line_each() -> None:
    table = trial_lines(trial({"lib.prec": "precision@k|denominator:shown"}))
    row = next(line for line in table if line.startswith("list shorter"))
    assert row.split()[-4:] == ["6", "0.500000", "0.333333", "0.500000"]
    assert any("10 of 10  precision@k|denominator:shown" in line for line in table)
    lines = trial_lines(trial(CANONICAL))
    assert [line.split()[0] for line in lines[:4]] == list(CANONICAL)
    assert lines[-1].startswith("sane: ")


def test_formulas_that_the_plain_cases_do_not_tell_apart_are_all_named() -> None:
    """AP over hits and AP over the first rows of the truth are equal where the truth lists the hits first."""
    computed = {"lib.ap": "average_precision@k|denominator:hits", "lib.rec": "recall@k"}
    named = [Function(name=name, metric=signature.partition("@")[0]) for name, signature in computed.items()]
    lines = trial_lines(try_functions(named, DefinedResponder(computed)))
    assert "average_precision@k|denominator:hits" in lines[0] and " or average_precision@k|" in lines[0]
    assert lines[1].endswith("10 of 10  recall@k")
    assert lines[-2] == "Other formulas may give the same on 10 cases: audit run tells them apart."


def test_a_function_without_a_cut_off_is_asked_without_one() -> None:
    function = Function(name="lib.rr", metric="reciprocal_rank", cutoff=False)
    found = try_functions([function], DefinedResponder({"lib.rr": "reciprocal_rank|cutoff:none"}))
    assert found.sane
    assert found.functions[0].nearest[0].definition.signature() == "reciprocal_rank|cutoff:none"
    assert found.functions[0].measured["hit below the cut-off only"] == 0.25


def test_what_lists_show_is_asked_with_train_data_and_told_without_gains() -> None:
    novelty = Function.model_validate({"name": "lib.novelty", "metric": "novelty", "takes": {}})
    tried = try_functions([novelty], DefinedResponder({"lib.novelty": "novelty@k"}))
    assert tried.sane and len(tried.functions[0].outcomes) == len(PLAIN_CASES)
    lines = trial_lines(tried)
    assert lines[0].startswith("lib.novelty, called novelty") and lines[2].split() == [
        "case", "k", "returned", "canonical", "nearest",
    ]  # fmt: skip
    both = try_functions([novelty, *functions()], DefinedResponder({**CANONICAL, "lib.novelty": "novelty@k"}))
    assert "order and contract" in lines[-1] and "as declared" not in lines[-1]
    assert "as declared" in trial_lines(both)[-1]
    assert trial_lines(both)[0].split() == ["lib.novelty", "10", "of", "10", "novelty@k"]


def test_a_recording_answers_what_it_was_asked_alone() -> None:
    class Recording(DefinedResponder):
        def ask(self, *given: Any) -> Conversation:
            made = super().ask(*given)
            return replace(made, answers=made.answers[:3])

    tried = trial(CANONICAL, Recording(CANONICAL))
    said = {
        outcome for each in tried.functions for outcome in each.outcomes.values() if isinstance(outcome, NotOffered)
    }
    assert said == {NotOffered("no answer to this is recorded")}


# Functions whose answers contradict the usual contract of their form get one that they do not contradict.

METRICS = {"lib.hit": "hit_rate", "lib.rr": "reciprocal_rank", "lib.rec": "recall"}
BY_ROWS = {name: f"{metric}@k|order:rows" for name, metric in METRICS.items()}


def fitted(signatures: dict[str, str], like: str = "frames") -> Trial:
    functions = [Function(name=name, metric=METRICS[name]) for name in signatures]
    responder = DefinedResponder(signatures)
    return with_fitting_contracts(try_functions(functions, responder), like, responder)


def test_what_is_ranked_by_rows_takes_a_ranked_list_and_the_others_with_it() -> None:
    found = fitted(BY_ROWS)
    assert found.sane
    assert {each.function.takes for each in found.functions} == {Takes(input="ranked")}


def test_a_right_contract_stays_and_nothing_more_is_asked() -> None:
    signatures = {name: signature.partition("|")[0] for name, signature in BY_ROWS.items()}
    functions = [Function(name=name, metric=METRICS[name]) for name in signatures]
    responder = DefinedResponder(signatures)
    trial = try_functions(functions, responder)
    asked = len(responder.asked)
    assert with_fitting_contracts(trial, "frames", responder) is trial
    assert len(responder.asked) == asked


@pytest.mark.slow
def test_where_none_fits_the_fault_stays() -> None:
    [tried] = fitted({"lib.rr": BY_ROWS["lib.rr"]}, "matrix").functions
    assert tried.faults


def test_refusals_are_counted_in_the_line_and_in_the_verdict() -> None:
    """A function that is asked beside others, and takes no lists of two users."""

    class Choosy(DefinedResponder):
        def _outcome(self, function: str, case: Case, k: int | None) -> Outcome:
            several = len(set(case.predictions.user.tolist())) > 1
            return Errored("ValueError", "one user only", "") if several else super()._outcome(function, case, k)

    tried = try_functions(functions(), Choosy(CANONICAL))
    refused = sum(not isinstance(each, Measured) for each in tried.functions[0].outcomes.values())
    assert refused, "some plain case has two users"
    lines = trial_lines(tried)
    assert f"of {10 - refused}, {refused} refused" in lines[0]
    assert any("refused, of which nothing is known" in line for line in lines) == tried.sane
