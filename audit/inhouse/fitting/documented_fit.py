"""Fits documented definitions where a search has too few inputs: labels of rows, asked at one cut-off only.

At one cut-off, most inputs of the search have relevant items below the list, which labels of rows cannot hold. What is
left is enough to hold documented definitions against it, and too little to search all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from audit.identification.data_recheck import fitting_data
from audit.identification.given_answers import infer_search_tolerance
from audit.identification.hypotheses.local_search import search_near
from audit.identification.hypotheses.pool_answers import PoolAnswers
from audit.inhouse.function_inputs import FunctionInputs
from audit.inhouse.shapes import Shape
from audit.libraries.function import Function
from audit.observations.candidates import distinct, expand, meaningful
from audit.observations.evidence import gather_evidence, survivors
from audit.observations.fit import Fit, Fitting, contradicted
from audit.observations.observation import Observation
from reference.catalogue import variants_of
from reference.definitions.definition import Definition
from reference.equality.projection import formula_of
from reference.evaluation.evaluate import Problem
from reference.space.averaging import USERS
from reference.space.user_outcomes import asks_for

_OF_ONE_USER = frozenset({"no_hit", "no_negatives"})
"""The axes that are tried for a call for one user: the edges of a user with relevant items and a list."""
_OF_ALL_USERS = _OF_ONE_USER | {"users", "undefined"}
"""The axes that are tried for a call with labels of all users; one without rows is in no such call."""
_ABOUT_LISTS = frozenset(each for each in USERS.names if asks_for(each, "listed") and not asks_for(each, "hit"))
"""Averaged users that differ from others only where somebody has no rows."""


def documented_fit(
    function: Function, observation: Observation, inputs: FunctionInputs, shape: Shape, data: Problem
) -> Fit | None:
    """Return the fit of the documented formulas with the fewest changes that no answer contradicts.

    Where none is, None for a function of one user, and for one of all users the fit with the nearest of them.

    Args:
        function: The function.
        observation: Its answers.
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
    answers = PoolAnswers(evidence, None, tolerance, evidence.answered)
    formulas = [formula_of(variant.definition) for variant in variants_of(function.metric)]
    tried = list(with_ties(formulas, shape))
    for definitions in _by_changes(tried):
        left = _with_edges(definitions, function, answers, _OF_ALL_USERS if shape.users else _OF_ONE_USER)
        found = Fitting(tuple(left), 0.0, tolerance, evidence.answered)
        if left and (kept := fitting_data(found, observation, data, with_unspecified_ties=False)):
            worst = survivors(kept, evidence, tolerance)[1]
            unseen = ("no_list",) if shape.users else ()
            return replace(found, definitions=kept, deviation=worst, unidentified_axes=unseen)
    # All definitions cannot be searched with what labels of all users show: too many would be left.
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
    definitions: list[Definition], function: Function, answers: PoolAnswers, axes: frozenset[str]
) -> list[Definition]:
    """Return what fits all answers, each definition with the values on some axes that change the least."""
    fixed = {axis.name for each in definitions[:1] for axis in each.family.all_axes} - axes
    found = (search_near([each], function, answers, fixed=fixed).definitions for each in definitions)
    able = ([one for one in own if one.axes["users"] not in _ABOUT_LISTS] for own in found)
    left = (survivors(own, answers.initial, answers.tolerance)[0] for own in able)  # a refusal has to be expected, too
    return [own[0] for own in left if own]
