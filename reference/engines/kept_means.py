"""Computes means of definitions on one case, however large: all at once, a block of users at a time."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.merged_means import MergedMeans
from recsys_metric_audit.reference.engines.user_block import evaluate_block, is_user_by_user
from recsys_metric_audit.reference.engines.user_blocks import blocks_of, has_many_users
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError


def mean_of(definition: Definition, problem: Problem) -> float:
    """Return the mean of a definition on a problem of one case, at its cut-off; NaN of a definition that refuses it.

    Raises:
        TooManyOrdersError: with ``ties:average`` where a user's ties have too many orders.
    """
    keep_means((problem, [definition]))
    mean = problem.kept_means[_at_cutoff(definition, problem)]
    if isinstance(mean, TooManyOrdersError):
        raise mean
    return mean


def keep_means(*wanted: tuple[Problem, Iterable[Definition]]) -> None:
    """Compute the means that are not kept yet; many at once take little longer than one.

    Args:
        wanted: Problems of one case, each with the definitions to compute at its cut-off. Problems that share their
            placements (:meth:`Problem.at`) are computed together.
    """
    together: dict[int, dict[Definition, Problem]] = {}
    for problem, definitions in wanted:
        missing = together.setdefault(id(problem.kept_means), {})
        for definition in definitions:
            at_cutoff = _at_cutoff(definition, problem)
            if at_cutoff not in problem.kept_means:
                missing[at_cutoff] = problem
    for missing in together.values():
        _keep_in_blocks(missing)
        for definition, problem in missing.items():
            if definition not in problem.kept_means:
                problem.kept_means[definition] = _mean_at_once(definition, problem)


def _keep_in_blocks(missing: dict[Definition, Problem]) -> None:
    """Compute the means that can be computed a block of users at a time, where there are many users.

    Args:
        missing: Definitions at their cut-offs, each with its problem; these share what they keep.
    """
    problem, in_blocks = next(iter(missing.values()), None), list(filter(is_user_by_user, missing))
    if problem is None or not in_blocks or not has_many_users(problem.cases[0]):
        return
    merged = MergedMeans(in_blocks)
    for block in blocks_of(problem.cases[0]):
        merged.add(evaluate_block(block, in_blocks))
    problem.kept_means.update(zip(in_blocks, map(_mean, merged.results()), strict=True))


def _at_cutoff(definition: Definition, problem: Problem) -> Definition:
    """Return the definition with the cut-off of the problem, if it has one: a letter where the whole list counts."""
    (k,) = problem.k
    return definition if definition.k is None else definition.with_(k="k" if k < 0 else k)


def _mean(made: float | ValueError) -> float | TooManyOrdersError:
    """Return the mean; NaN of a definition that refuses the case."""
    if isinstance(made, TooManyOrdersError):
        return made
    return nan if isinstance(made, ValueError) else made


def _mean_at_once(definition: Definition, problem: Problem) -> float | TooManyOrdersError:
    try:
        made = evaluate(definition, problem)
    except TooManyOrdersError as error:
        return error
    return nan if made.refused[0] else float(made.mean[0])
