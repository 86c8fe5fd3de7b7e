"""The search for a small case that is still mispredicted, to be shown to a reader."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import TypeVar

from audit.process.protocol import Outcome
from audit.refutation.draft import Draft, DraftUser
from audit.refutation.judgement import Answers
from reference.cases import Probe

Asking = Generator[tuple[Probe, ...], Answers, "Draft"]
"""Yields the probes to ask, is sent their answers, and returns a draft."""

Row = TypeVar("Row")

_PARTS = 8
"""Divides users and rows into so many parts; each is tried by itself, and left out."""
_ROUNDS = 9
"""Limits how many times a case is made smaller."""


def shrink(draft: Draft, name: str, is_wrong: Callable[[Draft, Outcome | None], bool]) -> Asking:
    """Make a mispredicted draft smaller as long as a smaller one is mispredicted, too.

    Args:
        draft: The draft.
        name: The name of the case, to which a number is added.
        is_wrong: Whether the outcome of a draft is mispredicted.
    """
    for turn in range(_ROUNDS):
        smaller = sorted(set(_smaller(draft)), key=lambda each: each.size)
        probes = tuple(each.probe(f"{name}, smaller {turn}.{number}") for number, each in enumerate(smaller))
        if not probes:
            return draft
        answers = yield probes
        pairs = zip(smaller, probes, strict=True)
        found = next((each for each, probe in pairs if is_wrong(each, answers.get(probe.name))), None)
        if found is None:
            return draft
        draft = found
    return draft


def _smaller(draft: Draft) -> Iterator[Draft]:
    """Yield drafts with some of the users, or, of one user, with some of the rows."""
    if len(draft.users) > 1:
        for users in _parts(draft.users):
            yield draft.of_users(users)
        return
    user = draft.users[0]
    for rows in _parts(user.rows):
        yield draft.of_users((replace(user, rows=rows),))
    for truth in _parts(user.truth):
        yield draft.of_users((replace(user, truth=truth),))
    if user.train:
        yield draft.of_users((replace(user, train=()),))


def _parts(rows: tuple[Row, ...]) -> Iterator[tuple[Row, ...]]:
    """Yield parts of a tuple: each by itself, and everything else."""
    size = -(-len(rows) // _PARTS)
    for start in range(0, len(rows), max(size, 1)):
        if size < len(rows):
            yield rows[start : start + size]
            yield rows[:start] + rows[start + size :]


def in_words(draft: Draft) -> str:
    """Return a draft of few rows in words: the list, the truth, and what else matters."""
    parts = [_user_in_words(user) for user in draft.users[:2]]
    more = f"; and {len(draft.users) - 2} more users" if len(draft.users) > 2 else ""
    return f"{'; '.join(parts)}{more}; k = {draft.k}, threshold {draft.threshold:g}"


def _user_in_words(user: DraftUser) -> str:
    rows = ", ".join(f"{item} ({score:.6g})" for item, score in user.rows[:12])
    truth = ", ".join(f"{item} (gain {gain:g})" for item, gain in user.truth[:12])
    more = f" and {len(user.rows) - 12} more" if len(user.rows) > 12 else ""
    seen = sorted(set(user.train) & set(dict(user.rows)))
    train = f", of which in training {', '.join(map(str, seen[:12]))}" if seen else ""
    return f"user {user.id}: recommended {rows or 'nothing'}{more}{train}; relevant {truth or 'nothing'}"
