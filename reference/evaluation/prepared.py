"""Predictions and truth prepared once, on which any number of definitions are evaluated at any cut-offs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate, takes_one_ranking
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.evaluation.shown_table import Columns, ShownAsTable
from recsys_metric_audit.reference.input.conversion import LabelledCase
from recsys_metric_audit.reference.space.averaging import MeanTerms
from recsys_metric_audit.reference.space.lists import Floats


class InputRefusedError(ValueError):
    """Tells that a definition has the value ``error`` on an axis, and the data contains what it refuses."""


class NoTrainError(ValueError):
    """Tells that a definition counts the users who have an item in the train data, and there are no train rows."""


@dataclass(frozen=True, eq=False)
class UserTerms:
    """Holds what each user adds to a mean; ``users`` are the ids of all users, also of those left out."""

    definition: Definition
    users: NDArray[Any]
    terms: tuple[MeanTerms, ...]

    def mean_of_sums(self, sums: Sequence[tuple[Floats, Floats]]) -> Floats:
        """Return the means that follow from a pair of sums (numerators, denominators) for each of ``terms``."""
        means = [term.of_sums(*pair) for term, pair in zip(self.terms, sums, strict=True)]
        combine = self.definition.family.combine
        if len(means) == 1 or combine is None:
            return means[0]
        return np.asarray(combine(means[0], means[1], self.definition.axes), dtype=np.float64)


@dataclass(frozen=True, eq=False, repr=False)
class Values(ShownAsTable):
    """Holds the result of one definition: the ``mean`` and the values of the users in it.

    ``users`` are their ids as they were given and ``values`` (float64) stand beside them; users who are left out
    are in neither. A definition that takes all rows of all users as one ranking has a mean, no users and no ``terms``.
    ``interval`` holds the ends of the confidence interval of the mean, if one was asked for.

    >>> from recsys_metric_audit import evaluate
    >>> values = evaluate({"ann": ["tea", "rye"], "bob": ["ale"]}, {"ann": ["rye"], "bob": ["ale"]}, 2, "mrr")["mrr"]
    >>> values.mean, values.by_user()
    (0.75, {'ann': 0.5, 'bob': 1.0})
    """

    definition: Definition
    mean: float
    users: NDArray[np.generic]
    values: NDArray[np.float64]
    terms: UserTerms | None = None
    interval: tuple[float, float] | None = None

    def by_user(self) -> dict[Hashable, float]:
        """Return the values as a dictionary from user id."""
        return dict(zip(self.users.tolist(), self.values.tolist(), strict=True))

    def _shown(self) -> Columns:
        low, high = self.interval or (None, None)
        users = None if self.terms is None else len(self.users)
        return {
            "signature": [self.definition.signature()], "value": [self.mean], "low": [low], "high": [high],
            "users": [users],
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class PreparedData:
    """Predictions and truth with what definitions share: placements, and the lists at each cut-off."""

    held: LabelledCase
    _whole: Problem
    _at: dict[int | None, Problem] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(held: LabelledCase) -> PreparedData:
        """Prepare a case."""
        return PreparedData(held, Problem.of([held.case], None))

    @property
    def users(self) -> NDArray[np.int64]:
        """Return the ids of all users, ascending."""
        return self._whole.placement.users

    @property
    def repeats(self) -> NDArray[np.int64]:
        """Return the number of rows of each user whose item stands in an earlier row too."""
        return self._whole.placement.repeats

    def values(self, definition: Definition) -> Values:
        """Evaluate a definition whose cut-off is a number or None.

        Raises:
            InputRefusedError: if the data contains what the definition refuses.
            NoTrainError: if the definition counts train rows, and there are none.
            TooManyOrdersError: if a user's ties have too many orders to be averaged (``ties:average``).
            ValueError: for a score that is no number.
        """
        if definition.family.reads == "lists" and not len(self.held.case.train.user):
            raise NoTrainError(f"{definition}: it counts who has an item in the train data: pass train rows")
        here = self._problem(definition.k if isinstance(definition.k, int) else None)
        made: Evaluated = evaluate(definition, here)
        if made.refused[0]:
            if made.nobody[0] and definition.axes["nobody"] == "error":
                raise InputRefusedError(f"{definition}: nobody is left to be averaged")
            refusing = [name for name, value in definition.values if value == "error" and name != "nobody"]
            raise InputRefusedError(f"{definition}: the data holds what {' or '.join(refusing)} refuses")
        if takes_one_ranking(definition):
            return Values(definition, float(made.mean[0]), np.empty(0), np.empty(0))
        every = here.placement.users if self.held.users is None else self.held.users[here.placement.users]
        terms = UserTerms(definition, every, made.terms)
        return Values(definition, float(made.mean[0]), every[made.counted], made.value[made.counted], terms)

    def _problem(self, k: int | None) -> Problem:
        """Return the problem at a cut-off: one for all definitions, since they share its lists."""
        if k not in self._at:
            self._at[k] = self._whole.at(k)
        return self._at[k]


def at_cutoffs(definition: Definition, cutoffs: Sequence[int]) -> list[Definition]:
    """Return the definition at its own cut-off, or at each of ``cutoffs`` if it has a letter.

    Raises:
        ValueError: for a cut-off that is no whole number, or below 1; for none where one is needed.
    """
    if bad := [cutoff for cutoff in cutoffs if type(cutoff) is not int or cutoff < 1]:
        raise ValueError(f"a cut-off is a whole number of places, 1 or more (k=10, k=[5, 10]), not {bad[0]!r}")
    if not isinstance(definition.k, str):
        return [definition]
    if not cutoffs:
        raise ValueError(f"{definition}: it needs a cut-off (k=10, k=[5, 10])")
    return [definition.with_(k=cutoff) for cutoff in cutoffs]
