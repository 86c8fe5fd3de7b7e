"""Identification by elimination: which definitions fit everything that was heard of a function.

It reads numbers only: never a library's name, its claims or what was found before. In stages, each on probes that
leave all later axes at rest: the formula on plain probes; order and input axes on theirs; averaging and edge
policies on crowds. What survives all stages is simplified to its provably equal short form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from audit import space
from audit.observation import Observation, Tolerance, scalar, tolerance
from audit.protocol import Errored, Measured
from reference.cases import Kind, Probe
from reference.definition import Definition
from reference.evaluate import evaluate
from reference.metrics import METRICS

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_INPUT: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("order", ("order", "ties")),
    ("duplicates", ("duplicates",)),
    ("truth_duplicates", ("truth_duplicates",)),
    ("relevance", ("relevance", "counted_scores")),
)
_LEAST = 0.5  # share of the plain probes that must be answered and regular for another family's formula to be shown
_FEW = 4  # number of them for a formula of its own family, some of which are 0/0 on most small lists


@dataclass(frozen=True)
class Fit:
    """What fits: ``definitions`` (simplified, canonical-most first), or none and ``note`` says at which stage.

    ``nearest`` and ``residual`` are given where nothing fits; ``failing`` is the smallest probe that shows it.
    ``blind`` names axes that could not be asked.
    """

    definitions: tuple[Definition, ...]
    deviation: float
    tolerance: Tolerance
    cases: int
    note: str = ""
    nearest: Definition | None = None
    residual: float = float("nan")
    failing: Probe | None = None
    blind: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _Heard:
    """Answers on the probes of one kind: numbers, which of them are known, and which probes were refused."""

    probes: tuple[Probe, ...]
    value: Floats
    known: Bools
    refused: Bools


def _hear(observation: Observation, kind: Kind) -> _Heard:
    chosen = space.probes(kind)
    value, known = np.full(len(chosen), np.nan), np.zeros(len(chosen), dtype=bool)
    refused = np.zeros(len(chosen), dtype=bool)
    for column, probe in enumerate(chosen):
        outcome = observation.probes.get(probe.name)
        if isinstance(outcome, Measured) and (number := scalar(outcome)) is not None:
            value[column], known[column] = number, True
        refused[column] = isinstance(outcome, Errored)
    return _Heard(chosen, value, known, refused)


def identify(observation: Observation, metric: str, *, has_k: bool = True) -> Fit:
    """The definitions that fit an observation, looked for in its own family first, then in all others.

    ``metric`` names the family whose name the function bears; ``has_k`` whether the function takes a cut-off.
    """
    width = tolerance([*observation.probes.values(), *observation.data.values()])
    own = _identify(observation, metric, has_k, width, depth=3)
    if own.definitions or own.note != "formula":
        return own
    fitting: list[Fit] = []
    for other in METRICS:
        fit = _identify(observation, other, has_k, width, depth=1) if other != metric else own
        fitting += [fit] if fit.definitions else []
        if fit.definitions and not fit.definitions[0].differs_on:
            break
    if not fitting:
        return own
    # Families overlap (hits over k are a hit rate too): the one that has to move least is meant.
    fit = min(fitting, key=lambda each: len(each.definitions[0].differs_on))
    return replace(fit, note=f"bears the name of {metric}, computes {fit.definitions[0].metric}")


def _identify(observation: Observation, metric: str, has_k: bool, width: Tolerance, depth: int) -> Fit:
    plain = _hear(observation, "plain")
    asked = len(observation.probes)
    least = _FEW if depth > 1 else _LEAST * len(plain.known)
    found: list[dict[str, str]] = []
    for level in space.settings(metric, has_k)[:depth]:
        for setting in level:
            found += [{**point, **dict(setting)} for point in _formulas(plain, metric, setting, has_k, width, least)]
        if found:
            break
    if not found:
        return _unfitted(plain, metric, has_k, width, asked)
    cut = "k" if has_k else None
    candidates = _distinct(Definition.of(metric, values, cut) for values in found)
    for kind, names in _INPUT:
        heard = _hear(observation, kind)
        widened = _widen(candidates, _expander(metric, names))
        kept, _ = _kept(widened, heard, width, lone=True)
        if not kept and kind == "relevance":
            return _stopped(kind, heard, candidates, widened, width, asked)
        candidates = kept or _otherwise(candidates, names[-1])
    fit = _crowds(observation, candidates, width, asked)
    return replace(fit, deviation=max(fit.deviation, _deviation(observation, fit, width))) if fit.definitions else fit


def _deviation(observation: Observation, fit: Fit, width: Tolerance) -> float:
    """Largest deviation of what fits on the probes of one user: the crowds' own is in the fit already."""
    kinds: tuple[Kind, ...] = ("plain", *(kind for kind, _ in _INPUT))
    return max(
        _against(definition, _hear(observation, kind), width, lone=True)[1]
        for definition in fit.definitions
        for kind in kinds
    )


