"""The questions to functions of metrics beyond accuracy: the probes for them, and cases drawn from a seed."""

from __future__ import annotations

from functools import cache
from itertools import chain

import numpy as np

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.questions.case_features import SEED
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.cases.item_probes import FAMILY_PROBES, ITEM_PROBES, SHOWN_ITEMS
from recsys_metric_audit.reference.cases.probe import case_from_rows, default_scores
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.metrics import FAMILIES

DRAWN = 10
"""So many cases are drawn: what agrees on the probes by chance parts on some of them."""
_USERS, _ITEMS = 9, 24


def reads_items(function: Function) -> bool:
    """Return True if the metric of a function reads which items are shown, not which are relevant."""
    return function.metric in FAMILIES and FAMILIES[function.metric].reads != "relevance"


def item_questions(metric: str | None = None) -> tuple[Probe, ...]:
    """Return everything that functions of a metric beyond accuracy, or of any, are asked beside the data."""
    own = (probes for name, probes in FAMILY_PROBES.items() if metric in (None, name))
    return (*ITEM_PROBES, *map(_drawn, range(DRAWN)), *chain.from_iterable(own))


@cache
def asked_of(metric: str, *, ordinary: bool = False) -> tuple[tuple[Probe, ...], Problem]:
    """Return the questions to functions of a metric, or those of ordinary rows, and their cases as one problem."""
    probes = tuple(probe for probe in item_questions(metric) if probe.kind == SHOWN_ITEMS or not ordinary)
    return probes, problem_of(probes)


_OPENED = 8
"""So many probes of ordinary rows are asked at first where known definitions are tried; the others if they decide."""


def names_of_opening(metric: str) -> frozenset[str]:
    """Return the names of the probes that functions of a metric are asked at first: of ordinary rows not all.

    How rows are ordered, and what becomes of repeats, may follow no rule: only all probes of them show that.
    """
    ordinary = [probe for probe in item_questions(metric) if probe.kind == SHOWN_ITEMS]
    others = (probe for probe in item_questions(metric) if probe.kind != SHOWN_ITEMS)
    return frozenset(probe.name for probe in (*ordinary[: _OPENED // 2], *ordinary[-_OPENED // 2 :], *others))


@cache
def _drawn(number: int) -> Probe:
    """Draw a case of ordinary rows: popular items stand in more lists, and some users have no list or no truth."""
    rng = np.random.default_rng([SEED, 20, number])
    share = 1 / np.arange(2, _ITEMS + 2)
    rows: list[tuple[int, int, float]] = []
    truth: list[tuple[int, int, float]] = []
    seen: list[tuple[int, int]] = []
    for user in range(1, _USERS + 1):
        order = rng.choice(_ITEMS, _ITEMS, replace=False, p=share / share.sum()).tolist()
        had, listed = order[: int(rng.integers(0, 6))], order[6 : 6 + int(rng.integers(0, 8))]
        scores = default_scores(len(listed), user)
        rows += [(user, 10 + item, score) for item, score in zip(listed, scores, strict=True)]
        seen += [(user, 10 + item) for item in had]
        truth += [(user, 10 + item, 4.0) for item in order[8 : 8 + int(rng.integers(0, 3))]]
    name = f"items: drawn case {number + 1}"
    case = case_from_rows(
        name, rows, truth, seen, why="drawn to tell definitions apart", unseen=range(800, 800 + number)
    )
    return Probe(SHOWN_ITEMS, case, int(rng.integers(1, 6)))
