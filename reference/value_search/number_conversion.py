"""Converts printed numbers without the data: from the ranks of hits to other definitions, from means to intervals.

Ranks of each user's hits and the number of relevant items determine every definition that reads nothing else. Of means
alone follow intervals. Where every user has one relevant item, a user is in one of K + 1 states, the rank of the item
or none, and a mean is an average of the states' values. The shares of the states form a polytope: none is negative,
their sum is 1, and the given means are as printed. Another mean is linear in the shares, so that its extremes are at
vertices. At a vertex, as many states as there are given means at an edge of what is printed so, and one more, have a
share; all are visited.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, combinations, product
from math import comb

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reference.space.lists import Floats
from recsys_metric_audit.reference.value_search.printed_number import PrintedNumber

_SLACK = 1e-9
_AT_MOST = 5_000_000
"""Limits the vertices that are visited: some seconds and a gigabyte."""


class ConversionError(ValueError):
    """Reports a definition that the given numbers do not determine, or numbers that no users have together."""


class NoUsersError(ConversionError):
    """Reports numbers that no users with one relevant item each have together."""


@dataclass(frozen=True)
class Interval:
    """Holds the least and the largest value that a definition can have: every value between them is possible.

    >>> from recsys_metric_audit import convert_means
    >>> (found,) = convert_means({"HR@2": "0.50"}, ["MRR@2"])
    >>> found.definition.signature(), round(found.low, 4), round(found.high, 4)
    ('reciprocal_rank@2', 0.2475, 0.505)
    """

    definition: Definition
    low: float
    high: float


def from_ranks(
    ranks: Mapping[str, Sequence[int]], relevant: Mapping[str, int], wanted: Sequence[Definition]
) -> list[Interval]:
    """Compute definitions from the ranks of hits; the ends of each interval are equal.

    Args:
        ranks: The ranks of each user's hits, from 1 up; empty for a user without one.
        relevant: The number of relevant items of each user.
        wanted: The definitions, at cut-offs that are numbers.

    Raises:
        ConversionError: for a definition that reads more than ranks and numbers: how long lists are, or gains.
        ValueError: for a rank below 1, one that stands twice, or more hits than relevant items.
    """
    for user, own in ranks.items():
        if min(own, default=1) < 1 or len({*own}) < len(own):
            raise ValueError(f"user {user}: ranks are different whole numbers from 1 up, not {list(own)}")
        if len(own) > relevant[user]:
            raise ValueError(f"user {user}: {len(own)} hits of {relevant[user]} relevant items")
    longest = max(chain([1], *ranks.values(), (each.k for each in wanted if isinstance(each.k, int))))
    hits, counts = list(ranks.values()), [relevant[user] for user in ranks]
    readings = _readings(hits, counts, longest)
    values = [[float(_at_cutoff(each, reading).mean[0]) for reading in readings] for each in wanted]
    return [Interval(each, _only(each, own), _only(each, own)) for each, own in zip(wanted, values, strict=True)]


def _readings(hits: Sequence[Sequence[int]], relevant: Sequence[int], longest: int) -> list[Problem]:
    """Return data with these ranks of hits that differ in all else: how long lists are, and gains."""
    ends = [max(own, default=0) for own in hits]
    cases = (
        _case(hits, relevant, [longest] * len(hits)),
        _case(hits, relevant, ends),
        _case(hits, relevant, [longest] * len(hits), gains=(3.0, 5.0, 4.0)),
    )
    return [Problem.of([each], None) for each in cases]


def _only(definition: Definition, values: Sequence[float]) -> float:
    """Return the number that all readings give.

    Raises:
        ConversionError: if they give several, or where the definition reads which misses are candidates.
    """
    if definition.axes.get("candidates", "all") != "all" or not np.allclose(
        values[0], values, rtol=0, atol=_SLACK, equal_nan=True
    ):
        raise ConversionError(
            f"{definition.signature()} reads more than ranks of hits and numbers of relevant items: "
            "how long lists are, gains, or which items are candidates"
        )
    return values[0]


def _at_cutoff(definition: Definition, problem: Problem) -> Evaluated:
    if isinstance(definition.k, str):
        raise ConversionError(f"{definition.signature()}: at which cut-off? a number is needed")
    return evaluate(definition, problem.at(definition.k))


def from_means(printed: Sequence[tuple[Definition, PrintedNumber]], wanted: Sequence[Definition]) -> list[Interval]:
    """Compute the interval in which definitions must lie, where every user has one relevant item.

    Args:
        printed: Definitions with the numbers that are printed for them; all are means over the same users.
        wanted: The definitions to convert to, at cut-offs that are numbers.

    Raises:
        ConversionError: if no users have these numbers together, if a definition is no mean over users, or if there are
            too many combinations of ranks to visit.

    >>> from recsys_metric_audit.reference.definitions.definition import parse
    >>> from recsys_metric_audit.reference.value_search.printed_number import read_printed_number
    >>> (found,) = from_means([(parse("hit_rate@2"), read_printed_number("0.50"))], [parse("reciprocal_rank@2")])
    >>> round(found.low, 4), round(found.high, 4)
    (0.2475, 0.505)
    """
    every = [*(definition for definition, _ in printed), *wanted]
    longest = _longest([*([definition] for definition, _ in printed), wanted])
    values = _values_of_states(every, longest)
    given, targets = values[: len(printed)], values[len(printed) :]
    low, high = (np.array([getattr(number, end) for _, number in printed]) for end in ("low", "high"))
    return [
        Interval(definition, *_extremes(given, low, high, target))
        for definition, target in zip(wanted, targets, strict=True)
    ]


def given_together(
    printed: Sequence[tuple[Sequence[Definition], PrintedNumber]],
) -> tuple[list[tuple[Definition, ...]], list[tuple[Definition, ...]]]:
    """Choose a definition for each printed number, and ask whether users with one relevant item each can have all.

    Args:
        printed: The definitions that each number may be of, with the number.

    Returns:
        The choices that are possible, and those that are not. Definitions that are no mean over all users are left out.

    Raises:
        ConversionError: if there are too many combinations of ranks to visit, or two numbers are of the whole list.
    """
    longest = _longest([definitions for definitions, _ in printed])
    low, high = (np.array([getattr(number, end) for _, number in printed]) for end in ("low", "high"))
    rows = [list(_rows(definitions, longest)) for definitions, _ in printed]
    known: dict[tuple[bytes, ...], bool] = {}
    possible: list[tuple[Definition, ...]] = []
    impossible: list[tuple[Definition, ...]] = []
    for choice in product(*rows):
        given = np.array([values for _, values in choice])
        key = tuple(values.round(9).tobytes() for _, values in choice)
        if key not in known:
            known[key] = _met(given, low, high)
        (possible if known[key] else impossible).append(tuple(definition for definition, _ in choice))
    return possible, impossible


def _longest(numbers: Sequence[Sequence[Definition]]) -> int:
    """Return the deepest rank that has to be visited: the last that a cut-off keeps, or the one below it.

    Where one number is of the whole list, a hit further down gives it a value between those of that rank and of a miss,
    and the others nothing: what follows for the means is the same.

    Raises:
        ConversionError: if two numbers are of the whole list.
    """
    whole = sum(any(each.k is None for each in definitions) for definitions in numbers)
    if whole > 1:
        raise ConversionError("two numbers are of the whole list, whose ranks have no end: give one of them a cut-off")
    cuts = [each.k for definitions in numbers for each in definitions if isinstance(each.k, int)]
    return max(cuts, default=1 - whole) + whole


def _rows(definitions: Sequence[Definition], longest: int) -> Iterator[tuple[Definition, Floats]]:
    for each in definitions:
        with suppress(ConversionError):
            yield each, _values_of_states([each], longest)[0]


def _met(given: Floats, low: Floats, high: Floats) -> bool:
    """Return True if some shares of states give means between the ends."""
    try:
        _extremes(given, low, high, given[0])
    except NoUsersError:
        return False
    return True


def _values_of_states(definitions: Sequence[Definition], longest: int) -> Floats:
    """Return the value of each definition for a user whose relevant item is at each rank, and for one who misses it."""
    states = [[rank] for rank in range(1, longest + 1)] + [[]]
    times = [1 + place % 3 for place in range(len(states))]
    often = [state for state, count in zip(states, times, strict=True) for _ in range(count)]
    problems = _readings(states, [1] * len(states), longest)
    weighted = Problem.of([_case(often, [1] * len(often), [longest] * len(often))], None)
    out = []
    for each in definitions:
        made = [_at_cutoff(each, problem) for problem in problems]
        mean = float(_at_cutoff(each, weighted).mean[0])
        own = made[0]
        whole = len(own.value) == len(states) and bool(own.counted.all() and np.isfinite(own.value).all())
        if not whole or abs(float(np.average(own.value, weights=times)) - mean) > _SLACK:
            raise ConversionError(
                f"{each.signature()} is no mean over all users: nothing follows for it from other means"
            )
        out.append(
            [_only(each, numbers) for numbers in zip(*(reading.value.tolist() for reading in made), strict=True)]
        )
    return np.array(out)


def _case(
    hits: Sequence[Sequence[int]], relevant: Sequence[int], length: Sequence[int], gains: Sequence[float] = (1.0,)
) -> Case:
    """Return the case of users with hits at some ranks of lists of some lengths; other relevant items are unlisted.

    Relevant items have the gains one after the other.
    """
    users = np.arange(1, len(hits) + 1)
    user = np.repeat(users, length)
    rank = np.concatenate([np.arange(1, each + 1) for each in length]) if user.size else np.zeros(0, dtype=np.int64)
    true = np.array(
        [(number, item) for number, (own, count) in enumerate(zip(hits, relevant, strict=True), 1)
         for item in (*own, *range(-1, len(own) - count - 1, -1))], dtype=np.int64,
    ).reshape(-1, 2)  # fmt: skip
    predictions = Predictions(user, rank.astype(np.int64), 1 / (1.0 + rank))
    truth = Truth(true[:, 0], true[:, 1], np.resize(np.array(gains), len(true)))
    items = np.unique(np.concatenate([predictions.item, truth.item]))
    return Case("from ranks", predictions, truth, catalogue=items, users=users)


def _extremes(given: Floats, low: Floats, high: Floats, target: Floats) -> tuple[float, float]:
    """Return the least and the largest mean of a target over all shares of states that give the other means."""
    columns = np.unique(np.vstack([given, target[np.newaxis]]), axis=1)  # states that nothing tells apart are one
    given, target = columns[:-1], columns[-1]
    states, most = len(target), min(len(given), len(target) - 1)
    if comb(states, most + 1) * 2**most > _AT_MOST:
        raise ConversionError(f"{len(given)} numbers of {states} ranks have too many combinations: give fewer numbers")
    found = np.concatenate([*_values_at_vertices(given, low, high, target), np.zeros(0)])
    if not found.size:
        raise NoUsersError("no users with one relevant item each have these numbers together")
    return float(found.min()), float(found.max())


def _values_at_vertices(given: Floats, low: Floats, high: Floats, target: Floats) -> Iterator[Floats]:
    """Yield the target's mean at every vertex, by the means that are at an edge of what is printed so."""
    for size in range(min(len(given), len(target) - 1) + 1):
        chosen = np.array(list(combinations(range(len(target)), size + 1)))
        for tight in map(list, combinations(range(len(given)), size)):
            equations = np.ones((len(chosen), size + 1, size + 1))
            equations[:, 1:] = given[tight][:, chosen].transpose(1, 0, 2)
            regular = np.abs(np.linalg.det(equations)) > _SLACK
            for edges in product(*((low[place], high[place]) for place in tight)):
                shares = np.linalg.solve(equations[regular], np.array([1.0, *edges])[:, np.newaxis])[..., 0]
                means = np.einsum("mcs,cs->cm", given[:, chosen[regular]], shares)
                fits = (shares >= -_SLACK).all(axis=1) & ((means >= low - _SLACK) & (means <= high + _SLACK)).all(
                    axis=1
                )
                yield (target[chosen[regular]] * shares).sum(axis=1)[fits]
