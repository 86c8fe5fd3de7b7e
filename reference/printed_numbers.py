"""Goes back from printed numbers to definitions: those that give them on data, and those that cannot on any data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recsys_metric_audit.reference.api import tables_in_memory
from recsys_metric_audit.reference.catalogue.everyday_names import parse_named
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.evaluation.shown_table import Tables
from recsys_metric_audit.reference.input.conversion import Columns
from recsys_metric_audit.reference.input.table_kinds import Table
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.value_search.by_value import CHANGES, Found, Printed, definitions_giving
from recsys_metric_audit.reference.value_search.impossible_pairs import CheckedNumbers
from recsys_metric_audit.reference.value_search.number_conversion import Interval, from_means, from_ranks
from recsys_metric_audit.reference.value_search.printed_number import read_printed_number


def which(
    predictions: Table,
    truth: Table,
    printed: Mapping[str, str],
    *,
    train: Table | None = None,
    columns: Columns | None = None,
    threshold: float = 1.0,
    scale: tuple[float, float] = (1.0, 5.0),
    changes: int = CHANGES,
) -> Tables[Found]:
    """Find the definitions that give printed numbers on predictions and truth.

    Args:
        predictions: Recommended rows, as for :func:`evaluate`.
        truth: Held-out rows.
        printed: The numbers as they are printed, by metric and cut-off: ``{"ndcg@20": "0.1684"}``; one without a
            cut-off is of the whole list.
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
    held, _ = tables_in_memory(predictions, truth, train, columns, threshold, scale)
    return Tables(definitions_giving(Problem.of([held.case], None), _read_printed(printed), changes=changes))


def impossible_together(printed: Mapping[str, str], *, one_relevant: bool = False) -> CheckedNumbers:
    """Find the documented formulas that could not both have given two numbers of a table, whatever the data.

    Args:
        printed: The numbers as they are printed, by metric and cut-off; each is a plain mean over the same users. One
            without a cut-off is of the whole list.
        one_relevant: Whether every user has one relevant item, as in leave-one-out.

    Returns:
        For each two numbers the pairs of formulas that are impossible, with the reasons, and those that are left;
        ``together`` holds what all numbers say at once, where every user has one relevant item.

    Raises:
        SignatureError, PrintedNumberError, ValueError: as for :func:`which`.

    >>> (pair,) = impossible_together({"hit_rate@10": "0.30", "reciprocal_rank@10": "0.41"})
    >>> [str(second) for first, second in pair.possible if str(first) == "hit_rate@10"]
    ['reciprocal_rank@10|ranks:sum', 'reciprocal_rank@10|ranks:normalised']
    """
    return CheckedNumbers(_read_printed(printed), one_relevant=one_relevant)


def convert_means(printed: Mapping[str, str], wanted: Sequence[str]) -> list[Interval]:
    """Compute in which interval other definitions lie, where every user has one relevant item.

    Args:
        printed: The numbers as they are printed, by signature; each is a mean over the same users.
        wanted: The signatures to convert to.

    Raises:
        SignatureError, PrintedNumberError: as for :func:`which`.
        ConversionError: if no users have the numbers together, or a definition is no mean over all users.

    >>> (found,) = convert_means({"HR@10": "0.52"}, ["NDCG@10"])
    >>> round(found.low, 4), round(found.high, 4)
    (0.1489, 0.525)
    """
    numbers = [(parse_named(name), read_printed_number(str(number))) for name, number in printed.items()]
    return from_means(numbers, [parse_named(each) for each in wanted])


def convert_ranks(
    ranks: Mapping[str, Sequence[int]], relevant: Mapping[str, int], wanted: Sequence[str]
) -> list[Interval]:
    """Compute definitions from the ranks of each user's hits, from 1 up, and the number of relevant items.

    Raises:
        SignatureError: if a signature does not parse.
        ConversionError: for a definition that reads more than that.
        ValueError: for ranks that are none.

    >>> convert_ranks({"ann": [1, 4], "bob": []}, {"ann": 2, "bob": 1}, ["map@10"])[0].low
    0.375
    """
    return from_ranks(ranks, relevant, [parse_named(each) for each in wanted])


def _read_printed(printed: Mapping[str, str]) -> list[Printed]:
    """Read numbers by their metric and cut-off."""
    if not isinstance(printed, Mapping):
        raise ValueError(f"printed numbers are given by their metric, as {{'hr@10': '0.30'}}, not as {printed!r}")
    points = [(parse_named(name), read_printed_number(str(number))) for name, number in printed.items()]
    letters = (point for name, (point, _) in zip(printed, points, strict=True) if "@" in name)
    if letter := next((point for point in letters if isinstance(point.k, str)), None):
        raise ValueError(f"{letter.metric}: a printed number has a cut-off, for example {letter.metric}@20")
    if shown := next((point for point, _ in points if point.metric not in METRICS), None):
        raise ValueError(f"{shown.metric}: no definitions are searched of what reads the items shown")
    return [Printed(point.metric, None if isinstance(point.k, str) else point.k, number) for point, number in points]
