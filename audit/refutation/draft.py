"""Drafts: cases as rows of each user, from which features can be removed before they are asked."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.cases.probe import case_from_rows


@dataclass(frozen=True)
class DraftUser:
    """Holds one user: the recommended rows (item, score) as given, the truth rows (item, gain), and the train items."""

    id: int
    rows: tuple[tuple[int, float], ...] = ()
    truth: tuple[tuple[int, float], ...] = ()
    train: tuple[int, ...] = ()

    @property
    def gains(self) -> dict[int, float]:
        """Return the gain of each item of the truth; an item that stands twice has the gain of its last row."""
        return dict(self.truth)


@dataclass(frozen=True)
class Draft:
    """Holds the users of a case (ascending ids), all items that exist, the threshold of relevance, and the cut-off."""

    users: tuple[DraftUser, ...]
    items: tuple[int, ...]
    threshold: float
    k: int

    @property
    def size(self) -> int:
        """Number of rows of predictions and truth."""
        return sum(len(user.rows) + len(user.truth) for user in self.users)

    def of_users(self, users: tuple[DraftUser, ...]) -> Draft:
        """Return the draft with other users; a user of whom no row is left is dropped."""
        return replace(self, users=tuple(user for user in users if user.rows or user.truth))

    def probe(self, name: str) -> Probe:
        """Return the draft as a case with a cut-off."""
        rows = [(user.id, item, score) for user in self.users for item, score in user.rows]
        truth = [(user.id, item, gain) for user in self.users for item, gain in user.truth]
        train = [(user.id, item) for user in self.users for item in user.train]
        why = "held out: no definition was chosen by it"
        case = case_from_rows(name, rows, truth, train, threshold=self.threshold, why=why, unseen=self.items)
        return Probe(Kind("held_out"), case, self.k)


def draft_of(probe: Probe) -> Draft:
    """Return a probe as a draft."""
    case = probe.case
    rec, truth, train = case.predictions, case.truth, case.train
    users = tuple(
        DraftUser(
            user,
            tuple(zip(rec.item[rec.user == user].tolist(), rec.score[rec.user == user].tolist(), strict=True)),
            tuple(zip(truth.item[truth.user == user].tolist(), truth.gain[truth.user == user].tolist(), strict=True)),
            tuple(train.item[train.user == user].tolist()),
        )
        for user in np.union1d(rec.user, truth.user).tolist()
    )
    return Draft(users, tuple(case.catalogue.tolist()), float(case.threshold), probe.k)
