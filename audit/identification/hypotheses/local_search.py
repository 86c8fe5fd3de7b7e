"""Looks for definitions that fit the answers of a function, by local search: the best ones are changed axis by axis.

The search starts from definitions that are known and from the formulas nearest to the answers, keeps those tried in
the order of how many answers contradict them, and changes the best one next. It ends where nothing contradicts one, or
where some changes in a row have led to nothing better.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import combinations, groupby, islice, product, takewhile
from typing import Any, NamedTuple

import numpy as np

from recsys_metric_audit.audit.identification.hypotheses.pool_answers import (
    PoolAnswers,
    axes_of_averaging,
    contradicted,
    has_several_users,
)
from recsys_metric_audit.audit.identification.hypotheses.rivals import NOT_ON_PLAIN_INPUT, can_be_cut, one_axis_away
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.candidates import merged
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import is_idle
from recsys_metric_audit.reference.space.edges import AXES as EDGES

_PATIENCE = 12
"""So many definitions in a row are changed without anything better: of 120 faults of several axes, 5 miss two, 30 find
none that 12 do not."""
PATIENCE_WITH_FEW = 5
"""So many are changed while few answers are known: where none fits, more is asked and the search begins anew."""
_NEAR = 0.2
"""Where more of the answers than this share contradict the best definition, so few are changed, too: of 240 faults of
several axes none was found after such a definition had been the best of two that were changed."""
_PATIENCE_WITH_A_FIT = 2
"""So many more are changed where one fits, but not all refusals are expected."""
_KEPT = 3
"""Of so many definitions, the least contradicted, ties or repeats are left without a rule; those that fit are changed
once more."""


class Score(NamedTuple):
    """Orders definitions by how well they fit: by three counts of answers, the fewest first.

    Attributes:
        ordinary: Answers without ties and repeats that contradict the definition.
        contradicted: All that do.
        refusals: Refusals that it does not expect.
    """

    ordinary: int
    contradicted: int
    refusals: int

    @staticmethod
    def of(definition: Definition, answers: PoolAnswers) -> Score:
        """Count the answers that speak against a definition."""
        wrong = contradicted(definition, answers)
        ordinary = int((wrong & ~answers.unusual).sum())
        return Score(ordinary, int(wrong.sum()), answers.unexpected_refusals(definition))


class Found(NamedTuple):
    """Holds the outcome of a local search: the definitions that no answer contradicts, or else the nearest one."""

    definitions: tuple[Definition, ...]
    nearest: Definition | None


def search_near(
    starts: Iterable[Definition], function: Function, answers: PoolAnswers, patience: int = _PATIENCE
) -> Found:
    """Change definitions axis by axis until no answer contradicts one.

    An axis that the contract or the adapter decides is changed too: a pin does not tell how it was decided. Where no
    rule for ties or repeats fits, the least contradicted definitions are tried without one.

    Args:
        starts: The definitions to start from, under the contract of the function.
        function: The function.
        answers: Its answers.
        patience: So many definitions in a row are changed without anything better.

    Returns:
        Of the definitions that no answer contradicts all that expect as many refusals as any, the plainest first.
    """
    starts = tuple(starts)
    hidden = {axis for each in starts for axis in answers.hidden_axes(each)}
    search = _Search(function, answers, frozenset({*function.takes.fixed_values, *hidden}))
    search.run(starts, patience)
    nearest = [*islice(search.in_order(), _KEPT)]
    if found := search.fitting():
        return Found(found, None)
    # Where an ordinary answer contradicts even the best, ties and repeats are not why.
    for axes in _sets_without_rule(function) if nearest and not search.score(nearest[0]).ordinary else ():
        # An axis that does not act in a definition cannot be why: without a rule it would excuse any answer.
        acting = [
            each for each in nearest if {*axes} <= each.axes.keys() and not any(map(partial(is_idle, each), axes))
        ]
        open_ = [each.with_(**dict.fromkeys(axes, "other")) for each in acting]
        without = _Search(function, answers, search.fixed | {*axes})
        without.run(open_, _PATIENCE_WITH_A_FIT)
        if found := without.fitting():
            return Found(found, None)
    return Found((), nearest[0] if nearest else None)


def idle_axes(definition: Definition, answers: PoolAnswers) -> frozenset[str]:
    """Return the axes that do not act where a plain answer contradicts a definition: another value does not help.

    What becomes of unusual users and rows shows nowhere in such an answer; nor, if it is about one user, how several
    users become one number.
    """
    wrong = contradicted(definition, answers) & answers.plain(definition)
    several = np.concatenate([has_several_users(part.problem) for part in answers.parts])
    idle = NOT_ON_PLAIN_INPUT if wrong.any() else frozenset[str]()
    return idle.union(axes_of_averaging(definition)) if (wrong & ~several).any() else idle


def _sets_without_rule(function: Function) -> Iterator[tuple[str, ...]]:
    """Yield the sets of axes on which a function may follow no rule, the smallest first; none beyond accuracy."""
    of_rows = () if reads_items(function) else ("ties", "tied_scores", "duplicates", "truth_duplicates")
    axes = [name for name in of_rows if name not in function.ruled_out]
    for size in range(1, len(axes) + 1):
        yield from combinations(axes, size)


class _Search:
    """Holds the definitions that were tried, and those among them that were not changed so far.

    Most are far off on the pool alone, of which values are kept. What they give on the further probes is computed
    where it may decide which one comes next: until then their score is a lower bound, that of the pool.
    """

    def __init__(self, function: Function, answers: PoolAnswers, fixed: Collection[str]) -> None:
        self._function, self._answers, self.fixed = function, answers, frozenset(fixed)
        self._of_pool = answers._replace(further=None)
        self._bounds: dict[Definition, Score] = {}
        # Where nothing was asked beyond the pool, the bounds are the scores.
        self._scores: dict[Definition, Score] = self._bounds if answers.further is None else {}
        self._unchanged: list[tuple[Score, int, int, Definition]] = []

    def run(self, starts: Iterable[Definition], patience: int) -> None:
        """Change the best definition again and again; give up after ``patience`` changes without a better one."""
        for each in starts:
            self._try(each)
        best, left = None, patience
        while left > 0 and (first := self._next(self._unchanged)) and first[0] != Score(0, 0, 0):
            score, _, _, definition = first
            better = best is None or score < best
            if better:
                best, left = score, min(patience, self._patience_with(score))
            left -= 1
            # Two wrong values may hide each other, so that the best so far is changed in every way.
            left_alone = frozenset[str]() if better else idle_axes(definition, self._answers)
            for each in one_axis_away(definition, self.fixed | left_alone):
                self._try(each)

    def _patience_with(self, best: Score) -> int:
        if not best.contradicted:
            return _PATIENCE_WITH_A_FIT
        return _PATIENCE if best.ordinary <= _NEAR * len(self._answers.unusual) else PATIENCE_WITH_FEW

    def in_order(self) -> Iterator[Definition]:
        """Yield the definitions that were tried, the least contradicted first, canonical-most first among equals."""
        tried = [(bound, each.remoteness, n, each) for n, (each, bound) in enumerate(self._bounds.items())]
        heapify(tried)
        while first := self._next(tried):
            yield first[-1]

    def score(self, definition: Definition) -> Score:
        """Return how well a definition that was tried fits all answers."""
        if definition not in self._scores:
            self._scores[definition] = Score.of(definition, self._answers)
        return self._scores[definition]

    def fitting(self) -> tuple[Definition, ...]:
        """Return the definitions that nothing contradicts and that expect the most refusals, canonical-most first.

        The first ones are changed once more, since what is equal on all that was asked may be plainer.
        """
        self._expect_refusals()
        first = [*islice(self.in_order(), _KEPT)]
        if not first or self.score(first[0]).contradicted:
            return ()
        for definition in first:
            if self.score(definition) == self.score(first[0]):
                for each in one_axis_away(definition, self.fixed):
                    self._try(each)
        _, best = next(groupby(self.in_order(), self.score))
        return tuple(merged(best))

    def _expect_refusals(self) -> None:
        """Try an error at each edge of the definitions that fit, if none of these expects all refusals."""
        fitting = [*takewhile(lambda each: not self.score(each).contradicted, self.in_order())]
        if all(self.score(each).refusals for each in fitting):
            for each, edge in product(fitting, (axis.name for axis in EDGES)):
                if edge in each.axes and edge not in self.fixed and each.family.axis(edge).admits("error"):
                    self._try(each.with_(**{edge: "error"}))

    def _try(self, definition: Definition) -> None:
        if definition in self._bounds or not can_be_cut(definition, self._function):
            return
        number, bound = len(self._bounds), Score.of(definition, self._of_pool)
        self._bounds[definition] = bound
        heappush(self._unchanged, (bound, len(definition.differs_on), number, definition))

    def _next(self, heap: list[tuple[Score, Any, int, Definition]]) -> tuple[Score, Any, int, Definition] | None:
        """Take the first definition with its score off a heap; None if none is left."""
        while heap:
            first = heappop(heap)
            if (score := self.score(first[-1])) == first[0]:
                return first
            heappush(heap, (score, *first[1:]))
        return None
