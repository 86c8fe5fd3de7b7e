"""Evaluates any definitions on tables of predictions and truth, and compares two recommenders.

Nothing is identified here and no library is run: this computes the exact variant that a signature names.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isnan
from numbers import Real
from pathlib import Path

import numpy as np

from recsys_metric_audit.reference.catalogue.everyday_names import parse_named
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.blockwise import evaluate_tables
from recsys_metric_audit.reference.engines.streamed import evaluate_streamed, is_streamed
from recsys_metric_audit.reference.evaluation.prepared import at_cutoffs
from recsys_metric_audit.reference.input import conversion
from recsys_metric_audit.reference.input.conversion import Columns, LabelledCase
from recsys_metric_audit.reference.input.doubtful_numbers import PLACES, are_places, not_above_0
from recsys_metric_audit.reference.input.in_common import FewInCommonWarning, check_in_common
from recsys_metric_audit.reference.input.rows_error import RowsError
from recsys_metric_audit.reference.input.table_kinds import Table, is_lists
from recsys_metric_audit.reference.metrics.rating import RATING
from recsys_metric_audit.reference.results import Comparisons, Results
from recsys_metric_audit.reference.uncertainty.bootstrap import with_intervals
from recsys_metric_audit.reference.uncertainty.paired_comparison import compare_pairs

Wanted = str | Definition | Iterable[str | Definition]
"""Signatures, everyday names of metrics, or definitions; one of them alone as well."""
USUAL = ("hit_rate", "average_precision", "reciprocal_rank", "ndcg", "precision", "recall")
"""The metrics that are computed where none is named: those of the paper's Table 1 that have a cut-off."""
_OF_SCORES = frozenset({*(metric.name for metric in RATING), "spearman_rho"})
"""Metrics that are computed from scores, which a list of items does not hold."""


