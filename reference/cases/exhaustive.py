"""Every small input: all hit patterns of lists of up to five items, with every number of relevant items up to five.

One batch of users for each cut-off. If a library's answer to it contradicts a definition, the batch is split by the
number of relevant items r, then into single users, so that the smallest contradiction is found.
"""

from __future__ import annotations

from itertools import product

from recsys_metric_audit.reference.cases.probe import Kind, Probe, User, case_from_users

LONGEST = 5
"""The most items of a list, the most relevant items, and the largest cut-off."""
GAIN = 2.0


def patterns(relevant: int) -> tuple[User, ...]:
    """Return one user for each list of 1 to 5 items that holds at most ``relevant`` hits, shortest list first.

    Each user has ``relevant`` relevant items in all; those that the list lacks are missed.
    """
    lists = (hits for length in range(1, LONGEST + 1) for hits in product((0.0, GAIN), repeat=length))
    held = ((hits, sum(gain > 0 for gain in hits)) for hits in lists)
    return tuple(User(hits, (GAIN,) * (relevant - count), train=1) for hits, count in held if count <= relevant)


def _batch(name: str, why: str, users: tuple[User, ...], k: int) -> Probe:
    return Probe(Kind("exhaustive"), case_from_users(name, users, why=why), k, users)


def _at(k: int) -> Probe:
    users = sorted((user for relevant in range(1, LONGEST + 1) for user in patterns(relevant)), key=lambda u: u.rows)
    why = f"every list of up to {LONGEST} items of a user with up to {LONGEST} relevant ones, k {k}"
    return _batch(f"every small list, k {k}", why, tuple(users), k)


EXHAUSTIVE = tuple(_at(k) for k in range(1, LONGEST + 1))
"""One batch per cut-off, its users sorted by their number of input rows."""


def split_batch(probe: Probe) -> tuple[Probe, ...]:
    """Return the probes that a batch splits into.

    A whole batch splits by the number of relevant items, smallest first; one of these splits into its users.
    """
    if probe.name not in {whole.name for whole in EXHAUSTIVE}:
        return split_users(probe)
    return tuple(
        _batch(
            f"every small list, r {relevant}, k {probe.k}",
            f"every list of up to {LONGEST} items of a user with {relevant} relevant ones, k {probe.k}",
            patterns(relevant),
            probe.k,
        )
        for relevant in range(1, LONGEST + 1)
    )


def split_users(probe: Probe) -> tuple[Probe, ...]:
    """Return one probe for each user of a batch, in the batch's order: smallest first."""
    return tuple(
        _batch(f"{probe.case.name}, list {number} alone", probe.case.why, (user,), probe.k)
        for number, user in enumerate(probe.users, start=1)
    )
