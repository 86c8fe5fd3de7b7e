"""Wraps functions that no call is known of, as a user would: a function of one user's items that makes their arguments.

The arguments are those that ``tests/support/calls_of_others`` passes on drawn inputs.
"""

from __future__ import annotations

import importlib
import inspect
import random
from collections.abc import Callable, Sequence

import numpy as np

from recsys_metric_audit.audit.inhouse.calling.caller import load
from recsys_metric_audit.audit.inhouse.identify_function import IdentifyResult, identify_here
from recsys_metric_audit.audit.inhouse.shapes import SHAPES, Shape
from recsys_metric_audit.audit.inhouse.target import SCORED
from recsys_metric_audit.audit.libraries.metric_name import metric_of_relevance
from tests.support.drawn_rankings import Drawn, Ranked, drawn
from tests.support.functions_of_others import FOLDER, OfOthers

SHORTEST = 5
"""Lists of functions that need long ones have at least this many items."""
DRAWS = 40
_FOUR_DIGITS = 5.1e-5
"""How far a number that is printed with four digits, as some of these functions return theirs, is from its value."""


def identify_wrapped(row: OfOthers) -> IdentifyResult:
    """Return what is told of a function through its wrapper.

    Raises:
        UserError: if the metric of the row is one that is not asked of a function.
    """
    function, shape = _wrapper(row)
    return identify_here(function, metric_of_relevance(row.metric), shape, row.k)


def contradicting_input(row: OfOthers, result: IdentifyResult) -> Drawn | None:
    """Return a drawn input of one user on which a function is not what is told of it; None where it always is.

    The slow oracle says what the told definition gives.
    """
    assert result.summary is not None and result.summary.signature is not None
    scope, call, rng = result.summary.finding.scope, _call(row), random.Random(row.name)
    words = {*row.draw, "one_user"} - ({"graded"} if scope.gains_of_1 else set())
    for _ in range(DRAWS):
        given = drawn(rng, words)
        given = Drawn(given.users, row.k or given.k)
        told = scope.offset + scope.factor * given.value(result.summary.signature)
        near = _FOUR_DIGITS if scope.digits is None else 0.51 * 10.0**-scope.digits
        if not np.isclose(call(given), told, rtol=0, atol=near * max(1, abs(scope.factor)), equal_nan=True):
            return given
    return None


def _call(row: OfOthers) -> Callable[[Drawn], float]:
    name = row.name.removeprefix(f"{row.area}/")
    calls = importlib.import_module(f"tests.support.calls_of_others.{row.area}").CALLS
    file, _, inner = row.name.rpartition(":")
    function = load(str(FOLDER / file), inner)
    return lambda given: float(calls[name](function, given))


def _wrapper(row: OfOthers) -> tuple[Callable[..., float], Shape]:
    """Return a wrapper of a function and the shape of its call, which is made for what the function can be given."""
    call, words = _call(row), {*row.draw}
    listed = bool({"only_listed", "whole_catalogue"} & words)

    def value(items: Sequence[int], truth: dict[int, float], k: int, scores: Sequence[float] | None = None) -> float:
        if "long_lists" in words and len(items) < SHORTEST:
            raise ValueError(f"lists have at least {SHORTEST} items")
        shown = scores if scores is not None else [1 - place / 64 for place in range(len(items))]
        shuffled = sorted(range(len(items)), key=lambda place: (7 * place) % 11)
        gains = truth if "graded" in words else dict.fromkeys(truth, 1.0)
        return call(Drawn([Ranked(list(items), list(shown), gains, shuffled)], k))

    def rows(labels: Sequence[float], k: int, scores: Sequence[float] | None = None) -> float:
        first = 0 if "whole_catalogue" in words else len(labels)  # the numbers of items say nothing
        truth = {first + place: float(gain) for place, gain in enumerate(labels) if gain}
        return value(range(first, first + len(labels)), truth, k, scores)

    def asked_one(recommended: Sequence[int], relevant: int, k: int = 1) -> float:
        return asked(recommended, {relevant: 1.0}, k)

    def asked_place(target: int, scores: Sequence[float], k: int = 1) -> float:
        best_first = sorted(range(len(scores)), key=lambda place: -scores[place])
        return rows([float(place == target) for place in best_first], k)

    def asked_labels(labels: Sequence[float], k: int = 1) -> float:
        return rows(labels, k)

    def asked_scores(labels: Sequence[float], scores: Sequence[float], k: int = 1) -> float:
        return rows(labels, k, scores)

    def asked(recommended: Sequence[int], relevant: dict[int, float], k: int = 1) -> float:
        number = {item: place for place, item in enumerate(sorted({*recommended, *relevant}), 1)}  # 0 fills rows
        gains = {number[item]: gain for item, gain in relevant.items()}
        return value([number[item] for item in recommended], gains, k)

    if metric_of_relevance(row.metric) in SCORED:
        made, name = asked_scores, "scores"
    elif "one_relevant" in words:
        made, name = (asked_place, "target-scores") if listed else (asked_one, "recommended-one")
    else:
        made, name = (asked_labels, "vector") if listed else (asked, "recommended")
    if any("cutoff:none" in right for right in row.right):
        own = list(inspect.signature(made).parameters.values())
        made.__signature__ = inspect.Signature(own[:-1])  # type: ignore[attr-defined]
    return made, SHAPES[name]
