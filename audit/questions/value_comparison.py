"""Compares what definitions give on the generated cases: which cases tell them apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recsys_metric_audit.audit.observations.evidence import any_user, evaluate_cached
from recsys_metric_audit.audit.questions.case_features import FEATURE_OF_AXIS
from recsys_metric_audit.audit.questions.generated_cases import pool
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import takes_one_ranking
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.input.case import Bools, Floats, Ints
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE

GAP = 1e-3
"""Values must differ by more than this to tell definitions apart: it is larger than any tolerance."""

# Stand-ins for what has no number; no metric gives values as low as these.
_NAN, _REFUSED, _NO_USER_VALUE, _LEFT_OUT, _NOBODY = -6.0, -7.0, -7.0, -8.0, -9.0


def undescribed_features(definitions: Sequence[Definition]) -> frozenset[str]:
    """Return the features of inputs of which some definition says nothing: it has ``other`` on their axis."""
    return frozenset(
        FEATURE_OF_AXIS[axis] for each in definitions for axis, value in each.values if value in WITHOUT_RULE
    )


def differing_cases(pair: tuple[Definition, Definition], *, per_user: bool, whole_gains: bool) -> Bools:
    """Return a mask of the generated cases on which two definitions differ, of those of which both say something.

    Args:
        pair: The definitions.
        per_user: Compare the values of the users instead of the mean.
        whole_gains: Round the gains of all inputs up to whole numbers first.
    """
    asked = pool().problem_of_whole_gains if whole_gains else pool().problem
    one, other = (evaluate_cached(each, asked) for each in pair)
    if per_user:
        case = asked.placement.case
        apart = any_user(asked, np.abs(_user_values(one, case) - _user_values(other, case)) > GAP)
    else:
        (mean, silent), (other_mean, other_silent) = _mean(pair[0], one), _mean(pair[1], other)
        apart = np.abs(mean - other_mean) > GAP
        # Where one of them averages over nobody, 0 and NaN of the other tell nothing.
        heard = np.where(silent, other_mean, mean)
        apart = np.where(silent | other_silent, (heard != 0) & (heard != _NAN), apart) & ~(silent & other_silent)
    if barred := undescribed_features(pair):
        apart &= pool().without_features(barred)
    return apart


def value_classes(definitions: Sequence[Definition], per_user: bool) -> Ints:
    """Assign one number on each generated case to all definitions with equal values there, up to the gap.

    Args:
        definitions: The definitions.
        per_user: Compare the values of the users instead of the mean.

    Returns:
        Numbers of shape (definitions, cases).
    """
    made = [evaluate_cached(definition, pool().problem) for definition in definitions]
    if not per_user:
        both = [_mean(definition, each) for definition, each in zip(definitions, made, strict=True)]
        means, silent = (np.array(part) for part in zip(*both, strict=True))
        # 0 and NaN both fit where nobody is left to be averaged, and so tell nothing from it; but they tell the other
        # definitions apart.
        zero, nan = (np.any(~silent & (means == number), axis=0) for number in (0.0, _NAN))
        fitting = np.where(zero, 0.0, np.where(nan, _NAN, _NOBODY))
        return number_values(np.where(silent, fitting, means))
    case = pool().problem.placement.case
    numbers = number_values(np.array([_user_values(each, case) for each in made]))
    first, users = np.searchsorted(case, np.arange(len(pool().probes))), np.bincount(case, minlength=len(pool().probes))
    classes = np.zeros((len(definitions), len(users)), dtype=np.int64)
    for number in range(int(users.max(initial=0))):  # the users of a case one by one: what differs for any is apart
        cases = users > number
        classes[:, cases] = number_values(refine(classes[:, cases], numbers[:, first[cases] + number]).astype(float))
    return classes


def _mean(definition: Definition, made: Evaluated) -> tuple[Floats, Bools]:
    """Return the mean of each case, with stand-ins, and a mask of the cases of which nobody is left to be averaged.

    What comes out of those is a rule of its own; where the definition refuses the case, nothing comes out of it.
    """
    mean = np.where(made.refused, _REFUSED, np.nan_to_num(made.mean, nan=_NAN))
    return mean, made.nobody & ~made.refused & (not takes_one_ranking(definition))


def _user_values(made: Evaluated, case: Ints) -> Floats:
    """Return the value of each user of all cases, with stand-ins for users without one."""
    if len(made.value) != len(case):
        return np.full(len(case), _NO_USER_VALUE)  # one ranking of all rows
    values = np.where(made.counted, np.nan_to_num(made.value, nan=_NAN), _LEFT_OUT)
    return np.asarray(np.where(made.refused[case], _REFUSED, values))


def number_values(values: Floats) -> Ints:
    """Assign ascending numbers to each column's values; sorted values within the gap of the last share its number."""
    order = np.argsort(values, axis=0, kind="stable")
    steps = np.diff(np.take_along_axis(values, order, axis=0), axis=0) > GAP
    numbers = np.concatenate([np.zeros((1, values.shape[1]), dtype=np.int64), np.cumsum(steps, axis=0)])
    out = np.empty_like(numbers)
    np.put_along_axis(out, order, numbers, axis=0)
    return out


def refine(group: Ints, classes: Ints) -> Ints:
    """Split groups by classes: entries of one group and one class have one number."""
    return group * (int(classes.max(initial=0)) + 1) + classes


def count_distinct(columns: Ints) -> Ints:
    """Count the different numbers in each column."""
    return np.asarray((np.diff(np.sort(columns, axis=0), axis=0) != 0).sum(axis=0) + 1)
