"""The selection of rows that a definition ranks, if it does not rank simply the rows given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from recsys_metric_audit.reference.input.case import Case, Floats, Ids, Predictions, Train, Truth, each_table, rows_of
from recsys_metric_audit.reference.input.item_numbers import IdIndex
from recsys_metric_audit.reference.input.repeated_items import drop_repeats
from recsys_metric_audit.reference.placement.place import Placer
from recsys_metric_audit.reference.space.axis import more_than
from recsys_metric_audit.reference.space.lists import Bools, Ints
from recsys_metric_audit.reference.space.user_outcomes import Property, asked_properties


def relevant_gains(gain: Floats, threshold: Floats | float, rule: str) -> Bools:
    """Tell which truth rows are relevant under a value of the axis ``relevance``; shape of ``gain``."""
    match rule:
        case "positive":
            kept = gain > 0
        case "at_least_t":
            kept = gain >= threshold
        case "above_t":
            kept = gain > threshold
        case "equal_1":
            kept = gain == 1
        case "every_row":
            kept = np.ones(len(gain), dtype=np.bool_)
        case number:
            above = more_than(number)
            kept = gain >= float(number) if above is None else gain > above
    return np.asarray(kept)


@dataclass(frozen=True)
class RowSelection:
    """The changes to the rows of a case before anything is ranked.

    ``keep``: which copy of a repeated item stays, "first" or "last" (empty: all); ``by_rows``: the order of the rows,
    not the score, is the ranking; ``candidates`` and ``pairs``: values of those axes; ``users``: whose rows form the
    one ranking of all users (empty: each user has a ranking); ``relevance``: what is relevant for the last two;
    ``listed``: truth rows count only if their item is ranked.
    """

    keep: str = ""
    by_rows: bool = False
    candidates: str = "all"
    pairs: str = "rated"
    users: str = ""
    relevance: str = ""
    listed: bool = False

    @staticmethod
    def of(values: Mapping[str, str], *, stacked: bool) -> RowSelection:
        """Read the selection from the values of a definition."""
        keep = {"first_closed_up": "first", "last": "last"}.get(values.get("duplicates", ""), "")
        pairs, users = values.get("pairs", "rated"), values["users"] if stacked and "users" in values else ""
        return RowSelection(
            keep, bool(keep) and values.get("order") == "rows", values.get("candidates", "all"), pairs, users,
            values.get("relevance", "every_row") if users or pairs != "rated" else "",
            values.get("truth") == "listed",
        )  # fmt: skip

    def applied_to(self, case: Case, threshold: Floats | None = None, group: Ids | None = None) -> Case:
        """Return the case with the selected rows.

        All users and items stay known, except users whom one ranking leaves out. ``threshold`` gives one threshold for
        each of the users 0, 1, ... in place of the case's. With ``group``, one ranking is made for each group of users,
        and a group of which no user is left keeps one user without rows.
        """
        users = IdIndex.of(case.predictions.user, case.truth.user, case.users).distinct
        items = IdIndex.of(case.predictions.item, case.truth.item).distinct
        case = replace(case, users=users, catalogue=case.catalogue if len(case.catalogue) else items)
        if self.keep:
            case = drop_repeats(case, keep=self.keep, by_rows=self.by_rows)
        if self.candidates != "all":
            case = _candidates_only(case, self.candidates)
        if self.listed:
            case = _listed_truth(case)
        if self.users:
            stacked = self._stacked_users(case, users, threshold)
            case = replace(_users_only(case, stacked), users=_with_empty(stacked, users, group))
        if self.pairs != "rated":
            case = _with_targets(case, self.pairs, self._relevant(case, threshold))
        return case

    def drops_users(self, case: Case, users: Ids, threshold: Floats | None = None) -> bool:
        """Return True if one ranking leaves out some of ``users``; ``threshold`` as in :meth:`applied_to`."""
        if not self.users:
            return False
        rows = case if self.candidates == "all" else _candidates_only(case, self.candidates)
        rows = _listed_truth(rows) if self.listed else rows
        return len(self._stacked_users(rows, users, threshold)) < len(users)

    def _relevant(self, case: Case, threshold: Floats | None) -> Bools:
        """Tell which truth rows are relevant."""
        truth = case.truth
        of_row = case.threshold if threshold is None else threshold[truth.user]
        return relevant_gains(truth.gain, of_row, self.relevance or "every_row")

    def _stacked_users(self, case: Case, users: Ids, threshold: Floats | None) -> Ids:
        """Return the users whose rows are in the one ranking."""
        true = case.truth.user[self._relevant(case, threshold)]
        r = np.bincount(np.searchsorted(users, true), minlength=len(users))
        having: Mapping[Property, Callable[[], Bools]] = {
            "relevant": lambda: r > 0,
            "one_relevant": lambda: r == 1,
            "rated": lambda: np.isin(users, case.truth.user),
            "listed": lambda: np.isin(users, case.predictions.user),
            # Refused for one ranking, which has no lists; a search may meet it on its way.
            "hit": lambda: np.isin(users, case.predictions.user),
        }
        chosen = [having[wanted]() for wanted in asked_properties(self.users)]
        return users[np.logical_and.reduce(chosen)] if chosen else users


def _with_empty(stacked: Ids, users: Ids, group: Ids | None) -> Ids:
    """Return ``stacked`` plus the first user of each group that has none in it."""
    if group is None:
        return stacked if len(stacked) else users[:1]
    _, first = np.unique(group[users], return_index=True)
    empty = users[first][~np.isin(group[users[first]], group[stacked])]
    return np.union1d(stacked, empty).astype(np.int64)


def _pair_numbers(case: Case) -> tuple[Ids, Ids, Ids]:
    """Return the (user, item) pairs of predictions, truth and train data as numbers."""
    parts = (case.predictions, case.truth, case.train)
    items = IdIndex.of(*(part.item for part in parts)).distinct
    users = IdIndex.of(*(part.user for part in parts)).distinct

    def number(part: Predictions | Truth | Train) -> Ids:
        out: Ids = np.searchsorted(users, part.user) * len(items) + np.searchsorted(items, part.item)
        return out

    return number(case.predictions), number(case.truth), number(case.train)


def _candidates_only(case: Case, candidates: str) -> Case:
    """Return the case with the rows of test items only, or without the rows of train items."""
    test_only = candidates == "test_only"
    keep = np.full(len(case.predictions.user), not test_only)
    keep[_ranked_pairs(case, case.truth if test_only else case.train)[0]] = test_only
    return replace(case, predictions=rows_of(case.predictions, keep))


def _listed_truth(case: Case) -> Case:
    """Return the case without the truth rows of pairs that are not ranked."""
    truth, keep = case.truth, np.zeros(len(case.truth.user), dtype=np.bool_)
    keep[_ranked_pairs(case, truth)[1]] = True
    return replace(case, truth=rows_of(truth, keep))


def _ranked_pairs(case: Case, table: Truth | Train) -> tuple[Ints, Ints]:
    """Return the numbers of the predicted rows that hold pairs of a table, and those of the table's rows found."""
    sought = Truth(table.user, table.item, np.ones(len(table.user)))
    placer = Placer(replace(case, truth=sought))
    return placer.rows.given_number(placer.matches.row), placer.matches.sought


def _users_only(case: Case, users: Ids) -> Case:
    """Return the case with the rows of some users only."""
    return each_table(case, lambda table: rows_of(table, np.isin(table.user, users)))


def _with_targets(case: Case, pairs: str, relevant: Bools) -> Case:
    """Return the case with gain 1 for relevant pairs and 0 for others: for the rated pairs, or for all rows."""
    rec, truth = case.predictions, case.truth
    if pairs == "rated_0_1":
        return replace(case, truth=Truth(truth.user, truth.item, relevant.astype(np.float64)))
    listed, true, _ = _pair_numbers(case)
    _, first = np.unique(listed, return_index=True)
    target = np.isin(listed[first], true[relevant]).astype(np.float64)
    return replace(case, truth=Truth(rec.user[first], rec.item[first], target))
