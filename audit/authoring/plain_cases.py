"""Provides the ten plain cases of a trial: small enough to check by hand, and nothing in them is unusual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from recsys_metric_audit.audit.questions.item_cases import item_questions
from recsys_metric_audit.reference.cases.item_probes import FAMILY_PROBES, SHOWN_ITEMS
from recsys_metric_audit.reference.cases.probe import Probe, User, case_from_users
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.metrics import FAMILIES


@dataclass(frozen=True, eq=False)
class PlainCase:
    """A case with its cut-off; ``users`` has the gains of each user's list, best first, and of the items it misses."""

    case: Case
    k: int
    users: tuple[User, ...]

    @property
    def name(self) -> str:
        """Return the case's name."""
        return self.case.name

    @property
    def words(self) -> str:
        """Return the gains in the order of the list, those of relevant items that are not listed behind a plus."""
        return "; ".join(_gains(user) for user in self.users)


def _gains(user: User) -> str:
    listed = " ".join(f"{gain:g}" for gain in user.ranked)
    missed = " ".join(f"{gain:g}" for gain in user.missed)
    return f"{listed} + {missed}" if missed else listed


def _case(name: str, k: int, *users: User) -> PlainCase:
    return PlainCase(case_from_users(name, users, why=name), k, users)


PERFECT: Final = _case("perfect list", 2, User((4, 2, 0, 0)))
UPSIDE_DOWN: Final = _case("perfect list, reversed", 2, User((0, 0, 2, 4)))
HOPELESS: Final = _case("hit below the cut-off only", 2, User((0, 0, 0, 2)))

PLAIN_CASES: Final = (
    PERFECT,
    UPSIDE_DOWN,
    HOPELESS,
    _case("hits at 2 and 3", 2, User((0, 2, 2, 0, 0))),
    _case("three grades", 3, User((3, 2, 0, 4))),
    _case("list shorter than the cut-off", 6, User((0, 2, 0, 2))),
    _case("one relevant item not listed", 3, User((2, 0, 0, 0), (2,))),
    _case("hits below the cut-off, one not listed", 2, User((2, 0, 2, 2, 0, 0), (2,))),
    _case("two users", 2, User((2, 0, 0)), User((0, 0, 2))),
    _case("two users, unequal lists", 3, User((0, 2, 0, 4, 0), (2, 2)), User((2, 0))),
)
"""Seven of them list every relevant item, for functions that can be given no other."""


def plain_questions(metric: str) -> tuple[PlainCase | Probe, ...]:
    """Return the ten cases of a trial of a metric's functions; beyond accuracy they are probes, which hold train data.

    A metric whose value these probes hardly change has probes of its own, which come first.
    """
    if FAMILIES[metric].reads == "relevance":
        return PLAIN_CASES
    own = [probe for probe in FAMILY_PROBES.get(metric, ()) if probe.kind == SHOWN_ITEMS]
    return (*own, *item_questions())[: len(PLAIN_CASES)]
