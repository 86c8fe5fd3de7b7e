"""The behaviours of one function: every experiment judged, with the class of each invariance that fails.

Definitions give the expected side of an experiment, and the range of a metric. The last experiment is the second route:
do two functions of one library that bear one metric's name agree?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.behaviours.experiment_answers import ExperimentAnswers
from recsys_metric_audit.audit.behaviours.experiments import METAMORPHIC_TESTS, RANGE, ROUTE, MetamorphicTest
from recsys_metric_audit.audit.behaviours.judges import Bounds, judge_range, with_text
from recsys_metric_audit.audit.behaviours.responses import FunctionUnderTest, Responses, Returned, response_of
from recsys_metric_audit.audit.behaviours.scenarios import (
    HIT_PLACES,
    LISTED,
    SCENARIOS,
    SEPARATE_CHANGES,
    rescale_scores,
    single_hit_name,
)
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Fit
from recsys_metric_audit.audit.observations.observation import Observation, infer_tolerance
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.observations.user_states import undescribed_axes, undescribed_cases
from recsys_metric_audit.audit.process.protocol import Declined, Errored, Measured, NotOffered
from recsys_metric_audit.reference.cases import EXHAUSTIVE, PROBES, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Floats
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reports.model.result import Behaviour, Finding


def functions_under_test(
    functions: Sequence[Function], answers: ExperimentAnswers, found: Mapping[str, tuple[Observation, Fit | None]]
) -> dict[str, FunctionUnderTest]:
    """Return, by name, the functions that the library offers and that can be imported.

    Args:
        functions: the functions of the library's manifest.
        answers: their answers in the experiments.
        found: the observation and the fit of each function, by its name.
    """
    made = {}
    for function in functions:
        observation, fit = found.get(function.name, (None, None))
        if observation is None or isinstance(observation.failure(), Declined) or not_built(function, observation):
            continue
        width = fit.tolerance if fit is not None else infer_tolerance(observation.probes.values())
        probes = {**answers.probes.get(function.name, {}), **observation.probes}
        made[function.name] = FunctionUnderTest(
            function, probes, answers.scenarios.get(function.name, {}), width,
            fit.definitions if fit is not None else (), answers.other_seed.get(function.name, {}),
            observation.further_probes, fit.unidentified_axes if fit is not None else (),
        )  # fmt: skip
    return made


def not_built(function: Function, observation: Observation) -> str:
    """Return why a function that needs compiling in a checkout cannot be imported; empty if it can."""
    match observation.failure() if function.built else None:
        case NotOffered(why):
            return why
        case Errored("ImportError" | "ModuleNotFoundError", message):
            return message
    return ""


_CASES = {probe.name: (probe.case, probe.k) for probe in PROBES} | {
    scenario.name: (scenario.case, scenario.ks[0]) for scenario in (*SCENARIOS, *SEPARATE_CHANGES)
}


@lru_cache(maxsize=5_000)
def _means(definition: Definition, names: tuple[str, ...], *, listed: bool = False) -> Floats:
    cases = [LISTED[name].case if listed and name in LISTED else _CASES[name][0] for name in names]
    return evaluate(definition, Problem.of(cases, [_CASES[name][1] for name in names])).mean


def canonical_stays(metric: str, names: tuple[str, ...], *, has_k: bool, listed: bool = False) -> bool:
    """Return True if the canonical definition of ``metric`` has equal values on two scenarios or probes.

    Args:
        metric: The metric's name.
        names: The scenarios or probes.
        has_k: Whether the function takes a cut-off.
        listed: Whether they are taken in their forms without unlisted items.
    """
    one, other = _means(canonical(metric, has_k=has_k), names, listed=listed)
    return bool(abs(one - other) < 1e-12)


def canonical(metric: str, *, has_k: bool) -> Definition:
    """Return the canonical definition of ``metric``, on whole lists if the function takes no cut-off."""
    known = Definition.of(metric)
    return known if has_k or known.k is None else Definition.of(metric, {"cutoff": "none"})


def explained(tested: FunctionUnderTest, names: tuple[str, ...], responses: Responses) -> bool:
    """Return True if a definition that fits a function gives its values on both scenarios.

    An axis of that definition then says already why the values differ.
    """
    returned = [responses.to(name) for name in names]
    if not all(isinstance(each, Returned) for each in returned):
        return False
    values = np.array([each.average for each in returned if isinstance(each, Returned)], dtype=float)
    expected = (_means(each, names, listed=tested.listed) for each in tested.definitions)
    return any(bool(responses.tolerance.close(each, values).all()) for each in expected)


def _has_repeats(case: Case) -> bool:
    """Return True if a user has an item twice, in the predictions or in the truth."""
    return any(
        len(np.unique(np.stack([part.user, part.item]), axis=1).T) < len(part.user)
        for part in (case.predictions, case.truth)
    )


RANGE_PROBES = tuple(probe.name for probe in (*PROBES, *EXHAUSTIVE) if not _has_repeats(probe.case))
"""Probes on which the range of a function is judged, in their order; where a row occurs twice, one that counts it twice
can exceed the range of its metric."""
RANGE_SCENARIOS = frozenset(each.name for each in (*SCENARIOS, *SEPARATE_CHANGES) if not _has_repeats(each.case))
"""Scenarios on which it is judged as well, for the same reason."""


@cache
def bounds(metric: str) -> Bounds:
    """Return the range of a metric, from its canonical values on all probes, as they are and with scores × 100.

    Shares of hits lie between 0 and 1, correlations between −1 and 1, errors have no upper end.
    """
    probes = [probe for probe in PROBES if probe.name in RANGE_PROBES]
    cases = [*(probe.case for probe in probes), *(rescale_scores(probe.case, times=100.0) for probe in probes)]
    values = evaluate(Definition.of(metric), Problem.of(cases, [probe.k for probe in probes] * 2)).mean
    values = values[np.isfinite(values)]
    lowest, highest = values.min(initial=0), values.max(initial=0)
    low = 0.0 if lowest >= 0 else -1.0 if lowest >= -1 else -np.inf
    return low, 1.0 if highest <= 1 else np.inf


def top_and_bottom_values(definition: Definition) -> tuple[float, float]:
    """Return the definition's values of the single-hit list with its hit at the first and at the last place."""
    one, other = _means(definition, (single_hit_name(HIT_PLACES[0]), single_hit_name(HIT_PLACES[-1])))
    return float(one), float(other)


