"""Hold single observations, and the smallest counterexample."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from recsys_metric_audit.audit.observations.counterexample import (
    expected_difference,
    expected_difference_on_probes,
    other_formula,
    smallest_difference,
    witness,
)
from recsys_metric_audit.audit.observations.observation import (
    Observation,
    Tolerance,
    infer_tolerance,
    observations_by_function,
    percent_tolerance,
    scalar,
    user_tolerance,
)
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Crashed,
    Errored,
    Measured,
    NotOffered,
    Outcome,
    TimedOut,
    Unaskable,
)
from recsys_metric_audit.reference.cases import Kind, Probe, User
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from tests.support.answers_of_oracle import measured, oracle_observation

# Observations: how far it can be trusted, and how answers are sorted by function.

THIRDS = [number / 17 for number in range(1, 17)]


def mean(value: float, dtype: str = "float") -> Measured:
    return Measured(value, None, None, dtype, 0.0)


def per_user(*values: float) -> Measured:
    return Measured(None, np.arange(len(values)), np.array(values, dtype=float), "float64", 0.0)


def rounded(decimals: int) -> list[Measured]:
    return [mean(round(value, decimals)) for value in THIRDS]


def test_unrounded_numbers_are_float64() -> None:
    assert infer_tolerance([mean(value) for value in THIRDS]) == Tolerance(1e-9, "float64")


@pytest.mark.parametrize(
    ("dtype", "width"), [("float32", 2e-6), ("float16", 2.0**-10), ("bfloat16", 2.0**-7), ("2 decimals", 0.0051)]
)
def test_one_answer_of_a_coarser_type_makes_all_of_them_so(dtype: str, width: float) -> None:
    told = infer_tolerance([*map(mean, THIRDS), mean(0.5, dtype)])
    assert told.width == pytest.approx(width) and told.why == dtype


def test_numbers_that_single_precision_holds_exactly_were_computed_in_it() -> None:
    """Of 1/3, 1/7 and 1/11 in single precision, given as doubles; few bits, as of 0.5 or 0.625, show nothing."""
    singles = [float(np.float32(1 / each)) for each in (3, 7, 11)]
    assert infer_tolerance(map(mean, [*singles, 0.5])).width == 2e-6
    assert infer_tolerance(map(mean, [1 / 3, 1 / 7, 1 / 11, 0.5, 0.625, 0.0625])).width == 1e-9


@pytest.mark.parametrize("decimals", range(3, 9))
def test_rounded_numbers_are_trusted_to_half_of_their_last_decimal(decimals: int) -> None:
    found = infer_tolerance(rounded(decimals))
    assert found.why == f"{decimals} decimals"
    assert 0.5 * 10**-decimals <= found.width <= 0.55 * 10**-decimals


def test_percentages_of_two_decimals_are_trusted_to_half_of_the_last_one() -> None:
    found = percent_tolerance([mean(round(100 * value, 2)) for value in THIRDS])
    assert found is not None
    near, far = np.array([28.574, 99.004]), np.array([28.576, 99.006])
    assert found.close(near, np.array([28.57, 99.0])).all() and not found.close(far, np.array([28.57, 99.0])).any()


@pytest.mark.parametrize("values", [[12.5, 25.0, 50.0] * 10, [3.0, 7.0, 11.0] * 10, [100 * each for each in THIRDS]])
def test_other_percentages_show_no_rounding(values: list[float]) -> None:
    assert percent_tolerance(map(mean, values)) is None


def test_more_decimals_than_eight_are_no_rounding() -> None:
    assert infer_tolerance(rounded(9)).why == "float64"


@pytest.mark.parametrize("values", [[0.25] * 40, [0.0, 1.0, 0.5, 0.75] * 10, [round(value, 2) for value in THIRDS]])
def test_short_numbers_by_themselves_are_no_rounding(values: list[float]) -> None:
    # 1/4 and 1/2 are what small lists give: nothing says that anything was rounded.
    assert infer_tolerance(map(mean, values)).why == "float64"


def test_roots_of_rounded_numbers_are_trusted_to_half_of_the_last_decimal_of_their_squares() -> None:
    found = infer_tolerance([mean(math.sqrt(round(value, 4))) for value in THIRDS])
    assert (found.squares, found.why) == (True, "4 decimals, before the root")
    root, off = np.array([math.sqrt(0.1234)]), np.array([math.sqrt(0.12344)])
    assert found.close(off, root).all()
    assert not found.close(np.array([math.sqrt(0.1235)]), root).any()
    assert infer_tolerance([mean(math.sqrt(value)) for value in THIRDS]).why == "float64"


def test_ten_numbers_are_too_few_to_see_a_rounding() -> None:
    assert infer_tolerance(rounded(4)[:10]).why == "float64"
    assert infer_tolerance(rounded(4)[:11]).why == "4 decimals"


def test_what_is_no_number_says_nothing_of_decimals() -> None:
    others: Sequence[Outcome] = [mean(math.nan), mean(math.inf), Errored("E", "", ""), NotOffered("no"), TimedOut(1)]
    assert infer_tolerance([*others, *rounded(4)]).why == "4 decimals"
    assert infer_tolerance(others).why == "float64"


def test_close_is_relative_above_one_and_nan_is_nan() -> None:
    width = Tolerance(1e-3, "")
    predicted = np.array([0.5, 0.5, 1000.0, 1000.0, math.nan, math.nan, 0.0, math.inf, math.inf])
    observed = np.array([0.5009, 0.5011, 1000.9, 1001.1, math.nan, 0.0, math.nan, math.inf, -math.inf])
    # ±inf lies within inf · width of everything; equal infinities have to be equal, the other is left open.
    assert width.close(predicted, observed)[:8].tolist() == [True, False, True, False, True, False, False, True]


def test_scalar_is_the_library_s_mean_or_its_one_user() -> None:
    assert scalar(mean(0.25)) == 0.25
    assert scalar(Measured(0.25, np.arange(2), np.array([1.0, 0.0]), "float64", 0.0)) == 0.25
    assert scalar(per_user(0.75)) == 0.75
    assert scalar(per_user(0.75, 0.25)) is None
    nobody = scalar(per_user())
    assert nobody is not None and math.isnan(nobody)
    assert scalar(Measured(None, None, None, "float", 0.0)) is None


def test_answers_are_sorted_by_function_probe_and_cut_off() -> None:
    one, two, three, four, five = (mean(value) for value in (0.1, 0.2, 0.3, 0.4, 0.5))
    lost = Crashed(9, "")
    answers = [
        Answer(0, "f", 3, one), Answer(0, "g", 3, lost), Answer(1, "f", 5, two), Answer(1, "f", 10, three),
        Answer(2, "f", 3, four), Answer(3, "f", 3, five), Answer(2, "g", 3, one),
    ]  # fmt: skip
    observed = observations_by_function(answers, {0: "p", 2: "p", 3: "p"}, frozenset({1}))
    assert list(observed) == ["f", "g"]
    assert observed["f"].probes == {"p": one}
    assert observed["f"].data == {5: two, 10: three}
    assert observed["f"].repeats == {"p": (four, five)}
    assert (observed["g"].probes, observed["g"].data, observed["g"].repeats) == ({"p": lost}, {}, {"p": (one,)})


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        ([Errored("E", "", ""), TimedOut(1.0), Crashed(1, ""), NotOffered("no")], NotOffered("no")),
        ([Errored("E", "", ""), Unaskable("cannot"), NotOffered("no")], Unaskable("cannot")),
        ([Errored("E", "", ""), TimedOut(1.0), Crashed(1, "")], Crashed(1, "")),
        ([Errored("E", "", ""), TimedOut(1.0)], TimedOut(1.0)),
        ([Errored("E", "a", ""), Errored("F", "b", "")], Errored("E", "a", "")),
        ([TimedOut(1.0), mean(0.5)], None),
        ([], None),
    ],
)
def test_a_function_has_failed_where_nothing_was_measured(outcomes: list[Outcome], said: Outcome | None) -> None:
    probes = dict(zip("abcdef", outcomes, strict=False))
    assert Observation("f", probes, {}).failure() == said
    assert Observation("f", {}, dict(enumerate(outcomes))).failure() == said


def test_a_function_that_rounds_each_user_s_value_is_trusted_to_half_of_the_last_decimal() -> None:
    found = user_tolerance(rounded(4))
    assert found is not None
    assert found.width == pytest.approx(0.51e-4)
    assert found.why == "4 decimals of each user's value"


def test_answers_on_a_sample_stand_apart_from_those_on_the_data() -> None:
    outcomes = [mean(number) for number in (0.1, 0.2, 0.3)]
    answers = [Answer(ask, "f", 5, outcome) for ask, outcome in enumerate(outcomes)]
    found = observations_by_function(answers, {0: "p"}, frozenset({1}), sample=frozenset({2}))["f"]
    assert (found.probes, found.data, found.sample) == ({"p": outcomes[0]}, {5: outcomes[1]}, {5: outcomes[2]})


# The smallest input that shows a difference, by hand.

PRECISION, SHOWN = parse("precision@k"), parse("precision@k|denominator:shown")
# A list of one hit at k = 2: 1/2 over k, 1 over what is shown.
SHORT = Probe(Kind("distinguishing"), case_from_users("short", [User((2,))], why="the list is shorter than k"), 2)
LONGER = Probe(Kind("distinguishing"), case_from_users("longer", [User((2,), (2, 2))]), 2)


def asked(*values: float) -> Observation:
    probes = (LONGER, SHORT)[: len(values)]
    answers = {probe.name: measured(value) for probe, value in zip(probes, values, strict=True)}
    return Observation("f", answers, {}, further_probes=probes)


def test_gains_that_are_easy_to_read_come_first() -> None:
    fine = Probe(Kind("distinguishing"), case_from_users("fine", [User((2.00001,))]), 2)
    answers = {LONGER.name: measured(1.0), fine.name: measured(1.0)}
    found = smallest_difference(Observation("f", answers, {}, further_probes=(fine, LONGER)), PRECISION)
    assert found is not None and found.probe is LONGER and fine.size < LONGER.size


def test_what_a_reader_cannot_see_is_no_difference() -> None:
    assert smallest_difference(asked(0.50005, 0.5), PRECISION) is None


def test_the_witness_says_both_values_and_is_worked_with_both_definitions() -> None:
    made = witness(asked(0.5, 1.0), PRECISION, SHOWN)
    assert made is not None
    assert (made.case, made.k, made.library_value, made.canonical_value) == ("short", 2, 1.0, 0.5)
    assert made.text == "precision@k is 0.5, the library says 1: the list is shorter than k"
    assert [worked.value for worked in made.worked] == [0.5, 1.0]
    assert [worked.signature for worked in made.worked] == ["precision@2", "precision@2|denominator:shown"]
    (user,) = made.users
    assert ([item.hit for item in user.items], user.missing, user.r) == ([True], (), 1)


def test_a_witness_is_not_worked_with_a_definition_that_says_nothing_of_it() -> None:
    tied = Probe(Kind("distinguishing"), case_from_users("tied", [User((2, 0, 0), scores=(3.0, 3.0, 1.0))]), 1)
    answers = Observation("f", {tied.name: measured(0.25)}, {}, further_probes=(tied,))
    by_rule, without = (witness(answers, PRECISION, parse(f"precision@k|ties:{rule}")) for rule in ("average", "other"))
    assert by_rule is not None and [worked.value for worked in by_rule.worked] == [1.0, 0.5]
    assert without is not None and [worked.signature for worked in without.worked] == ["precision@1"]


def test_a_refusal_is_told() -> None:
    refused = Observation("f", {"short": Errored("ValueError", "too short", "")}, {}, further_probes=(SHORT,))
    made = witness(refused, PRECISION)
    assert made is not None and made.library_value is None
    assert "is 0.5, the library refuses the input (ValueError: too short)" in made.text


def test_an_input_that_shows_what_the_contract_settles_is_no_witness() -> None:
    by_rows = oracle_observation("recall@k|order:rows")
    canonical, fixed = parse("recall@k"), parse("recall@k|order:rows")
    shown = smallest_difference(by_rows, canonical)
    assert shown is not None and shown.probe.name == "best row last"
    assert witness(by_rows, canonical, None, (fixed,)) is None
    # Whatever else differs is shown on an input with its rows in the order of their scores.
    both = oracle_observation("recall@k|denominator:min|order:rows")
    other = smallest_difference(both, canonical, (fixed,))
    assert other is not None
    scores = other.probe.case.predictions.score.tolist()
    assert scores == sorted(scores, reverse=True)


def test_an_input_on_which_the_formula_differs_is_preferred_to_a_smaller_one() -> None:
    # A tie shows the order of ties on two rows; that the plain DCG is no share of the ideal one needs two hits.
    definition, canonical = parse("ndcg@k|ideal:none|ties:reversed"), parse("ndcg@k")
    observation = oracle_observation(definition.signature())
    smallest = smallest_difference(observation, canonical)
    formula = other_formula(definition, canonical)
    shown = smallest_difference(observation, canonical, (), formula)
    assert formula == parse("ndcg@k|ideal:none") and smallest is not None and shown is not None
    assert shown.by_formula and not smallest.by_formula
    problem = Problem.of([shown.probe.case], [shown.probe.k])
    values = [evaluate(each, problem).mean[0] for each in (canonical, formula)]
    assert abs(values[0] - values[1]) > 1e-3
    assert other_formula(parse("ndcg@k|ties:reversed"), canonical) is None


def test_where_the_contract_decides_on_usual_lists_a_list_of_all_relevant_items_is_the_witness() -> None:
    # Labels hold no relevant item that is not listed, and only users with a list: the areas of all users' rows in one
    # ranking differ from the mean of users' areas there, too.
    stacked, canonical = oracle_observation("auc|scope:stacked"), parse("auc")
    unlisted = [parse("auc|unlisted:dropped"), parse("auc|users:both")]
    found = smallest_difference(stacked, canonical, unlisted)
    assert found is not None
    case = found.probe.case
    listed = set(zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True))
    assert set(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True)) <= listed
    assert len(found.probe.users) > 1


def test_an_expected_difference_is_the_smallest_single_list() -> None:
    # One row, the hit: over k = 2 it is 1/2, over what is shown 1.
    found = expected_difference(SHOWN, PRECISION)
    assert found is not None
    assert (found.k, len(found.case.predictions.user), len(found.case.truth.user)) == (2, 1, 1)


def test_a_list_on_which_the_contract_decides_is_not_expected_to_show_a_difference() -> None:
    # A hit and a missed item at k = 1: 1 over min(k, r), 1/2 over r. Where labels hold listed items only, r is 1 and
    # both are 1: two listed items show the difference.
    by_min, canonical, listed_only = map(parse, ("recall@k|denominator:min", "recall@k", "recall@k|truth:listed"))
    usual = expected_difference(by_min, canonical)
    shown = expected_difference(by_min, canonical, [listed_only])
    assert shown is not None and usual is not None
    case = shown.case
    assert set(case.truth.item.tolist()) <= set(case.predictions.item.tolist())
    assert not set(usual.case.truth.item.tolist()) <= set(usual.case.predictions.item.tolist())


def test_an_expected_difference_that_no_list_of_one_user_shows_is_one_of_several_users() -> None:
    stacked, canonical, listed_only = parse("auc|scope:stacked"), parse("auc"), parse("auc|unlisted:dropped")
    assert expected_difference(stacked, canonical, [listed_only]) is None
    found = expected_difference_on_probes(stacked, canonical, [listed_only])
    assert found is not None and len(found.users) > 1
    apart = [evaluate(each, Problem.of([found.case], [found.k])).mean[0] for each in (stacked, canonical, listed_only)]
    assert apart[0] != pytest.approx(apart[1], abs=1e-3)
    assert apart[1] == pytest.approx(apart[2])
    assert expected_difference_on_probes(canonical, canonical) is None


def test_what_only_the_order_of_the_truth_shows_is_found_on_a_probe_of_one_user() -> None:
    first, canonical = parse("hit_rate@k|truth:first"), parse("hit_rate@k")
    assert expected_difference(first, canonical) is None
    found = expected_difference_on_probes(first, canonical)
    assert found is not None and len(found.users) == 1
    listed = found.case.predictions.item[: found.k].tolist()
    assert found.case.truth.item[0] not in listed and set(found.case.truth.item) & set(listed)


@pytest.mark.parametrize("same", ["precision@k", "precision@k|no_list:error", "precision@k|pooling:pooled"])
def test_no_list_of_one_user_shows_what_only_edges_or_averaging_do(same: str) -> None:
    assert expected_difference(parse(same), PRECISION) is None