def _otherwise(candidates: list[Definition], axis: str) -> list[Definition]:
    """Candidates that meet ties or repeats in a way that no value describes: said so, not guessed."""
    acting = [each for each in candidates if axis in each.axes]
    return _distinct(each.with_(**{axis: "other"}) for each in acting) or candidates


def _formulas(
    plain: _Heard, metric: str, setting: space.Setting, has_k: bool, width: Tolerance, least: float
) -> list[dict[str, str]]:
    table = space.matrix(metric, setting, has_k)
    seen = plain.known & ~table.irregular
    fits = (width.close(table.values, plain.value) | ~seen).all(axis=1)
    fits &= seen.sum(axis=1) >= least
    return [table.points[row] for row in np.flatnonzero(fits)]


def _unfitted(plain: _Heard, metric: str, has_k: bool, width: Tolerance, asked: int) -> Fit:
    """Nothing fits: the point that misses the fewest probes."""
    best: tuple[int, float, dict[str, str], Bools] | None = None
    for level in space.settings(metric, has_k)[:2]:
        for setting in level:
            table = space.matrix(metric, setting, has_k)
            seen = plain.known & ~table.irregular
            missed = seen & ~width.close(table.values, plain.value)
            gap = np.where(missed, np.nan_to_num(np.abs(table.values - plain.value), nan=9.0), 0).max(axis=1, initial=0)
            unseen = seen.sum(axis=1) < _FEW
            count = missed.sum(axis=1) + np.where(unseen, 1000, 0)
            for row in np.lexsort((gap, count))[:1]:
                if best is None or (count[row], gap[row]) < best[:2]:
                    best = (int(count[row]), float(gap[row]), {**table.points[row], **dict(setting)}, missed[row])
    if best is None:
        return Fit((), float("nan"), width, asked, note="formula")
    _, gap_, values, missed_ = best
    nearest = Definition.of(metric, values, "k" if has_k else None).simplified()
    failing = _smallest(plain.probes, missed_)
    return Fit((), float("nan"), width, asked, "formula", nearest, gap_, failing)


def _smallest(probes: tuple[Probe, ...], missed: Bools) -> Probe | None:
    return min((probe for probe, miss in zip(probes, missed, strict=True) if miss), key=lambda p: p.size, default=None)


def _distinct(definitions: Iterable[Definition]) -> list[Definition]:
    """Provably equal definitions merged, the canonical-most first."""
    merged = dict.fromkeys(definition.simplified() for definition in definitions)
    return sorted(merged, key=lambda definition: len(definition.differs_on))


def _widen(candidates: list[Definition], choices: Callable[[dict[str, str]], list[dict[str, str]]]) -> list[Definition]:
    return _distinct(Definition.of(each.metric, values, each.k) for each in candidates for values in choices(each.axes))


def _of(
    choices: Callable[[dict[str, str], str], list[dict[str, str]]], metric: str
) -> Callable[[dict[str, str]], list[dict[str, str]]]:
    return lambda values: choices(values, metric)


def _expander(metric: str, names: tuple[str, ...]) -> Callable[[dict[str, str]], list[dict[str, str]]]:
    return lambda values: space.expand(values, metric, names)


def _kept(
    candidates: list[Definition], heard: _Heard, width: Tolerance, *, lone: bool
) -> tuple[list[Definition], float]:
    """Candidates that fit what was heard, and the largest deviation of those."""
    kept, worst = [], 0.0
    for definition in candidates:
        wrong, gap = _against(definition, heard, width, lone=lone)
        if not wrong.any():
            kept.append(definition)
            worst = max(worst, gap)
    return kept, worst


def _against(definition: Definition, heard: _Heard, width: Tolerance, *, lone: bool) -> tuple[Bools, float]:
    """Which probes contradict a definition, and the largest deviation on the others.

    ``lone`` probes have one user: where an edge policy decides that user's value they say nothing yet. A refusal
    speaks only where the definition has a value for it on these axes.
    """
    predicted = evaluate(definition, space.problem(heard.probes[0].kind))
    seen = heard.known.copy()
    if lone:
        seen &= predicted.regular
    wrong = seen & (~width.close(predicted.mean, heard.value) | predicted.refused)
    if not lone:
        wrong |= heard.refused & ~predicted.refused
    elif predicted.refused.any():
        wrong |= predicted.refused & ~heard.refused
    elif "duplicates" in heard.probes[0].kind:
        wrong |= heard.refused
    gap = np.abs(predicted.mean - heard.value)[seen & ~wrong]
    return wrong, float(np.nan_to_num(gap).max(initial=0))


