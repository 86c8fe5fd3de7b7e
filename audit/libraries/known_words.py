"""Holds the words of a ``library.toml`` that name a metric, an axis or a value against those of the reference.

Reading a library must not wait for numpy, which the reference imports: libraries are held against it when they are
chosen, and a word that there is not is a :class:`UserError` before anything is built.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.manifest import FILE, Manifest
from recsys_metric_audit.audit.libraries.metric_name import unknown_metric
from recsys_metric_audit.reference.catalogue.everyday_names import signature_named
from recsys_metric_audit.reference.definitions.definition import SignatureError, parse
from recsys_metric_audit.reference.metrics import FAMILIES

_AXES = [axis for family in FAMILIES.values() for axis in family.all_axes]


def refuse_unknown_words(manifest: Manifest) -> None:
    """Refuse a library of which a function names a metric, an axis or a value that there is not.

    Raises:
        UserError: with the file, the function, the wrong word and the nearest one that there is.
    """
    guilty: dict[str, list[str]] = {}
    for function in manifest.functions:
        for words in _unknown(function):
            guilty.setdefault(words, []).append(function.name)
    lines = [
        f"{manifest.folder / FILE}: function {names[0]}{f' and {len(names) - 1} more' if names[1:] else ''}: {words}"
        for words, names in guilty.items()
    ]
    if lines:
        raise UserError("\n".join(lines), "`audit explain METRIC` lists axes and values, docs/signatures.md all")


def _unknown(function: Function) -> Iterator[str]:
    """Yield what is wrong with each word of a function; of a word in any of its versions."""
    if function.metric not in FAMILIES:
        yield f"metric: {unknown_metric(function.metric)}"
        return
    for claim in filter(None, (function.claims, *(each.claims for each in function.exceptions))):
        yield from _unreadable(claim)
    own = FAMILIES[function.metric].all_axes
    for text in (text for each in function.called_with for text in each.decides):
        name, colon, value = text.partition(":")
        # What several functions share may decide an axis that only others of them have.
        axes = [axis for axis in own if axis.name == name] or [axis for axis in _AXES if axis.name == name]
        if not axes:
            yield f"called_with: decides: there is no axis {name!r}{_nearest(name, [axis.name for axis in own])}"
        elif colon and not any(axis.admits(value) for axis in axes):
            known = [value for axis in axes for value in axis.names]
            yield f"called_with: decides: axis {name} has no value {value!r}{_nearest(value, known)}"


def _unreadable(claim: str) -> Iterator[str]:
    try:
        parse(claim)
    except SignatureError as error:
        meant = signature_named(claim)  # everyday names are no names in signatures
        yield f"claims: {error}" if meant == claim else f"claims: {claim!r} is no signature; did you mean {meant!r}?"


def _nearest(word: str, known: Sequence[str]) -> str:
    close = get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(dict.fromkeys(known))}"
