"""Rounds of questions: what identification leaves open is asked again, with the cases that would settle it.

The first round is the same for every function. After it, where several definitions fit, the cases that tell them
apart are asked; where small inputs contradict all of them, each small input is asked alone, to find the smallest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from audit.identification.data_recheck import settle
from audit.identification.process_pool import Crew
from audit.identification.recheck import (
    SEPARATING,
    SMALL_SCOPE,
    as_they_are,
    on,
    on_all,
    told_apart,
    wants_listed,
    with_unshown,
)
from audit.identification.search import identify
from audit.libraries.function import Function
from audit.observations import probe_tables
from audit.observations.canonical import canonical
from audit.observations.counterexample import expected_difference, smallest_difference
from audit.observations.evidence import Heard, against, hear, kept, smallest
from audit.observations.fit import Fit, stopped
from audit.observations.observation import Observation, observations
from audit.process.protocol import Ask, Conversation, Errored, Measured, NotOffered, Outcome, Unaskable
from audit.questions import distinguishing, generated_cases
from audit.questions.initial import ALL_LISTED, LATER
from reference.cases import SOLE, Probe, split_batch
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, takes_one_ranking
from reference.input.case import Case

Purpose = Literal["later", "sole", "separating", "edges", "single", "confirming"]
OFTEN: dict[Purpose, int] = {
    "later": 1, "sole": 1, "separating": 4, "edges": 2, "single": 1, "confirming": 2,
}  # fmt: skip
"""A function is asked again at most so many times for each purpose: kinds of probes that it was not asked at first,
one ranking of all rows in an unusual state, cases that tell definitions apart, states that no crowd has shown, each
small input alone, and cases that confirm what fits."""

Put = Callable[[Mapping[str, Case], Sequence[Ask]], Conversation]


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What was heard of one function in all rounds, and what fits; ``fit`` is None where nothing was measured, or
    nothing on the data."""

    function: Function
    observation: Observation
    fit: Fit | None


@dataclass(frozen=True, eq=False)
class _Standing:
    """Where a diagnosis stands: what is to be asked next, and what for, or None."""

    now: Diagnosis
    wish: tuple[Purpose, tuple[Probe, ...]] | None


def diagnose(
    functions: Sequence[Function], heard: Mapping[str, Observation], crew: Crew, put: Put
) -> dict[str, Diagnosis]:
    """Identify every function, asking on with ``put`` while something that can be asked would settle it; ``crew``
    computes, and holds the data."""
    asked = {each.name: each for each in functions if each.name in heard}
    whole = _with_listed(asked, heard, put)
    out = dict(zip(asked, crew(_begun, asked.values(), (whole[name] for name in asked)), strict=True))
    so_often: Counter[tuple[str, Purpose]] = Counter()
    while wishes := {
        name: at.wish for name, at in out.items() if at.wish and so_often[name, at.wish[0]] < OFTEN[at.wish[0]]
    }:
        so_often.update((name, purpose) for name, (purpose, _) in wishes.items())
        answers = _ask(asked, {name: probes for name, (_, probes) in wishes.items()}, put)
        further = crew(_gone_on, (out[name] for name in wishes), map(answers.get, wishes))
        out |= dict(zip(wishes, further, strict=True))
    return dict(zip(out, crew(_ended, out.values()), strict=True))


def _begun(function: Function, observation: Observation, data: Problem) -> _Standing:
    now = _first(function, observation, data)
    return _Standing(now, _wanted(now))


def _gone_on(at: _Standing, heard: Observation | None, data: Problem) -> _Standing:
    assert at.wish is not None
    now = _again(at.now, *at.wish, heard, data)
    return _Standing(now, _wanted(now))


def _ended(at: _Standing, data: Problem) -> Diagnosis:
    return replace(at.now, fit=_left_open(at.now))


def _with_listed(
    functions: Mapping[str, Function], heard: Mapping[str, Observation], put: Put
) -> dict[str, Observation]:
    """What was heard; of those that answered few crowds, though single users, also where all relevant items are listed:
    they may take no others."""
    probes = tuple(probe for kind in ALL_LISTED for probe in probe_tables.probes(kind))
    few = (name for name in functions if 2 * on(heard[name], "crowd").answered < len(probe_tables.probes("crowd")))
    wanted = {name: probes for name in few if on(heard[name], "plain").known.any()}
    answers = _ask(functions, wanted, put) if wanted else {}
    return {name: _with(heard[name], wanted.get(name, ()), answers.get(name)) for name in functions}


def _with(observation: Observation, probes: tuple[Probe, ...], heard: Observation | None) -> Observation:
    """An observation with what was heard on further probes; where nobody answered, that."""
    answers = dict(heard.probes) if heard is not None else {}
    missing = {probe.name: NotOffered("not answered") for probe in probes if probe.name not in answers}
    further = (*observation.further, *probes)
    return replace(observation, probes={**observation.probes, **answers, **missing}, further=further)


