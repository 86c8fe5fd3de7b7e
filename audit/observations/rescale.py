"""Probes rescaled to one cut-off, for a function that can be asked at a single k only.

Lists and truths grow or shrink with k. An item inside the first k, at rank k + 1, or below stays there; a list shorter
than k stays shorter, and a user with more than k relevant items keeps more than k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice

from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.cases.exhaustive import LONGEST
from recsys_metric_audit.reference.cases.probe import case_from_rows, default_scores
from recsys_metric_audit.reference.input.case import Case

Rows = list[tuple[int, float]]
"""Recommended items of one user, as (item, score)."""
_FIRST_FILLER, _FIRST_MISSED = 20_000, 30_000
"""First ids of added irrelevant and relevant items; no probe uses ids that high."""


def rescale(probes: Sequence[Probe], k: int) -> tuple[Probe, ...]:
    """Return the probes, under the same names, at cut-off ``k``; of the small lists one batch for each r."""
    return tuple(_at(probe, k) for probe in probes if probe.kind != Kind("exhaustive") or probe.k == min(k, LONGEST))


def _at(probe: Probe, k: int) -> Probe:
    if k == probe.k or probe.kind == Kind("exhaustive"):
        return replace(probe, k=k)
    return replace(probe, k=k, case=_grown_case(probe, k - probe.k))


def _grown_case(probe: Probe, grow: int) -> Case:
    """Return the case of a probe for a cut-off that is larger by ``grow``, or smaller if that is negative."""
    case = probe.case
    rec, rel, train = case.predictions, case.truth, case.train
    listed: list[tuple[int, int, float]] = []
    known = list(zip(rel.user.tolist(), rel.item.tolist(), rel.gain.tolist(), strict=True))
    added: list[tuple[int, int, float]] = []
    for user in sorted({*rec.user.tolist(), *rel.user.tolist()}):
        own = rec.user == user
        rows = list(zip(rec.item[own].tolist(), rec.score[own].tolist(), strict=True))
        relevant = {item for other, item, _ in known if other == user}
        any_scores = probe.kind in (Kind("single_user"), Kind("multi_user"))
        rows = _stretched(rows, relevant, probe.k, grow, user) if any_scores else _lowered(rows, probe.k, grow)
        listed += [(user, item, score) for item, score in rows]
        if grow > 0 and len(relevant) >= probe.k:
            added += [(user, _FIRST_MISSED + n, gain) for n, gain in enumerate(islice(cycle((2.0, 4.0)), grow))]
    seen = list(zip(train.user.tolist(), train.item.tolist(), strict=True))
    return case_from_rows(case.name, listed, known + added, seen, threshold=case.threshold, why=case.why)


def _stretched(rows: Rows, relevant: set[int], k: int, grow: int, user: int) -> Rows:
    """Insert or remove irrelevant items in the middle of the first k, if the list is that long; with new scores."""
    items = [item for item, _ in rows]
    if len(items) >= k and grow > 0:
        middle = max(1, k // 2)
        items[middle:middle] = range(_FIRST_FILLER, _FIRST_FILLER + grow)
    for _ in range(-grow):
        irrelevant = [place for place, item in enumerate(items[:k]) if item not in relevant]
        if irrelevant and len(items) >= k:
            del items[irrelevant[-1]]
    return list(zip(items, default_scores(len(items), user), strict=True))


def _lowered(rows: Rows, k: int, grow: int) -> Rows:
    """Put irrelevant items on top of a list whose scores and order must stay as they are."""
    if len(rows) < k or grow < 0:
        return rows
    top = max(score for _, score in rows)
    return [(_FIRST_FILLER + n, top + grow - n) for n in range(grow)] + rows
