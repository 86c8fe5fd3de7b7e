"""Identification by elimination: which definitions fit everything that was heard of a function.

It reads numbers only: never a library's name, its claims or what was found before. In stages, each on probes that
leave all later axes at rest: the formula on plain probes; order and input axes on theirs; averaging and edge
policies on crowds. What survives all stages is simplified to its provably equal short form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.identification.multi_user_stages import LISTED, by_formula, from_crowds
from audit.identification.recheck import everywhere, on, on_further, wants_listed
from audit.observations import probe_tables
from audit.observations.evidence import Heard, against, by_policy, evaluated, kept, smallest
from audit.observations.fit import Fit, distinct, meaning, stopped, widen
from audit.observations.observation import Observation, Tolerance, tolerance
from reference.cases import Kind
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import takes_one_ranking
from reference.metrics import METRICS
from reference.space.metric import has_single_relevant, is_stacked

Bools = NDArray[np.bool_]

_INPUT: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("order", ("order", "ties")),
    ("duplicates", ("duplicates",)),
    ("truth_duplicates", ("truth_duplicates",)),
    ("relevance", ("relevance", "counted_scores")),
)
_SHOWN_BY: dict[Kind, dict[Kind, tuple[Kind, ...]]] = {
    "unit_crowd": {
        "order": ("unit_order",), "duplicates": ("unit_duplicates",), "truth_duplicates": ("unit_truth_duplicates",),
    },
    "above_crowd": {
        "order": ("above_order",), "duplicates": ("above_duplicates",), "truth_duplicates": ("above_truth_duplicates",),
    },
    LISTED: {
        "order": ("order", "listed_order"), "duplicates": ("duplicates", "listed_duplicates"),
        "truth_duplicates": ("truth_duplicates", "listed_truth_duplicates"),
        "relevance": ("relevance", "listed_relevance"),
    },
}  # fmt: skip
"""The kinds that show order, repeats and relevance of what was found on gains of 1, or above the threshold, or takes no
relevant item that is not listed, by its crowds."""
_ASKED: tuple[tuple[Kind, Kind], ...] = (
    ("plain", "crowd"), ("unit", "unit_crowd"), ("above", "above_crowd"), ("one", "crowd"),
    ("unit_one", "unit_crowd"), ("rated", "rated_crowd"),
)  # fmt: skip
"""Probes from which the formula is taken, and the crowds that go with them; those after the first are asked only
where nothing fits on the first: what takes gains of 1, gains above the threshold, one relevant item, or rated
irrelevant items only."""
_MANY: dict[Kind, int] = {"plain": 200}
_FEWER = 30
"""So many formulas that fit the probes of one user are looked at, at most, after others have failed; and so many
definitions are held against every small list before cases asked next have left fewer."""
SINGLE = Tolerance(2e-6, "float64 that agrees to single precision only")
_LEAST = 0.5  # share of the plain probes that must be answered and regular for another family's formula to be shown
_FEW = 3  # number of them for a formula of its own family, some of which are 0/0 on most small lists


def _waits(fit: Fit) -> Fit:
    return fit


def identify(observation: Observation, metric: str, *, has_k: bool = True, waits: Callable[[Fit], Fit] = _waits) -> Fit:
    """The definitions that fit an observation, looked for in its own family first, then in all others.

    ``metric`` names the family whose name the function bears; ``has_k`` whether the function takes a cut-off.
    ``waits`` says what becomes of a fit that waits: as it is, where something can still be asked.
    """
    width = tolerance([*observation.probes.values(), *observation.data.values()])
    fit = _in_families(observation, metric, has_k, width, waits)
    if fit.definitions or width.width >= SINGLE.width:
        return fit
    # Sums in single precision that are divided in double come back as double.
    coarse = _in_families(observation, metric, has_k, SINGLE, waits)
    return coarse if coarse.definitions else fit


def _in_families(
    observation: Observation, metric: str, has_k: bool, width: Tolerance, waits: Callable[[Fit], Fit]
) -> Fit:
    own = _identify(observation, metric, has_k, width, waits, depth=3)
    if own.definitions or own.note != "formula":
        return own
    fitting: list[Fit] = []
    for other in METRICS:
        fit = _identify(observation, other, has_k, width, waits, depth=1) if other != metric else own
        fitting += [fit] if fit.definitions else []
        if fit.definitions and not fit.definitions[0].differs_on:
            break
    if not fitting:
        return own
    # Families overlap (hits over k are a hit rate too): the one that has to move least is meant.
    fit = min(fitting, key=lambda each: len(each.definitions[0].differs_on))
    return replace(fit, note=f"bears the name of {metric}, computes {fit.definitions[0].metric}")


def _identify(
    observation: Observation, metric: str, has_k: bool, width: Tolerance, waits: Callable[[Fit], Fit], depth: int
) -> Fit:
    """The first formulas, those with the fewest changes of input and cut-off first, with which everything that was
    heard fits. Where ties or repeats are met in a way that no value describes, or a later stage stops, others follow:
    what agrees on plain probes may be another formula on other input."""
    asked = len(observation.probes)
    stopped_at: Fit | None = None
    for kind, crowds in _ASKED[: None if depth > 1 else 1]:
        if kind == "rated" and stopped_at is not None:
            continue  # those are for what says nothing where irrelevant items are not rated
        if kind in ("unit", "unit_one") and _tells(on(observation, "plain"), width):
            continue  # and those for what finds nobody relevant where no gain is 1
        heard = on(observation, kind)
        least = _FEW if depth > 1 else _LEAST * len(heard.known)
        for found in _search(heard, metric, has_k, width, depth, least):
            candidates = distinct(Definition.of(metric, each, "k" if has_k else None) for each in found)
            candidates = _on_plain(candidates, observation, width)
            if not candidates or (stopped_at is not None and len(candidates) > _MANY.get(kind, _FEWER)):
                continue
            crowd = on(observation, crowds)
            if wants_listed(observation, than=crowds):
                crowd = on(observation, LISTED)
            fit = _through(observation, candidates, crowd, width, asked, stopped_at is None)
            if crowd.probes[0].kind in _SHOWN_BY:
                fit = _held(fit, observation, width)
            fit = waits(on_further(fit, observation))
            if fit.definitions and not any("other" in each.axes.values() for each in fit.definitions):
                return fit
            if stopped_at is None or (fit.definitions and not stopped_at.definitions):
                stopped_at = fit
    return stopped_at or _unfitted(on(observation, "plain"), metric, has_k, width, asked)


def _through(
    observation: Observation, candidates: list[Definition], crowd: Heard, width: Tolerance, asked: int, first: bool
) -> Fit:
    """The candidates with the order, input, averaging and edges that fit. Only of the ``first`` ones is it said that
    they meet ties or repeats in some other way."""
    metric = candidates[0].metric
    blind: tuple[str, ...] = ()
    shown_by = _SHOWN_BY.get(crowd.probes[0].kind, {})
    for kind, names in _INPUT:
        parts = [on(observation, each) for each in shown_by.get(kind, (kind,))]
        parts += [on(observation, "plain")] if kind == "relevance" else []
        if crowd.probes[0].kind == "rated_crowd" and all(heard.mute for heard in parts):
            # No number where irrelevant items are not rated: that says nothing of what else is unusual there.
            blind += tuple(axis for axis in names if axis in candidates[0].axes)
            continue
        staying = widen(candidates, _expander(metric, names))
        for heard in parts:
            tried, (staying, _) = staying, kept(staying, heard, width, lone=True)
            if not staying and (kind == "relevance" or not first):
                return stopped(kind, heard, tried, width, asked)
        candidates = staying or _otherwise(candidates, names[-1])
    candidates = meaning(candidates) or candidates
    heard = on(observation, "seen")
    if heard.known.any() and candidates[0].axes["users"] == "one_relevant":
        # Nobody there has one relevant item only: whether that matters is for the crowds, and cases asked later.
        candidates = widen(candidates, lambda values: probe_tables.seen(values, metric))
    elif not heard.mute:
        widened = widen(candidates, lambda values: probe_tables.seen(values, metric))
        candidates = kept(widened, heard, width, lone=True)[0] or candidates
    fit = from_crowds(crowd, candidates, width, asked, on(observation, "sole"))
    fit = replace(fit, blind=(*blind, *fit.blind))
    if not fit.definitions:
        return fit
    fit = _closed(fit, observation, width, shown_by)
    if len(fit.definitions) > _FEWER or fit.waiting is not None or _before_sole(fit, observation):
        return fit  # far from told apart: every small list waits until the cases asked next have left fewer
    return everywhere(replace(fit, deviation=max(fit.deviation, _deviation(observation, fit, width))), observation)


def _on_plain(candidates: list[Definition], observation: Observation, width: Tolerance) -> list[Definition]:
    """Those that fit plain probes; where none does, under the rules of relevance under which they do: for those with
    one relevant item that is not known yet."""
    heard = on(observation, "plain")
    staying, _ = kept(candidates, heard, width, lone=True)
    if not staying and candidates[0].axes.get("users") == "one_relevant":
        widened = widen(candidates, _expander(candidates[0].metric, ("relevance",)))
        staying, _ = kept(widened, heard, width, lone=True)
    return [each for each in staying if not _beyond_policy(each, heard, width)]


def _beyond_policy(definition: Definition, heard: Heard, width: Tolerance) -> bool:
    """Whether a number was heard that no policy gives where, under the definition, only a policy has one."""
    if by_formula(definition.axes, definition.metric):
        return False
    number = heard.known & ~_of_policy(heard, width)
    made = evaluated(definition, heard.problem)
    return len(made.regular) == len(number) and bool((number & ~made.regular).any())


def _of_policy(heard: Heard, width: Tolerance) -> Bools:
    """Which values a policy gives; where there is no cut-off, 1/k is that of the list's length."""
    k = np.array([probe.k for probe in heard.probes])
    length = np.array([len(probe.case.predictions.user) for probe in heard.probes])
    zero = width.close(np.zeros(len(k)), heard.value)
    return zero | by_policy(heard.value, k, width) | by_policy(heard.value, length, width)


