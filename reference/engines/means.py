"""Computes means of definitions on one case, however large: several at once, a block of users at a time."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan

from reference.definitions.definition import Definition
from reference.engines.blockwise import evaluate_in_blocks
from reference.engines.user_block import is_user_by_user
from reference.engines.user_blocks import has_many_users
from reference.evaluation.evaluate import Problem, evaluate
from reference.evaluation.prepared import Values
from reference.placement.tie_ranks import TooManyOrdersError

TOGETHER = 32
"""Definitions evaluated in one pass over the blocks, at most: each holds 9 bytes and more for every user."""


def mean_of(definition: Definition, problem: Problem) -> float:
    """Return the mean of a definition on a problem of one case, at the cut-off of the problem.

    Raises:
        TooManyOrdersError: with ``ties:average`` where a user's ties have too many orders.
    """
    keep_means([definition], problem)
    mean = problem.kept_means[_at_cutoff(definition, problem)]
    if isinstance(mean, TooManyOrdersError):
        raise mean
    return mean


def keep_means(definitions: Iterable[Definition], problem: Problem) -> None:
    """Compute the means that a problem of one case does not keep yet; many at once take little longer than one."""
    kept = problem.kept_means
    missing = dict.fromkeys(_at_cutoff(each, problem) for each in definitions)
    left = [each for each in missing if each not in kept]
    if has_many_users(problem.cases[0]):
        in_blocks = list(filter(is_user_by_user, left))
        for first in range(0, len(in_blocks), TOGETHER):
            some = in_blocks[first : first + TOGETHER]
            made = evaluate_in_blocks(problem.cases[0], some)
            kept |= {definition: _mean(values) for definition, values in zip(some, made, strict=True)}
    for definition in left:
        if definition not in kept:
            kept[definition] = _mean_at_once(definition, problem)


def _at_cutoff(definition: Definition, problem: Problem) -> Definition:
    """Return the definition with the cut-off of the problem, if it has one: a letter where the whole list counts."""
    (k,) = problem.k
    return definition if definition.k is None else definition.with_(k="k" if k < 0 else k)


def _mean(made: Values | ValueError) -> float | TooManyOrdersError:
    """Return the mean; NaN of a definition that refuses the case."""
    if isinstance(made, TooManyOrdersError):
        return made
    return nan if isinstance(made, ValueError) else made.mean


def _mean_at_once(definition: Definition, problem: Problem) -> float | TooManyOrdersError:
    try:
        return float(evaluate(definition, problem).mean[0])
    except TooManyOrdersError as error:
        return error
