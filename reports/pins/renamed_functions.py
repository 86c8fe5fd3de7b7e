"""Pairs functions that two versions of a library have under different names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from recsys_metric_audit.reports.pins.expectation import FunctionExpectation

_LONGEST = 3
"""Parts of a dotted name, from its end, that are compared at most."""


def renamed_functions(
    lost: Mapping[str, FunctionExpectation], new: Mapping[str, FunctionExpectation]
) -> dict[str, str]:
    """Return the old name of each function of ``new`` that is most likely a function of ``lost`` renamed.

    Two functions are paired if they are called after the same metric, the ends of their names are the same but for
    case and underscores, their options are the same, and no other function has that end. Longer ends are paired first.
    """
    found: dict[str, str] = {}
    for parts in range(_LONGEST, 0, -1):
        before = _by_end({name: entry for name, entry in lost.items() if name not in found.values()}, parts)
        after = _by_end({name: entry for name, entry in new.items() if name not in found}, parts)
        for end, names in after.items():
            if len(names) == 1 and len(before.get(end, ())) == 1:
                found[names[0]] = before[end][0]
    return found


def _by_end(functions: Mapping[str, FunctionExpectation], parts: int) -> dict[tuple[str, ...], list[str]]:
    ends: dict[tuple[str, ...], list[str]] = {}
    for name, entry in functions.items():
        ends.setdefault((entry.metric, *_end(name, parts)), []).append(name)
    return ends


def _end(name: str, parts: int) -> Iterable[str]:
    path, _, options = name.partition("[")
    words = [word.replace("_", "").lower() for word in path.split(".")]
    return (*words[-parts:], options.lower())
