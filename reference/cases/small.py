"""Every small input: all hit patterns of lists of up to five items, with every number of relevant items up to five.

One case for each number of relevant items r and each cut-off, its users in order of size, so that the first user on
whom a library and a definition differ is the smallest input there is.
"""

from __future__ import annotations

from itertools import product

from reference.cases.probe import Probe, User, build

LONGEST = 5
GAIN = 2.0


def patterns(relevant: int) -> tuple[User, ...]:
    """Users with that many relevant items: every list of 1 to 5 items that holds at most so many, shortest first."""
    lists = (hits for length in range(1, LONGEST + 1) for hits in product((0.0, GAIN), repeat=length))
    held = ((hits, sum(gain > 0 for gain in hits)) for hits in lists)
    return tuple(
        User(hits, (GAIN,) * (relevant - count), train=1) for hits, count in held if count <= relevant
    )  # fmt: skip


def _batch(relevant: int, k: int) -> Probe:
    users = patterns(relevant)
    why = f"every list of up to {LONGEST} items of a user with {relevant} relevant ones, k {k}"
    return Probe("small", build(f"every small list, r {relevant}, k {k}", users, why=why), k, users)


SMALL = tuple(_batch(relevant, k) for relevant in range(1, LONGEST + 1) for k in range(1, LONGEST + 1))


def alone(probe: Probe) -> tuple[Probe, ...]:
    """The users of a batch one by one, smallest first, as probes of their own."""
    return tuple(
        Probe("small", build(f"{probe.case.name}, list {number} alone", [user], why=probe.case.why), probe.k, (user,))
        for number, user in enumerate(probe.users, start=1)
    )
