"""The reference as a library: evaluate any definitions on tables of predictions and truth.

Nothing is identified here and no library is run: this computes the exact variant that a signature names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from recsys_metric_audit.reference.catalogue import Variant, variants_of
from recsys_metric_audit.reference.catalogue.everyday_names import metric_named, parse_named
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.blockwise import evaluate_tables
from recsys_metric_audit.reference.engines.streamed import evaluate_streamed, is_streamed
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.evaluation.prepared import InputRefusedError, Values, at_cutoffs
from recsys_metric_audit.reference.evaluation.results import Results
from recsys_metric_audit.reference.input import conversion
from recsys_metric_audit.reference.input.conversion import Columns
from recsys_metric_audit.reference.metrics import FAMILIES, METRICS
from recsys_metric_audit.reference.uncertainty.bootstrap import with_intervals
from recsys_metric_audit.reference.uncertainty.paired_comparison import PairedComparison, compare_pairs
from recsys_metric_audit.reference.value_search.by_value import CHANGES, Found, Printed, definitions_giving
from recsys_metric_audit.reference.value_search.impossible_pairs import CheckedPair, impossible_pairs
from recsys_metric_audit.reference.value_search.printed_number import read_printed_number

__all__ = [
    "InputRefusedError",
    "PairedComparison",
    "Values",
    "compare_recommenders",
    "definitions",
    "differing",
    "evaluate",
    "impossible_together",
    "which",
]


def evaluate(
    predictions: Any,
    truth: Any,
    k: int | Sequence[int],
    definitions: Iterable[str | Definition],
    *,
    train: Any = None,
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
    dictionaries ``{user: {item: number}}``, or paths of CSV or Parquet files, or of folders of Parquet files.
    Predictions have the columns user, item, score; truth user, item and, where gains differ, gain; train user and item.
    Ids are of any type that can be put in order. Every row of the truth is relevant unless the definition's
    ``relevance`` says otherwise.

    Args:
        predictions: Recommended rows. Rows of equal score keep their order (axis ``ties``).
        truth: Held-out rows.
        k: Cut-off, or several, for signatures with a letter or none; ``ndcg@10`` keeps its own 10.
        definitions: Signatures, short or long, or definitions. ``ndcg`` alone is the canonical NDCG; everyday names of
            metrics do as well (``map``, ``mrr@10``).
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
        For each definition (at each cut-off) its :class:`Values`; keys are short signatures, in the order given. The
        dictionary becomes a table by ``to_pandas()``, ``to_polars()`` or ``to_arrow()``.

    Raises:
        SignatureError: if a signature does not parse.
        InputRefusedError: if the data contains what a definition with the value ``error`` refuses.
        TooManyOrdersError: if a user's ties have too many orders to be averaged (``ties:average``).
        UnreadableRowsError: if a Parquet file is damaged, or files of a folder differ in their types.
        DiskSpaceError: if rows have to be partitioned and the disk is too small.
        KeyError: if a table lacks a column.
        ValueError: for a cut-off below 1, a missing id, columns of different length, or a score that is no number.

    >>> import pandas as pd
    >>> predictions = pd.DataFrame({"user": [7, 7, 7], "item": [1, 2, 3], "score": [3.0, 2.0, 1.0]})
    >>> truth = pd.DataFrame({"user": [7, 7], "item": [1, 3], "gain": [1.0, 2.0]})
    >>> for signature, found in evaluate(predictions, truth, [1, 3], ["precision", "ndcg@3|gain:exp2"]).items():
    ...     print(f"{signature:18} {found.mean:.3f}")
    precision@1        1.000
    precision@3        0.667
    ndcg@3|gain:exp2   0.689
    """
    points = definitions_by_signature(definitions, k)
    if is_streamed(predictions, list(points.values()), streamed):
        made = evaluate_streamed(Path(predictions), truth, list(points.values()), train=train, columns=columns,
                                 threshold=threshold, scale=scale)  # fmt: skip
        found = Results.unless_refused(points, made.values)
    else:
        held = conversion.case_from_tables(predictions, truth, train, columns=columns, threshold=threshold)
        held = replace(held, case=replace(held.case, scale=scale))
        found = Results.unless_refused(points, evaluate_tables(held, list(points.values())))
    return found if interval is None else Results(with_intervals(found, interval, seed=seed))


def compare_recommenders(
    predictions: Any,
    other: Any,
    truth: Any,
    k: int | Sequence[int],
    definitions: Iterable[str | Definition],
    *,
    train: Any = None,
    columns: Columns | None = None,
    threshold: float = 1.0,
    scale: tuple[float, float] = (1.0, 5.0),
    level: float = 0.95,
    seed: int = 0,
) -> dict[str, PairedComparison]:
    """Compare the predictions of two recommenders for the same users by a paired test.

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
        For each definition with values of users the two means, their difference with its interval, and the p-value of
        the randomization test.

    Raises:
        As :func:`evaluate`.

    >>> truth = {"user": [1, 2, 3], "item": [5, 5, 5]}
    >>> worse = {"user": [1, 1, 2, 2, 3, 3], "item": [4, 5] * 3, "score": [2, 1] * 3}
    >>> better = {"user": [1, 1, 2, 2, 3, 3], "item": [5, 4] * 3, "score": [2, 1] * 3}
    >>> found = compare_recommenders(worse, better, truth, 2, ["mrr"])["reciprocal_rank@2"]
    >>> found.difference, found.p_value  # 2 of the 8 exchanges give a difference as large
    (0.5, 0.25)
    """
    given: dict[str, Any] = {"train": train, "columns": columns, "threshold": threshold, "scale": scale}
    wanted = list(definitions)
    first, second = (evaluate(rows, truth, k, wanted, **given) for rows in (predictions, other))
    pairs = {name: (values.terms, second[name].terms) for name, values in first.items()}
    return {
        name: compare_pairs(one, two, level, seed=seed)
        for name, (one, two) in pairs.items()
        if one is not None and two is not None
    }


