"""Candidate definitions: merged where they are equal, or differ on nothing that is asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import Key
from recsys_metric_audit.reference.equality.shortest import shortened, shortest, written_length


def distinct(definitions: Iterable[Definition]) -> list[Definition]:
    """Return each of some definitions once, written shortest, canonical-most first: equal ones are merged."""
    return sorted(dict.fromkeys(map(shortest, merged(definitions))), key=lambda definition: definition.remoteness)


def merged(definitions: Iterable[Definition]) -> list[Definition]:
    """Return one of all definitions that are equal, the one that is shortened to the least; in the order given."""
    chosen: dict[Key, Definition] = {}
    for each in map(shortened, definitions):
        met = chosen.setdefault(Key(each), each)
        if met != each and written_length(each) < written_length(met):
            chosen[Key(each)] = each
    return list(chosen.values())


def one_of_each(definitions: Iterable[Definition], ruled_out: Collection[str]) -> list[Definition]:
    """Return the first of all definitions that differ only on axes that are ruled out: nothing will tell them apart."""
    first: dict[object, Definition] = {}
    for each in definitions:
        left = tuple((name, value) for name, value in each.values if name not in ruled_out)
        first.setdefault((each.metric, each.k, left), each)
    return list(first.values())
