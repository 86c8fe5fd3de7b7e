"""Generated cases and definitions for the tests of this folder."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space import averaging, edges, input_axes
from recsys_metric_audit.reference.space.axis import Axis
from recsys_metric_audit.reference.space.metric import Metric

SCALE = int(os.environ.get("AUDIT_EXAMPLES", "1"))
"""How many times the usual number of examples to run: AUDIT_EXAMPLES=20 for a long search."""

ITEMS = (2, 9, 10, 11, 30, 100, 7, 8)
"""Ids whose order as text is not their order as numbers."""
SCORES = (3.0, 2.0, 2.0, 1.0, 0.5, 0.0, -1.0)
GAINS = (2.0, 4.0, 2.5, 1.0, 3.0, 0.5, 0.0)


def examples(number: int) -> settings:
    """Return settings for ``number`` examples, times AUDIT_EXAMPLES."""
    return settings(
        max_examples=number * SCALE, deadline=None, derandomize=SCALE == 1,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )  # fmt: skip


def examples_in_one_folder(number: int) -> settings:
    """Return settings for ``number`` examples, times AUDIT_EXAMPLES, that share the fixtures of their test."""
    usual = examples(number)
    return settings(usual, suppress_health_check=[*usual.suppress_health_check, HealthCheck.function_scoped_fixture])


@st.composite
def cases(draw: st.DrawFn, *, repeats: bool = True, users: int = 4, longest: int = 5) -> Case:
    """Draw a small case: users on one side only, ties, empty lists, items given twice where ``repeats``."""
    rec: list[tuple[int, int, float]] = []
    truth: list[tuple[int, int, float]] = []
    train: list[tuple[int, int]] = []
    for user in draw(st.lists(st.integers(1, 30), min_size=1, max_size=users, unique=True)):
        some = {"unique": not (repeats and draw(st.integers(0, 3)) == 0)}
        listed = draw(st.lists(st.sampled_from(ITEMS), max_size=longest, **some))
        relevant = draw(st.lists(st.sampled_from(ITEMS), max_size=4, **some))
        rec += [(user, item, draw(st.sampled_from(SCORES))) for item in listed]
        truth += [(user, item, draw(st.sampled_from(GAINS))) for item in relevant]
        train += [(user, item) for item in draw(st.lists(st.sampled_from((9, 30, 50, 51)), max_size=2, unique=True))]
    if draw(st.booleans()):
        rec.sort(key=lambda row: -row[2])
    if draw(st.booleans()):
        rec, truth = draw(st.permutations(rec)), draw(st.permutations(truth))
    catalogue = draw(st.sampled_from([[], [*ITEMS, 500, 501]]))
    return make(rec, truth, train, threshold=draw(st.sampled_from([0.0, 1.0, 2.0, 3.0])), catalogue=catalogue)


def random_case(rng: random.Random, users: int = 4, longest: int = 5) -> Case:
    """Make a case as :func:`cases` does, by random numbers: a hundred times quicker, where thousands are wanted."""
    rec: list[tuple[int, int, float]] = []
    truth: list[tuple[int, int, float]] = []
    train: list[tuple[int, int]] = []
    repeats = rng.random() < 0.5
    for user in rng.sample(range(1, 31), rng.randint(1, users)):
        draw = rng.choices if repeats and rng.random() < 0.6 else rng.sample
        rec += [(user, item, rng.choice(SCORES)) for item in draw(ITEMS, k=rng.choice((0, 1, 2, 3, 4, 5, longest)))]
        truth += [(user, item, rng.choice(GAINS)) for item in draw(ITEMS, k=rng.choice((0, 1, 1, 2, 2, 3, 4)))]
        train += [(user, item) for item in rng.sample((9, 30, 50, 51), rng.randint(0, 2))]
    if rng.random() < 0.5:
        rec.sort(key=lambda row: -row[2])
    if rng.random() < 0.5:
        rng.shuffle(rec)
        rng.shuffle(truth)
    catalogue = rng.choice([[], [*ITEMS, 50, 51, 500, 501]])
    return make(rec, truth, train, threshold=rng.choice([0.0, 1.0, 2.0, 3.0]), catalogue=catalogue)


def make(
    rec: list[tuple[int, int, float]],
    truth: list[tuple[int, int, float]],
    train: list[tuple[int, int]] | None = None,
    threshold: float = 1.0,
    catalogue: list[int] | None = None,
) -> Case:
    """Return a case from rows (user, item, score), (user, item, gain) and (user, item)."""

    def column(rows: list[tuple], place: int, kind: str) -> np.ndarray:  # type: ignore[type-arg]
        return np.array([row[place] for row in rows], dtype=kind)

    seen = train or []
    return Case(
        "generated",
        Predictions(column(rec, 0, "int64"), column(rec, 1, "int64"), column(rec, 2, "float64")),
        Truth(column(truth, 0, "int64"), column(truth, 1, "int64"), column(truth, 2, "float64")),
        Train(column(seen, 0, "int64"), column(seen, 1, "int64")),
        np.array(catalogue or [], dtype=np.int64),
        threshold,
    )


def one(ranked: str, r: int | None = None, *, gains: Mapping[int, float] | None = None, scores: str = "") -> Case:
    """One user's list in shorthand: "1001" has hits at ranks 1 and 4; ``r`` relevant items in all.

    ``gains`` gives gains by rank where they are not 1; ``scores`` ("5543") makes ties.
    """
    return many((ranked, r), gains=gains, scores=scores)


def many(*users: tuple[str, int | None], gains: Mapping[int, float] | None = None, scores: str = "") -> Case:
    """Return a case of users 1, 2, ...; no two of its rows score the same unless ``scores`` says so."""
    listed: list[tuple[int, int, float]] = []
    truth: list[tuple[int, int, float]] = []
    for user, (ranked, r) in enumerate(users, 1):
        for place in range(len(ranked)):
            listed.append((user, 10 + place, float(scores[place]) if scores else -place - user / 100))
        own = [(user, 10 + place, (gains or {}).get(place + 1, 1.0)) for place, hit in enumerate(ranked) if hit == "1"]
        truth += own + [(user, 500 + number, 1.0) for number in range((len(own) if r is None else r) - len(own))]
    return make(listed, truth)


def value(signature: str, case: Case) -> float:
    """Return what the definition of a signature gives on the case."""
    definition = parse(signature)
    k = definition.k if isinstance(definition.k, int) else None
    return float(evaluate(definition, Problem.of([case], k)).mean[0])


def sampled(metric: Metric, seed: int, moved: float = 0.35) -> Definition:
    """Return a definition with each axis moved off its canonical value with probability ``moved``."""
    rng = random.Random(seed)
    while True:
        values = dict(metric.canonical)
        for axis in metric.all_axes:
            if rng.random() < moved:
                values[axis.name] = rng.choice(axis.names)
        if metric.refusal(values) is None:
            return Definition.of(metric.name, values, rng.choice([1, 2, 3, 5, 8]))


NUMBERS = {
    "beta": ("3", "0.25"), "persistence": ("0.3",), "discount": ("3",), "ideal_discount": ("1.5",), "clip": ("0.01",),
    "cutoff": ("1", "4"), "relevance": ("0.5", "1", "2.5"), "top": ("4", "3.5"), "offset": ("1", "60"),
}  # fmt: skip
"""Numbers to try on the axes that take any."""
SHARED = (*averaging.AXES, *edges.AXES, *input_axes.AXES, *METRICS["mae"].inputs)
"""Axes that more than one metric has, what a formula is made of left aside."""


def shared_values(rng: random.Random, moved: float = 0.35) -> dict[str, str]:
    """Values off the usual place on the axes that metrics share. A value carried over from the user before is no one
    number while that user's ties are averaged: the two are not drawn together."""
    out = {axis.name: _any_of(axis, rng) for axis in SHARED if rng.random() < moved}
    if "previous" in (out.get("no_hit"), out.get("no_list")) and out.get("ties") == "average":
        del out["ties"]
    return out