def _first(function: Function, observation: Observation, data: Problem) -> Diagnosis:
    on_data = observation.data.values()
    if observation.failure() is not None or (on_data and not any(isinstance(each, Measured) for each in on_data)):
        return Diagnosis(function, observation, None)  # what has no number on the data has no row to be explained

    def waits(fit: Fit) -> Fit:
        return _unless_told_apart(Diagnosis(function, observation, fit), fit)

    fit = identify(observation, function.metric, has_k=function.cutoff, waits=waits)
    return Diagnosis(function, observation, _on_data(fit, observation, data))


def _unless_told_apart(now: Diagnosis, fit: Fit) -> Fit:
    """What waits is taken as it is where no case that can be asked would make it less."""
    if fit.waiting is None or _separating(now, fit.definitions):
        return fit
    return as_they_are(fit, now.observation)


def _on_data(fit: Fit, observation: Observation, data: Problem) -> Fit:
    """Leave what fits the data at every cut-off, unless nothing does: that is told cut-off by cut-off. What waits to
    be followed is too much for data of this size, and is held against them when it is less."""
    if fit.waiting is not None:
        return fit
    staying = fit.definitions
    for k, outcome in observation.data.items():
        if isinstance(outcome, Measured):
            staying = settle(replace(fit, definitions=staying), outcome, data.at(k)).definitions
    return replace(fit, definitions=staying) if staying else fit


def _wanted(now: Diagnosis) -> tuple[Purpose, tuple[Probe, ...]] | None:
    """What is to be asked next, and what for."""
    fit, asked = now.fit, frozenset(now.observation.probes)
    if fit is None:
        return None
    wishes: list[tuple[Purpose, tuple[Probe, ...]]] = []
    if _unfitted(now, fit):
        wishes.append(("later", tuple(p for kind in LATER for p in probe_tables.probes(kind) if p.name not in asked)))
    if any(map(takes_one_ranking, fit.definitions)):
        wishes.append(("sole", tuple(p for p in SOLE if p.name not in asked)))
    if len(fit.definitions) > 1:
        wishes.append(("separating", _separating(now, fit.definitions)))
    elif fit.note == SMALL_SCOPE and fit.failing is not None and len(fit.failing.users) > 1:
        wishes.append(("single", tuple(probe for probe in split_batch(fit.failing) if probe.name not in asked)))
    elif fit.definitions:
        only = fit.definitions[0]
        wishes.append(("edges", _separating(now, _could_be(now))))
        wishes.append(("confirming", (*distinguishing.confirming(only, asked), *_smaller_witness(now, only))))
    return next((wish for wish in wishes if wish[1]), None)


def _separating(
    now: Diagnosis, definitions: Sequence[Definition], *, again: bool = False, at_most: int = 4
) -> tuple[Probe, ...]:
    """Cases that tell ``definitions`` apart and were not asked (or were: ``again``); none on which an axis decides that
    is not known yet."""
    assert now.fit is not None
    fit, asked = now.fit, frozenset(() if again else now.observation.probes)
    unknown = fit.blind if fit.waiting is not None else ()
    return distinguishing.separating(
        definitions,
        asked,
        per_user=fit.of_users,
        unknown=unknown,
        listed=wants_listed(now.observation),
        at_most=at_most,
    )


def _could_be(now: Diagnosis) -> tuple[Definition, ...]:
    """The only definition that fits, with each policy for states that no crowd has shown that fits all cases asked."""
    assert now.fit is not None
    fitting, _ = told_apart(with_unshown(now.fit, now.observation), now.fit, now.observation)
    return tuple(fitting) or now.fit.definitions


def _unfitted(now: Diagnosis, fit: Fit) -> bool:
    """Whether nothing of the family whose name the function bears fits, though no small input contradicts it."""
    open_ = not fit.definitions and fit.note not in (SMALL_SCOPE, SEPARATING)
    return open_ or any(each.metric != now.function.metric for each in fit.definitions)


def _smaller_witness(now: Diagnosis, fitted: Definition) -> tuple[Probe, ...]:
    """An input on which the difference to the canonical definition shows, where it is smaller than those asked."""
    right = canonical(now.function)
    expected = expected_difference(fitted, right) if fitted.differs_on or fitted.metric != right.metric else None
    if expected is None or expected.name in now.observation.probes:
        return ()
    seen = smallest_difference(now.observation, right)
    return (expected,) if seen is None or expected.size < seen.probe.size else ()


