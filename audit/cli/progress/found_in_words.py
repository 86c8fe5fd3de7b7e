"""Tells in a line or two what was found of a library version: how many functions compute the usual formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.wording.formatting import rounded
from recsys_metric_audit.reports.wording.labels import PAPER_METRICS, metric_title
from recsys_metric_audit.reports.wording.meanings import headlines

_WORDS = {
    "agrees": "canonical",
    "variant": "another documented formula",
    "undocumented": "an undocumented one",
    "ambiguous": "several fit",
    "unexplained": "no formula fits",
    "unstable": "not reproducible",
}
"""Names each verdict, in the order in which they are told."""
_WHOSE = {
    "agrees": "by the canonical formula",
    "variant": "by another formula",
    "undocumented": "by another formula",
}
"""Says what gave a number, for the verdicts that name one formula."""
_NOT_IDENTIFIED = "by a formula that is not identified"


def numbers_in_words(findings: Sequence[Finding]) -> str:
    """Return the values of the paper's metrics at the first cut-off, sorted by whose formula gave them; maybe empty.

    Like a row of Table 1, which is printed when all versions are finished.
    """
    k = next((each.k for each in findings if each.k is not None), None)
    heads = {each.metric: each for each in headlines(each for each in findings if each.k in (k, None))}
    told: dict[str, list[str]] = {whose: [] for whose in (*_WHOSE.values(), _NOT_IDENTIFIED)}
    for metric in PAPER_METRICS:
        head = heads.get(metric)
        if head is not None and head.value is not None and head.verdict is not None:
            number = f"{metric_title(metric)} {rounded(head.value)}"
            told[_WHOSE.get(head.verdict, _NOT_IDENTIFIED)].append(number)
    parts = [f"{', '.join(numbers)} {whose}" for whose, numbers in told.items() if numbers]
    return f"{'' if k is None else f'at k = {k}: '}{'; '.join(parts)}" if parts else ""


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
