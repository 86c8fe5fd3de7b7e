"""The values of definitions on the user's files, read into memory, or in batches where predictions are large.

A function of a library may depart from its definition on unusual data: there is no number where data are of such a
kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from math import isnan
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.cli.evaluation.library_definitions import Note, Wanted
from recsys_metric_audit.audit.cli.shared.inputs import UserFiles, load_dataset
from recsys_metric_audit.audit.cli.shared.output import said_while
from recsys_metric_audit.audit.data.dataset import Dataset, pair_keys
from recsys_metric_audit.audit.data.files import input_table
from recsys_metric_audit.audit.data.files.user_files import check_duplicates, check_relevant, rating_scale, read_table
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.function import Data
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines import streamed
from recsys_metric_audit.reference.engines.blockwise import RowRules, evaluate_tables
from recsys_metric_audit.reference.engines.disk_buckets import DiskSpaceError
from recsys_metric_audit.reference.engines.streamed import evaluate_streamed
from recsys_metric_audit.reference.engines.user_block import RepeatedItemError, is_user_by_user
from recsys_metric_audit.reference.evaluation.prepared import InputRefusedError, Values, at_cutoffs
from recsys_metric_audit.reference.input.case import Bools, Case, Ids, Predictions, Truth
from recsys_metric_audit.reference.input.conversion import Columns, LabelledCase
from recsys_metric_audit.reference.input.doubtful_numbers import not_above_0
from recsys_metric_audit.reference.input.parquet_rows import SUFFIXES, ParquetRows
from recsys_metric_audit.reference.input.rows_error import RowsError
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reference.uncertainty.bootstrap import with_intervals
from recsys_metric_audit.reference.uncertainty.paired_comparison import PairedComparison, compare_pairs, holm


class DataAtCutoff:
    """Tells of which kinds a case is at a cut-off; its predictions are by user and best first."""

    def __init__(self, case: Case, k: int | None) -> None:
        self.case, self.k, self.depth, self.items = case, k, np.inf if k is None else k, len(case.catalogue)
        self.user, self.score = case.predictions.user, case.predictions.score
        self.true_user, self.gain = case.truth.user, case.truth.gain
        self.relevant = self.gain >= case.threshold

    @cached_property
    def keys(self) -> list[Ids]:
        """Return pairs of user and item as numbers: of the predictions, of the truth and of the train data."""
        tables = (self.case.predictions, self.case.truth, self.case.train)
        return pair_keys([(each.user, each.item) for each in tables])

    @cached_property
    def listed(self) -> Bools:
        """Tell of each truth row whether its item is in the user's list."""
        return np.isin(self.keys[1], self.keys[0])

    @cached_property
    def place(self) -> Ids:
        """Return the place of each predicted row in its list, from 1 on."""
        return np.arange(len(self.user)) - np.searchsorted(self.user, self.user) + 1

    @cached_property
    def users(self) -> Ids:
        """Return the users of predictions and truth: some functions read lists alone."""
        return np.unique(np.concatenate([self.user, self.true_user]))

    def are_equal_as(self, read: NDArray[Any], *, though_not: bool) -> bool:
        """Return True if neighbours of one list are equal as their scores are read, maybe though they are not."""
        alike = (self.user[1:] == self.user[:-1]) & (read[1:] == read[:-1])
        return bool((alike & (self.score[1:] != self.score[:-1]) if though_not else alike).any())

    def are_equal_after_sigmoid(self) -> bool:
        """Return True if scores that differ are equal once those beyond 0 to 1 go through a sigmoid, as in PyTorch.

        All scores do, where one of them is beyond 0 to 1.
        """
        narrow = self.score.astype(np.float32)
        if not len(narrow) or (narrow.min() >= 0 and narrow.max() <= 1):
            return False
        with np.errstate(over="ignore"):
            return self.are_equal_as(np.asarray(1 / (1 + np.exp(-narrow)), np.float32), though_not=True)

    def is_k_above_candidates(self) -> bool:
        """Return True if a user has fewer than k items that are not in the train data."""
        trained = self.case.train.user[np.unique(self.keys[2], return_index=True)[1]]
        return self.k is not None and self.k > self.items - _rows_of(trained, self.users).max(initial=0)

    def has_hits_below_r_alone(self) -> bool:
        """Return True if a user has hits in the first k rows, and none in the first r of them."""
        inside = np.isin(self.keys[0], self.keys[1]) & (self.place <= self.depth)
        above = inside & (self.place <= _rows_of(self.true_user, self.user))
        return not np.isin(self.user[inside], self.user[above]).all()

    def has_hit(self) -> bool:
        """Return True if a predicted row within the cut-off has an item of positive gain in the user's truth."""
        return bool((np.isin(self.keys[0], self.keys[1][self.gain > 0]) & (self.place <= self.depth)).any())


