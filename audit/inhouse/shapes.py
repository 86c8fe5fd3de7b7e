"""Provides the shapes of calls as the audit sees them: what each can be asked, and which axes it cannot show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

from recsys_metric_audit.audit.data.dataset import rows_of
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.cases.exhaustive import LONGEST, patterns
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.input.case import Case, Truth

# They run under old Pythons too, so they are written without types.
_CALLS: Any = import_module("recsys_metric_audit.audit.inhouse.calling.call_shapes")
_PARAMETERS_OF: Any = import_module("recsys_metric_audit.audit.inhouse.calling.call_parameters")

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
        decided: Further axes that no such call can show.
        form: The number of the form in which the arguments are passed; None for the first that raises nothing.
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
    decided: tuple[str, ...] = ()
    form: int | None = None

    @property
    def asked_as(self) -> str:
        """Return the name under which it is asked: its own, with the number of the form."""
        return self.name if self.form is None else f"{self.name}/{self.form}"

    @property
    def ranked(self) -> Shape:
        """Return the shape with ranks that the caller counts from 1: which rows come first, no function decides."""
        return replace(self, scores=False, call=f"{self.call}, ranks from 1 among their columns")

    @property
    def arguments(self) -> int:
        """Return how many arguments it has besides the cut-off."""
        return len(_PARAMETERS_OF.ROLES_OF_SHAPE[self.name])

    @property
    def by_place(self) -> bool:
        """Return True if the function returns a value for each place, of which that of the cut-off is read."""
        return self.name in _CALLS.BY_PLACE

    @property
    def batch_of_one(self) -> bool:
        """Return True if one user is passed as a batch, which functions of lists take as well."""
        return self.name in _CALLS.BATCHES_OF_ONE

    @property
    def rare(self) -> bool:
        """Return True if few functions are called so, which those of usual shapes do not refuse either."""
        return self.name in _PARAMETERS_OF.RARE

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
        truth, rec = self.truth(case), case.predictions
        return replace(case, predictions=rows_of(rec, np.isin(rec.user, truth.user)), truth=truth)

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
        return rows_of(rel, kept)


def _both(names: str, first: str, second: str, how: str, **holds: Any) -> tuple[Shape, Shape]:
    """Return the shape of the first name, and that of the second with these arguments the other way round."""
    one, other = names.split()
    called = Shape(one, f"function({first}, {second}{how}", **holds)
    return called, replace(called, name=other, call=f"function({second}, {first}{how}")


_LISTS, _TRUTH = "recommended items", "relevant items"
_EACH_WITH_ONE = ", k) for each user with one"
_LABELS: Mapping[str, Any] = {"rows": False, "unlisted": False}
_LABELS_AND_SCORES: Mapping[str, Any] = {**_LABELS, "scores": True}
_SCORES_OF_ONE: Mapping[str, Any] = {**_LABELS_AND_SCORES, "one": True, "decided": _NO_ORDER}
_HITS: Mapping[str, Any] = {"rows": False, "counted": True}
_OF_ALL: Mapping[str, Any] = {**_LABELS_AND_SCORES, "users": True}
_ALL = (
    *_both("recommended actual", _LISTS, _TRUTH, ", k) for each user"),
    *_both("recommended-one one-recommended", _LISTS, "the relevant item", _EACH_WITH_ONE, one=True),
    *_both("scores scores-first", "labels", "scores", ", k) for each user's rows", **_LABELS_AND_SCORES),
    *_both("matrix matrix-scores-first", "labels", "scores", ", k) of all items, with a row for each user", scores=True,
           rows=False, whole=True),
    *_both("frames frames-truth-first", "predictions", "truth", ", k) with DataFrames of all users", users=True,
           scores=True),
    *_both("list-frames list-frames-truth-first", "predictions", "truth",
           ", k) with DataFrames of a list for each user", users=True),
    *_both("qrels-run run-qrels", "qrels", "run", ", k) with a dict for each user in a dict", users=True, scores=True,
           rows=False),
    Shape("qrel-run", "function(item to gain, item to score, k) for each user", scores=True, rows=False),
    *_both("actual-users recommended-users", f"{_TRUTH} of all users", f"{_LISTS} of all users", ", k)", users=True),
    *_both("actual-each recommended-each", f"[{_TRUTH}]", f"[{_LISTS}]", ", k) for one user at a time"),
    *_both("indexes indexes-labels-first", "scores", "labels", ", index of the user of each row, k)", **_OF_ALL),
    Shape("users-scores-labels", "function(index of the user of each row, scores, labels, k)", **_OF_ALL),
    Shape("users-labels-scores", "function(index of the user of each row, labels, scores, k)", **_OF_ALL),
    Shape("scorer", "scorer(estimator, X, y) for each user's rows", **_LABELS_AND_SCORES),
    Shape("vector", "function(labels of the ranked items, k) for each user", **_LABELS),
    Shape("vectors", "function(labels of the ranked items of all users, k)", users=True, **_LABELS),
    *_both("recommended-one-matrix one-recommended-matrix", f"[{_LISTS}]", "[the relevant item]", _EACH_WITH_ONE,
           one=True),
    Shape("positive-negatives", f"function(score of the relevant item, scores of its negatives{_EACH_WITH_ONE}",
          **_SCORES_OF_ONE),
    *(Shape(f"positive-{place}{form}", f"function(scores of a user's items, the one relevant item {place}, k){how}",
            **_SCORES_OF_ONE)
      for place in ("first", "last") for form, how in (("", ""), ("-matrix", " as a matrix of one row"))),
    Shape("scores-target", f"function(scores, index of the relevant item among them{_EACH_WITH_ONE}", **_SCORES_OF_ONE),
    Shape("target-scores", f"function(index of the relevant item, scores{_EACH_WITH_ONE}", **_SCORES_OF_ONE),
    *_both("scores-target-from-1 target-scores-from-1", "scores", "index of the relevant item, counted from 1",
           _EACH_WITH_ONE, **_SCORES_OF_ONE),
    *_both("distances-target target-distances", "distances", "index of the relevant item among them", _EACH_WITH_ONE,
           **_SCORES_OF_ONE),
    *_both("padded-scores-target target-padded-scores", "scores with a padding item first",
           "index of the relevant item among them", _EACH_WITH_ONE, **_SCORES_OF_ONE),
    *(Shape(name, f"function(ranks of the relevant items, counted from {first}{_EACH_WITH_ONE}", one=True, **_LABELS)
      for first, name in enumerate(("ranks", "ranks-from-1"))),
    *(Shape(name, f"function(ranks of the relevant items, counted from {first}, number of irrelevant ones"
            f"{_EACH_WITH_ONE}", one=True, **_LABELS)
      for first, name in enumerate(("ranks-negatives", "ranks-from-1-negatives"))),
    *_both("ranks-labels labels-ranks", "rank of each item, from 0", "labels",
           ", k) of all items, with a row for each user", rows=False, whole=True),
    Shape("vector-count", f"function(hits of the ranked items, number of {_TRUTH}, k) for each user", **_HITS),
    *_both("hits-truth truth-hits", "hits of the ranked items", _TRUTH, ", k) for each user", **_HITS),
    Shape("vector-ideal", f"function(labels of the ranked items, labels of all {_TRUTH}, k) for each user", **_HITS),
    *_both("recommended-dense dense-recommended", _LISTS, "labels of all items by their number", ", k) for each user",
           counted=True),
    *_both("recommended-users-one one-recommended-users", f"{_LISTS} of all users", "the relevant item of each", ", k)",
           users=True, one=True),
    Shape("diagonal", "function(matrix of scores, a row for each user, whose relevant item is on the diagonal, k) of"
          " one user in every row", one=True, decided=("duplicates", "no_list"), **_LABELS),
    Shape("score-labels", "function([(score, label)] of a user's rows, k)", **_LABELS_AND_SCORES),
    Shape("named-columns", "function(DataFrame, column of the relevant item, column of the recommended items"
          f"{_EACH_WITH_ONE}", one=True),
    Shape("series", f"function(Series of scores by item, best first, {_TRUTH}, k) for each user", rows=False),
    Shape("series-one", f"function(Series of scores by item, best first, the relevant item{_EACH_WITH_ONE}", one=True,
          **_LABELS),
    Shape("series-scores-one", f"function(Series of scores by item, the relevant item{_EACH_WITH_ONE}",
          **_SCORES_OF_ONE),
    Shape("hits-counts", f"function(matrix of hits, numbers of {_TRUTH}) for each user; the value at place k",
          decided=("no_list", "short_lists"), **_HITS),
    *_both("sizes sizes-labels-first", "scores", "labels", ", number of rows of each user, k)", **_OF_ALL),
    Shape("scores-dataset", "function(scores, data set with labels and numbers of rows, k), as boosters call it",
          **_OF_ALL),
    Shape("table", "function(DataFrame of all rows with user, item, score and label, k)", users=True, scores=True,
          unlisted=False),
    Shape("list-pairs", f"function([({_LISTS}, {_TRUTH})] of all users, k)", users=True),
    *_both("actual-users-listed recommended-users-listed", f"{_TRUTH} by user", f"{_LISTS} by user", ", users, k)",
           users=True),
)  # fmt: skip
SHAPES: dict[str, Shape] = {shape.name: shape for shape in _ALL} | {
    each.name + _CALLS.PLACES: replace(
        each, name=each.name + _CALLS.PLACES, call=each.call.replace(", k)", ")") + "; the value at place k"
    )
    for each in _ALL
    if each.name + _CALLS.PLACES in _CALLS.OF_ONE_USER
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
