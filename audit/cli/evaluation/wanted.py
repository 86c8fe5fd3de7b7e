"""Provides the definitions that a user asks for, by everyday names of metrics or by signatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recsys_metric_audit.audit.cli.shared.run_inputs import check_cutoffs
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.contract import Data
from recsys_metric_audit.audit.libraries.metric_name import known_metric
from recsys_metric_audit.reference.catalogue.everyday_names import parse_named
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError

USUAL = ("hit_rate", "average_precision", "reciprocal_rank", "ndcg", "precision", "recall")
"""The metrics that are computed where none is named: those of the paper's Table 1 that have a cut-off."""


@dataclass(frozen=True)
class Note:
    """Says what a reader of a value should know about a function of a library."""

    text: str
    function: str


@dataclass(frozen=True)
class Doubts:
    """Says on which data a definition may not be what the functions of a library compute.

    Attributes:
        others: Other definitions that they may compute, by what is not known of them: an axis, or the formula.
        departs_on: Kinds of data on which they do otherwise, each with what they do there.
    """

    others: tuple[tuple[str, Definition], ...] = ()
    departs_on: tuple[tuple[Data, str], ...] = ()


NO_DOUBTS = Doubts()


@dataclass(frozen=True)
class Wanted:
    """Holds a definition to evaluate, the ``functions`` of a library that compute it, ``doubts`` and ``notes``.

    The cut-off of the definition is a number, a letter that stands for each of the cut-offs asked, or None.
    """

    definition: Definition
    functions: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    doubts: Doubts = NO_DOUBTS


@dataclass(frozen=True)
class MetricName:
    """Holds a metric that the user named, by its name in signatures, with the cut-off if one stood beside it."""

    metric: str
    k: int | None


def split_names(texts: Sequence[str]) -> list[str]:
    """Return the names in texts such as ``ndcg,map``, each once."""
    names = [name.strip() for text in texts for name in text.split(",")]
    return list(dict.fromkeys(name for name in names if name))


def wanted_definitions(names: Sequence[str]) -> list[Wanted]:
    """Return the definitions that everyday names (canonical ones) and signatures stand for, each once.

    Raises:
        UserError: for an unknown metric, or a signature that does not parse.
    """
    return [Wanted(definition) for definition in dict.fromkeys(_definition(name) for name in names or USUAL)]


def metric_names(names: Sequence[str]) -> list[MetricName]:
    """Return the metrics that are named, with or without a cut-off: ``ndcg``, ``map@10``.

    Raises:
        UserError: for an unknown metric, and for a signature with axes.
    """
    found = []
    for name in names:
        definition = _definition(name)
        if "|" in name:
            hint = f"--metrics {definition.metric}, or leave out --as to compute the definition itself"
            raise UserError(f"--metrics {name}: with --as, the library decides the definition", hint)
        found.append(MetricName(definition.metric, definition.k if isinstance(definition.k, int) else None))
    return found


def _definition(name: str) -> Definition:
    known = known_metric(name.partition("|")[0])
    try:
        definition = parse_named(name)
    except SignatureError as error:
        raise UserError(f"--metrics {name}: {error}", f"audit explain {known} lists its axes and values") from None
    if isinstance(definition.k, int):
        check_cutoffs([definition.k])
    return definition
