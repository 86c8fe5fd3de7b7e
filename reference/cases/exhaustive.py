"""Every small input: all hit patterns of lists of up to five items, with every number of relevant items up to five.

One case for each cut-off. Where what a library says of it contradicts a definition, the lists of each number of
relevant items r are asked as a batch, then those of a batch one by one: so the smallest contradiction is found.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from reference.cases.probe import Probe, User, case_from_users

LONGEST = 5
GAIN = 2.0


@cache
def patterns(relevant: int) -> tuple[User, ...]:
    """Users with that many relevant items: every list of 1 to 5 items that holds at most so many, shortest first."""
    lists = (hits for length in range(1, LONGEST + 1) for hits in product((0.0, GAIN), repeat=length))
    held = ((hits, sum(gain > 0 for gain in hits)) for hits in lists)
    return tuple(
        User(hits, (GAIN,) * (relevant - count), train=1) for hits, count in held if count <= relevant
    )  # fmt: skip


def _batch(name: str, why: str, users: tuple[User, ...], k: int) -> Probe:
    return Probe("small", case_from_users(name, users, why=why), k, users)


def _at(k: int) -> Probe:
    users = sorted((user for relevant in range(1, LONGEST + 1) for user in patterns(relevant)), key=lambda u: u.rows)
    why = f"every list of up to {LONGEST} items of a user with up to {LONGEST} relevant ones, k {k}"
    return _batch(f"every small list, k {k}", why, tuple(users), k)


SMALL = tuple(_at(k) for k in range(1, LONGEST + 1))


def split_batch(probe: Probe) -> tuple[Probe, ...]:
    """A batch in parts: by number of relevant items, smallest first, or the lists of one such batch alone."""
    if probe.name not in {whole.name for whole in SMALL}:
        return split_users(probe)
    return tuple(
        _batch(
            f"every small list, r {relevant}, k {probe.k}",
            f"every list of up to {LONGEST} items of a user with {relevant} relevant ones, k {probe.k}",
            patterns(relevant), probe.k,
        )
        for relevant in range(1, LONGEST + 1)
    )  # fmt: skip


def split_users(probe: Probe) -> tuple[Probe, ...]:
    """The users of a batch one by one, smallest first, as probes of their own."""
    return tuple(
        _batch(f"{probe.case.name}, list {number} alone", probe.case.why, (user,), probe.k)
        for number, user in enumerate(probe.users, start=1)
    )
