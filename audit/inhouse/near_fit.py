"""Finds the nearest definition of a function that none explains: how many answers it gives, where it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.inhouse.call import ROUNDED, as_defined, every_scale
from recsys_metric_audit.audit.inhouse.function_inputs import describe_probe
from recsys_metric_audit.audit.observations.canonical import canonical_on
from recsys_metric_audit.audit.observations.evidence import Evidence, contradictions, gather_evidence, smallest_probe
from recsys_metric_audit.audit.observations.observation import Observation, finite_numbers, infer_tolerance, scalar
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Unaskable
from recsys_metric_audit.audit.refutation.unusual_features import FEATURES, Setting, features_of_probe
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.catalogue import variants_of
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.model.statement import WELL, WHOLE, NearDefinition, Scope
from recsys_metric_audit.reports.wording.meanings import open_cutoff

Bools = NDArray[np.bool_]
_LEAST_BLAMED = 0.6
"""The share of the cases with a feature that must misfit for the feature to be told as where a definition fails."""
_NEARLY_AS_MANY = 0.9
_TOLD_AT_MOST = 6
_DISTINCT = 12
"""So many different numbers of few digits are rounded ones."""


@dataclass(frozen=True, eq=False)
class _Near:
    """Holds a definition, the probes that it does not give, and what is said of it."""

    definition: Definition
    wrong: tuple[Probe, ...]
    said: NearDefinition


def near_fit(
    metric: str,
    found: Sequence[Definition],
    observation: Observation,
    probes: Sequence[Probe],
    search: Callable[[Observation], Sequence[Definition]],
    checked: str = "",
) -> NearDefinition | None:
    """Return the definition that gives the most answers, up to a change of scale; None without any answer.

    Args:
        metric: The metric whose documented formulas are held against the answers.
        found: Definitions that identification found to be near.
        observation: The answers.
        probes: The inputs that were asked.
        search: Identifies what fits an observation; used on the answers to inputs without what is blamed.
        checked: What else was found of the first of ``found``, in words.
    """
    asked = tuple(probe for probe in probes if isinstance(observation.probes.get(probe.name), Measured | Errored))
    if not asked:
        return None
    known = [variant.definition for variant in variants_of(metric)] or [Definition.of(metric)]
    documented = [_formula_alone(each).with_(k="k") for each in known]
    near_ones = [_plainest(each.with_(k="k") if each.k is not None else each, observation, asked) for each in found]
    tried = list(dict.fromkeys([*near_ones, *documented]))
    scope, held = _in_likeliest_scope(tried, observation, asked)
    if well := [each for each in held if each.fits >= WELL * each.answered]:
        held = well
    else:  # that a far-fetched definition gives some of the answers says nothing
        scope, held = _in_likeliest_scope(documented, observation, asked)
    most = max(each.fits for each in held)
    near = [each for each in held if each.fits >= _NEARLY_AS_MANY * most]
    near.sort(key=lambda each: (-each.fits, len(each.definition.differs_on)))
    told = [_told(each, scope, observation, asked) for each in near[:_TOLD_AT_MOST]]
    # A plain definition that fails in one known place says more than one that misfits here and there.
    best = min(told, key=lambda each: (each.said.other_misfits, -each.said.fits))
    if best.said.not_where and best.said.share >= WELL:
        for each in search(_without(observation, best)):
            again = _told(_held(each, scope, observation, asked), scope, observation, asked)
            if (again.said.fits, -again.said.other_misfits) > (best.said.fits, -best.said.other_misfits):
                best = again
    was_checked = best.definition in near_ones and best.said.scope == WHOLE
    return best.said.model_copy(update={"checked": checked}) if was_checked else best.said


def _scopes(observation: Observation) -> Iterable[Scope]:
    values = np.unique(finite_numbers(observation.probes.values()))
    rounded = [each for each in ROUNDED if each.digits is not None and _is_rounded(values, each.digits)]
    return (*every_scale(), *rounded[-1:])


def _is_rounded(values: NDArray[np.float64], digits: int) -> bool:
    alike = np.allclose(np.round(values, digits), values, rtol=0, atol=1e-12)
    return len(values) >= _DISTINCT // (1 if digits > 1 else 2) and bool(alike)


def _formula_alone(definition: Definition) -> Definition:
    """Return a definition that is canonical in who counts and in input, not written shortest, which takes long."""
    return canonical_on(definition, [axis for axis in definition.axes if level_of(axis) != "formula"])


def _plainest(definition: Definition, observation: Observation, asked: tuple[Probe, ...]) -> Definition:
    """Return a definition that gives as many answers, with every axis canonical of which no answer speaks."""
    evidence = scaled_evidence(observation, asked)
    least = contradicting(definition, evidence, observation).sum()
    for axis in definition.differs_on:
        plainer = canonical_on(definition, [axis])
        if plainer.family.refusal(plainer.axes):
            continue
        if (wrong := contradicting(plainer, evidence, observation).sum()) <= least:
            definition, least = plainer, wrong
    return definition


@dataclass(frozen=True, eq=False)
class _Held:
    """Holds how many answers there are, and a mask of those that a definition does not give."""

    definition: Definition
    answered: int
    wrong: Bools

    @property
    def fits(self) -> int:
        """Return how many answers the definition gives."""
        return self.answered - int(self.wrong.sum())


def _held(definition: Definition, scope: Scope, observation: Observation, asked: tuple[Probe, ...]) -> _Held:
    """Hold a definition against all answers in a scope."""
    evidence = scaled_evidence(observation, asked, scope)
    return _Held(definition, evidence.answered, contradicting(definition, evidence, observation, scope))


def _in_likeliest_scope(
    tried: Sequence[Definition], observation: Observation, asked: tuple[Probe, ...]
) -> tuple[Scope, list[_Held]]:
    """Return the scope in which a definition gives the most answers, the plain one if no other gives more.

    Where most answers are 0, a wrong scale gives nearly as many: it has to give more.
    """
    every = [(each, [_held(one, each, observation, asked) for one in tried]) for each in _scopes(observation)]
    return max(every, key=lambda each: max(one.fits for one in each[1]))


def _told(held: _Held, scope: Scope, observation: Observation, asked: tuple[Probe, ...]) -> _Near:
    definition, wrong = held.definition, held.wrong
    not_where, others = _blamed(definition, asked, wrong, _problem(asked))
    probe = smallest_probe(asked, wrong)
    example = misfit_example(definition, scope, probe, observation) if probe is not None else ""
    said = NearDefinition(
        definition=open_cutoff(definition.signature()), scope=scope, fits=held.fits, of=held.answered,
        not_where=not_where, other_misfits=others, example=example,
    )  # fmt: skip
    return _Near(definition, tuple(compress(asked, wrong)), said)


def scaled_evidence(observation: Observation, asked: tuple[Probe, ...], scope: Scope = WHOLE) -> Evidence:
    """Return all answers as the definition gives them in a scope."""
    values = {probe.name: as_defined(scope, observation.probes[probe.name]) for probe in asked}
    return gather_evidence(values, asked, _problem(asked))


@lru_cache(maxsize=16)
def _problem(asked: tuple[Probe, ...]) -> Problem:
    return problem_of(asked)


def contradicting(definition: Definition, evidence: Evidence, observation: Observation, scope: Scope = WHOLE) -> Bools:
    """Return a mask of the answers that contradict a definition."""
    every = [*observation.probes.values(), *observation.data.values()]
    return contradictions(definition, evidence, infer_tolerance(as_defined(scope, each) for each in every))


def _blamed(
    definition: Definition, asked: tuple[Probe, ...], wrong: Bools, problem: Problem
) -> tuple[dict[str, int], int]:
    """Return the features that the misfitting cases have and few others, each with its misfits; and the misfits left.

    The feature that explains most is taken first.
    """
    if not wrong.any() or wrong.mean() > WELL:
        return {}, int(wrong.sum())
    setting = Setting.of(definition, cutoff=definition.k is not None)
    nobody = evaluate(definition, problem).nobody
    having: dict[str, list[bool]] = {}
    for number, probe in enumerate(asked):
        own = {name for name in features_of_probe(probe, setting) if not FEATURES[name].told}
        own |= {"gains below 0"} if (probe.case.truth.gain < 0).any() else set()
        own |= {"nobody left to be averaged"} if nobody[number] else set()
        for name in own:
            having.setdefault(name, [False] * len(asked))[number] = True
    masks = {name: np.array(mask) for name, mask in having.items()}
    left, blamed = wrong.copy(), dict[str, int]()
    while left.any():
        shares = {name: (left & mask).sum() * ((wrong & mask).sum() / mask.sum()) ** 2 for name, mask in masks.items()}
        name = max(shares, key=lambda each: shares[each], default="")
        if (
            not name
            or not (left & masks[name]).any()
            or (wrong & masks[name]).sum() < _LEAST_BLAMED * masks[name].sum()
        ):
            break
        blamed[name] = int((left & masks[name]).sum())
        left &= ~masks[name]
    return blamed, int(left.sum())


def _without(observation: Observation, near: _Near) -> Observation:
    """Return the answers, in the scope of a near fit, to the inputs that do not misfit for what is blamed."""
    wrong = {probe.name for probe in near.wrong}
    left_out = Unaskable("it has what is blamed")
    answers = {
        name: left_out if name in wrong else as_defined(near.said.scope, outcome)
        for name, outcome in observation.probes.items()
    }
    return replace(observation, probes=answers, data={}, repeats={})


def misfit_example(definition: Definition, scope: Scope, probe: Probe, observation: Observation) -> str:
    """Say what a definition gives on a case, and what the function does, in digits that show the difference."""
    right = scope.number(float(evaluate(definition, _problem((probe,))).mean[0]))
    told = answer(observation, probe, right)
    return f"k = {probe.k}, {describe_probe(probe)}: {apart(right, observation, probe)} by that, {told}"


def apart(right: float, observation: Observation, probe: Probe) -> str:
    """Return a number in the digits that tell it from the answer to a probe."""
    value = scalar(observation.probes[probe.name])
    return told_apart(right, np.nan if value is None else value)[0]


def answer(observation: Observation, probe: Probe, right: float) -> str:
    """Say what the function answered to a probe, in digits that tell it from ``right``."""
    outcome = observation.probes[probe.name]
    if isinstance(outcome, Errored):
        return f"it raised {outcome.error}: {outcome.message}"
    if not isinstance(outcome, Measured):
        return "it gave no answer"
    value = scalar(outcome)
    if value is None and outcome.values is not None:
        return f"it returned {', '.join(f'{each:.6g}' for each in outcome.values)} for its users"
    assert value is not None
    return f"it returned {told_apart(right, value)[1]}"
