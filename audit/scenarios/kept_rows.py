"""Leaves out rows: recommended items that the user had in training, and users beyond a number."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from recsys_metric_audit.audit.data.pairs import are_among, pair_keys
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.scenarios.draws import uniform
from recsys_metric_audit.audit.scenarios.held_out_items import listed_rows
from recsys_metric_audit.audit.scenarios.scenario import Applied
from recsys_metric_audit.reference.input.case import Case, Truth


@dataclass(frozen=True)
class TrainFiltered:
    """Leave out recommended items that are in the user's train data."""

    drawn = False
    needs_train = True
    words = "Recommended items that the user has in the train data are left out."

    def apply(self, case: Case, seed: int, *, with_train: bool) -> Applied:
        """Return the case without predicted rows of train items."""
        lists, train = case.predictions, case.train
        listed, seen = pair_keys([(lists.user, lists.item), (train.user, train.item)])
        kept = ~are_among(listed, seen)
        gone = int(np.count_nonzero(~kept))
        if not gone:
            return Applied(case, None, ("No predicted row is a train item of its user: they were filtered already.",))
        if gone == len(listed):
            raise UserError("every predicted row is a train item of its user", "check that --train is the train file")
        note = f"{gone:,} of {len(listed):,} predicted rows are train items of their users."
        return Applied(replace(case, predictions=listed_rows(lists, kept)), None, (note,))


@dataclass(frozen=True)
class UsersCapped:
    """Keep ``number`` drawn users of those who have held-out items; the train data stay whole."""

    number: int

    drawn = True
    needs_train = False

    @property
    def words(self) -> str:
        """Return a sentence on what the step does."""
        return f"Users that are evaluated, drawn: {self.number:,}."

    def apply(self, case: Case, seed: int, *, with_train: bool) -> Applied:
        """Return the case of the drawn users.

        Raises:
            UserError: if there are fewer users.
        """
        users = np.unique(case.truth.user)
        if len(users) < self.number:
            raise UserError(
                f"only {len(users):,} users have held-out items", f"name {len(users):,} or fewer, or leave it out"
            )
        chosen = users[np.argsort(uniform(seed, users, np.zeros(1, dtype=np.int64)), kind="stable")[: self.number]]
        truth, lists = case.truth, case.predictions
        kept = are_among(truth.user, chosen)
        return Applied(
            replace(
                case, predictions=listed_rows(lists, are_among(lists.user, chosen)),
                truth=Truth(truth.user[kept], truth.item[kept], truth.gain[kept]),
                users=case.users[are_among(case.users, chosen)],
            )
        )  # fmt: skip
