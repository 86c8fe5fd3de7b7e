"""Provides the definitions that some function is known to compute: they are tried before all others.

A pin is never believed: it is tried first, against the same rivals and held-out cases as any other definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.known import KnownDefinitions
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reference.catalogue.lookup import CATALOGUE
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reference.space.edges import AXES as EDGES
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation


def known_definitions(libraries: Iterable[Manifest] = ()) -> KnownDefinitions:
    """Return what functions are known to compute.

    Of a metric that is its canonical definition, those of the catalogue, and what is pinned for any function; of a
    function, what is pinned for it, complete with the values that its pin assumes.

    Args:
        libraries: The libraries whose pins are read; a damaged pin is left out.
    """
    of_metric = {metric: [Definition.of(metric)] for metric in FAMILIES}
    of_function: dict[tuple[str, str, str], Definition] = {}
    for entry in CATALOGUE:
        of_metric[entry.definition.metric].append(entry.definition.with_(k="k"))
    for manifest in {each.name: each for each in libraries}.values():
        for version, name, pinned, function in _pinned(manifest):
            of_function[manifest.name, version, name] = _complete(pinned, function)
            if _all_is_known(function):
                of_metric[pinned.metric].append(pinned)
    return KnownDefinitions(of_function, {metric: tuple(dict.fromkeys(own)) for metric, own in of_metric.items()})


def _pinned(manifest: Manifest) -> Iterator[tuple[str, str, Definition, FunctionExpectation]]:
    """Yield every function that is pinned with one formula: the version, its name, the definition, and the pin."""
    for version in manifest.versions:
        try:
            pin = read_pin(manifest, version)
        except UserError:  # `audit check` reports it
            continue
        for name, function in pin.functions.items() if pin is not None else ():
            if function.status == "measured" and len(function.formulas) == 1:
                try:
                    yield version.version, name, parse(function.signature), function
                except SignatureError:  # of an older space of definitions
                    continue


def _complete(pinned: Definition, function: FunctionExpectation) -> Definition:
    """Return a pinned definition with the values that its pin assumes, or without them if they make no definition."""
    try:
        return parse(pinned.with_(**function.assumed).signature())
    except (KeyError, SignatureError):
        return pinned


def _all_is_known(function: FunctionExpectation) -> bool:
    """Return True if a pin knows all axes but edges, which are canonical where nothing shows them.

    Of one ranking of all rows, an edge that is not known leaves open which rows are ranked.
    """
    edges = () if "scope:stacked" in (function.signature or "").split("|") else (*EDGES, NOBODY)
    return {axis.name for axis in edges}.issuperset(function.unknown)
