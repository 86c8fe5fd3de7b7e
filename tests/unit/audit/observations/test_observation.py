"""Observations: how far it can be trusted, and how answers are sorted by function."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

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


def test_an_infinity_is_close_to_nothing_but_itself() -> None:
    width = Tolerance(1e-9, "float64")
    observed = np.array([np.inf, np.inf, -np.inf, np.inf])
    predicted = np.array([0.5, np.inf, np.inf, np.nan])
    assert width.close(predicted, observed).tolist() == [False, True, False, False]


def test_a_function_that_rounds_each_user_s_value_is_trusted_to_half_of_the_last_decimal() -> None:
    found = user_tolerance(rounded(4))
    assert found is not None
    assert found.width == pytest.approx(0.51e-4)
    assert found.why == "4 decimals of each user's value"


def test_exact_values_of_users_are_not_rounded() -> None:
    assert user_tolerance([mean(1 / number) for number in range(3, 20)]) is None


def test_answers_on_a_sample_stand_apart_from_those_on_the_data() -> None:
    outcomes = [mean(number) for number in (0.1, 0.2, 0.3)]
    answers = [Answer(ask, "f", 5, outcome) for ask, outcome in enumerate(outcomes)]
    found = observations_by_function(answers, {0: "p"}, frozenset({1}), sample=frozenset({2}))["f"]
    assert (found.probes, found.data, found.sample) == ({"p": outcomes[0]}, {5: outcomes[1]}, {5: outcomes[2]})
