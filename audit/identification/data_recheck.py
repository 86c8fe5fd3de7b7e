"""Holds definitions against the library's answer on the data: those that fit the probes have to give that as well."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan
from typing import TypeVar

import numpy as np

from recsys_metric_audit.audit.observations.evidence import contradicting_users, values_of_users
from recsys_metric_audit.audit.observations.fit import Contradicted, Fit, Fitting
from recsys_metric_audit.audit.observations.observation import Observation, scalar
from recsys_metric_audit.audit.observations.user_states import undescribed_axes, undescribed_users
from recsys_metric_audit.audit.observations.values_on_data import values_on_data
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.kept_means import keep_means, mean_of
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE

FitT = TypeVar("FitT", Fitting, Fit)
_NO_SINGLE_ORDER = ("average", "shared", "middle", *WITHOUT_RULE)
"""Tie rules that put tied rows in no order, or in none that is known."""

_MOST_WANTED = 32
"""Definitions of one fit that are noted for a comparison with answers on the data that are still to come."""


@dataclass(frozen=True)
class DataRecheck:
    """The outcome of a comparison with the answer on the data.

    Attributes:
        definitions: The definitions that fit the data as well.
        deviation: Their largest deviation; if none fits, the largest deviation of all.
        value: The mean of the first of them on the data, if it was compared.
        compared: What was compared, in words.
    """

    definitions: tuple[Definition, ...]
    deviation: float
    value: float | None
    compared: str


def recheck_on_data(fit: Fit, outcome: Measured, data: Problem) -> DataRecheck:
    """Compare the definitions of a fit with the library's answer on the data.

    A definition that averages over more orders of ties than can be enumerated is not compared, and kept.

    Args:
        fit: The definitions that fit the probes, and the tolerance.
        outcome: The library's answer at one cut-off.
        data: The data at that cut-off, as a problem of one case.
    """
    surviving, good_gaps, bad_gaps, value, not_compared = list[Definition](), [0.0], [0.0], None, ""
    if scalar(outcome) is not None:
        keep_means((data, fit.definitions))
    for definition in fit.definitions:
        try:
            good, gap = _fits(definition, outcome, data, fit)
            if good and value is None:
                value = mean_of(definition, data)
        except TooManyOrdersError as error:
            surviving.append(definition)
            not_compared = f"nothing: {error}"
            continue
        (good_gaps if good else bad_gaps).append(gap)
        if good:
            surviving.append(definition)
    if not_compared:
        return DataRecheck(tuple(surviving), max(good_gaps), value, not_compared)
    first = (surviving or fit.definitions)[:1]
    undescribed = int(undescribed_users(first[0], data).sum()) if first and undescribed_axes(first[0]) else 0
    largest = max(good_gaps if surviving else bad_gaps)
    return DataRecheck(tuple(surviving), largest, value, _what_is_compared(outcome, undescribed))


def unspecified_ties(fit: Fitting, outcome: Measured, data: Problem) -> tuple[Definition, ...]:
    """Return the definitions of a fit that fit all users without ties on the data, with ties in no describable order.

    An unstable sort keeps a rule on short lists and none on long ones. Only users' values show that: a mean does not
    tell whose value it is that differs.
    """
    ruled = [each for each in fit.definitions if each.axes.get("ties", "average") not in _NO_SINGLE_ORDER]
    if outcome.users is None or not ruled:
        return ()
    unordered = dict.fromkeys(each.with_(ties="unspecified") for each in ruled)
    users_only = replace(outcome, mean=None)
    return recheck_on_data(replace(fit, definitions=tuple(unordered)), users_only, data).definitions


def _fits(definition: Definition, outcome: Measured, data: Problem, fit: Fit) -> tuple[bool, float]:
    """Return whether the answer fits, and its deviation: of the mean, or of users' values if there is no mean."""
    mean = scalar(outcome)
    if mean is None and outcome.users is not None:
        return _users_fit(definition, outcome, data, fit)
    if mean is None:
        return True, 0.0
    made = mean_of(definition, data)
    gap = abs(made - mean)
    near = bool(fit.tolerance.close(np.array([made]), np.array([mean]))[0])
    # Undescribed users can move the mean of values from 0 to 1 by their share at most.
    undescribed = undescribed_users(definition, data) if undescribed_axes(definition) else np.zeros(1, dtype=np.bool_)
    share = undescribed.mean() * bool(undescribed.any())
    return near or gap * (1 - fit.tolerance.width) <= share, 0.0 if isnan(gap) else gap


def _users_fit(definition: Definition, outcome: Measured, data: Problem, fit: Fit) -> tuple[bool, float]:
    made, undescribed = evaluate(definition, data), undescribed_users(definition, data)
    if len(made.value) != len(undescribed):
        return False, 0.0  # one ranking of all rows has no value of a user
    value, given = values_of_users(outcome, data.placement.users)
    off = np.abs(made.value - value)[made.counted & given & ~undescribed]
    wrong = contradicting_users(made, value, given, fit.tolerance) & ~undescribed
    return not wrong.any(), float(np.nan_to_num(off).max(initial=0))


def _what_is_compared(outcome: Measured, undescribed: int) -> str:
    but = (
        f", but for {undescribed} user(s) with ties or repeats, of whom the definition says nothing"
        if undescribed
        else ""
    )
    if outcome.mean is not None:
        return f"the mean{but}"
    if outcome.users is not None:
        return f"the values of {len(outcome.users)} users{but}; the function gives no mean"
    return "nothing: the function gives neither a mean nor whose its values are"


def keep_what_fits_data(fit: FitT, observation: Observation, data: Problem) -> FitT:
    """Keep what fits the data at every cut-off; if nothing does, keep all, and report it cut-off by cut-off later."""
    if isinstance(fit, Contradicted):
        return fit
    surviving = fitting_data(fit, observation, data, with_unspecified_ties=False)
    surviving = surviving or fitting_data(fit, observation, data, with_unspecified_ties=True)
    return replace(fit, definitions=surviving) if surviving else fit


def fitting_data(
    fit: Fitting, observation: Observation, data: Problem, *, with_unspecified_ties: bool
) -> tuple[Definition, ...]:
    """Return the definitions that fit the data at every cut-off; as long as there are no answers on them, all."""
    surviving = fit.definitions
    if not observation.data:
        data.wanted.update(dict.fromkeys(surviving[:_MOST_WANTED]))
    for k, outcome in observation.data.items():
        if isinstance(outcome, Measured) and surviving:
            left, at = replace(fit, definitions=surviving), data.at(k)
            surviving = recheck_on_data(left, outcome, at).definitions
            if with_unspecified_ties and not surviving:
                valued, valued_data = values_on_data(observation, k, data)
                assert isinstance(valued, Measured)
                surviving = unspecified_ties(left, valued, valued_data)
    return surviving