def _tells(heard: Heard, width: Tolerance) -> bool:
    """Whether several values were heard that no policy gives."""
    known = heard.value[heard.known]
    k = np.array([probe.k for probe in heard.probes])[heard.known]
    return len(np.unique(np.round(known[~by_policy(known, k, width) & (known != 0)], 6))) > 1


def _before_sole(fit: Fit, observation: Observation) -> bool:
    """Whether what one ranking counts as where everybody is in one state, as in some small lists, is still to be
    asked."""
    asked = any(probe.name in observation.probes for probe in probe_tables.probes("sole"))
    return not asked and any(map(takes_one_ranking, fit.definitions))


def _held(fit: Fit, observation: Observation, width: Tolerance) -> Fit:
    """What fits on gains of 1, or above the threshold, held against the probes with other gains; or what fits where
    all relevant items are listed, against those that are not."""
    if not fit.definitions:
        return fit
    others = [each for each in fit.definitions if "other" in each.axes.values()]
    staying = [each for each in fit.definitions if each not in others]
    for kind in ("order", "duplicates", "truth_duplicates"):
        staying = kept(staying, on(observation, kind), width, lone=True, open_="no_hit" in fit.blind)[0]
    staying += others
    crowd = on(observation, "crowd").spoken(staying)
    if fit.waiting is None and not _before_sole(fit, observation):  # where nobody may be relevant
        staying = kept(staying, crowd, width, lone=False)[0]
    if staying:
        return replace(fit, definitions=tuple(staying))
    return stopped("crowd", crowd, list(fit.definitions), width, fit.cases)


