"""Finds the smallest data on which two definitions disagree on which of two recommenders is better."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import Annotated, Literal

from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome, Signature
from recsys_metric_audit.reports.experiments.small_lists.hit_lists import Hits, hit_values

_EQUAL = 1e-9


@dataclass(frozen=True)
class _User:
    """Tells how many relevant items a user has, and where a recommender puts them."""

    relevant: int
    hits: Hits

    @property
    def words(self) -> str:
        """Tell the ranks of the hits in words."""
        return f"at {' and '.join(map(str, self.hits))}" if self.hits else "nowhere"


class SmallestInversion(ClaimExperiment):
    """Goes through all pairs of recommenders on few users; the claim is that two definitions can disagree on one.

    Users have 1 to ``relevant`` relevant items, of which a recommender puts any into any of the first k places. The
    fewest users count first, then the fewest relevant items, then the fewest hits.
    """

    kind: Literal["smallest_inversion"]
    first: Signature
    second: Signature
    k: Annotated[int, Field(ge=1, le=4)]
    users: Annotated[int, Field(ge=1, le=3)] = 2
    relevant: Annotated[int, Field(ge=1, le=4)] = 3

    def _measure(self, bench: Bench) -> Outcome:
        values = self._values()
        for users in range(1, self.users + 1):
            sizes = combinations_with_replacement(range(1, self.relevant + 1), users)
            for relevant in sorted(sizes, key=sum):
                found = self._inversion(relevant, values)
                if found is not None:
                    return Outcome(Answer.yes, self._words(*found, values), ())
        return Outcome(Answer.no, f"no two recommenders on up to {self.users} users are inverted at k = {self.k}")

    def _values(self) -> dict[_User, tuple[float, float]]:
        """Return what both definitions give for every user that can be."""
        every = [
            _User(relevant, hits)
            for relevant in range(1, self.relevant + 1)
            for count in range(min(relevant, self.k) + 1)
            for hits in combinations(range(1, self.k + 1), count)
        ]
        given = [(user.relevant, user.hits) for user in every]
        both = [hit_values(parse(each).with_(k=self.k), given, self.k) for each in (self.first, self.second)]
        return {user: (float(both[0][row]), float(both[1][row])) for row, user in enumerate(every)}

    def _inversion(
        self, relevant: tuple[int, ...], values: dict[_User, tuple[float, float]]
    ) -> tuple[tuple[_User, ...], tuple[_User, ...]] | None:
        """Return two recommenders that the definitions rank the other way round, the first's better one first."""
        choices = [[user for user in values if user.relevant == r] for r in relevant]
        every = sorted(product(*choices), key=lambda users: sum(len(user.hits) for user in users))
        sums = [tuple(sum(values[user][place] for user in users) for place in (0, 1)) for users in every]
        for (one, mine), (other, theirs) in combinations(list(zip(every, sums, strict=True)), 2):
            gaps = mine[0] - theirs[0], mine[1] - theirs[1]
            if abs(gaps[0]) > _EQUAL and abs(gaps[1]) > _EQUAL and gaps[0] * gaps[1] < 0:
                return (one, other) if gaps[0] > 0 else (other, one)
        return None

    def _words(
        self, better: tuple[_User, ...], worse: tuple[_User, ...], values: dict[_User, tuple[float, float]]
    ) -> str:
        number = len(better)
        means = [[sum(values[user][place] for user in one) / number for one in (better, worse)] for place in (0, 1)]
        hits = [
            f"{name} puts {' and '.join(f'those of user {at} {user.words}' for at, user in enumerate(one, start=1))}"
            for name, one in (("A", better), ("B", worse))
        ]
        first, second = (parse(each).with_(k=self.k).signature() for each in (self.first, self.second))
        return (
            f"smallest example: users with {' and '.join(str(user.relevant) for user in better)} relevant items, "
            f"{', '.join(hits)}: {first} prefers A ({means[0][0]:.3f}, {means[0][1]:.3f}), "
            f"{second} prefers B ({means[1][0]:.3f}, {means[1][1]:.3f})"
        )
