"""The trial of a function of a metric beyond accuracy: its definitions have to predict held-out lists of items.

Some cases have ordinary rows. Others have ties and rows in any order: where only those are mispredicted, or none of
them was answered, the formula stands, and how rows are ordered is not known. So it is with cases whose truth lists
items twice, for metrics with an axis for that, and with cases that show items of the train data: no axis acts on these,
and what comes out is told. Some cases of each kind have long lists for everybody, and some show
only items that somebody has, for functions that refuse others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, compress
from typing import NamedTuple

import numpy as np

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.observations.evidence import contradictions
from recsys_metric_audit.audit.observations.fit import Contradicted, Fitting
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Measured, TimedOut
from recsys_metric_audit.audit.refutation.judgement import Answers, completions, evidence_of
from recsys_metric_audit.audit.refutation.trial import Trial, Trying, with_answer
from recsys_metric_audit.reference.cases import Kind, Probe, Role
from recsys_metric_audit.reference.cases.probe import case_from_rows
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Bools, Train
from recsys_metric_audit.reference.space.levels import by_level

_SEED = 61_803_398
"""Seeds all cases; it must not change, since recordings hold answers by the digest of the input."""
_ORDINARY, _UNUSUAL, _LONG, _KNOWN = 6, 6, 2, 4
_USERS, _ITEMS = 80, 160
_K = (5, 1, 10, 3, 20)
_COPIES = 2
"""So many more cases have items that the truth lists twice, for definitions with an axis for them."""


class _Unusual(NamedTuple):
    """Holds the feature that only some cases have, what they are in words, and the axes that they show."""

    feature: str
    words: str
    axes: tuple[str, ...]


_UNUSUAL_ROLES: Mapping[Role, _Unusual] = {
    "order": _Unusual("ties", "with ties and rows in any order", ("order", "ties")),
    "truth_duplicates": _Unusual("repeated truth rows", "with items that the truth lists twice", ("truth_duplicates",)),
    "seen": _Unusual("training items", "with items shown that the user's train data hold", ()),
}
"""The roles of the cases that show more than the formula."""


def try_shown_items(diagnosis: Diagnosis) -> Trying:
    """Try to refute the identified definitions; the diagnosis of the trial has no refuted value any more."""
    fit = diagnosis.fit
    if not isinstance(fit, Fitting):
        return Trial(diagnosis, why_not="no definition was found")
    asks_copies = "truth_duplicates" in fit.definitions[0].axes.keys() - diagnosis.function.ruled_out.keys()
    probes, problem = held_out_items(copies=asks_copies)
    answers = yield probes
    outcomes = [answers.get(probe.name) for probe in probes]
    if lost := next((each for each in outcomes if isinstance(each, Crashed | TimedOut)), None):
        return Trial(diagnosis, why_not=f"the function did not return ({type(lost).__name__})")
    measured = np.array([isinstance(each, Measured) for each in outcomes])
    if not measured.any():
        return Trial(diagnosis, why_not="it gives no number on them")
    wrong = _wrong(fit, answers, probes, problem)
    refused = np.array([isinstance(each, Errored) for each in outcomes])
    heard = measured | (refused & evaluate(fit.definitions[0], problem).refused)
    roles = np.array([probe.kind.role for probe in probes])
    answered = list(compress(probes, measured))
    told = sum(len(np.unique(probe.case.predictions.user)) for probe in answered), len(answered)
    left_out = [own.feature for role, own in _UNUSUAL_ROLES.items() if not (heard & (roles == role)).any()]
    if (wrong & (roles == "multi_user")).any():
        number = int(np.flatnonzero(wrong & (roles == "multi_user"))[0])
        nearest = Contradicted(
            "held-out input", fit.tolerance, fit.cases, fit.definitions[0], counterexample=probes[number]
        )
        refuted_by = with_answer(replace(diagnosis, fit=nearest), probes[number], outcomes[number])
        return Trial(refuted_by, *told, tuple(left_out))
    unknown, refuted = dict.fromkeys(fit.unidentified_axes), dict[str, str]()
    for role, own in _UNUSUAL_ROLES.items():
        if role not in roles:
            continue
        acting = [axis for axis in own.axes if axis in fit.definitions[0].axes]
        asked, failed = int((heard & (roles == role)).sum()), int((wrong & (roles == role)).sum())
        if not asked or failed:  # a rule is believed only after long tied runs, and copies, among many rows
            unknown |= dict.fromkeys(acting)
        if failed:
            text = f"refuted on held-out input {own.words}: {failed} of {asked} cases"
            refuted |= dict.fromkeys(acting or [own.feature], text)
        if not own.axes and not asked and (why := next(compress(outcomes, refused & (roles == role)), None)):
            refuted[own.feature] = f"it refuses them: {getattr(why, 'message', '')[:200]}"
    known = replace(diagnosis, fit=replace(fit, unidentified_axes=tuple(unknown)))
    return Trial(known, *told, tuple(left_out), refuted=refuted)


def _wrong(fit: Fitting, answers: Answers, probes: Sequence[Probe], problem: Problem) -> Bools:
    """Return a mask of the cases that the definition with the fewest failures mispredicts.

    Who counts may be unknown: each definition is tried with every value of that.
    """
    evidence = evidence_of(answers, probes, problem)
    unknown = by_level(fit.unidentified_axes)["who_counts"]
    tried = chain.from_iterable((each, *completions(each, unknown)) for each in fit.definitions)
    masks = [contradictions(each, evidence, fit.tolerance) for each in tried]
    return min(masks, key=lambda mask: int(mask.sum()))


@cache
def held_out_items(*, copies: bool = False) -> tuple[tuple[Probe, ...], Problem]:
    """Return all held-out cases, those with copies in the truth only if asked for, and the cases as one problem."""
    count = _ORDINARY + _UNUSUAL + _KNOWN + (_COPIES if copies else 0)
    probes = tuple(map(_case, range(count)))
    probes = (*probes, *map(_with_train_items, (probes[0], probes[_ORDINARY + _UNUSUAL])))
    return probes, problem_of(probes)


@cache
def _case(number: int) -> Probe:
    """Draw a case: some users have no list, no truth or no train rows, and some items nobody has.

    The last cases show only items that somebody has. Those with copies come after them, and begin with any items.
    """
    rng = np.random.default_rng([_SEED, number])
    copied = number >= _ORDINARY + _UNUSUAL + _KNOWN
    known_only = number >= _ORDINARY + _UNUSUAL and number != _ORDINARY + _UNUSUAL + _KNOWN
    unusual = not copied and (number % 2 == 1 if known_only else number >= _ORDINARY)
    long = known_only or number % _ORDINARY >= _ORDINARY - _LONG
    items = np.sort(rng.choice(np.arange(1, 3000), _ITEMS, replace=False))
    known = items[: int(_ITEMS * 0.9)]
    popularity = rng.pareto(1.2, _ITEMS) + 0.05
    rows: list[tuple[int, int, float]] = []
    truth: list[tuple[int, int, float]] = []
    seen: list[tuple[int, int]] = []
    for user in np.sort(rng.choice(np.arange(1, 900), _USERS, replace=False)).tolist():
        order = rng.choice(_ITEMS, _ITEMS, replace=False, p=popularity / popularity.sum())
        had = [item for item in items[order[: int(rng.integers(0, 9))]].tolist() if item in known]
        own = items[rng.permutation(order[9:70])].tolist()[: _length(rng, long=long)]
        rows += _scored(rng, user, own, unusual=unusual)
        seen += [(user, item) for item in had]
        truth += [(user, item, 4.0) for item in items[order[30 : 30 + int(rng.integers(0, 6))]].tolist()]
    if known_only:
        had_by_some = {item for _, item in seen}
        rows = [row for row in rows if row[1] in had_by_some]
    if copied:
        truth += [truth[place] for place in rng.choice(len(truth), len(truth) // 2)]
    role: Role = "truth_duplicates" if copied else "order" if unusual else "multi_user"
    name = f"held-out items {number + 1}"
    case = case_from_rows(
        name, rows, truth, seen, why="drawn from a seed of its own", unseen=range(5000, 5000 + 7 * number)
    )
    k = _K[(number + copied) % len(_K)]  # not 1 with copies, which change no mean where one item is shown
    return Probe(Kind(role, "shown_items"), case, k)


def _with_train_items(probe: Probe) -> Probe:
    """Return a case with every fifth row that it shows in the train data, too."""
    case, rows = probe.case, slice(0, None, 5)
    users, items = (
        np.concatenate([getattr(case.train, name), getattr(case.predictions, name)[rows]]) for name in ("user", "item")
    )
    name = f"{case.name}, every fifth row in training"
    return Probe(Kind("seen", "shown_items"), replace(case, name=name, train=Train(users, items)), probe.k)


def _length(rng: np.random.Generator, *, long: bool) -> int:
    """Draw the length of a list: none, short, or longer than most cut-offs; with ``long`` longer than all."""
    if long:
        return int(rng.integers(22, 40))
    kind = rng.random()
    return 0 if kind < 0.08 else int(rng.integers(1, 6)) if kind < 0.35 else int(rng.integers(6, 40))


def _scored(rng: np.random.Generator, user: int, items: list[int], *, unusual: bool) -> list[tuple[int, int, float]]:
    """Return a user's rows: best first and all different, or with ties and in any order."""
    scores = np.sort(rng.choice(4096, len(items), replace=False))[::-1] / 1024
    if unusual:
        scores = np.sort(rng.choice(6, len(items)))[::-1] / 8
    rows = [(user, item, float(score)) for item, score in zip(items, scores, strict=True)]
    return [rows[place] for place in rng.permutation(len(rows))] if unusual and rng.random() < 0.5 else rows