def _closed(fit: Fit, observation: Observation, width: Tolerance, shown_by: dict[Kind, tuple[Kind, ...]]) -> Fit:
    """Those that fit the probes of one user, too, now that it is known what a user without a hit counts as."""
    if "no_hit" in fit.blind:
        return fit
    staying = list(fit.definitions)
    for shown in (each for kind, _ in _INPUT for each in shown_by.get(kind, (kind,))):
        heard = on(observation, shown)
        others = [each for each in staying if "other" in each.axes.values()]
        staying = others + kept((e for e in staying if e not in others), heard, width, lone=True, open_=False)[0]
    return replace(fit, definitions=tuple(staying)) if staying else fit


def _search(
    heard: Heard, metric: str, has_k: bool, width: Tolerance, depth: int, least: float
) -> Iterator[list[dict[str, str]]]:
    """Formula points that fit, those with as few changes of input and cut-off as there must be first; ``depth``
    limits those."""
    if not heard.known.any():
        return
    levels = probe_tables.levels(metric, has_k, heard.probes[0].kind)[:depth]
    alike = len(np.unique(heard.value[heard.known])) == 1
    if heard.probes[0].kind in ("one", "unit_one") and alike and is_stacked(METRICS[metric], METRICS[metric].canonical):
        # What one row leaves undefined may show in a ranking of several users' rows: the crowds tell.
        yield [{**METRICS[metric].canonical, **point, **dict(levels[0][0])} for point in METRICS[metric].points()]
    for level in levels:
        if found := _formulas(heard, probe_tables.matrix(metric, level, has_k, heard.problem), width, least):
            yield found


