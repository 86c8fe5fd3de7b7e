"""Tells in a few words what was found of a library version: how many functions compute the usual formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from reports.model.result import Finding

_WORDS = {
    "agrees": "canonical",
    "variant": "another documented formula",
    "undocumented": "an undocumented one",
    "ambiguous": "several fit",
    "unexplained": "no formula fits",
    "unstable": "not reproducible",
}
"""Names each verdict, in the order in which they are told."""


def finished_in_words(library: str, version: str, status: str, seconds: float, findings: Iterable[Finding]) -> str:
    """Return how the audit of a version ended, how long it took, and what was found, if there is anything."""
    found = found_in_words(findings)
    return f"{library} {version}: {status} in {seconds:.1f} s{f'; {found}' if found else ''}"


def found_in_words(findings: Iterable[Finding]) -> str:
    """Return the number of functions, and how many have each verdict; those that were not measured come last.

    Empty without findings. Only the last finding of a function counts: its verdict is one at every cut-off.
    """
    by_function = {each.function: each for each in findings}
    if not by_function:
        return ""
    counts = Counter(each.verdict for each in by_function.values())
    told = [f"{counts[verdict]} {words}" for verdict, words in _WORDS.items() if counts[verdict]]  # type: ignore[index]
    told += [f"{counts[None]} not measured"] if counts[None] else []
    noun = "function" if len(by_function) == 1 else "functions"
    return f"{len(by_function)} {noun}: {', '.join(told)}"
