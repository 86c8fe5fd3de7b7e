"""The trial of one function: its definitions have to predict the answers to held-out cases.

A trial is a generator: it yields the probes to ask, and is sent their outcomes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.observations.fit import Contradicted, Fitting
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.process.protocol import Crashed, Measured, Outcome, TimedOut
from recsys_metric_audit.audit.refutation import unusual_features
from recsys_metric_audit.audit.refutation.ablation import Ablated, UnansweredError, ablate
from recsys_metric_audit.audit.refutation.draft import Draft
from recsys_metric_audit.audit.refutation.judgement import (
    Answers,
    Asking,
    Variant,
    evidence_of,
    is_refused,
    mispredicted,
    predicts,
    variant,
)
from recsys_metric_audit.audit.refutation.other_values import blamed_axes, other_values
from recsys_metric_audit.audit.refutation.shrinking import in_words, shrink
from recsys_metric_audit.audit.refutation.trial import Trial, Trying, with_answer
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import evaluate
from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reference.input.case import Bools
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError

FIRST, SECOND = 0, 1
"""Number the series of cases that every function is asked, and the series that confirms a value found by the first."""
_ROUNDS = 8
"""Limits how many times the cases of a series are asked, each time with fewer features."""
_SETTLED_BY_FEW = ("ties",)
"""Where this axis alone is refuted, a definition that few questions found is told without it: further questions tell
no rule that holds for the long runs of ties of held-out cases only."""
_USERS_TRIED = 4
"""So many users are tried by themselves where a case of all is mispredicted."""


@dataclass(eq=False)
class _State:
    """Holds a trial under way."""

    diagnosis: Diagnosis
    fit: Fitting
    setting: unusual_features.Setting
    removed: frozenset[str]
    refuted: dict[str, str] = field(default_factory=dict)
    refuted_formula: Contradicted | None = None

    @property
    def k(self) -> int | None:
        return self.diagnosis.observation.k

    def variant(self, series: int) -> Variant:
        return variant(series, self.removed, self.setting, self.k)

    def all_wrong(self, asked: Variant, answers: Answers) -> Bools:
        """Return a mask of the cases that every definition mispredicts; keep the definitions that predict all."""
        evidence = evidence_of(answers, asked.probes, asked.problem)
        wrong = [mispredicted(each, self.fit, evidence) for each in self.fit.definitions]
        right = tuple(each for each, mask in zip(self.fit.definitions, wrong, strict=True) if not mask.any())
        if right:
            ambiguity = self.fit.ambiguity if len(right) > 1 else None
            self.fit = replace(self.fit, definitions=right, ambiguity=ambiguity)
            return np.zeros(len(asked.probes), dtype=np.bool_)
        # Where each case has a definition that predicts it, the one of the fewest failures tells.
        out: Bools = min(wrong, key=lambda mask: int(mask.sum()))
        return out

    def is_wrong(self, draft: Draft, outcome: Outcome | None) -> bool:
        """Return True if every definition mispredicts the outcome of a draft."""
        if not isinstance(outcome, Measured):
            return False
        asked = draft.probe("asked")
        evidence = evidence_of({asked.name: outcome}, (asked,))
        return all(mispredicted(each, self.fit, evidence).any() for each in self.fit.definitions)

    def ended(self, users: int, cases: int, why_not: str = "") -> Trial:
        diagnosis = replace(self.diagnosis, fit=self.refuted_formula or self.fit)
        left_out = tuple(name for name in unusual_features.FEATURES if name in self.removed)
        return Trial(diagnosis, users, cases, left_out, why_not, self.refuted)


def try_to_refute(diagnosis: Diagnosis) -> Trying:
    """Try to refute the identified definitions; the diagnosis of the trial has no refuted value any more."""
    fit = diagnosis.fit
    if not isinstance(fit, Fitting):
        return Trial(diagnosis, why_not="no definition was found")
    setting = unusual_features.Setting.of(fit.definitions[0], cutoff=diagnosis.function.cutoff)
    state = _State(diagnosis, fit, setting, unusual_features.not_asked(diagnosis, setting))
    try:
        return (yield from _try(state))
    except UnansweredError:
        return state.ended(0, 0, "a case refutes it or is refused, and no answers tell why")


def _try(state: _State) -> Trying:
    """Ask the cases until the definitions predict all, with fewer features each time."""
    for _ in range(_ROUNDS):
        asked = state.variant(FIRST)
        answers = yield asked.probes
        outcomes = [answers.get(probe.name) for probe in asked.probes]
        if lost := next((each for each in outcomes if isinstance(each, Crashed | TimedOut)), None):
            return state.ended(0, 0, f"the function did not return ({type(lost).__name__})")
        refused = [number for number, each in enumerate(outcomes) if is_refused(each)]
        if refused:
            number = _case_to_ablate(state, asked, refused, frozenset(unusual_features.FEATURES))
            if (yield from _leave_out_refused(state, asked, number, answers)):
                continue
            return state.ended(0, 0, f"it refuses them: {_refusal(outcomes[number])}")
        if not any(isinstance(each, Measured) for each in outcomes):
            return state.ended(0, 0, "there are no answers to them")
        try:
            wrong = state.all_wrong(asked, answers)
        except TooManyOrdersError:
            state.removed |= unusual_features.acted_on_by({"ties"})
            continue
        if not wrong.any():
            return state.ended(*_tried(asked, outcomes))
        found = yield from _responsible(state, asked, wrong)
        few = state.diagnosis.from_few and not _told(found)
        if few and blamed_axes(state.fit, found.features) != _SETTLED_BY_FEW:
            return state.ended(0, 0, "it refutes a definition that few questions found")
        if not (yield from _learn(state, asked, answers, found)):
            return state.ended(*_tried(asked, outcomes))
    return state.ended(0, 0, "more was refuted than could be told apart")


def _tried(asked: Variant, outcomes: list[Outcome | None]) -> tuple[int, int]:
    """Return the number of users and of cases that were answered."""
    pairs = list(zip(asked.drafts, outcomes, strict=True))
    answered = [draft for draft, outcome in pairs if isinstance(outcome, Measured)]
    return sum(len(draft.users) for draft in answered), len(answered)


def _refusal(outcome: Outcome | None) -> str:
    return str(getattr(outcome, "message", "") or getattr(outcome, "why", ""))[:200]


def _case_to_ablate(state: _State, asked: Variant, numbers: list[int], removable: frozenset[str]) -> int:
    """Return the case of which most users are left without all removable features: each feature shows there by itself.

    Of several such cases, the smallest one is returned.
    """
    drafts = asked.drafts
    left = {each: len(unusual_features.without(drafts[each], removable, state.setting).users) for each in numbers}
    return min(numbers, key=lambda each: (-left[each], drafts[each].size))


def _leave_out_refused(state: _State, asked: Variant, number: int, answers: Answers) -> Asking[bool]:
    """Find the features for which a case is refused and leave them out; return False if the plain case is refused."""
    removable = frozenset(unusual_features.FEATURES) - state.removed
    name = asked.probes[number].name
    responsible = yield from ablate(
        asked.drafts[number], name, removable, state.setting, lambda _, outcome: is_refused(outcome)
    )
    found = frozenset[str]().union(*(each.features for each in responsible))
    state.removed |= found
    words = f"it refuses them: {_refusal(answers[name])}"
    state.refuted |= {each: words for each in found if unusual_features.FEATURES[each].told}
    return bool(found)


def _responsible(state: _State, asked: Variant, wrong: Bools) -> Asking[Ablated]:
    """Find the features of a mispredicted case that are responsible, among those on which an axis acts."""
    axes = {axis for each in state.fit.definitions for axis in each.axes}
    acted_on = (name for name, feature in unusual_features.FEATURES.items() if feature.told or axes & set(feature.axes))
    removable = frozenset(acted_on) - state.removed
    number = _case_to_ablate(state, asked, np.flatnonzero(wrong).tolist(), removable)
    name = asked.probes[number].name
    first, *_ = yield from ablate(asked.drafts[number], name, removable, state.setting, state.is_wrong)
    return first


def _learn(state: _State, asked: Variant, answers: Answers, found: Ablated) -> Asking[bool]:
    """Find out what is wrong where these features are; return False if the trial is over."""
    told = _told(found)
    blamed = told or blamed_axes(state.fit, found.features)
    if blamed and not told and (yield from _confirmed_other_values(state, asked, answers, found)):
        return False

    def is_as_wrong(draft: Draft, outcome: Outcome | None) -> bool:
        # Where nobody is left to be averaged, a smaller case would show something else.
        return _mean(state.fit.definitions[0], draft.probe("asked")) is not None and state.is_wrong(draft, outcome)

    has_number = _mean(state.fit.definitions[0], found.draft.probe("asked")) is not None
    likely = _smallest_users(found, state.setting)
    small = yield from shrink(found.draft, found.name, is_as_wrong if has_number else state.is_wrong, likely)
    probe = small.probe(f"{found.name}, smallest")
    answers = yield (probe,)
    outcome = answers.get(probe.name)
    if not blamed:
        state.refuted_formula = _refuted_formula(state.fit, probe)
        state.diagnosis = with_answer(state.diagnosis, probe, outcome)
        return False
    text = f"refuted on held-out input where there are {' and '.join(sorted(found.features))}: {in_words(small)}"
    state.refuted |= dict.fromkeys(blamed, f"{text}; {_numbers(state.fit.definitions[0], probe, outcome)}")
    if not told:
        unknown = tuple(dict.fromkeys((*state.fit.unidentified_axes, *blamed)))
        state.fit = replace(state.fit, unidentified_axes=unknown)
    state.removed |= set(told) or unusual_features.acted_on_by(set(blamed))
    return True


def _told(found: Ablated) -> tuple[str, ...]:
    """Return the features of which no definition says anything."""
    return tuple(name for name, feature in unusual_features.FEATURES.items() if feature.told and name in found.features)


def _smallest_users(found: Ablated, setting: unusual_features.Setting) -> list[Draft]:
    """Return, each as a case, the users that have all features by themselves: those of the fewest rows."""
    users = sorted((found.draft.of_users((each,)) for each in found.draft.users), key=lambda each: each.size)
    having = (each for each in users if found.features <= unusual_features.features_of(each, setting))
    return list(islice(having, _USERS_TRIED)) if len(users) > 1 else []


def _confirmed_other_values(state: _State, asked: Variant, answers: Answers, found: Ablated) -> Asking[bool]:
    """Adopt other values of the axes that act on the blamed features, if cases of another seed confirm them."""
    evidence = evidence_of(answers, asked.probes, asked.problem)
    candidates = [
        each
        for each in other_values(state.fit, found.features, state.diagnosis.observation)
        if predicts(each, state.fit, evidence)
    ]
    if not candidates:
        return False
    second = state.variant(SECOND)
    confirming = evidence_of((yield second.probes), second.probes, second.problem)
    if not (confirming.measured | confirming.by_user).any():
        return False
    confirmed = tuple(each for each in candidates if predicts(each, state.fit, confirming))
    if confirmed:
        state.fit = replace(state.fit, definitions=confirmed)
    return bool(confirmed)


def _refuted_formula(fit: Fitting, probe: Probe) -> Contradicted:
    """Return the outcome of the identification of a function whose formula a plain case refutes."""
    return Contradicted(
        "held-out input", fit.tolerance, fit.cases, fit.definitions[0], counterexample=probe,
        unidentified_axes=fit.unidentified_axes,
    )  # fmt: skip


def _numbers(definition: Definition, probe: Probe, outcome: Outcome | None) -> str:
    """Return in words what a definition gives on a probe, and what the library does."""
    made = _mean(definition, probe)
    evidence = evidence_of({probe.name: outcome} if outcome is not None else {}, (probe,))
    is_mean = bool(evidence.measured.any())
    own, said = told_apart(np.nan if made is None else made, float(evidence.value[0]) if is_mean else np.nan)
    return f"{definition.signature()} is {own}, the library says {said if is_mean else 'other values of users'}"


def _mean(definition: Definition, probe: Probe) -> float | None:
    """Return the number that a definition gives on a probe; None if it gives NaN."""
    made = float(evaluate(definition, problem_of([probe])).mean[0])
    return None if np.isnan(made) else made
