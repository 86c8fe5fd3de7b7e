"""Looks definitions up: those that are documented, and the axes on which two of them differ."""

from __future__ import annotations

from recsys_metric_audit.reference.catalogue import Variant, variants_of
from recsys_metric_audit.reference.catalogue.everyday_names import metric_named, parse_named
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.metrics import FAMILIES


def parse(signature: str) -> Definition:
    """Parse a signature, short or long, whose metric may go by an everyday name.

    Args:
        signature: The metric, ``@`` and its cut-off (a number, or a letter for any), and what is not canonical, as
            ``|axis:value``.

    Raises:
        SignatureError: if it does not parse; names position, axis, allowed values and the nearest one.

    >>> definition = parse("NDCG@20|gain:exp2")
    >>> definition.metric, definition.k, definition.axes["gain"], definition.differs_on
    ('ndcg', 20, 'exp2', ('gain',))
    """
    return parse_named(signature)


def definitions(metric: str | None = None) -> tuple[Variant, ...]:
    """List the documented variants of one metric, or of all, canonical ones first, with their names and sources.

    Args:
        metric: Its name in signatures or an everyday one; None for all metrics.

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

    Equal are definitions that give one result on some thousand inputs, however they are written.

    Args:
        first: A signature or a definition.
        second: Another one.

    Raises:
        SignatureError: if a signature does not parse.
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
