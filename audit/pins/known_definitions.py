"""Provides the definitions that some function is known to compute: they are tried before all others.

A pin is never believed: it is tried first, against the same rivals and held-out cases as any other definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from audit.errors import UserError
from audit.libraries.manifest import Manifest
from audit.pins.pin_file import read_pin
from reference.catalogue.lookup import CATALOGUE
from reference.definitions.definition import Definition, SignatureError, parse
from reference.metrics import FAMILIES
from reference.space.averaging import NOBODY
from reference.space.edges import AXES as EDGES
from reports.pins.expectation import FunctionExpectation


def known_definitions(libraries: Iterable[Manifest] = ()) -> Mapping[str, tuple[Definition, ...]]:
    """Return the known definitions by metric: the canonical one, those of the catalogue, and what is pinned.

    Args:
        libraries: The libraries whose pins are read; a damaged pin is left out.
    """
    made = {metric: [Definition.of(metric)] for metric in FAMILIES}
    for entry in CATALOGUE:
        made[entry.definition.metric].append(entry.definition.with_(k="k"))
    for manifest in {each.name: each for each in libraries}.values():
        for pinned in _pinned(manifest):
            made[pinned.metric].append(pinned)
    return {metric: tuple(dict.fromkeys(each.simplified() for each in own)) for metric, own in made.items()}


def _pinned(manifest: Manifest) -> Iterator[Definition]:
    for version in manifest.versions:
        try:
            pin = read_pin(manifest, version)
        except UserError:  # `audit check` reports it
            continue
        for function in pin.functions.values() if pin is not None else ():
            if _is_known(function):
                try:
                    yield parse(function.signature)
                except SignatureError:  # of an older space of definitions
                    continue


def _is_known(function: FunctionExpectation) -> bool:
    """Return True if a pin holds one formula, and all axes but edges, which are canonical where nothing shows them.

    Of one ranking of all rows, an edge that is not known leaves open which rows are ranked.
    """
    if function.status != "measured" or len(function.formulas) != 1:
        return False
    edges = () if "scope:stacked" in (function.signature or "").split("|") else (*EDGES, NOBODY)
    return {axis.name for axis in edges}.issuperset(function.unknown)
