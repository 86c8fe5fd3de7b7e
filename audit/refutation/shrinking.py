"""The search for a small case that is still mispredicted, to be shown to a reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from recsys_metric_audit.audit.refutation.ablation import Shows
from recsys_metric_audit.audit.refutation.draft import Draft, DraftUser
from recsys_metric_audit.audit.refutation.judgement import Asking

Row = TypeVar("Row")

_HALVES, _FINEST = 2, 4
"""Users and rows are divided into halves, and where no half shows it, into so many parts at most."""
_ROUNDS = 14
"""Limits how many times a case is made smaller."""


def shrink(draft: Draft, name: str, is_wrong: Shows, likely: Sequence[Draft] = ()) -> Asking[Draft]:
    """Make a mispredicted draft smaller as long as a smaller one is mispredicted, too.

    Args:
        draft: The draft.
        name: The name of the case, to which a number is added.
        is_wrong: Whether the outcome of a draft is mispredicted.
        likely: Smaller drafts that are tried before all others.
    """
    parts, smaller = _HALVES, sorted(likely, key=lambda each: each.size)
    for turn in range(_ROUNDS):
        smaller = smaller or sorted(set(_smaller(draft, parts)), key=lambda each: each.size)
        probes = tuple(each.probe(f"{name}, smaller {turn}.{number}") for number, each in enumerate(smaller))
        answers = (yield probes) if probes else {}
        pairs = zip(smaller, probes, strict=True)
        found = next((each for each, probe in pairs if is_wrong(each, answers.get(probe.name))), None)
        if found is not None:
            draft = found
        elif turn or not likely:
            parts *= 2
            if parts > _FINEST:
                break
        smaller = []
    return draft


def _smaller(draft: Draft, parts: int) -> Iterator[Draft]:
    """Yield drafts without some of the users, or, of one user, without some of the rows."""
    if len(draft.users) > 1:
        for users in _without_a_part(draft.users, parts):
            yield draft.of_users(users)
        return
    user = draft.users[0]
    for rows in _without_a_part(user.rows, parts):
        yield draft.of_users((replace(user, rows=rows),))
    for truth in _without_a_part(user.truth, parts):
        yield draft.of_users((replace(user, truth=truth),))
    if user.train:
        yield draft.of_users((replace(user, train=()),))


def _without_a_part(rows: tuple[Row, ...], parts: int) -> Iterator[tuple[Row, ...]]:
    """Yield a tuple without each of its parts; of two parts, that is the other one."""
    size = max(1, -(-len(rows) // parts))
    if size < len(rows):
        yield from (rows[:start] + rows[start + size :] for start in range(0, len(rows), size))


def in_words(draft: Draft) -> str:
    """Return a draft of few rows in words: the list, the truth, and what else matters."""
    parts = [_user_in_words(user) for user in draft.users[:2]]
    more = f"; and {len(draft.users) - 2} more users" if len(draft.users) > 2 else ""
    return f"{'; '.join(parts)}{more}; k = {draft.k}, threshold {draft.threshold:g}"


def _user_in_words(user: DraftUser) -> str:
    rows = ", ".join(f"{item} ({score:.12g})" for item, score in user.rows[:12])
    truth = ", ".join(f"{item} (gain {gain:g})" for item, gain in user.truth[:12])
    more = f" and {len(user.rows) - 12} more" if len(user.rows) > 12 else ""
    seen = sorted(set(user.train) & set(dict(user.rows)))
    train = f", of which in training {', '.join(map(str, seen[:12]))}" if seen else ""
    return f"user {user.id}: recommended {rows or 'nothing'}{more}{train}; relevant {truth or 'nothing'}"
