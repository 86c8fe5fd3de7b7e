"""Provides the shapes of calls as the audit sees them: what each can be asked, and which axes it cannot show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.cases.exhaustive import LONGEST, patterns
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.input.case import Case, Truth

# It runs under old Pythons too, so it is written without types.
_CALLS: Any = import_module("recsys_metric_audit.audit.inhouse.calling.call_shapes")

_OF_SEVERAL_USERS = ("degenerate", "rated_users")
"""Kinds of probes that say nothing of a function of one user: it cannot rank the rows of all users."""
_SHOWN_BY_USERS = ("users", "pooling", "weight", "mean", "of", "scope", "over", "undefined")
_DECIDED_BY_LABELS = ("relevance", "unlisted", "candidates", "truth")
_DECIDED_BY_CALLER = ("relevance", "candidates", "truth")
_DECIDED_BY_HITS = ("relevance", "candidates")
_NO_ORDER = ("order",)
_DECIDED_BY_ROWS = ("relevance", "unlisted", "candidates", "no_list", "short_lists")
_SHOWN_BY_SCORES = ("order", "ties", "tied_scores", "counted_scores")


@dataclass(frozen=True)
class Shape:
    """Holds a shape of call: its name, how it reads, and what its arguments hold.

    Attributes:
        name: The name that ``--shape`` takes.
        call: How it is called, in words.
        users: Whether one call has all users; else it is called once for each user of the truth.
        scores: Whether it is given scores; else it is given items or labels, best first.
        rows: Whether it tells rows apart that name one item twice.
        unlisted: Whether it is told of relevant items that are not listed. What is not, is given labels: the caller
            decides what is relevant.
        whole: Whether it is given labels and scores of more items than are listed. Behind the list stand irrelevant
            items, then the relevant ones that are not listed: no list is short.
        one: Whether it is given the one relevant item of a user: who has several, or none, cannot be passed.
        counted: Whether it is given hits, and the number of relevant items: the caller decides what is relevant.
        arguments: How many arguments it has besides the cut-off.
        decided: Further axes that no such call can show.
    """

    name: str
    call: str
    users: bool = False
    scores: bool = False
    rows: bool = True
    unlisted: bool = True
    whole: bool = False
    one: bool = False
    counted: bool = False
    arguments: int = 2
    decided: tuple[str, ...] = ()

    @property
    def by_place(self) -> bool:
        """Return True if the function returns a value for each place, of which that of the cut-off is read."""
        return self.name in _CALLS.BY_PLACE

    @property
    def batch_of_one(self) -> bool:
        """Return True if one user is passed as a batch, which functions of lists take as well."""
        return self.name in _CALLS.BATCHES_OF_ONE

    def fits(self, probe: Probe) -> bool:
        """Return True if the arguments of this shape hold all that a probe has."""
        if not self.users and probe.kind.role in _OF_SEVERAL_USERS:
            return False
        return self.holds(probe.case)

    def holds(self, case: Case) -> bool:
        """Return True if the arguments hold a case: its ties, items that stand twice, what is not listed."""
        rec, rel = case.predictions, case.truth
        listed = list(zip(rec.user.tolist(), rec.item.tolist(), strict=True))
        relevant = list(zip(rel.user.tolist(), rel.item.tolist(), strict=True))
        if not self.scores and any((np.diff(rec.score[rec.user == user]) >= 0).any() for user in np.unique(rec.user)):
            return False
        if self.name not in ("frames", "frames-truth-first") and len(set(relevant)) < len(relevant):
            return False
        if not self.rows and len(set(listed)) < len(listed):
            return False
        if not self.unlisted and not set(relevant) <= set(listed):
            return False
        labelled = bool((rel.gain >= case.threshold).all() and (rel.gain != 0).all())  # a label of 0 is irrelevant
        if self.one:
            return labelled and sorted(rel.user.tolist()) == sorted({*rec.user.tolist(), *rel.user.tolist()})
        if self.whole:
            return labelled and {*rel.user.tolist()} <= {*rec.user.tolist()}
        return labelled or (self.unlisted and not self.counted)

    @property
    def not_shown(self) -> tuple[str, ...]:
        """Return the axes that no call of this shape can show."""
        duplicates = () if self.name in ("frames", "frames-truth-first") else ("truth_duplicates",)
        return (
            *(() if self.users else _SHOWN_BY_USERS), *(() if self.scores else _SHOWN_BY_SCORES), *duplicates,
            *(() if self.rows else ("duplicates",)), *(() if self.unlisted else _DECIDED_BY_LABELS),
            *(_DECIDED_BY_CALLER if self.one else ()), *(_DECIDED_BY_HITS if self.counted else ()),
            *(_DECIDED_BY_ROWS if self.whole else ()), *self.decided,
        )  # fmt: skip

    def data(self, case: Case) -> Case:
        """Return a case without what the arguments cannot hold."""
        if self.unlisted and not (self.one or self.whole or self.counted):
            return case
        truth = self.truth(case)
        rec, shown = case.predictions, np.isin(case.predictions.user, truth.user)
        rows = replace(rec, user=rec.user[shown], item=rec.item[shown], score=rec.score[shown])
        return replace(case, predictions=rows, truth=truth)

    def truth(self, case: Case) -> Truth:
        """Return the relevant items of a case that the arguments hold: the listed ones, or the first of each user."""
        rec, rel = case.predictions, case.truth
        kept = (rel.gain >= case.threshold) & (np.isin(rel.user, rec.user) | (not self.whole))
        if not self.unlisted:
            listed = {*zip(rec.user.tolist(), rec.item.tolist(), strict=True)}
            pairs = zip(rel.user.tolist(), rel.item.tolist(), strict=True)
            kept &= np.array([pair in listed for pair in pairs], dtype=bool)
        if self.one:
            first = np.zeros(len(kept), dtype=bool)
            first[np.flatnonzero(kept)[np.unique(rel.user[kept], return_index=True)[1]]] = True
            kept &= first
        return replace(rel, user=rel.user[kept], item=rel.item[kept], gain=rel.gain[kept])


_ALL = (
    Shape("recommended", "function(recommended items, relevant items, k) for each user"),
    Shape("actual", "function(relevant items, recommended items, k) for each user"),
    Shape("recommended-one", "function(recommended items, the relevant item, k) for each user with one", one=True),
    Shape("one-recommended", "function(the relevant item, recommended items, k) for each user with one", one=True),
    Shape("scores", "function(labels, scores, k) for each user's rows", scores=True, rows=False, unlisted=False),
    Shape("scores-first", "function(scores, labels, k) for each user's rows", scores=True, rows=False, unlisted=False),
    Shape("matrix", "function(labels, scores, k) of all items, with a row for each user", scores=True, rows=False,
          whole=True),
    Shape("matrix-scores-first", "function(scores, labels, k) of all items, with a row for each user", scores=True,
          rows=False, whole=True),
    Shape("frames", "function(predictions, truth, k) with DataFrames of all users", users=True, scores=True),
    Shape("frames-truth-first", "function(truth, predictions, k) with DataFrames of all users", users=True,
          scores=True),
    Shape("list-frames", "function(predictions, truth, k) with DataFrames of a list for each user", users=True),
    Shape("list-frames-truth-first", "function(truth, predictions, k) with DataFrames of a list for each user",
          users=True),
    Shape("qrels-run", "function(qrels, run, k) with a dict for each user in a dict", users=True, scores=True,
          rows=False),
    Shape("run-qrels", "function(run, qrels, k) with a dict for each user in a dict", users=True, scores=True,
          rows=False),
    Shape("qrel-run", "function(item to gain, item to score, k) for each user", scores=True, rows=False),
    Shape("actual-users", "function(relevant items of all users, recommended items of all users, k)", users=True),
    Shape("recommended-users", "function(recommended items of all users, relevant items of all users, k)", users=True),
    Shape("actual-each", "function([relevant items], [recommended items], k) for one user at a time"),
    Shape("recommended-each", "function([recommended items], [relevant items], k) for one user at a time"),
    Shape("indexes", "function(scores, labels, index of the user of each row, k)", users=True, scores=True,
          rows=False, unlisted=False, arguments=3),
    Shape("indexes-labels-first", "function(labels, scores, index of the user of each row, k)", users=True,
          scores=True, rows=False, unlisted=False, arguments=3),
    Shape("scorer", "scorer(estimator, X, y) for each user's rows", scores=True, rows=False, unlisted=False,
          arguments=3),
    Shape("vector", "function(labels of the ranked items, k) for each user", rows=False, unlisted=False, arguments=1),
    Shape("vectors", "function(labels of the ranked items of all users, k)", users=True, rows=False, unlisted=False,
          arguments=1),
    Shape("recommended-one-matrix", "function([recommended items], [the relevant item], k) for each user with one",
          one=True),
    Shape("one-recommended-matrix", "function([the relevant item], [recommended items], k) for each user with one",
          one=True),
    Shape("positive-negatives", "function(score of the relevant item, scores of its negatives, k) for each user with "
          "one", scores=True, rows=False, unlisted=False, one=True, decided=_NO_ORDER),
    *(Shape(f"positive-{place}{form}", f"function(scores of a user's items, the one relevant item {place}, k){how}",
            scores=True, rows=False, unlisted=False, one=True, arguments=1, decided=_NO_ORDER)
      for place in ("first", "last") for form, how in (("", ""), ("-matrix", " as a matrix of one row"))),
    Shape("scores-target", "function(scores, index of the relevant item among them, k) for each user with one",
          scores=True, rows=False, unlisted=False, one=True, decided=_NO_ORDER),
    Shape("target-scores", "function(index of the relevant item, scores, k) for each user with one", scores=True,
          rows=False, unlisted=False, one=True, decided=_NO_ORDER),
    Shape("ranks", "function(ranks of the relevant items, counted from 0, k) for each user with one", rows=False,
          unlisted=False, one=True, arguments=1),
    Shape("ranks-from-1", "function(ranks of the relevant items, counted from 1, k) for each user with one",
          rows=False, unlisted=False, one=True, arguments=1),
    Shape("vector-count", "function(hits of the ranked items, number of relevant items, k) for each user", rows=False,
          counted=True),
    Shape("hits-truth", "function(hits of the ranked items, relevant items, k) for each user", rows=False,
          counted=True),
    Shape("truth-hits", "function(relevant items, hits of the ranked items, k) for each user", rows=False,
          counted=True),
    Shape("vector-ideal", "function(labels of the ranked items, labels of all relevant items, k) for each user",
          rows=False, counted=True),
    Shape("score-labels", "function([(score, label)] of a user's rows, k)", scores=True, rows=False, unlisted=False,
          arguments=1),
    Shape("named-columns", "function(DataFrame, column of the relevant item, column of the recommended items, k) for "
          "each user with one", one=True, arguments=3),
    Shape("series", "function(Series of scores by item, best first, relevant items, k) for each user", rows=False),
    Shape("series-one", "function(Series of scores by item, best first, the relevant item, k) for each user with one",
          rows=False, unlisted=False, one=True),
    Shape("series-scores-one", "function(Series of scores by item, the relevant item, k) for each user with one",
          scores=True, rows=False, unlisted=False, one=True, decided=_NO_ORDER),
    Shape("hits-counts", "function(matrix of hits, numbers of relevant items) for each user; the value at place k",
          rows=False, counted=True, decided=("no_list", "short_lists")),
    Shape("sizes", "function(scores, labels, number of rows of each user, k)", users=True, scores=True, rows=False,
          unlisted=False, arguments=3),
    Shape("sizes-labels-first", "function(labels, scores, number of rows of each user, k)", users=True, scores=True,
          rows=False, unlisted=False, arguments=3),
    Shape("scores-dataset", "function(scores, data set with labels and numbers of rows, k), as boosters call it",
          users=True, scores=True, rows=False, unlisted=False),
    Shape("table", "function(DataFrame of all rows with user, item, score and label, k)", users=True, scores=True,
          unlisted=False, arguments=1),
    Shape("list-pairs", "function([(recommended items, relevant items)] of all users, k)", users=True, arguments=1),
    Shape("actual-users-listed", "function(relevant items by user, recommended items by user, users, k)", users=True,
          arguments=3),
    Shape("recommended-users-listed", "function(recommended items by user, relevant items by user, users, k)",
          users=True, arguments=3),
)  # fmt: skip
_PLACED = [each for each in _ALL if each.name + _CALLS.PLACES in _CALLS.OF_ONE_USER]
SHAPES: dict[str, Shape] = {shape.name: shape for shape in _ALL} | {
    each.name + _CALLS.PLACES: replace(
        each, name=each.name + _CALLS.PLACES, call=each.call.replace(", k)", ")") + "; the value at place k"
    )
    for each in _PLACED
}
"""Every shape by its name."""
DEFAULT = SHAPES["recommended"]
FRAMES = SHAPES["frames"]
_OTHER_NAMES = {"lists": "recommended", "predicted": "actual", "y": "scores", "ranked": "recommended"}


def shape_named(name: str) -> Shape:
    """Return the shape of a name.

    Raises:
        UserError: if there is none.
    """
    if (found := SHAPES.get(_OTHER_NAMES.get(name, name))) is not None:
        return found
    raise UserError(f"--shape {name}: no such shape", f"it is one of {', '.join(SHAPES)}")


def small_lists(shape: Shape, k: int | None = None) -> tuple[Probe, ...]:
    """Return every small list that a shape holds, where it cannot be asked about those of all users.

    These are the lists whose relevant items are all listed, or those of a user with one relevant item.

    Args:
        shape: how the function is called.
        k: the only cut-off to ask at; None for every one up to the length of the longest.
    """
    if shape.one:
        users = tuple(user for user in patterns(1) if shape.unlisted or not user.missed)
        said = "of a user with one relevant item"
    elif not shape.unlisted:
        users = tuple(user for r in range(1, LONGEST + 1) for user in patterns(r) if not user.missed)
        said = "that holds all relevant ones"
    else:
        return ()
    cutoffs = range(1, LONGEST + 1) if k is None else (k,)
    named = [(cut, f"every list of up to {LONGEST} items {said}, k {cut}") for cut in cutoffs]
    return tuple(Probe(Kind("distinguishing"), case_from_users(why, users, why=why), cut, users) for cut, why in named)