def second_route(tested: FunctionUnderTest, siblings: Sequence[FunctionUnderTest]) -> Behaviour:
    """Compare a function with the sibling of the same metric that differs from it on the fewest probes.

    Where one of them was asked a probe and the other was not, the definition of the other answers, if it is known. Two
    that agree on all that both were asked differ where they were identified as different definitions.

    Args:
        tested: the function.
        siblings: the functions of its library; the function itself may be among them.
    """
    own = tested.function
    routes = [
        each
        for each in siblings
        if each.function.metric == own.metric and each.function.cutoff == own.cutoff and each.function.name != own.name
    ]
    if not routes:
        return Behaviour(name="not_askable", text="there is none")
    best: tuple[int, bool, int, str] | None = None
    for route in routes:
        probes = {probe.name: probe for probe in (*tested.further, *route.further)}
        names = tuple(dict.fromkeys((*tested.probes, *probes)))
        values, other = (_numbers(each, names, probes) for each in (tested, route))
        both = np.isfinite(values) & np.isfinite(other)
        wrong = int((both & ~tested.tolerance.close(values, other)).sum())
        other_definition = not wrong and _are_defined_otherwise(tested, route)
        if both.any() and (best is None or (wrong, other_definition) < best[:2]):
            best = wrong, other_definition, int(both.sum()), route.function.name
    return _agreement(best)


def _are_defined_otherwise(one: FunctionUnderTest, other: FunctionUnderTest) -> bool:
    """Return True if two functions were identified as different definitions of one metric.

    What comes out where nobody is left makes no difference, nor what is not known of one of them, or decided by its
    contract or adapter.
    """
    if len(one.definitions) != 1 or len(other.definitions) != 1:
        return False
    first, second = one.definitions[0], other.definitions[0]
    silent = {NOBODY.name, *one.unknown, *other.unknown, *one.function.ruled_out, *other.function.ruled_out}
    beside = second.with_(**{axis: value for axis, value in first.axes.items() if axis in silent & second.axes.keys()})
    return first.metric == second.metric and not are_equal(first, beside)


def _agreement(best: tuple[int, bool, int, str] | None) -> Behaviour:
    """Name the agreement with the nearest route.

    Args:
        best: How many cases differ, whether the definition does, how many cases were compared, the name of the route.
    """
    if best is None:
        return Behaviour(name="not_askable", text="no other one answers the same cases")
    wrong, other_definition, asked, name = best
    if wrong:
        return Behaviour(name="differs", text=f"nearest is {name}, other on {wrong} of {asked} cases")
    if other_definition:
        text = f"nearest is {name}, which gives the same on {asked} cases; its definition is another"
        return Behaviour(name="differs", text=text)
    return Behaviour(name="agrees", text=f"{name}, on {asked} cases")