def evaluate(
    predictions: Table,
    truth: Table,
    k: int | Sequence[int],
    definitions: Wanted = USUAL,
    *,
    train: Table | None = None,
    columns: Columns | None = None,
    threshold: float = 1.0,
    scale: tuple[float, float] = (1.0, 5.0),
    interval: float | None = None,
    seed: int = 0,
    streamed: bool | None = None,
) -> Results:
    """Evaluate definitions on predictions and truth.

    Tables are pandas or polars DataFrames (lazy ones too), Arrow tables and whatever gives an Arrow stream (a DuckDB
    relation), mappings of columns (lists or numpy arrays), SciPy sparse matrices (a number for each user and item),
    dictionaries ``{user: {item: number}}`` or ``{user: [items]}`` (recommended ones best first), or paths of CSV or
    Parquet files, or of folders of Parquet files. Predictions have the columns user, item, score; truth user, item and,
    where gains differ, gain; train user and item. Ids are whole numbers, text, or of another type that can be put in
    order. Every row of the truth is relevant unless the definition's ``relevance`` says otherwise.

    Args:
        predictions: Recommended rows. Rows of equal score keep their order (axis ``ties``).
        truth: Held-out rows.
        k: Cut-off, or several, for signatures with a letter or none; ``ndcg@10`` keeps its own 10.
        definitions: Signatures, short or long, or definitions; one alone as well. ``ndcg`` is the canonical NDCG;
            everyday names of metrics do as well (``map``, ``mrr@10``). By default hit rate, MAP, MRR, NDCG, precision
            and recall.
        train: Rows that the recommender had seen, for definitions that use them.
        columns: Names of the columns, if they are others.
        threshold: The gain t from which a row is relevant, for definitions that use it.
        scale: Lowest and highest rating, for definitions that use them (NMAE, ERR).
        interval: Level of the confidence intervals of the means, such as 0.95; None for no intervals. They are
            bootstrapped over users; a definition that takes all rows as one ranking has none.
        seed: Seed of the samples of users.
        streamed: Whether a Parquet file or folder of predictions is read in batches and evaluated a block of users at
            a time: it may be larger than memory, and results are equal to the last digit. Rows may come in any order;
            where a user's rows stand apart, Polars (``recsys-metric-audit[large]``) partitions them on disk. By
            default from 10 million rows on, unless a definition takes the rows of all users at once.

    Returns:
        For each definition (at each cut-off) its :class:`Values`; keys are short signatures, in the order given, and
        everyday names find them (``found["map"]``). The whole shows itself as a table, and becomes one by
        ``to_pandas()``, ``to_polars()`` or ``to_arrow()``.

    Raises:
        SignatureError: if a signature does not parse.
        NothingInCommonError: if no user, or no item, occurs in both predictions and truth, and no train rows show that
            ids of both are written alike.
        InputRefusedError: if the data contains what a definition with the value ``error`` refuses.
        TooManyOrdersError: if a user's ties have too many orders to be averaged (``ties:average``).
        UnreadableRowsError: if a Parquet file is damaged, or files of a folder differ in their types.
        DiskSpaceError: if rows have to be partitioned and the disk is too small.
        KeyError: if a table lacks a column.
        ValueError: for a cut-off below 1, a scale or threshold that is none, a missing id, one that is a fraction,
            columns of different length, a score that is no number, and for what is no table.

    Warns:
        FewInCommonWarning: if less than a tenth of the users, or of the items, occurs in both.
        UserWarning: of predictions in memory, if scores seem to be places in a ranking, or if rows of the truth with a
            gain of 0 or less count as relevant.

    >>> import pandas as pd
    >>> predictions = pd.DataFrame({"user": [7, 7, 7], "item": [1, 2, 3], "score": [3.0, 2.0, 1.0]})
    >>> truth = pd.DataFrame({"user": [7, 7], "item": [1, 3], "gain": [1.0, 2.0]})
    >>> evaluate(predictions, truth, [1, 3], ["precision", "ndcg@3|gain:exp2"])
    signature          value  users
    precision@1       1.0000      1
    precision@3       0.6667      1
    ndcg@3|gain:exp2  0.6885      1
    """
    points = definitions_by_signature(definitions, k)
    _check_settings(columns, threshold, scale)
    wanted, names = list(points.values()), columns or Columns()
    if is_lists(predictions, names.user, names.item, names.score):
        _refuse_scored(wanted)
    if is_streamed(predictions, wanted, streamed):
        made = evaluate_streamed(
            Path(predictions), truth, wanted, train=train, columns=columns, threshold=threshold, scale=scale
        )
        _warn(made.few_in_common, 3)
        found = Results.unless_refused(points, made.values, made.few_in_common)
    else:
        held, few = tables_in_memory(predictions, truth, train, columns, threshold, scale)
        _warn_of_gains(held, wanted)
        found = Results.unless_refused(points, evaluate_tables(held, wanted), few)
    return found if interval is None else Results(with_intervals(found, interval, seed=seed), found.facts)


def compare(
    predictions: Table,
    other: Table,
    truth: Table,
    k: int | Sequence[int],
    definitions: Wanted = USUAL,
    *,
    train: Table | None = None,
    columns: Columns | None = None,
    threshold: float = 1.0,
    scale: tuple[float, float] = (1.0, 5.0),
    level: float = 0.95,
    seed: int = 0,
) -> Comparisons:
    """Compare the predictions of two recommenders for the same users by a paired test.

    The test is the randomization test of Smucker, Allan & Carterette 2007 (A Comparison of Statistical Significance
    Tests for Information Retrieval Evaluation), two-sided. Several definitions are several tests: p-values are not
    corrected for that.

    Args:
        predictions: Recommended rows of the first recommender, as for :func:`evaluate`.
        other: Recommended rows of the other one.
        truth: Held-out rows.
        k: Cut-off, or several.
        definitions: Signatures or definitions.
        train: Rows that the recommenders had seen, for definitions that use them.
        columns: Names of the columns, if they are others.
        threshold: The gain t from which a row is relevant, for definitions that use it.
        scale: Lowest and highest rating.
        level: Level of the interval of the difference.
        seed: Seed of the samples of users and of the exchanges.

    Returns:
        For each definition with values of users its :class:`PairedComparison`: the two means, their difference (other
        minus first) with its bootstrap interval, and the p-value. Keys are those of :func:`evaluate`.

    Raises:
        ValueError: for a level that is not between 0 and 1; and what :func:`evaluate` raises.

    >>> truth = {1: [5], 2: [5], 3: [5]}
    >>> worse, better = {user: [4, 5] for user in truth}, {user: [5, 4] for user in truth}
    >>> found = compare(worse, better, truth, 2, ["mrr"])
    >>> found["mrr"].difference, found["mrr"].p_value  # 2 of the 8 exchanges give a difference as large
    (0.5, 0.25)
    """
    wanted = list(definitions_by_signature(definitions, k).values())
    first, second = (
        evaluate(rows, truth, k, wanted, train=train, columns=columns, threshold=threshold, scale=scale)
        for rows in (predictions, other)
    )
    pairs = {
        name: (values.terms, other_terms)
        for name, values in first.items()
        if values.terms is not None and (other_terms := second[name].terms) is not None
    }
    found = compare_pairs(list(pairs.values()), level, seed=seed)
    return Comparisons(dict(zip(pairs, found, strict=True)), (*first.facts, *second.facts))