def _stopped(
    kind: str, heard: _Heard, before: list[Definition], tried: list[Definition], width: Tolerance, asked: int
) -> Fit:
    """No value of the axes of one stage fits: the nearest of those tried."""
    scored = [(*_against(definition, heard, width, lone=kind != "crowd"), definition) for definition in tried]
    wrong, _, nearest = min(scored, key=lambda each: (int(each[0].sum()), len(each[2].differs_on)))
    predicted = evaluate(nearest, space.problem(heard.probes[0].kind)).mean
    gap = np.where(wrong & heard.known, np.abs(predicted - heard.value), 0)
    residual = float(np.nan_to_num(gap, nan=1.0).max(initial=0))
    return Fit((), float("nan"), width, asked, kind, nearest, residual, _smallest(heard.probes, wrong))


_POLICIES = ("0", "1", "half", "nan", "error")


def _averaging(values: Mapping[str, str], metric: str) -> list[dict[str, str]]:
    """Which mean over ordinary users, and whether rows are one ranking."""
    family = METRICS[metric]
    out = []
    for base in space.expand(dict(values), metric, (*family.whole, "pooling", "weight", "mean")):
        if family.stacked is not None and base[family.stacked[0]] == family.stacked[1]:
            # One ranking has no users to choose among or to weigh.
            rest = {name: family.canonical[name] for name in ("pooling", "weight", "mean")}
            out.append({**base, **rest})
        else:
            out += [{**base, "users": users} for users in ("truth", "one_relevant", "hits")]
    return out


def _policy(axis: str) -> Callable[[dict[str, str], str], list[dict[str, str]]]:
    def choices(values: dict[str, str], metric: str) -> list[dict[str, str]]:
        return (
            space.expand(values, metric, (axis,)) if axis in space.states(metric, tuple(values.items())) else [values]
        )

    return choices


def _undefined(values: dict[str, str], metric: str) -> list[dict[str, str]]:
    """Users without truth: left out, refused, or averaged over with some value."""
    if "undefined" not in space.states(metric, tuple(values.items())):
        return [values]
    out = [values, {**values, "undefined": "error"}]
    if values["users"] == "truth":
        policies = _POLICIES if METRICS[metric].proportional else (*_POLICIES, "formula")
        out += [{**values, "users": "all", "undefined": policy} for policy in policies]
    return out


def _no_list(values: dict[str, str], metric: str) -> list[dict[str, str]]:
    """Users without recommendations: left out, refused, or averaged over with some value."""
    if "no_list" not in space.states(metric, tuple(values.items())):
        return [values]
    without = {"truth": "both", "all": "predictions"}
    policies = _POLICIES if METRICS[metric].proportional else (*_POLICIES, "formula")
    out = [{**values, "no_list": policy} for policy in policies]
    if values["users"] in without:
        out.append({**values, "users": without[values["users"]]})
    return out


# The crowds of each step, by position, and the axes that the step lets go of.
_STEPS: tuple[tuple[slice, Callable[[dict[str, str], str], list[dict[str, str]]]], ...] = (
    (slice(0, 2), _averaging),
    (slice(2, 4), _policy("no_hit")),
    (slice(8, 9), _policy("no_negatives")),
    (slice(4, 6), _undefined),
    (slice(6, 8), _no_list),
    (slice(9, None), lambda values, metric: [values]),
)


def _crowds(observation: Observation, candidates: list[Definition], width: Tolerance, asked: int) -> Fit:
    heard = _hear(observation, "crowd")
    if not heard.known.any() and not heard.refused.any():
        # Without a mean neither averaging nor what an unusual user counts as has been seen.
        unseen = tuple(axis.name for axis in candidates[0].family.all_axes if axis.part in ("averaging", "edges"))
        return Fit(tuple(candidates), 0.0, width, asked, blind=unseen)
    worst = 0.0
    if heard.refused[_STEPS[0][0]].any():
        # Ordinary users are refused together: a refusal says nothing of the unusual ones.
        heard = replace(heard, refused=np.zeros_like(heard.refused))
    for chosen, choices in _STEPS:
        metric = candidates[0].metric
        tried = _widen(candidates, _of(choices, metric))
        step = _only(heard, chosen)
        kept, gap = _kept(tried, step, width, lone=False)
        if not kept:
            return _stopped("crowd", step, candidates, tried, width, asked)
        candidates, worst = kept, max(worst, gap)
    return Fit(tuple(candidates), worst, width, asked)


def _only(heard: _Heard, chosen: slice) -> _Heard:
    """The same with all other probes unheard."""
    keep = np.zeros(len(heard.known), dtype=bool)
    keep[chosen] = True
    return replace(heard, known=heard.known & keep, refused=heard.refused & keep)
