"""Identification by elimination: which definitions fit everything that was heard of a function.

It reads numbers only: never a library's name, its claims or what was found before. In stages, each on probes that
leave all later axes at rest: the formula on plain probes; order and input axes on theirs; averaging and edge
policies on crowds. What survives all stages is simplified to its provably equal short form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit import space
from audit.crowds import from_crowds
from audit.fit import Fit, distinct, stopped, widen
from audit.heard import Heard, against, hear, kept, smallest
from audit.observation import Observation, Tolerance, tolerance
from reference.cases import Kind
from reference.definition import Definition
from reference.metrics import METRICS

Bools = NDArray[np.bool_]

_INPUT: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("order", ("order", "ties")),
    ("duplicates", ("duplicates",)),
    ("truth_duplicates", ("truth_duplicates",)),
    ("relevance", ("relevance", "counted_scores")),
)
SINGLE = Tolerance(2e-6, "float64 that agrees to single precision only")
SMALL_SCOPE = "every small list"
_LEAST = 0.5  # share of the plain probes that must be answered and regular for another family's formula to be shown
_FEW = 4  # number of them for a formula of its own family, some of which are 0/0 on most small lists


def identify(observation: Observation, metric: str, *, has_k: bool = True) -> Fit:
    """The definitions that fit an observation, looked for in its own family first, then in all others.

    ``metric`` names the family whose name the function bears; ``has_k`` whether the function takes a cut-off.
    """
    width = tolerance([*observation.probes.values(), *observation.data.values()])
    fit = _in_families(observation, metric, has_k, width)
    if fit.definitions or width.width >= SINGLE.width:
        return fit
    # Sums in single precision that are divided in double come back as double.
    coarse = _in_families(observation, metric, has_k, SINGLE)
    return coarse if coarse.definitions else fit


def _in_families(observation: Observation, metric: str, has_k: bool, width: Tolerance) -> Fit:
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
    plain, asked, crowd = _on(observation, "plain"), len(observation.probes), _on(observation, "crowd")
    found = _search(plain, metric, has_k, width, depth, _FEW if depth > 1 else _LEAST * len(plain.known))
    if not found and depth > 1:
        # What refuses lists whose irrelevant items nobody rated is asked with rated ones.
        found = _search(_on(observation, "rated"), metric, has_k, width, depth, _FEW)
        crowd = _on(observation, "rated_crowd")
    cut = "k" if has_k else None
    candidates, _ = kept(distinct(Definition.of(metric, each, cut) for each in found), plain, width, lone=True)
    if not candidates:
        return _unfitted(plain, metric, has_k, width, asked)
    blind: tuple[str, ...] = ()
    for kind, names in _INPUT:
        heard = _on(observation, kind)
        if crowd.probes[0].kind == "rated_crowd" and heard.mute:
            # No number where irrelevant items are not rated: that says nothing of what else is unusual there.
            blind += tuple(axis for axis in names if axis in candidates[0].axes)
            continue
        widened = widen(candidates, _expander(metric, names))
        staying, _ = kept(widened, heard, width, lone=True)
        if not staying and kind == "relevance":
            return stopped(kind, heard, widened, width, asked)
        candidates = staying or _otherwise(candidates, names[-1])
    fit = from_crowds(crowd, candidates, width, asked)
    fit = replace(fit, blind=(*blind, *fit.blind))
    if not fit.definitions:
        return fit
    return _everywhere(replace(fit, deviation=max(fit.deviation, _deviation(observation, fit, width))), observation)


def _search(heard: Heard, metric: str, has_k: bool, width: Tolerance, depth: int, least: float) -> list[dict[str, str]]:
    """Formula points that fit, with as few changes of input and cut-off as there must be; ``depth`` limits those."""
    for level in space.settings(metric, has_k, heard.probes[0].kind)[:depth]:
        found = [
            {**point, **dict(setting)}
            for setting in level
            for point in _formulas(heard, metric, setting, has_k, width, least)
        ]
        if found:
            return found
    return []


def _everywhere(fit: Fit, observation: Observation) -> Fit:
    """Hold what fits against every small list there is."""
    heard = _on(observation, "small")
    heard = heard.spoken(fit.definitions)
    staying, gap = kept(fit.definitions, heard, fit.tolerance, lone=False)
    if not staying:
        missed = stopped(SMALL_SCOPE, heard, list(fit.definitions), fit.tolerance, fit.cases)
        return replace(missed, blind=fit.blind)
    return replace(fit, definitions=tuple(staying), deviation=max(fit.deviation, gap))


def _on(observation: Observation, kind: Kind) -> Heard:
    return hear(observation.probes, space.probes(kind, observation.k), space.problem(kind, observation.k))


def _deviation(observation: Observation, fit: Fit, width: Tolerance) -> float:
    """Largest deviation of what fits on the probes of one user: the crowds' own is in the fit already."""
    kinds: tuple[Kind, ...] = ("plain", *(kind for kind, _ in _INPUT))
    return max(
        against(definition, _on(observation, kind), width, lone=True)[1]
        for definition in fit.definitions
        for kind in kinds
    )


def _otherwise(candidates: list[Definition], axis: str) -> list[Definition]:
    """Candidates that meet ties or repeats in a way that no value describes: said so, not guessed."""
    acting = [each for each in candidates if axis in each.axes]
    return distinct(each.with_(**{axis: "other"}) for each in acting) or candidates


def _formulas(
    plain: Heard, metric: str, setting: space.Setting, has_k: bool, width: Tolerance, least: float
) -> list[dict[str, str]]:
    table = space.matrix(metric, setting, has_k, plain.problem)
    # Where 0 is a convention for want of a hit, NaN is another policy, not another formula.
    seen = plain.known & ~table.irregular & ~(table.conventional & np.isnan(plain.value))
    fits = (width.close(table.values, plain.value) | ~seen).all(axis=1)
    fits &= seen.sum(axis=1) >= least
    return [table.points[row] for row in np.flatnonzero(fits)]


def _unfitted(plain: Heard, metric: str, has_k: bool, width: Tolerance, asked: int) -> Fit:
    """Nothing fits: the point that misses the fewest probes."""
    best: tuple[int, float, dict[str, str], Bools] | None = None
    for level in space.settings(metric, has_k)[:2]:
        for setting in level:
            table = space.matrix(metric, setting, has_k, plain.problem)
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
    failing = smallest(plain.probes, missed_)
    return Fit((), float("nan"), width, asked, "formula", nearest, gap_, failing)


def _expander(metric: str, names: tuple[str, ...]) -> Callable[[dict[str, str]], list[dict[str, str]]]:
    return lambda values: space.expand(values, metric, names)