def tables_in_memory(
    predictions: Table,
    truth: Table,
    train: Table | None,
    columns: Columns | None,
    threshold: float,
    scale: tuple[float, float],
) -> tuple[LabelledCase, list[str]]:
    """Return tables as a case, with what is said where predictions and truth have few ids in common.

    See :func:`evaluate`.
    """
    held = conversion.case_from_tables(predictions, truth, train, columns=columns, threshold=threshold)
    few = check_in_common(held)
    _warn(few, 4)
    if are_places(held.case.predictions.user, held.case.predictions.score):
        warnings.warn(PLACES, stacklevel=3)
    return replace(held, case=replace(held.case, scale=scale)), few


def _check_settings(columns: object, threshold: object, scale: object) -> None:
    if not isinstance(columns, Columns | None):
        raise ValueError(f"columns are named by Columns(user=..., item=..., score=..., gain=...), not by {columns!r}")
    if not isinstance(threshold, Real) or isnan(threshold):
        raise ValueError(f"a threshold is the gain from which an item is relevant, not {threshold!r}")
    match scale:
        case [Real() as low, Real() as high] if low < high:
            return
    raise ValueError(f"a scale is its lowest and its highest rating, as (1, 5), not {scale!r}")


def _warn_of_gains(held: LabelledCase, wanted: Iterable[Definition]) -> None:
    said = not_above_0(held.case.truth.gain)
    if said and any(each.axes.get("relevance") == "every_row" for each in wanted):
        warnings.warn(said, stacklevel=3)


def _warn(sentences: Iterable[str], level: int) -> None:
    for sentence in sentences:
        warnings.warn(sentence, FewInCommonWarning, stacklevel=level)


def _refuse_scored(wanted: Iterable[Definition]) -> None:
    if scored := next((each for each in wanted if each.metric in _OF_SCORES), None):
        raise RowsError(f"{scored}: it is computed from scores, which a list of items does not hold")


def definitions_by_signature(definitions: Wanted, k: int | Sequence[int]) -> dict[str, Definition]:
    """Return definitions at their cut-offs by short signature, in the order asked: the keys of results.

    Args:
        definitions: Signatures, everyday names of metrics, or definitions; one of them alone as well.
        k: Cut-off, or several, for definitions with a letter or none.

    Raises:
        SignatureError: if a signature does not parse.
        ValueError: for a cut-off that is no whole number, or below 1.
    """
    each_one = [definitions] if isinstance(definitions, str | Definition) else definitions
    wanted = [parse_named(each) if isinstance(each, str) else each for each in each_one]
    if strange := next((each for each in wanted if not isinstance(each, Definition)), None):
        raise ValueError(f"a definition is a signature, as 'ndcg@10', not {strange!r}")
    cutoffs = np.atleast_1d(np.asarray(k)).tolist()
    return {point.signature(): point for definition in wanted for point in at_cutoffs(definition, cutoffs)}
