"""Changes which held-out items are relevant: one a user, or those of a gain and more."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.data.pairs import are_among, pair_keys
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.scenarios.draws import uniform
from recsys_metric_audit.audit.scenarios.scenario import Applied
from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth


@dataclass(frozen=True)
class LeaveOneOut:
    """Keep one drawn relevant item of each user; the others count as seen, and are recommended no more.

    A recommender that is trained for leave-one-out would have learned from them: this one did not.
    """

    drawn = True
    needs_train = False
    words = "Of each user one relevant item is held out, drawn; the others count as train items."

    def apply(self, case: Case, seed: int, *, with_train: bool) -> Applied:
        """Return the case in which each user has one relevant item."""
        truth, lists = case.truth, case.predictions
        order = np.lexsort((truth.item, -uniform(seed, truth.user, truth.item), truth.user))
        kept = np.zeros(len(order), dtype=np.bool_)
        kept[order[np.unique(truth.user[order], return_index=True)[1]]] = True
        if kept.all():
            return Applied(case, None, ("Every user has one relevant item already.",))
        others = Train(truth.user[~kept], truth.item[~kept])
        listed, moved = pair_keys([(lists.user, lists.item), (others.user, others.item)])
        train = Train(np.append(case.train.user, others.user), np.append(case.train.item, others.item))
        return Applied(
            replace(
                case, truth=_rows(truth, kept), train=train, predictions=listed_rows(lists, ~are_among(listed, moved))
            )
        )


@dataclass(frozen=True)
class RelevanceThreshold:
    """Keep the held-out items whose gain is ``gain`` or more; the others are candidates like any other."""

    gain: float

    drawn = False
    needs_train = False

    @property
    def words(self) -> str:
        """Return a sentence on what the step does."""
        return f"Relevant are held-out items of gain {self.gain:g} or more."

    def apply(self, case: Case, seed: int, *, with_train: bool) -> Applied:
        """Return the case whose truth has no lower gain.

        Raises:
            UserError: if no gain is that high.
        """
        highest = float(case.truth.gain.max(initial=-np.inf))
        if highest < self.gain:
            raise UserError(f"no held-out item has a gain of {self.gain:g} or more", f"the highest is {highest:g}")
        kept = case.truth.gain >= self.gain
        if kept.all():
            return Applied(replace(case, threshold=self.gain), None, ("No held-out item has a lower gain.",))
        return Applied(replace(case, truth=_rows(case.truth, kept), threshold=self.gain))


def _rows(truth: Truth, kept: NDArray[np.bool_]) -> Truth:
    return Truth(truth.user[kept], truth.item[kept], truth.gain[kept])


def listed_rows(lists: Predictions, kept: NDArray[np.bool_]) -> Predictions:
    """Return some rows of the predictions, in their order."""
    return Predictions(lists.user[kept], lists.item[kept], lists.score[kept])