def _rows_of(column: Ids, users: Ids) -> Ids:
    """Return how many rows of a column each user has."""
    rows = np.sort(column)
    return np.searchsorted(rows, users, side="right") - np.searchsorted(rows, users)


_KINDS: Final[Mapping[Data, Callable[[DataAtCutoff], Any]]] = {
    "a catalogue of one item": lambda data: data.items == 1,
    "k above the items": lambda data: data.k is not None and data.k > data.items,
    "k above the candidates of a user": DataAtCutoff.is_k_above_candidates,
    "k and a user's truth above the items": (
        lambda data: data.k is not None and data.k + _rows_of(data.true_user, data.true_user).max() > data.items
    ),
    "equal scores of a user": lambda data: data.are_equal_as(data.score, though_not=False),
    "scores equal in single precision": lambda data: data.are_equal_as(data.score.astype(np.float32), though_not=True),
    "scores equal after a sigmoid": DataAtCutoff.are_equal_after_sigmoid,
    "one ranked pair": lambda data: np.count_nonzero(np.isin(data.user, data.true_user)) == 1,
    "one rated pair with a score": lambda data: np.count_nonzero(data.listed) == 1,
    "one kind of label": lambda data: len(np.unique(np.isin(data.keys[0], data.keys[1][data.relevant]))) < 2,
    "one kind of label among the rated pairs": lambda data: len(np.unique(data.relevant[data.listed])) < 2,
    "negative gains": lambda data: (data.gain < 0).any(),
    "fractional or negative gains": lambda data: ((data.gain < 0) | (data.gain % 1 != 0)).any(),
    "a user whose gains are all 0": lambda data: not np.isin(data.true_user, data.true_user[data.gain != 0]).all(),
    "a user for whom every item is relevant": (
        lambda data: (np.unique(data.true_user[data.relevant], return_counts=True)[1] == data.items).any()
    ),
    "a truth user without a list": lambda data: not np.isin(data.true_user, data.user).all(),
    "a list shorter than k": lambda data: (_rows_of(data.user, data.users) < data.depth).any(),
    "lists of unequal length": (
        lambda data: len(np.unique(np.minimum(_rows_of(data.user, data.users), data.depth))) > 1
    ),
    "an unlisted item of the truth": lambda data: not data.listed.all(),
    "an unlisted relevant item": lambda data: not data.listed[data.relevant].all(),
    "an unlisted item of the truth and a list shorter than k": (
        lambda data: ((_rows_of(data.user, data.true_user) < data.depth) & ~data.listed).any()
    ),
    "no train data": lambda data: not len(data.keys[2]),
    "train items in lists": lambda data: np.isin(data.keys[0], data.keys[2]).any(),
    "hits in the first k rows and none in the first r": DataAtCutoff.has_hits_below_r_alone,
    "no hit of any user": lambda data: not data.has_hit(),
    "any data": lambda data: True,
}


EQUAL = 1e-9
"""Means that differ by no more are equal: they are computed in other orders."""


@dataclass(frozen=True, eq=False)
class Score:
    """Holds the value of a definition at one cut-off: ``values``, or None with ``refusal``: why there is no number.

    ``p_holm`` is the p-value of the comparison, corrected for the number of comparisons made.
    """

    wanted: Wanted
    definition: Definition
    values: Values | None
    refusal: str = ""
    comparison: PairedComparison | None = None
    p_holm: float | None = None


