"""Identifies an in-house function as a function of a library is: the same loop, held-out inputs, and larger data.

What stays its own is how it is called. Where nothing fits as it stands, a scope is looked for in which something does,
and in that scope everything is asked again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from recsys_metric_audit.audit.findings.verdict import is_unstable
from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.process_pool import ThisProcess
from recsys_metric_audit.audit.identification.steps import identify
from recsys_metric_audit.audit.inhouse.call import UNIT_GAINS, Call, as_defined, every_scale, was_asked
from recsys_metric_audit.audit.inhouse.function_inputs import NOT_HELD, FunctionInputs, function_inputs, not_held
from recsys_metric_audit.audit.inhouse.near_fit import near_fit
from recsys_metric_audit.audit.inhouse.shape_trial import ShapeAnswers, trial_probes
from recsys_metric_audit.audit.inhouse.shape_trial import Trial as ShapeTrial
from recsys_metric_audit.audit.observations.fit import Contradicted, Fit, Fitting
from recsys_metric_audit.audit.observations.nobody_left import with_rule_for_nobody
from recsys_metric_audit.audit.observations.observation import Observation, infer_tolerance
from recsys_metric_audit.audit.process.protocol import Declined, Errored, Measured, Outcome
from recsys_metric_audit.audit.refutation.identify_functions import identify_functions
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.reference.cases import PROBES, Kind, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.model.statement import WELL, WHOLE, NearDefinition, Scope

FUNCTION = "function"
_SPREAD = 8
"""Every so many of the answered inputs are asked a second time; all of them where something is open."""
_NEAR_ENOUGH = 0.9
"""A near fit that gives so many of all answers says more than what is computed where every gain is 1."""
_LEAST_ANSWERED = 20
"""A verdict needs so many answered cases."""


@dataclass(frozen=True, eq=False)
class Identified:
    """Holds what was found of a function that was called in one way.

    Attributes:
        call: How it was called, and the scope.
        metric: The metric that it is compared with.
        observation: Its answers, as the definition gives them in the scope.
        inputs: The inputs that hold for such a call.
        data: The larger data.
        on_data: What the function answered on them.
        trial: What held-out inputs left of what was identified.
        near: The nearest definition, where none fits.
    """

    call: Call
    metric: str
    observation: Observation
    inputs: FunctionInputs
    data: Case
    on_data: Outcome
    trial: Trial
    near: NearDefinition | None = None

    @property
    def fit(self) -> Fit:
        """Return what fits the answers, held-out inputs included."""
        assert self.trial.diagnosis.fit is not None
        return self.trial.diagnosis.fit

    @property
    def asked(self) -> tuple[Probe, ...]:
        """Return all inputs but the held-out ones, those that were chosen for what was answered among them."""
        every = (*self.inputs.every, *self.observation.further_probes)
        return tuple({probe.name: probe for probe in every}.values())

    @property
    def answered(self) -> int:
        """Count the cases that have a number."""
        return sum(isinstance(each, Measured) for each in self.observation.probes.values())

    @property
    def explains(self) -> bool:
        """Return True if a definition fits all answers, those on the data among them."""
        return isinstance(self.fit, Fitting) and not self.trial.diagnosis.misses_data

    @property
    def unchecked(self) -> tuple[str, ...]:
        """Why a verdict cannot be given, in words: the checks that were not made."""
        why = self.trial.why_not
        return tuple(
            words
            for words, missing in (
                (f"only {self.answered} cases were answered", self.answered < _LEAST_ANSWERED),
                (f"held-out inputs were not answered ({why})", not self.trial.users),
                ("no larger data were answered", not isinstance(self.on_data, Measured)),
            )
            if missing
        )


def identified(call: Call, metric: str, tried: ShapeAnswers | None = None, *, every_input: bool = False) -> Identified:
    """Identify what a function computes; where nothing fits as it stands, say in what scope something does.

    Args:
        call: How it is called.
        metric: The metric that it is compared with.
        tried: Answers that it gave when its shape of call was tried.
        every_input: Ask all inputs at once, not those only that settle what it computes.
    """
    found = _asked_again(_in_scope(call, metric, tried, every_input=every_input))
    if (found.explains and not _reads_labels_of_1(found)) or is_unstable(found.observation, found.fit.tolerance):
        return found
    found = with_near_fit(found)
    for scope in _likely_scopes(found):
        within = _in_scope(call.within(scope), metric, None, every_input=every_input)
        if within.explains and not within.unchecked:
            return replace(within, near=found.near)
    return found


def _reads_labels_of_1(found: Identified) -> bool:
    """Return True if only labels of 1 count, in a call in which the caller's labels say what is relevant."""
    return "relevance" in found.call.shape.not_shown and found.fit.definitions[0].axes.get("relevance") == "equal_1"