def _deviation(observation: Observation, fit: Fit, width: Tolerance) -> float:
    """Largest deviation of what fits on the probes of one user: the crowds' own is in the fit already."""
    kinds: tuple[Kind, ...] = ("plain", *(kind for kind, _ in _INPUT))
    return max(
        against(definition, on(observation, kind), width, lone=True)[1]
        for definition in fit.definitions
        for kind in kinds
    )


def _otherwise(candidates: list[Definition], axis: str) -> list[Definition]:
    """Candidates that meet ties or repeats in a way that no value describes: said so, not guessed."""
    acting = [each for each in candidates if axis in each.axes]
    return distinct(each.with_(**{axis: "other"}) for each in acting) or candidates


def _formulas(plain: Heard, table: probe_tables.Matrix, width: Tolerance, least: float) -> list[dict[str, str]]:
    # Where 0 is a convention for want of a hit, a policy's value is another policy, not another formula.
    k = np.array([probe.k for probe in plain.probes])
    policy = by_policy(plain.value, k, width)
    seen = plain.known & ~table.irregular & ~(table.conventional & policy)
    fits = (width.close(table.values, plain.value) | ~seen).all(axis=1)
    fits &= (_of_policy(plain, width) | ~(plain.known & table.policed)).all(axis=1)
    fits &= seen.sum(axis=1) >= least
    return [table.point(row) for row in np.flatnonzero(fits).tolist()]


def _unfitted(plain: Heard, metric: str, has_k: bool, width: Tolerance, asked: int) -> Fit:
    """Nothing fits: the point that misses the fewest probes."""
    best: tuple[int, float, dict[str, str], Bools] | None = None
    for level in probe_tables.levels(metric, has_k)[:2]:
        table = probe_tables.matrix(metric, level, has_k, plain.problem)
        seen = plain.known & ~table.irregular
        missed = seen & ~width.close(table.values, plain.value)
        gap = np.where(missed, np.nan_to_num(np.abs(table.values - plain.value), nan=9.0), 0).max(axis=1, initial=0)
        unseen = seen.sum(axis=1) < _FEW
        count = missed.sum(axis=1) + np.where(unseen, 1000, 0)
        for row in np.lexsort((gap, count))[:1].tolist():
            if best is None or (count[row], gap[row]) < best[:2]:
                best = (int(count[row]), float(gap[row]), table.point(row), missed[row])
    if best is None:
        return Fit((), float("nan"), width, asked, note="formula")
    _, gap_, values, missed_ = best
    nearest = Definition.of(metric, values, "k" if has_k else None).simplified()
    failing = smallest(plain.probes, missed_)
    return Fit((), float("nan"), width, asked, "formula", nearest, gap_, failing)


def _expander(metric: str, names: tuple[str, ...]) -> Callable[[dict[str, str]], list[dict[str, str]]]:
    def choices(values: dict[str, str]) -> list[dict[str, str]]:
        # Above the only relevant item stands no other: what a rank counts shows where it is listed twice.
        more = ("positions",) if "duplicates" in names and has_single_relevant(values) else ()
        return probe_tables.expand(values, metric, (*names, *more))

    return choices