def scores(dataset: Dataset, wanted: Sequence[Wanted], cutoffs: Sequence[int]) -> list[Score]:
    """Evaluate definitions at each cut-off; a definition that refuses the data gives a row that says so."""
    held = LabelledCase(dataset.case, dataset.users.names, dataset.items.names)
    asked = points(wanted, cutoffs)
    found = dict(zip(definitions_of(asked), evaluate_tables(held, definitions_of(asked)), strict=True))
    return [score_of(point, found, dataset.case) for point in asked]


@dataclass(frozen=True)
class Point:
    """Holds what is evaluated at one cut-off: a definition, and others that may be right in its place, with why."""

    wanted: Wanted
    definition: Definition
    others: tuple[tuple[str, Definition], ...]


def points(wanted: Sequence[Wanted], cutoffs: Sequence[int]) -> list[Point]:
    """Return each definition at its own cut-off or at each of ``cutoffs``."""
    return [
        Point(each, definition, tuple((why, _at(other, definition.k)) for why, other in each.doubts.others))
        for each in wanted
        for definition in at_cutoffs(each.definition, cutoffs)
    ]


def _at(definition: Definition, k: int | str | None) -> Definition:
    return definition.with_(k=k) if isinstance(definition.k, str) and k is not None else definition


def definitions_of(asked: Sequence[Point]) -> list[Definition]:
    """Return all definitions that points ask for, each once."""
    return list(dict.fromkeys(each for point in asked for each in (point.definition, *(d for _, d in point.others))))


def joined(made: Sequence[Score]) -> list[Score]:
    """Return the scores with those of one definition in one row, if they have the same value or the same refusal."""
    rows: dict[tuple[Definition, str], Score] = {}
    for score in made:
        first = rows.setdefault((score.definition, score.refusal), score)
        if first is not score:
            own, other = first.wanted, score.wanted
            both = replace(own, functions=(*own.functions, *other.functions), notes=(*own.notes, *other.notes))
            rows[score.definition, score.refusal] = replace(first, wanted=both)
    return list(rows.values())


def with_score_intervals(made: Sequence[Score], level: float) -> list[Score]:
    """Return the scores with the confidence intervals of their means."""
    there = {str(number): score.values for number, score in enumerate(made) if score.values is not None}
    found = with_intervals(there, level)
    return [replace(score, values=found.get(str(number))) for number, score in enumerate(made)]


def with_comparisons(made: Sequence[Score], others: Sequence[Score], level: float) -> list[Score]:
    """Return the scores with the comparison of the other recommender's; none where one has no values of users."""
    terms = [
        [None if each.values is None else each.values.terms for each in pair] for pair in zip(made, others, strict=True)
    ]
    pairs = {place: (one, other) for place, (one, other) in enumerate(terms) if one is not None and other is not None}
    with said_while("comparing users"):
        found = dict(zip(pairs, compare_pairs(list(pairs.values()), level), strict=True))
    return [replace(score, comparison=found.get(place)) for place, score in enumerate(made)]


def with_corrected_p_values(made: Sequence[Score]) -> list[Score]:
    """Return the scores with p-values corrected for the number of rows that are compared."""
    compared = [score.comparison.p_value for score in made if score.comparison]
    corrected = iter(holm(compared))
    return [replace(score, p_holm=next(corrected)) if score.comparison else score for score in made]


def _unread_inputs(made: Sequence[Score], threshold: float | None, gains: NDArray[np.float64]) -> Iterator[str]:
    """Yield what the user gives and no definition reads: a threshold, and gains that differ.

    Whether a definition reads them is tried on a small case with lists and gains of several kinds.
    """
    asked = list(dict.fromkeys(score.definition for score in made if score.definition.family.reads == "relevance"))
    low, high = float(gains.min()), float(gains.max())
    rules = {f"{name}:{value}" for each in asked for name, value in each.values if name in ("relevance", "gain")}
    if not asked:
        return
    by_threshold = any(rule.endswith("_t") for rule in rules)
    if threshold is not None and not by_threshold and not _acts(asked, _small(threshold=3.0)):
        yield f"  --threshold {threshold:g} changes no number here: no definition that is asked reads it."
        yield f"  --scenario threshold:{threshold:g} leaves out held-out items of a lower gain."
    if "relevance:every_row" in rules and (said := not_above_0(gains)):
        yield f"  {said}."
    of_any_row = rules <= {"relevance:every_row", "gain:binary"}
    if low < high and of_any_row and not _acts(asked, _small(gains=(1.0,) * 5)):
        yield f"  Gains are {low:g} to {high:g}, and no definition that is asked reads them; 'ndcg|gain:linear' does."


