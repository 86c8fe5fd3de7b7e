"""Versions of a ``library.toml`` that inherit: ``like = "1.2.1"`` takes over what version 1.2.1 says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NOT_INHERITED = ("version", "like", "usual", "unavailable", "log", "builds")


def with_inherited(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a read ``library.toml`` in which each ``[[version]]`` says all that it inherits.

    What a version says itself stands; tables (``stubs``, ``git``) are inherited key by key. Whether a version is
    ``usual`` or ``unavailable``, and why it is built, is never inherited.

    Raises ``ValueError`` for a version that is like one that is not there, or like itself on a detour.
    """
    rows = document.get("version")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return dict(document)  # its faults are named by who validates it
    named = {row["version"]: row for row in rows if isinstance(row.get("version"), str)}
    return {**document, "version": [_whole(row, named, ()) for row in rows]}


def _whole(
    row: Mapping[str, Any], named: Mapping[str, Mapping[str, Any]], on_the_way: tuple[str, ...]
) -> dict[str, Any]:
    if "like" not in row:
        return dict(row)
    own, like = str(row.get("version")), row["like"]
    if like not in named:
        raise ValueError(f"version {own}: like: there is no [[version]] {like!r}, but {', '.join(named)}")
    if own in on_the_way:
        raise ValueError(f"version {own}: like: {' is like '.join((*on_the_way, own))}, so nothing is said of any")
    base = _whole(named[like], named, (*on_the_way, own))
    made = {key: value for key, value in base.items() if key not in NOT_INHERITED}
    for key, value in row.items():
        both_tables = isinstance(value, dict) and isinstance(made.get(key), dict)
        made[key] = made[key] | value if both_tables else value
    return {key: value for key, value in made.items() if key != "like"}