def sampled_like(
    metric: Metric, shared: Mapping[str, str], k: int, rng: random.Random, moved: float = 0.35
) -> Definition:
    """Return a definition with its own axes moved at random, and with those of ``shared`` that can act on it.

    It has all of these, unless that is refused whatever its own are.
    """
    acting = {name: value for name, value in shared.items() if name in metric.canonical}
    names = {axis.name for axis in SHARED}
    while True:
        for _ in range(20):
            own = {axis.name: _any_of(axis, rng) for axis in metric.all_axes
                   if axis.name not in names and rng.random() < moved}  # fmt: skip
            if metric.refusal({**metric.canonical, **acting, **own}) is None:
                return Definition.of(metric.name, {**acting, **own}, k)
        del acting[rng.choice(sorted(acting))]


def _any_of(axis: Axis, rng: random.Random) -> str:
    return rng.choice((*axis.names, *NUMBERS.get(axis.name, ())))


def definitions(names: tuple[str, ...] = tuple(METRICS)) -> st.SearchStrategy[Definition]:
    """Definitions of all metrics, from the full product of their axes."""
    return st.builds(lambda name, seed: sampled(METRICS[name], seed), st.sampled_from(names), st.integers(0, 2**32))


def with_wrong_bytes(content: bytes, seed: int) -> bytes:
    """Return the content of a file with one byte, three or twenty replaced by others."""
    draw, made = random.Random(seed), bytearray(content)
    for _ in range(draw.choice((1, 3, 20))):
        made[draw.randrange(len(made))] = draw.randrange(256)
    return bytes(made)