_GAINS = (1.0, 2.0, 3.0, 4.0, 5.0)


def _small(gains: Sequence[float] = _GAINS, threshold: float = 1.0) -> Case:
    user, item = np.repeat([1, 2, 3], 4), np.tile([1, 2, 3, 4], 3)
    truth = Truth(np.array([1, 1, 2, 2, 3]), np.array([2, 5, 1, 3, 4]), np.array(gains))
    return Case("small", Predictions(user, item, 1.0 / item), truth, catalogue=np.arange(1, 6), threshold=threshold)


def _acts(definitions: Sequence[Definition], other: Case) -> bool:
    """Return True unless every definition has one value on the small case and on another."""
    cut = [each.with_(k=3) if isinstance(each.k, int) else each for each in definitions]
    here, there = (map(_mean, evaluate_tables(LabelledCase(case, None, None), cut)) for case in (_small(), other))
    return not all(map(_are_equal, here, there))


def score_of(point: Point, found: Mapping[Definition, Values | ValueError], case: Case | None) -> Score:
    """Return the row of a definition: its values, or why it refuses the data or is not known for them.

    Args:
        point: What was evaluated.
        found: The values of all its definitions, or the errors with which they refuse the data.
        case: The data; None where they were read in batches.
    """
    wanted, definition, made = point.wanted, point.definition, found[point.definition]
    if doubts := list(_doubts(point, found, case)):
        return Score(wanted, definition, None, f"not known for these data: {'; '.join(doubts)}")
    if not isinstance(made, ValueError):
        return Score(wanted, definition, made)
    if isinstance(made, InputRefusedError):
        refusing = [f"{name}:{value}" for name, value in definition.values if value == "error"]
        return Score(wanted, definition, None, f"raises on this data ({', '.join(refusing)})")
    return Score(wanted, definition, None, str(made))


def _doubts(point: Point, found: Mapping[Definition, Values | ValueError], case: Case | None) -> Iterator[str]:
    """Yield what is not known of a function and matters for these data, with the values that it may have."""
    if case is not None:
        k = point.definition.k
        data = DataAtCutoff(case, k if isinstance(k, int) else None)
        yield from (f"{kind} ({does})" for kind, does in point.wanted.doubts.departs_on if _KINDS[kind](data))
    for why, others in groupby(point.others, key=itemgetter(0)):
        made = [found[point.definition], *(found[other] for _, other in others)]
        means = [_mean(each) for each in made if not isinstance(each, TooManyOrdersError)]
        if not all(_are_equal(means[0], mean) for mean in means):
            numbers = [mean for mean in means if mean is not None and not isnan(mean)]
            yield f"{why} ({min(numbers):.4f} to {max(numbers):.4f})" if len(numbers) == len(means) else why


def _mean(made: Values | ValueError) -> float | None:
    return None if isinstance(made, ValueError) else made.mean


