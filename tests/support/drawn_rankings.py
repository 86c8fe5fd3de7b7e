"""Draws small rankings in plain lists, for functions that take them in any form; asks the slow oracle about them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Case
from tests.support.generated_inputs import make
from tests.support.oracle_means import evaluate as slow


@dataclass(frozen=True)
class Ranked:
    """Holds one user: items best first, their scores (falling, no two equal), and the gains of the relevant items."""

    items: list[int]
    scores: list[float]
    truth: dict[int, float]
    shuffled: list[int] = field(default_factory=list)
    """The places of ``items`` in another order: [items[i] for i in shuffled] are rows in no order."""

    @property
    def labels(self) -> list[float]:
        """The gain of each listed item, best first; 0 of one that is not relevant."""
        return [self.truth.get(item, 0.0) for item in self.items]

    @property
    def target(self) -> int:
        """The only relevant item."""
        (item,) = self.truth
        return item

    @property
    def rank(self) -> int:
        """The rank, from 1, of the only relevant item, which is listed."""
        return self.items.index(self.target) + 1


@dataclass(frozen=True)
class Drawn:
    """Holds the users of one drawn input, and a cut-off."""

    users: list[Ranked]
    k: int

    @property
    def one(self) -> Ranked:
        """The first user, which is the only one where one user is asked for."""
        return self.users[0]

    @property
    def rows(self) -> list[tuple[int, int, float, float]]:
        """All rows (user, item, score, gain of the item) in an order that says nothing."""
        return [
            (name, user.items[place], user.scores[place], user.labels[place])
            for name, user in enumerate(self.users)
            for place in user.shuffled
        ]

    def case(self) -> Case:
        """Return the same as the input of the oracle."""
        return make(
            [(name, item, score) for name, user in enumerate(self.users)
             for item, score in zip(user.items, user.scores, strict=True)],
            [(name, item, gain) for name, user in enumerate(self.users) for item, gain in user.truth.items()],
        )  # fmt: skip

    def value(self, signature: str) -> float:
        """Return what the slow oracle gives for a definition, at the drawn cut-off unless it names one."""
        definition = parse(signature)
        k = definition.k if isinstance(definition.k, int) else self.k
        return slow(definition.metric, definition.axes, self.case(), k).mean


def drawn(rng: random.Random, words: set[str]) -> Drawn:
    """Return a drawn input. Words: see tests/functions_of_others/table.toml."""
    count = 1 if "one_user" in words else rng.randint(1, 4)
    number = rng.randint(6, 12)
    return Drawn([_ranked(rng, words, number) for _ in range(count)], rng.randint(1, 5))


def _ranked(rng: random.Random, words: set[str], number: int) -> Ranked:
    catalogue = list(range(number)) if "whole_catalogue" in words else rng.sample(range(1, 60), number)
    lengths = (5 if "long_lists" in words else 2, number)
    length = number if {"only_listed", "whole_catalogue"} & words else rng.randint(*lengths)
    items = rng.sample(catalogue, length)
    among = items if {"only_listed", "whole_catalogue"} & words else catalogue
    most = 1 if "one_relevant" in words else min(5, len(among) - 1)
    relevant = rng.sample(among, rng.randint(1, most))
    top = 4 if "graded" in words else 1
    truth = {item: float(rng.randint(1, top)) for item in relevant}
    scores = sorted((score / 64 for score in rng.sample(range(1, 64), length)), reverse=True)
    return Ranked(items, scores, truth, rng.sample(range(length), length))
