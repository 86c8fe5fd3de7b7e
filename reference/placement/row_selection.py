"""Inputs: the rows that a definition looks at, where they are not simply those that are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from reference.input.case import Case, Floats, Ids, Predictions, Train, Truth
from reference.input.repeated_items import closed_up
from reference.space.lists import Bools


def relevant_gains(gain: Floats, threshold: Floats | float, rule: str) -> Bools:
    """Which truth rows are relevant under a value of the axis ``relevance``; shape of ``gain``."""
    match rule:
        case "positive":
            kept = gain > 0
        case "at_least_t":
            kept = gain >= threshold
        case "above_t":
            kept = gain > threshold
        case "equal_1":
            kept = gain == 1
        case _:
            kept = np.ones(len(gain), dtype=np.bool_)
    return np.asarray(kept)


@dataclass(frozen=True)
class Inputs:
    """What is made of the rows of a case before anything is ranked.

    ``keep``: which copy of a repeated item stays (\"\" for all); ``by_rows``: the rows, not the scores, are the
    ranking; ``candidates`` and ``pairs``: values of those axes; ``users``: whose rows make up one ranking of all
    (\"\" where each user has a ranking of their own); ``relevance``: what counts as relevant for the last two.
    """

    keep: str = ""
    by_rows: bool = False
    candidates: str = "all"
    pairs: str = "rated"
    users: str = ""
    relevance: str = ""

    @staticmethod
    def of(values: Mapping[str, str], *, stacked: bool) -> Inputs:
        """From the values of a definition."""
        keep = {"first_closed_up": "first", "last": "last"}.get(values.get("duplicates", ""), "")
        pairs, users = values.get("pairs", "rated"), values["users"] if stacked and "users" in values else ""
        return Inputs(
            keep, bool(keep) and values.get("order") == "rows", values.get("candidates", "all"), pairs, users,
            values.get("relevance", "every_row") if users or pairs != "rated" else "",
        )  # fmt: skip

    def made(self, case: Case, threshold: Floats | None = None, group: Ids | None = None) -> Case:
        """The case with these rows; no item and no user ceases to exist, unless one ranking leaves users out.

        Where users 0, 1, ... of the case have a ``threshold`` each, that; and where there is one ranking for each
        ``group`` of them, not for all, no group ceases to exist.
        """
        users = np.union1d(np.union1d(case.predictions.user, case.truth.user), case.users)
        items = np.union1d(case.predictions.item, case.truth.item)
        case = replace(case, users=users, catalogue=case.catalogue if len(case.catalogue) else items)
        if self.keep:
            case = closed_up(case, keep=self.keep, by_rows=self.by_rows)
        if self.candidates != "all":
            case = _only(case, self.candidates)
        if self.users:
            asked = self._asked(case, users, threshold)
            case = replace(_of_users(case, asked), users=_with_empty(asked, users, group))
        if self.pairs != "rated":
            case = _labelled(case, self.pairs, self._relevant(case, threshold))
        return case

    def drops_users(self, case: Case, users: Ids, threshold: Floats | None = None) -> bool:
        """Whether one ranking leaves out some of the case's ``users``; ``threshold`` as in :meth:`made`."""
        if not self.users:
            return False
        rows = case if self.candidates == "all" else _only(case, self.candidates)
        return len(self._asked(rows, users, threshold)) < len(users)

    def _relevant(self, case: Case, threshold: Floats | None) -> Bools:
        """Which truth rows are relevant."""
        truth = case.truth
        of_row = case.threshold if threshold is None else threshold[truth.user]
        return relevant_gains(truth.gain, of_row, self.relevance)

    def _asked(self, case: Case, users: Ids, threshold: Floats | None) -> Ids:
        """Users whose rows are in the ranking."""
        true = case.truth.user[self._relevant(case, threshold)]
        r = np.bincount(np.searchsorted(users, true), minlength=len(users))
        if self.users in ("truth", "one_relevant"):
            return users[r > 0 if self.users == "truth" else r == 1]
        if self.users == "all":
            return users
        listed = np.isin(users, case.predictions.user)
        return users[listed & (r > 0)] if self.users == "both" else users[listed]


def _with_empty(asked: Ids, users: Ids, group: Ids | None) -> Ids:
    """Users of one ranking of each group: where nobody is asked, there is still one, an empty one."""
    if group is None:
        return asked if len(asked) else users[:1]
    _, first = np.unique(group[users], return_index=True)
    empty = users[first][~np.isin(group[users[first]], group[asked])]
    return np.union1d(asked, empty).astype(np.int64)


def _pairs(case: Case) -> tuple[Ids, Ids, Ids]:
    """The pairs of user and item of predictions, truth and train as numbers."""
    parts = (case.predictions, case.truth, case.train)
    items = np.unique(np.concatenate([part.item for part in parts]))
    users = np.unique(np.concatenate([part.user for part in parts]))

    def number(part: Predictions | Truth | Train) -> Ids:
        out: Ids = np.searchsorted(users, part.user) * len(items) + np.searchsorted(items, part.item)
        return out

    return number(case.predictions), number(case.truth), number(case.train)


def _rows(predictions: Predictions, keep: Bools) -> Predictions:
    return Predictions(predictions.user[keep], predictions.item[keep], predictions.score[keep])


def _only(case: Case, candidates: str) -> Case:
    """The case with the rows of test items only, or without those of train items."""
    listed, true, seen = _pairs(case)
    keep = np.isin(listed, true) if candidates == "test_only" else ~np.isin(listed, seen)
    return replace(case, predictions=_rows(case.predictions, keep))


def _of_users(case: Case, users: Ids) -> Case:
    """The case with the rows of some users only."""
    rec, truth, train = case.predictions, case.truth, case.train
    own, true, seen = (np.isin(part.user, users) for part in (rec, truth, train))
    return replace(
        case, predictions=_rows(rec, own), truth=Truth(truth.user[true], truth.item[true], truth.gain[true]),
        train=Train(train.user[seen], train.item[seen]),
    )  # fmt: skip


def _labelled(case: Case, pairs: str, relevant: Bools) -> Case:
    """The case with a target of 1 for what is relevant and 0 for what is not: of the rated pairs, or of all rows."""
    rec, truth = case.predictions, case.truth
    if pairs == "rated_0_1":
        return replace(case, truth=Truth(truth.user, truth.item, relevant.astype(np.float64)))
    listed, true, _ = _pairs(case)
    _, first = np.unique(listed, return_index=True)
    target = np.isin(listed[first], true[relevant]).astype(np.float64)
    return replace(case, truth=Truth(rec.user[first], rec.item[first], target))