def _are_equal(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= EQUAL or (isnan(one) and isnan(other))


ROWS = RowRules(best_first=True, unique=True, train_items_exist=True)
"""What rows of files mean when they are read into memory, too (:mod:`audit.data.files`)."""


def file_scores(files: UserFiles, wanted: Sequence[Wanted], cutoffs: Sequence[int]) -> tuple[list[Score], str]:
    """Evaluate definitions at each cut-off on the user's files.

    Returns:
        The scores, and lines that say of which data, and what is unusual in them.

    Raises:
        UserError: for files that cannot be read or contradict each other.
    """
    if files.predictions is not None and files.truth is not None and _is_large(files.predictions):
        return _streamed_scores(files, files.predictions, files.truth, wanted, cutoffs)
    data = load_dataset(None, files)
    with said_while(f"evaluating {data.name}"):
        made = scores(data, wanted, cutoffs)
    return made, "\n".join([described(data), *_unread_inputs(made, files.threshold, data.case.truth.gain)])


def described(data: Dataset) -> str:
    """Return the lines that say which data the values are of, and what is unusual in them."""
    line = f"{data.name}, {data.shape.users:,} users, {data.shape.rows:,} rows"
    return "\n".join([line, *(f"  {fact.text}" for fact in data.facts)])


def _is_large(predictions: Path) -> bool:
    """Return True for a folder, and for a Parquet file with so many rows that it is read in batches."""
    if predictions.is_dir():
        return True
    if predictions.suffix not in SUFFIXES or not predictions.is_file():
        return False
    try:
        return ParquetRows.of(predictions).rows >= streamed.LARGE
    except (RowsError, OSError):
        return False  # reading it into memory says what is wrong


def _streamed_scores(
    files: UserFiles, predictions: Path, truth: Path, wanted: Sequence[Wanted], cutoffs: Sequence[int]
) -> tuple[list[Score], str]:
    threshold = 1.0 if files.threshold is None else files.threshold
    names = files.columns or Columns()
    true = read_table(truth, input_table.TRUTH.named(names))
    users, items = input_table.unify([true.user]), input_table.unify([true.item])
    gain = np.ones(len(users.ids[0])) if true.number is None else true.number
    check_duplicates([true], [(users.ids[0], items.ids[0])], users.labels, items.labels)
    check_relevant(truth, float(gain.max()), threshold)
    seen = None if files.train is None else _columns(read_table(files.train, input_table.TRAIN.named(names)), names)
    wanted_at = points([_with_notes(each) for each in wanted], cutoffs)
    asked = [each for each in definitions_of(wanted_at) if is_user_by_user(each)]
    try:
        with said_while(f"evaluating {predictions}"):
            held = _columns(true, names) | {names.gain: gain}
            made = evaluate_streamed(predictions, held, asked, train=seen, columns=names, threshold=threshold,
                                     scale=rating_scale(gain), rules=ROWS)  # fmt: skip
    except DiskSpaceError as error:
        raise UserError(str(error), "Free space, or set TMPDIR to a folder on a larger disk.") from error
    except ImportError as error:
        raise UserError(str(error), "Install it, or write the rows user by user.") from error
    except RepeatedItemError as error:
        raise UserError(
            f"{predictions}: {error}.", "Keep one row for each user and item in the predictions."
        ) from error
    except (RowsError, OSError) as error:
        raise UserError(f"{predictions}: {error}.", "Predictions have the columns user, item and score.") from error
    if not made.matched:
        first = input_table.quoted(users.labels.of(users.ids[0][:1])[0])
        message = f"{predictions} and {truth}: column user: no user occurs in both (the first of the truth is {first})."
        raise UserError(message, "Check that both files write user ids in the same way.")
    found = dict(zip(asked, made.values, strict=True))
    at_once = ValueError("takes the rows of all users at once, and these files are read in batches")
    found |= {each: at_once for each in definitions_of(wanted_at) if each not in found}
    line = f"{predictions.name}, {len(np.unique(users.ids[0])):,} users, {made.rows:,} rows, read in batches"
    told = "\n".join([line, *(f"  {each}." for each in made.few_in_common)])
    scored = [score_of(point, found, None) for point in wanted_at]
    return scored, "\n".join([told, *_unread_inputs(scored, files.threshold, gain)])


def _with_notes(wanted: Wanted) -> Wanted:
    """Add notes on the kinds of data on which functions depart from a definition: batches do not show them."""
    kinds = [kind for kind, _ in wanted.doubts.departs_on]
    text = f"not so on data of these kinds, which are not looked for in batches: {'; '.join(kinds)}"
    added = tuple(Note(text, function) for function in wanted.functions if kinds)
    return replace(wanted, notes=(*wanted.notes, *added))


def _columns(table: input_table.Table, names: Columns) -> dict[str, Any]:
    return {names.user: _ids(table.user), names.item: _ids(table.item)}


def _ids(column: input_table.IdColumn) -> Any:
    """Return ids as the reference takes them: whole numbers, or a dictionary of texts."""
    import pyarrow as pa

    match column:
        case input_table.NumberColumn(values=values):
            return values
        case input_table.TextColumn(codes=codes, names=names):
            if input_table.holds_numbers(column):
                return np.array([int(name) for name in names])[codes]
            return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names, pa.large_string()))