def _numbers(tested: FunctionUnderTest, names: Sequence[str], probes: Mapping[str, Probe]) -> NDArray[np.float64]:
    """Return the function's number on each probe, NaN where it gave none.

    On a probe in ``probes`` that the function was not asked, the number is that of its definition, if it is known.
    """
    missing = [probe for name, probe in probes.items() if name not in tested.probes]
    told = _told_values(tested.known, missing) if tested.known is not None and missing else {}
    out = np.full(len(names), np.nan)
    for column, name in enumerate(names):
        outcome = tested.probes.get(name)
        response = response_of(outcome) if isinstance(outcome, Measured) else None
        if isinstance(response, Returned) and response.number is not None:
            out[column] = response.number
        elif outcome is None:
            out[column] = told.get(name, np.nan)
    return out


def _told_values(known: Definition, probes: Sequence[Probe]) -> dict[str, float]:
    """Return what a definition gives on some probes; nothing where it has no rule, or nobody is left."""
    asked = problem_of(probes)
    made = evaluate(known, asked)
    silent = made.refused | made.nobody | undescribed_cases(undescribed_axes(known), asked)
    return {
        probe.name: mean
        for probe, mean, nothing in zip(probes, made.mean.tolist(), silent.tolist(), strict=True)
        if not nothing
    }


_FAILED = frozenset({"changes", "tied", "nan", "raises", "crashes", "times_out"})


def behaviours(tested: FunctionUnderTest, siblings: Sequence[FunctionUnderTest] = ()) -> dict[str, Behaviour]:
    """Return what a function did in every experiment, by the experiment's name.

    Args:
        tested: the function.
        siblings: the functions of its library, among which a second route is looked for.
    """
    responses = tested.responses
    found = {test.name: _judged(test, tested, responses) for test in METAMORPHIC_TESTS}
    found[RANGE.name] = _range(tested)
    found[ROUTE.name] = second_route(tested, siblings)
    return found


def _judged(test: MetamorphicTest, tested: FunctionUnderTest, responses: Responses) -> Behaviour:
    if reason := tested.function.ruled_out.get(test.axis or ""):
        return Behaviour(name="not_askable", text=reason)
    behaviour = test.judge(responses)
    if behaviour.name not in ("not_askable", "not_asked"):
        behaviour = with_text(behaviour, tested.with_form(behaviour.text, test.judge.reads[:1]))
    if test.slug is None:
        return behaviour
    if behaviour.name not in _FAILED or not _is_wrong(test, tested, responses):
        return behaviour
    return behaviour.model_copy(update={"slug": test.slug})


def _is_wrong(test: MetamorphicTest, tested: FunctionUnderTest, responses: Responses) -> bool:
    """Return True if the canonical value stays under the change and no definition that fits explains the answers."""
    if not test.pair:
        return True
    own = tested.function
    if not canonical_stays(own.metric, test.pair, has_k=own.cutoff, listed=tested.listed):
        return False
    return not explained(tested, test.pair, responses)


def _range(tested: FunctionUnderTest) -> Behaviour:
    # Inputs that identification chose for one function would make ranges of two functions incomparable.
    answers = {name: response_of(tested.probes[name]) for name in RANGE_PROBES if name in tested.probes}
    answers |= {
        tested.with_form(each, [each]): tested.responses.to(each)
        for each in tested.scenarios
        if each in RANGE_SCENARIOS
    }
    if not any(isinstance(each, Returned) for each in answers.values()):
        return Behaviour(name="not_asked")
    return judge_range(bounds(tested.function.metric), answers, max(tested.tolerance.width, 1e-6))


class BehaviourAnnotator:
    """Adds behaviours to the findings of one library; each function is judged once for all its findings."""

    def __init__(self, tested: Mapping[str, FunctionUnderTest]) -> None:
        self._tested = tested
        self._behaviours: dict[str, dict[str, Behaviour]] = {}

    def annotate(self, finding: Finding) -> Finding:
        """Return the finding with its function's behaviours and the classes they add, if it was measured."""
        tested = self._tested.get(finding.function)
        if tested is None or finding.status != "measured":
            return finding
        if finding.function not in self._behaviours:
            self._behaviours[finding.function] = behaviours(tested, list(self._tested.values()))
        found = self._behaviours[finding.function]
        slugs = [each.slug for each in found.values() if each.slug is not None]
        classes = tuple(dict.fromkeys((*finding.classes, *slugs)))
        return finding.model_copy(update={"behaviours": found, "classes": classes})
