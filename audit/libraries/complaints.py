"""Describes the faults of a ``library.toml`` in words that name the table and the key."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_NAMES = ("version", "name", "paths")


def complaints(error: ValidationError, document: Mapping[str, Any], keys: Collection[str]) -> list[str]:
    """Return a line for each fault: ``version 0.6.0: python: <what is wrong>``; ``keys`` are all that there are."""
    faults = error.errors()
    return list(dict.fromkeys(f"{_place(fault, document)}{_message(fault, keys)}" for fault in faults))


def _message(fault: ErrorDetails, keys: Collection[str]) -> str:
    if fault["type"] == "missing":
        return "is missing"
    if fault["type"] == "extra_forbidden":
        close = get_close_matches(str(fault["loc"][-1]), keys, n=1)
        return f"no such key; did you mean {close[0]}?" if close else "no such key"
    return str(fault["msg"]).removeprefix("Value error, ")


def _place(fault: ErrorDetails, document: Mapping[str, Any]) -> str:
    """Return the path to a key, with the rows of ``[[version]]``, ``[[function]]`` and ``[[group]]`` by their names."""
    location = fault["loc"]
    names_a_key = fault["type"] in ("missing", "extra_forbidden")
    words: list[str] = []
    here: Any = document
    for step in location:
        if isinstance(step, str) and not _holds(here, step) and not names_a_key:
            continue  # pydantic's own word for a key's value or for one of several types
        here = here[step] if _holds(here, step) else {}
        if isinstance(step, int) and isinstance(here, Mapping):
            words[-1] = f"{words[-1]} {_name(here) or f'number {step + 1}'}"
        else:
            words.append(str(step + 1) if isinstance(step, int) else step)
    return "".join(f"{word}: " for word in words)


def _name(row: Mapping[str, Any]) -> str:
    for key in _NAMES:
        if named := row.get(key):
            return str(next(iter(named)) if isinstance(named, list | dict) else named)
    return ""


def _holds(container: Any, step: int | str) -> bool:
    if isinstance(container, Mapping):
        return step in container
    return isinstance(container, list | tuple) and isinstance(step, int) and step < len(container)
