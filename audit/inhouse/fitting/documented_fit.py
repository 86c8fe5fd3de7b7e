"""Fits documented definitions where a search has too few inputs: labels of rows, asked at one cut-off only.

At one cut-off, most inputs of the search have relevant items below the list, which labels of rows cannot hold. What is
left is enough to hold documented definitions against it, and too little to search all others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.identification.data_recheck import fitting_data
from audit.identification.given_answers import infer_search_tolerance
from audit.inhouse.function_inputs import FunctionInputs
from audit.inhouse.shapes import Shape
from audit.observations.candidates import distinct, expand, meaningful
from audit.observations.evidence import Evidence, gather_evidence, survivors
from audit.observations.fit import Fit, Fitting, contradicted
from audit.observations.observation import Observation, Tolerance
from reference.catalogue import variants_of
from reference.definitions.definition import Definition
from reference.equality.projection import formula_of
from reference.evaluation.evaluate import Problem, takes_one_ranking
from reference.space.averaging import USERS
from reference.space.user_outcomes import asks_for

_OF_ONE_USER = ((), ("no_hit", "no_negatives"))
"""The axes that are tried, in steps, for a call for one user: the edges of a user with relevant items and a list."""
_OF_ALL_USERS = (("users",), ("no_hit",), ("no_negatives",), ("users", "undefined"))
"""The axes that are tried for a call with labels of all users; one without rows is in no such call."""
_ABOUT_LISTS = frozenset(each for each in USERS.names if asks_for(each, "listed") and not asks_for(each, "hit"))
"""Averaged users that differ from others only where somebody has no rows."""


def documented_fit(
    metric: str, observation: Observation, inputs: FunctionInputs, shape: Shape, data: Problem
) -> Fit | None:
    """Return the fit of the documented formulas with the fewest changes that no answer contradicts.

    Where none is, None for a function of one user, and for one of all users the fit with the nearest of them.

    Args:
        metric: The metric whose name the function bears.
        observation: The answers of the function.
        inputs: The inputs of its calls.
        shape: How it was called; where a search could ask all its inputs in this shape, there is no fit.
        data: The larger input, as a problem of one case.
    """
    if not inputs.one_k or shape.unlisted:
        return None
    evidence = gather_evidence(observation.probes, inputs.every)
    if not evidence.measured.any():
        return None
    tolerance = infer_search_tolerance(observation)
    formulas = [formula_of(variant.definition) for variant in variants_of(metric)]
    tried = list(with_ties(formulas, shape))
    for definitions in _by_changes(tried):
        left = _with_edges(definitions, evidence, tolerance, _OF_ALL_USERS if shape.users else _OF_ONE_USER)
        found = Fitting(tuple(left), 0.0, tolerance, evidence.answered)
        if left and (kept := fitting_data(found, observation, data, with_unspecified_ties=False)):
            worst = survivors(kept, evidence, tolerance, edges_known=True)[1]
            unseen = ("no_list",) if shape.users else ()
            return replace(found, definitions=kept, deviation=worst, unidentified_axes=unseen)
    # All definitions cannot be searched with what labels of all users show: too many would be left at each step.
    return contradicted("multi_user", evidence, distinct(tried), tolerance, evidence.answered) if shape.users else None


def _by_changes(definitions: Iterable[Definition]) -> Iterator[list[Definition]]:
    """Yield the definitions in groups, fewest changes first."""
    every = distinct(definitions)
    for changes in sorted({len(each.differs_on) for each in every}):
        yield [each for each in every if len(each.differs_on) == changes]


def with_ties(formulas: Iterable[Definition], shape: Shape) -> Iterator[Definition]:
    """Yield each formula with a letter as its cut-off, under every order of ties that the calls can show."""
    for formula in formulas:
        own = formula.with_(k="k") if formula.k is not None else formula
        names = tuple(name for name in ("ties",) if name not in shape.not_shown)
        yield from meaningful([Definition.of(own.metric, each, own.k) for each in expand(own.axes, own.metric, names)])


def _with_edges(
    definitions: list[Definition], evidence: Evidence, tolerance: Tolerance, steps: tuple[tuple[str, ...], ...]
) -> list[Definition]:
    """Return what survives all answers, each definition with the values on the axes of ``steps`` of fewest changes."""
    kept: list[Definition] = []
    single = evidence.only(~evidence.by_user)  # values of several users contradict where an edge is not known yet
    for each in definitions:
        left = survivors(_tried([each], steps[0]), single, tolerance, edges_known=False)[0]
        for number, axes in enumerate(steps[1:], 2):
            later = {axis for names in steps[number:] for axis in names}
            shown = evidence.only(~_shows(later, each, evidence))
            left = survivors(_tried(left, axes), shown, tolerance, edges_known=True)[0]
        kept += left[:1]
    return kept


def _tried(definitions: list[Definition], axes: tuple[str, ...]) -> list[Definition]:
    """Return the definitions with every combination of values on some axes, fewest changes first."""
    made = ((each, values) for each in definitions for values in expand(each.axes, each.metric, axes))
    able = (Definition.of(each.metric, values, each.k) for each, values in made if values["users"] not in _ABOUT_LISTS)
    return distinct(meaningful(list(able)))


def _shows(axes: Collection[str], definition: Definition, evidence: Evidence) -> NDArray[np.bool_]:
    """Return a mask of the probes with a user for whom one of these edges decides."""
    problem, stacked = evidence.problem, takes_one_ranking(definition)
    lists = problem.lists(definition.axes, stacked=stacked, uncut=definition.k is None)
    case = problem.placement_for(definition.axes, stacked=stacked).case[lists.owner]
    states = {"undefined": lists.relevant == 0, "no_negatives": lists.negatives == 0}
    users = np.any([np.zeros(len(lists), dtype=bool), *(mask for axis, mask in states.items() if axis in axes)], axis=0)
    shown: NDArray[np.bool_] = np.bincount(case[users], minlength=len(evidence.probes)) > 0
    return shown
