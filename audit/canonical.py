"""The definition that a function is held against."""

from __future__ import annotations

from audit.function import Function
from reference.definition import Definition


def canonical(function: Function, k: int | None = None) -> Definition:
    """The canonical definition of the metric whose name a function bears, on whole lists where it takes no k."""
    definition = Definition.of(function.metric)
    if definition.k is None:
        return definition
    if not function.cutoff:
        return definition.with_(cutoff="none")
    return definition if k is None else definition.with_(k=k)
