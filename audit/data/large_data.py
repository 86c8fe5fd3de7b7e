"""Large data: when data count as such, and the sample of their users whose values are asked one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.data.dataset import are_among, rows_of
from recsys_metric_audit.reference.input.case import Case, Ids
from recsys_metric_audit.reference.input.distinct import distinct, first_of_runs

LARGE = 1_000_000
"""Data with more predicted rows than this are large: answers on them are not kept."""
SAMPLE_USERS, SAMPLE_ROWS = 2_000, 1_000_000
"""Users of a sample, and its predicted rows, at most; one user is in any case in it."""
SEED = 1


def is_large(case: Case) -> bool:
    """Return True if the case has more than ``LARGE`` predicted rows."""
    return len(case.predictions.user) > LARGE


@lru_cache(maxsize=2)
def sample_users(case: Case) -> Case:
    """Return the rows of some users of a case, all of each user and in their order; the catalogue stays whole.

    The users are drawn, each with equal probability, from those with predictions or relevant items. Which they are
    depends on the rows of the case and on ``SEED``.
    """
    shown, true, seen = (_Runs.of(table.user) for table in (case.predictions, case.truth, case.train))
    every = distinct(np.concatenate([shown.user, true.user]))
    drawn = np.random.default_rng(SEED).permutation(every)[:SAMPLE_USERS]
    fitting = int(np.count_nonzero(np.cumsum(shown.rows_of(drawn)) <= SAMPLE_ROWS))
    chosen = np.sort(drawn[: max(1, fitting)])
    return replace(
        case,
        predictions=rows_of(case.predictions, shown.among(chosen)),
        truth=rows_of(case.truth, true.among(chosen)),
        train=rows_of(case.train, seen.among(chosen)),
        users=case.users[are_among(case.users, chosen)],
        why=f"{len(chosen):,} of {len(every):,} users, drawn with the seed {SEED}",
    )


@dataclass(frozen=True, eq=False)
class _Runs:
    """Holds a column of users as runs of one user; rows that are grouped by user have one run for each."""

    user: Ids
    length: NDArray[np.int64]

    @staticmethod
    def of(column: Ids) -> _Runs:
        start = np.flatnonzero(first_of_runs(column))
        return _Runs(column[start], np.diff(start, append=len(column)))

    def rows_of(self, users: Ids) -> NDArray[np.int64]:
        """Return the number of rows of each of some distinct users."""
        order = np.argsort(users)
        known = are_among(self.user, users)
        place = order[np.searchsorted(users[order], self.user[known])]
        return np.bincount(place, self.length[known], len(users)).astype(np.int64)

    def among(self, users: Ids) -> NDArray[np.bool_]:
        """Return a mask of the rows of these users."""
        mask: NDArray[np.bool_] = np.repeat(are_among(self.user, users), self.length)
        return mask
