"""Holds the definitions that functions are known to compute: an audit tries them before all others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.reference.definitions.definition import Definition


@dataclass(frozen=True)
class KnownDefinitions:
    """Holds known definitions; without any, a function is asked all initial questions.

    Attributes:
        of_function: What a function is pinned as, by the name of the library, its version and the function's name.
        of_metric: The definitions of a metric that are published, by its name, the canonical one first.
    """

    of_function: Mapping[tuple[str, str, str], Definition] = field(default_factory=dict)
    of_metric: Mapping[str, tuple[Definition, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.of_function or self.of_metric)

    def groups(self, library: str, version: str, function: Function) -> tuple[tuple[Definition, ...], ...]:
        """Return the known definitions of a function in groups, the likeliest group first.

        They are its pin, those of other versions of the library, and those of the metric.
        """
        own = self.of_function.get((library, version, function.name))
        called = (library, function.name)
        versions = (each for (name, _, of), each in self.of_function.items() if (name, of) == called)
        groups = ((own,) if own else (), tuple(dict.fromkeys(versions)), self.of_metric.get(function.metric, ()))
        return tuple(filter(None, groups))