def _ask(
    functions: Mapping[str, Function], wanted: Mapping[str, tuple[Probe, ...]], put: Put
) -> dict[str, Observation]:
    """One conversation for all functions: each probe is put to those that want it."""
    probes = {probe.name: probe for own in wanted.values() for probe in own}
    cases = {f"s{number:03}": probe.case for number, probe in enumerate(probes.values())}
    asks: list[Ask] = []
    probe_of: dict[int, str] = {}
    for place, probe in zip(cases, probes.values(), strict=True):
        for cutoff, cut in ((True, probe.k), (False, None)):
            asking = (name for name, own in wanted.items() if any(each.name == probe.name for each in own))
            names = tuple(name for name in asking if functions[name].cutoff is cutoff)
            if names:
                probe_of[len(asks)] = probe.name
                asks.append(Ask(len(asks), place, names, (cut,)))
    return observations(put(cases, asks).answers, probe_of, frozenset(), {})


def _again(
    now: Diagnosis, purpose: Purpose, probes: tuple[Probe, ...], heard: Observation | None, data: Problem
) -> Diagnosis:
    """What is left of the definitions after ``probes``; where nobody answered, all of them."""
    assert now.fit is not None
    observation = _with(now.observation, probes, heard)
    if purpose in ("later", "sole"):
        return _first(now.function, observation, data)
    before = replace(now.fit, definitions=_could_be(now)) if purpose == "edges" else now.fit
    said = hear(observation.probes, probes, Problem.of([probe.case for probe in probes], [probe.k for probe in probes]))
    fit = _separated(before, said) if before.definitions else _single(before, said)
    if before.definitions and not fit.definitions:
        # Other formulas may fit what was asked since, or the same with a state that no crowd has shown.
        anew = _first(now.function, observation, data)
        if anew.fit is not None and anew.fit.definitions:
            return anew
    fit = on_all(fit, observation) if fit.definitions else fit
    fit = replace(fit, cases=len(observation.probes))
    fit = _unless_told_apart(Diagnosis(now.function, observation, fit), fit)
    if now.fit.waiting is not None:
        fit = _on_data(fit, observation, data)
    after = Diagnosis(now.function, observation, fit)
    return _one_of(after) if purpose == "edges" else after


def _one_of(now: Diagnosis) -> Diagnosis:
    """Of definitions that differ in states that no crowd has shown, the canonical-most; what could be asked and was not
    answered is not known."""
    assert now.fit is not None
    fit = now.fit
    if len(fit.definitions) < 2:
        return now
    names = fit.definitions[0].axes
    open_ = [axis for axis in names if len({each.axes[axis] for each in fit.definitions}) > 1]
    unknown = open_ if _separating(now, fit.definitions, again=True) else []
    return replace(now, fit=replace(fit, definitions=fit.definitions[:1], blind=(*fit.blind, *unknown)))


def _separated(fit: Fit, said: Heard) -> Fit:
    said = said.foreseen(fit.definitions)
    staying, gap = kept(fit.definitions, said, fit.tolerance, lone=False)
    if staying:
        return replace(fit, definitions=tuple(staying), deviation=max(fit.deviation, gap))
    return replace(stopped(SEPARATING, said, list(fit.definitions), fit.tolerance, fit.cases), blind=fit.blind)


def _single(fit: Fit, said: Heard) -> Fit:
    """The smallest single input that contradicts the nearest definition, where one does so alone."""
    assert fit.nearest is not None
    wrong, _ = against(fit.nearest, said, fit.tolerance, lone=False)
    return replace(fit, failing=smallest(said.probes, wrong) or fit.failing)


def _left_open(now: Diagnosis) -> Fit | None:
    """Several definitions that still fit: the case that would tell them apart, or that none was found."""
    fit = now.fit
    if fit is None or len(fit.definitions) < 2:
        return fit
    cases = _separating(now, fit.definitions, again=True, at_most=1)
    if not cases:
        return replace(fit, separating=_none_apart(now, fit))
    outcome = now.observation.probes.get(cases[0].name)
    return replace(fit, separating=f"{cases[0].name} (k {cases[0].k}): {_told(outcome)}")


def _none_apart(now: Diagnosis, fit: Fit) -> str:
    """Why no case that can be asked tells the definitions of a fit apart."""
    if wants_listed(now.observation) and (
        beyond := distinguishing.separating(fit.definitions, frozenset(), per_user=fit.of_users, at_most=1)
    ):
        return f"{beyond[0].name} (k {beyond[0].k}): not asked; where relevant items are not listed it answers little"
    unsaid = distinguishing.unsaid(fit.definitions)
    tried = sum(not features & unsaid for features in generated_cases.pool()[1])
    without = f" without {' or '.join(sorted(unsaid))}" if unsaid else ""
    return f"none of {tried} generated cases{without} tells them apart by {distinguishing.GAP:g}"


def _told(outcome: Outcome | None) -> str:
    match outcome:
        case Errored(error, message, _):
            return f"asked; the library refuses it ({error}: {message[:200]})"
        case Measured():
            return "asked; the answer fits several of them"
        case NotOffered(why) | Unaskable(why):
            return f"asked; {why[:200]}"
        case None:
            return "not asked"
        case _:
            return "asked; no answer"
