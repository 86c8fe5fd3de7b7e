"""What is asked of a library: every probe, the data at every cut-off, and the first probes once more at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.manifest import Function
from audit.protocol import Ask
from reference.case import Case
from reference.cases import PROBES

DATA = "data"
AGAIN = 3
"""Probes asked a second time after everything else: whatever happened between must not have changed them."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Asks in order, the cases they name, the probe behind each ask, and the asks on the data."""

    asks: tuple[Ask, ...]
    cases: Mapping[str, Case]
    probe_of: Mapping[int, str]
    data: frozenset[int]


def plan(functions: Sequence[Function], case: Case, ks: Sequence[int]) -> Plan:
    """Everything that is asked of a library that offers ``functions``."""
    with_k = tuple(function.name for function in functions if function.cutoff)
    without = tuple(function.name for function in functions if not function.cutoff)
    asks: list[Ask] = []
    probe_of: dict[int, str] = {}
    cases = {f"p{number:03}": probe.case for number, probe in enumerate(PROBES)} | {DATA: case}

    def ask(name: str, cuts: tuple[int, ...], fresh: bool) -> list[int]:
        start = len(asks)
        if with_k:
            asks.append(Ask(len(asks), name, with_k, cuts, fresh=fresh))
        if without:
            asks.append(Ask(len(asks), name, without, (None,), fresh=fresh))
        return list(range(start, len(asks)))

    rounds = [*enumerate(PROBES), *list(enumerate(PROBES))[:AGAIN]]
    for number, probe in rounds[: len(PROBES)]:
        probe_of |= dict.fromkeys(ask(f"p{number:03}", (probe.k,), True), probe.name)
    data = frozenset(ask(DATA, tuple(ks), False))
    for number, probe in rounds[len(PROBES) :]:
        probe_of |= dict.fromkeys(ask(f"p{number:03}", (probe.k,), True), probe.name)
    return Plan(tuple(asks), cases, probe_of, data)