def _likely_scopes(found: Identified) -> Iterator[Scope]:
    """Yield the scopes in which documented definitions give most answers."""
    near, asked = found.near, found.call.scope
    if asked != WHOLE:
        return
    if near is not None and near.scope != WHOLE:
        yield near.scope
    if near is None or near.share < _NEAR_ENOUGH:
        call = found.call.within(UNIT_GAINS)
        probes = trial_probes(call.shape, call.k)
        outcomes = call.outcomes(probes)

        def agreement(scale: Scope) -> float:
            defined = {name: as_defined(scale, each) for name, each in outcomes.items()}
            return ShapeTrial.of(call.shape, probes, defined, found.metric).agreement

        scale = max(every_scale(), key=agreement)
        if agreement(scale) > WELL:
            yield scale.model_copy(update={"where": UNIT_GAINS.where, "gains_of_1": True})


def _asked_again(found: Identified) -> Identified:
    """Ask inputs a second time, in the other direction and under another hash seed: is an answer the same again?

    The first of them comes first, so that the function takes its arguments in the form that it took before.
    """
    asked = [each for each in found.asked if isinstance(found.observation.probes.get(each.name), Measured)]
    # Answers that change may explain as well what does not fit.
    is_open = not found.explains or found.trial.refuted or found.trial.why_not
    chosen = asked[:: -1 if is_open else -_SPREAD]
    again = found.call.outcomes([*asked[:1], *chosen], again=True)
    repeats = {name: (outcome,) for name, outcome in again.items() if isinstance(outcome, Measured | Errored)}
    return replace(found, observation=replace(found.observation, repeats=repeats))


def _in_scope(call: Call, metric: str, tried: ShapeAnswers | None, *, every_input: bool) -> Identified:
    inputs, observation = _answers(call, tried, every_input=every_input)
    if (each := call.running.for_each_user(call.shape)) and _takes_one_user_only(observation):
        call_each = replace(call, shape=each)
        asked = _answers(call_each, None, every_input=every_input)
        if any(isinstance(outcome, Measured) for outcome in asked[1].probes.values()):
            call, (inputs, observation) = call_each, asked
    return _identified(call, metric, inputs, observation)


def _answers(call: Call, tried: ShapeAnswers | None, *, every_input: bool) -> tuple[FunctionInputs, Observation]:
    """Ask a function the inputs that its call holds, but for those that it answered when its shape was tried."""
    inputs = function_inputs(call.shape, call.k)
    # At one cut-off, and with labels for a truth, all inputs are few.
    first = inputs if every_input or inputs.one_k or not call.shape.unlisted else inputs.ordinary
    known = dict(tried.outcomes) if tried is not None else {}
    known = {name: each for name, each in known.items() if isinstance(each, Measured | Errored)}
    left = [probe for probe in first.every if probe.name not in known]
    asked = call.outcomes(left)
    outcomes = {probe.name: asked.get(probe.name) or known[probe.name] for probe in first.every}
    k = inputs.k if inputs.one_k else None
    return inputs, Observation(FUNCTION, outcomes, {}, further_probes=first.further, k=k)