def which(
    predictions: Any,
    truth: Any,
    printed: Mapping[str, str],
    *,
    train: Any = None,
    columns: Columns | None = None,
    threshold: float = 1.0,
    scale: tuple[float, float] = (1.0, 5.0),
    changes: int = CHANGES,
) -> tuple[Found, ...]:
    """Find the definitions that give printed numbers on predictions and truth.

    Args:
        predictions: Recommended rows, as for :func:`evaluate`.
        truth: Held-out rows.
        printed: The numbers as they are printed, by metric and cut-off: ``{"ndcg@20": "0.1684"}``.
        train: Rows that the recommender had seen, for definitions that use them.
        columns: Names of the columns, if they are others.
        threshold: The gain t from which a row is relevant, for definitions that use it.
        scale: Lowest and highest rating.
        changes: Changes that are tried beyond a documented formula.

    Returns:
        For each metric what was found, matches with the fewest changes first.

    Raises:
        SignatureError: if a key is no metric with its cut-off.
        PrintedNumberError: if a number is not one.
        KeyError, ValueError: as for :func:`evaluate`.

    >>> rows = {"user": [1, 1, 2, 2], "item": [1, 2, 1, 2], "score": [2.0, 1.0, 2.0, 1.0]}
    >>> found = which(rows, {"user": [1, 1, 1, 2], "item": [1, 3, 4, 2]}, {"recall@2": "0.75"})
    >>> str(found[0].matches[0].definition)
    'recall@2|denominator:min'
    """
    held = conversion.case_from_tables(predictions, truth, train, columns=columns, threshold=threshold)
    problem = Problem.of([replace(held.case, scale=scale)], None)
    return definitions_giving(problem, _read_printed(printed), changes=changes)


def _read_printed(printed: Mapping[str, str]) -> list[Printed]:
    """Read numbers by their metric and cut-off."""
    points = [(parse_named(name), read_printed_number(str(number))) for name, number in printed.items()]
    if letter := next((point for point, _ in points if isinstance(point.k, str)), None):
        raise ValueError(f"{letter.metric}: a printed number has a cut-off, for example {letter.metric}@20")
    if shown := next((point for point, _ in points if point.metric not in METRICS), None):
        raise ValueError(f"{shown.metric}: no definitions are searched of what reads the items shown")
    return [Printed(point.metric, point.k, number) for point, number in points if not isinstance(point.k, str)]


def impossible_together(printed: Mapping[str, str], *, one_relevant: bool = False) -> tuple[CheckedPair, ...]:
    """Find the documented formulas that could not both have given two numbers of a table, whatever the data.

    Args:
        printed: The numbers as they are printed, by metric and cut-off; each is a plain mean over the same users.
        one_relevant: Whether every user has one relevant item, as in leave-one-out.

    Returns:
        For each two numbers the pairs of formulas that are impossible, with the reasons, and those that are left.

    Raises:
        SignatureError, PrintedNumberError, ValueError: as for :func:`which`.

    >>> (pair,) = impossible_together({"hit_rate@10": "0.30", "reciprocal_rank@10": "0.41"})
    >>> [str(second) for first, second in pair.possible if str(first) == "hit_rate@10"]
    ['reciprocal_rank@10|ranks:sum', 'reciprocal_rank@10|ranks:normalised']
    """
    return impossible_pairs(_read_printed(printed), one_relevant=one_relevant)


def definitions(metric: str | None = None) -> tuple[Variant, ...]:
    """List the documented variants of one metric, or of all, canonical ones first.

    Raises:
        KeyError: if the metric is not known.

    >>> [variant.signature for variant in definitions("recall")]
    ['recall@k', 'recall@k|denominator:min']
    """
    names = FAMILIES if metric is None else [metric_named(metric) or metric]
    if unknown := [name for name in names if name not in FAMILIES]:
        raise KeyError(unknown[0])
    return tuple(variant for name in names for variant in variants_of(name))


def differing(first: str | Definition, second: str | Definition) -> dict[str, tuple[str, str]]:
    """Return the axes on which two definitions of a metric differ, with both values; empty if they are equal.

    Raises:
        ValueError: if the metrics differ.

    >>> differing("ndcg@20|gain:exp2", "ndcg@20|ideal:all")
    {'gain': ('exp2', 'binary'), 'ideal': ('k', 'all')}
    >>> differing("ndcg@20|discount:ln", "ndcg@20")
    {}
    """
    one, two = (parse_named(each) if isinstance(each, str) else each for each in (first, second))
    if one.metric != two.metric:
        raise ValueError(f"{one.metric} and {two.metric} are different metrics: no axis tells them apart")
    left, right = shortest(one).axes, shortest(two).axes
    return {name: (left[name], right[name]) for name in left if left[name] != right[name]}


def definitions_by_signature(
    definitions: str | Definition | Iterable[str | Definition], k: int | Sequence[int]
) -> dict[str, Definition]:
    """Return definitions at their cut-offs by short signature, in the order asked: the keys of results.

    Args:
        definitions: Signatures, everyday names of metrics, or definitions; one of them alone as well.
        k: Cut-off, or several, for definitions with a letter or none.

    Raises:
        SignatureError: if a signature does not parse.
        ValueError: for a cut-off below 1.
    """
    each_one = [definitions] if isinstance(definitions, str | Definition) else definitions
    wanted = [parse_named(each) if isinstance(each, str) else each for each in each_one]
    cutoffs = [k] if isinstance(k, int) else list(k)
    return {point.signature(): point for definition in wanted for point in at_cutoffs(definition, cutoffs)}
