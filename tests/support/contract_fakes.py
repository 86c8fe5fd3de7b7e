"""Functions over a case that read their input in known ways, and their answers to all that a contract is checked on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.responses import FunctionUnderTest
from recsys_metric_audit.audit.libraries.function import Function, Made, Takes
from recsys_metric_audit.audit.process.protocol import Errored, Outcome
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.input.case import Case
from tests.support.behaviour_samples import TIGHT, outcome

Reads = Callable[[Case, int], float]
"""A metric as an adapter and its library compute it together."""


def lists(case: Case) -> dict[int, list[tuple[int, float]]]:
    """Items with scores of each user, as given."""
    made: dict[int, list[tuple[int, float]]] = {}
    rec = case.predictions
    for user, item, score in zip(rec.user.tolist(), rec.item.tolist(), rec.score.tolist(), strict=True):
        made.setdefault(user, []).append((item, score))
    return made


def relevant(case: Case, *, least: float | None = None) -> dict[int, list[tuple[int, float]]]:
    """Items with gains of each user, as given; only gains from ``least`` up."""
    made: dict[int, list[tuple[int, float]]] = {}
    rel = case.truth
    for user, item, gain in zip(rel.user.tolist(), rel.item.tolist(), rel.gain.tolist(), strict=True):
        if least is None or gain >= least:
            made.setdefault(user, []).append((item, gain))
    return made


def mean_of_hits(
    case: Case, k: int, *, by_score: bool, graded: bool = False, unlisted: bool = True, repeats: bool = False
) -> float:
    """Sum gain / rank over the hits of the first k, over all relevant items, and average over users.

    ``by_score``: sort rows by score; ``graded``: read gains; ``unlisted``: count relevant items that are not listed;
    ``repeats``: count a truth row as often as it stands there.
    """
    values = []
    for user, truth in relevant(case).items():
        rows = lists(case).get(user, [])
        rows = sorted(rows, key=lambda row: -row[1]) if by_score else rows
        gains = {item: gain if graded else 1.0 for item, gain in truth}
        listed = {item for item, _ in rows}
        counted = [item for item, _ in truth if unlisted or item in listed]
        size = len(counted if repeats else set(counted))
        ranked = [item for item, _ in rows][:k]
        values.append(sum(gains.get(item, 0.0) / rank for rank, item in enumerate(ranked, 1)) / max(1, size))
    return sum(values) / len(values) if values else 0.0


def mean_of_dense_scores(case: Case, k: int) -> float:
    """Compute the same from a score for every item: an item has its last score, and rows have no order."""
    values = []
    for user, truth in relevant(case).items():
        scores = dict(lists(case).get(user, []))
        ranked = sorted(scores, key=lambda item: (-scores[item], item))[:k]
        held = {item for item, _ in truth}
        values.append(sum(1 / rank for rank, item in enumerate(ranked, 1) if item in held) / max(1, len(held)))
    return sum(values) / len(values) if values else 0.0


def declared(
    reads: Reads,
    takes: Mapping[str, str],
    *,
    decides: tuple[str, ...] = (),
    refuses: Callable[[Case], Outcome | None] = lambda case: None,
) -> FunctionUnderTest:
    """Return a function whose adapter declares ``takes``, with its answers; ``refuses`` may give another outcome."""
    own = Function(
        name="lib.metric", metric="ndcg", takes=Takes.model_validate(takes),
        called_with=(Made(what="what it makes", decides=decides),) if decides else (),
    )  # fmt: skip

    def answer(case: Case, k: int) -> Outcome:
        return refuses(case) or outcome(reads(case, k))

    every = (*scenarios.SCENARIOS, *scenarios.SEPARATE_CHANGES, *scenarios.CONTRACT)
    made = {each.name: {k: (answer(each.case, k),) * each.repeat for k in each.ks} for each in every}
    probes = {probe.name: answer(probe.case, probe.k) for probe in PROBES}
    return FunctionUnderTest(own, probes, made, TIGHT, other_seed={name: probes[name] for name in scenarios.SEEDED})


def refusing_fractions(case: Case) -> Outcome | None:
    """Refuse gains that are not whole, as a library that wants integers does."""
    fractional = bool((case.truth.gain % 1 != 0).any())
    return Errored("ValueError", "grades must be integers", "") if fractional else None
