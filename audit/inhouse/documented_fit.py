"""Fits documented definitions where a search has too few inputs: labels of rows, asked at one cut-off only.

At one cut-off, most inputs of the search have relevant items below the list, which labels of rows cannot hold. What is
left is enough to hold documented definitions against it, and too little to search all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from audit.identification.data_recheck import fitting_data
from audit.identification.search import infer_search_tolerance
from audit.inhouse.function_inputs import FunctionInputs
from audit.inhouse.shapes import Shape
from audit.observations.candidates import distinct, expand, meaningful
from audit.observations.evidence import Evidence, gather_evidence, survivors
from audit.observations.fit import Fit
from audit.observations.observation import Observation, Tolerance
from reference.catalogue import variants_of
from reference.definitions.definition import Definition
from reference.definitions.projection import formula_of
from reference.evaluation.evaluate import Problem

_EDGES = ("no_hit", "no_negatives")
"""The edges of a user with relevant items and a list: those that a call for one user can show."""


def documented_fit(
    metric: str, observation: Observation, inputs: FunctionInputs, shape: Shape, data: Problem
) -> Fit | None:
    """Return the fit of the documented formulas with the fewest changes that no answer contradicts; None if none is.

    Args:
        metric: The metric whose name the function bears.
        observation: The answers of the function.
        inputs: The inputs of its calls.
        shape: How it was called; where a search could ask all its inputs in this shape, there is no fit.
        data: The larger input, as a problem of one case.
    """
    if not inputs.one_k or shape.unlisted or shape.users:
        return None
    evidence = gather_evidence(observation.probes, inputs.every)
    if not evidence.measured.any():
        return None
    tolerance = infer_search_tolerance(observation)
    formulas = (formula_of(variant.definition) for variant in variants_of(metric))
    for definitions in _by_changes(_with_ties(formulas, shape)):
        left = _with_edges(definitions, evidence, tolerance)
        found = Fit(tuple(left), 0.0, tolerance, evidence.answered)
        if left and (kept := fitting_data(found, observation, data, with_unspecified_ties=False)):
            worst = survivors(kept, evidence, tolerance, edges_known=True)[1]
            return replace(found, definitions=kept, deviation=worst)
    return None


def _by_changes(definitions: Iterable[Definition]) -> Iterator[list[Definition]]:
    """Yield the definitions in groups, fewest changes first."""
    every = distinct(definitions)
    for changes in sorted({len(each.differs_on) for each in every}):
        yield [each for each in every if len(each.differs_on) == changes]


def _with_ties(formulas: Iterable[Definition], shape: Shape) -> Iterator[Definition]:
    """Yield each formula with a letter as its cut-off, under every order of ties that the calls can show."""
    for formula in formulas:
        own = formula.with_(k="k") if formula.k is not None else formula
        names = tuple(name for name in ("ties",) if name not in shape.not_shown)
        yield from meaningful([Definition.of(own.metric, each, own.k) for each in expand(own.axes, own.metric, names)])


def _with_edges(definitions: list[Definition], evidence: Evidence, tolerance: Tolerance) -> list[Definition]:
    """Return what survives all answers, under the policies at the edges with the fewest changes."""
    kept: list[Definition] = []
    single = evidence.only(~evidence.by_user)  # values of several users contradict where an edge is not known yet
    for each in survivors(definitions, single, tolerance, edges_known=False)[0]:
        widened = [Definition.of(each.metric, values, each.k) for values in expand(each.axes, each.metric, _EDGES)]
        fitting = survivors(distinct(meaningful(widened)), evidence, tolerance, edges_known=True)[0]
        kept += fitting[:1]
    return kept