def _takes_one_user_only(observation: Observation) -> bool:
    """Return True if a function of all users refuses most inputs of several: lists of unequal length, as a rule."""
    several = [observation.probes.get(probe.name) for probe in PROBES if probe.kind == Kind("multi_user")]
    refused = sum(isinstance(each, Errored) for each in several)
    one = [observation.probes.get(probe.name) for probe in PROBES if probe.kind == Kind("single_user")]
    answered = sum(isinstance(each, Measured) for each in one)
    return 2 * refused > len(several) and 2 * answered > len(one)


def _identified(call: Call, metric: str, inputs: FunctionInputs, observation: Observation) -> Identified:
    function = call.function(FUNCTION, metric)
    k = inputs.k if call.cutoff else None
    if not any(isinstance(each, Measured) for each in observation.probes.values()):
        nothing = Contradicted("formula", infer_tolerance(()), 0)
        return Identified(
            call, metric, observation, inputs, inputs.data, NOT_HELD, Trial(Diagnosis(function, observation, nothing))
        )
    # It ended its process or gave no answer too often to be asked all inputs.
    has_given_up = not all(map(was_asked, observation.probes.values()))
    data, on_data = (inputs.data, NOT_HELD) if has_given_up else call.data(inputs.data, inputs.k)
    # What no call of this shape holds counts as refused: nothing that holds it is asked.
    known = replace(
        observation,
        probes={**not_held(call.shape), **observation.probes},
        data={k: on_data} if isinstance(on_data, Measured) else {},
    )
    pool = ThisProcess(Problem.of([data], k))
    by_rows = {FUNCTION: [group for group in [_by_stable_sort(metric)] if group]}
    trial = identify_functions((function,), {FUNCTION: known}, pool, call.ask, known=by_rows)[FUNCTION]
    diagnosis, answers = trial.diagnosis, trial.diagnosis.observation
    answers = replace(
        answers, probes={name: each for name, each in answers.probes.items() if not isinstance(each, Declined)}
    )
    fit = diagnosis.fit
    assert fit is not None
    if isinstance(fit, Fitting):
        fit = with_rule_for_nobody(fit, answers)
    fit = replace(fit, cases=answers.answered)
    diagnosis = replace(diagnosis, observation=answers, fit=fit)
    return Identified(call, metric, answers, inputs, data, on_data, replace(trial, diagnosis=diagnosis))


def _by_stable_sort(metric: str) -> tuple[Definition, ...]:
    """Return the definitions of a metric of scores whose equal ones are ordered as the rows, given or turned round.

    Own functions sort in Python as a rule. A change of one axis leads to neither: the rule for ties is read only where
    items of one score are ranked.
    """
    canonical = Definition.of(metric)
    if not {"tied_scores", "ties", "no_negatives"} <= canonical.axes.keys():
        return ()
    edges = canonical.family.axis("no_negatives").names
    made = ({"ties": rule, "no_negatives": edge} for rule in ("given", "reversed") for edge in edges)
    return tuple(canonical.with_(tied_scores="ranked", **each) for each in made)


def with_near_fit(found: Identified) -> Identified:
    """Return what was found with the nearest definition, where none explains the function."""
    if found.explains:
        return found
    fit, checked = found.fit, ""
    nearest = [fit.nearest] if isinstance(fit, Contradicted) and fit.nearest is not None else [*fit.definitions]
    if isinstance(fit, Fitting):
        checked = "it does not give the value on larger data"
    elif fit.stage == "held-out input":
        checked = "held-out inputs refute it"
    near = near_fit(found.metric, nearest, found.observation, found.asked, partial(_searched, found), checked)
    return replace(found, near=near)


def _searched(found: Identified, observation: Observation) -> Sequence[Definition]:
    """Return the definitions that fit some of the answers."""
    data = Problem.of([found.data], found.inputs.k if found.call.cutoff else None)
    fit = identify(found.trial.diagnosis.function, observation, data).fit
    return fit.definitions if fit is not None else ()
