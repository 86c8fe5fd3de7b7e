"""The answers of one function, by probe and by cut-off of the data, and the precision of its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Crashed,
    Declined,
    Errored,
    Measured,
    NotAnswered,
    Outcome,
    TimedOut,
)
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reports.model.grouping import grouped

ByCutoff = Mapping[int | None, Outcome]

MAX_DECIMALS = 8
"""Numbers that agree with their rounding to more decimals than this are not taken for rounded."""
_STEPS = {"float16": 2.0**-10, "bfloat16": 2.0**-7}
"""The step between two numbers from 1 up, for types of half precision."""
_DECIMALS = " decimals"
_LEAST_SINGLE = 3
"""So many numbers that single precision holds exactly, and few bits do not, were computed in single precision."""
MIN_VALUES_FOR_ROUNDING = 11
"""Fewer numbers than this may be short by chance: they are not taken for rounded."""


@dataclass(frozen=True, eq=False)
class Observation:
    """All answers of one function.

    Attributes:
        function: Name of the function.
        probes: Outcome of each probe, by the probe's name.
        data: Outcome on the data, by cut-off; the cut-off is None for a function that takes none.
        repeats: Outcomes of probes that were asked more than once, without the first one, by the probe's name.
        other_recommenders: Outcomes on further recommenders' predictions, by recommender, then by cut-off.
        further_probes: Probes that were asked of this function after the initial ones.
        sample: Outcome on a sample of the users of the data, by cut-off, where the data were asked for means alone.
        refusal: Why `data` is empty, where all functions of the library refuse the data and it is identified without.
        k: The only cut-off at which the function was asked, where there is one: the probes were rescaled to it.
    """

    function: str
    probes: Mapping[str, Outcome]
    data: ByCutoff
    repeats: Mapping[str, tuple[Outcome, ...]] = field(default_factory=dict)
    other_recommenders: Mapping[str, ByCutoff] = field(default_factory=dict)
    further_probes: tuple[Probe, ...] = ()
    k: int | None = None
    sample: ByCutoff = field(default_factory=dict)
    refusal: str = ""

    @property
    def answered(self) -> int:
        """Return the number of probes that were asked and answered in any way."""
        return sum(not isinstance(each, NotAnswered) for each in self.probes.values())

    def failure(self) -> Outcome | None:
        """Return the outcome that best explains why nothing was measured; None if something was measured."""
        every = [*self.probes.values(), *self.data.values()]
        if any(isinstance(outcome, Measured) for outcome in every):
            return None
        for kind in (Declined, Crashed, TimedOut, Errored):
            for outcome in every:
                if isinstance(outcome, kind):
                    return outcome
        return None


@dataclass(frozen=True)
class Tolerance:
    """Bounds the distance up to which two numbers count as equal.

    Attributes:
        width: Largest deviation, relative to max(1, |value|).
        why: What the width was inferred from, in words.
        squares: True if the squares of the numbers are compared, not the numbers.
        absolute: True if the width is not relative.
    """

    width: float
    why: str
    squares: bool = False
    absolute: bool = False

    def close(self, predicted: np.ndarray, observed: np.ndarray) -> np.ndarray:
        """Return a mask that is True where both arrays are equal up to the width; NaN equals NaN."""
        if self.squares:
            predicted, observed = np.square(predicted), np.square(observed)
        with np.errstate(invalid="ignore"):
            scale = 1.0 if self.absolute else np.maximum(1, np.abs(observed))
            near = np.abs(predicted - observed) <= self.width * scale
            near &= np.isfinite(observed)  # relative to an infinity, every distance would be small
        out: np.ndarray = near | (np.isnan(predicted) & np.isnan(observed)) | (predicted == observed)
        return out


SINGLE_PRECISION = Tolerance(2e-6, "float64 that agrees to single precision only")
"""The tolerance of numbers in double precision that were computed in single precision."""


def decimals_type(count: int) -> str:
    """Return the type of numbers that are known to be rounded to so many decimals."""
    return f"{count}{_DECIMALS}"


def infer_tolerance(outcomes: Iterable[Outcome]) -> Tolerance:
    """Infer the tolerance from the dtype and the decimals of the numbers a function returned.

    float64 gives 1e-9, float32 gives 2e-6, as do numbers of float64 that single precision holds exactly; types of half
    precision give the step between their numbers. If all values have at most d decimals (3 ≤ d ≤ 8), they were
    rounded: the width is half a unit of the last decimal. If the squares of all values do, the values are square
    roots of rounded numbers, and squares are compared.
    """
    measured = [outcome for outcome in outcomes if isinstance(outcome, Measured)]
    values = finite_numbers(measured)
    types = {outcome.dtype for outcome in measured}
    if known := [each for each in types if each.endswith(_DECIMALS)]:
        return Tolerance(0.51 * 10.0 ** -int(known[0].removesuffix(_DECIMALS)), known[0])
    if half := [each for each in _STEPS if each in types]:
        return Tolerance(_STEPS[half[-1]], half[-1])
    if "float32" in types:
        return Tolerance(2e-6, "float32")
    if _are_single(values):
        return SINGLE_PRECISION
    if (decimals := _common_decimals(values)) is not None:
        return Tolerance(0.51 * 10.0**-decimals, f"{decimals} decimals")
    # Squares of numbers that are short by themselves are short, too: they say nothing about rounding.
    if not _has_decimals(values, MAX_DECIMALS) and (decimals := _common_decimals(np.square(values))) is not None:
        return Tolerance(0.51 * 10.0**-decimals, f"{decimals} decimals, before the root", squares=True)
    return Tolerance(1e-9, "float64")


def user_tolerance(outcomes: Iterable[Outcome]) -> Tolerance | None:
    """Infer the tolerance of a function that rounds each user's value; None if answers on one user are not rounded.

    A mean of rounded values has more decimals than they have, and is as near to the mean of exact ones as they are.
    """
    decimals = _common_decimals(finite_numbers(outcomes))
    return None if decimals is None else Tolerance(0.51 * 10.0**-decimals, f"{decimals} decimals of each user's value")


def percent_tolerance(outcomes: Iterable[Outcome]) -> Tolerance | None:
    """Infer the tolerance of a function that rounds percentages to two decimals; None if no rounding shows in it."""
    values = finite_numbers(outcomes)
    if not _has_decimals(values, 2) or _common_decimals(values / 100) != 4:
        return None
    return Tolerance(0.51e-2, "2 decimals of a percentage", absolute=True)


def _are_single(values: np.ndarray) -> bool:
    """Return True if several numbers are exact in single precision, though they need more than twelve bits."""
    with np.errstate(over="ignore"):
        exact = values == values.astype(np.float32)
    return len(np.unique(values[exact & (values * 4096 % 1 != 0)])) >= _LEAST_SINGLE


def _common_decimals(values: np.ndarray) -> int | None:
    """Return the number of decimals that all values were rounded to; None if nothing shows a rounding."""
    if len(values) < MIN_VALUES_FOR_ROUNDING or _has_decimals(values, 2):
        return None
    return next((count for count in range(3, MAX_DECIMALS + 1) if _has_decimals(values, count)), None)


def _has_decimals(values: np.ndarray, count: int) -> bool:
    return np.allclose(np.round(values, count), values, rtol=0, atol=1e-13)


def scalar(outcome: Outcome | None) -> float | None:
    """Return the mean, or the value of the only user if there is no mean; NaN for no user, None for several.

    None as well without a number.
    """
    if not isinstance(outcome, Measured):
        return None
    if outcome.mean is None and outcome.values is not None and len(outcome.values) <= 1:
        return float(outcome.values[0]) if len(outcome.values) else float("nan")
    return outcome.mean


def finite_numbers(outcomes: Iterable[Outcome]) -> np.ndarray:
    """Return the finite numbers among some outcomes, as :func:`scalar` has them."""
    return np.array([number for number in map(scalar, outcomes) if number is not None and np.isfinite(number)])


def observations_by_function(
    answers: Iterable[Answer],
    probe_of: Mapping[int, str],
    data: frozenset[int],
    other_recommenders: Mapping[int, str] | None = None,
    sample: frozenset[int] = frozenset(),
) -> dict[str, Observation]:
    """Sort answers into one observation per function.

    Args:
        answers: Answers of any functions, in the order in which they came.
        probe_of: Name of the probe behind each ask, by the ask's id.
        data: Ids of the asks on the data.
        other_recommenders: Name of the recommender behind each ask on another recommender's predictions.
        sample: Ids of the asks on a sample of the users of the data.

    Returns:
        Observations by function name, in the order of the functions' first answers.
    """
    return {
        name: _observation(name, own, probe_of, data, other_recommenders or {}, sample)
        for name, own in grouped((answer.function, answer) for answer in answers).items()
    }


def _observation(
    function: str, answers: list[Answer], probe_of: Mapping[int, str], data: frozenset[int], other: Mapping[int, str],
    sample: frozenset[int],
) -> Observation:  # fmt: skip
    by_recommender: dict[str, dict[int | None, Outcome]] = {}
    on_data: dict[int | None, Outcome] = {}
    on_sample: dict[int | None, Outcome] = {}
    by_probe: dict[str, list[Outcome]] = {}
    for answer in answers:
        if answer.ask in other:
            by_recommender.setdefault(other[answer.ask], {})[answer.k] = answer.outcome
        elif answer.ask in data:
            on_data[answer.k] = answer.outcome
        elif answer.ask in sample:
            on_sample[answer.k] = answer.outcome
        else:
            by_probe.setdefault(probe_of[answer.ask], []).append(answer.outcome)
    first = {name: outcomes[0] for name, outcomes in by_probe.items()}
    repeats = {name: tuple(outcomes[1:]) for name, outcomes in by_probe.items() if len(outcomes) > 1}
    return Observation(function, first, on_data, repeats, by_recommender, sample=on_sample)
