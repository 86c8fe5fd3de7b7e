"""Looking up in a result what one function was found to compute."""

from __future__ import annotations

from collections.abc import Sequence

from recsys_metric_audit.reference.catalogue.everyday_names import metric_named
from recsys_metric_audit.reports.model.result import Finding, Result


def find_function(result: Result, library: str, version: str | None, function: str) -> tuple[Finding, ...]:
    """Return the findings of one function: one per version, each at the first cut-off of the run.

    Args:
        result: Where to look.
        library: Name of the library's adapter.
        version: One version; None for all.
        function: Its dotted path, the end of it after a dot or a colon, or an everyday name of its metric (``map``):
            then the function that the library's adapter lists first for that metric is meant, as it also is where
            only older versions have a function of that name.
    """
    own = [each for each in result.findings if each.library == library and version in (None, each.version)]
    found: dict[tuple[str, str], Finding] = {}
    for each in own:
        if _ends_with(each.function, function):
            found.setdefault((each.version, each.function), each)
    metric = metric_named(function)
    if found and (metric is None or own[0].version in {each.version for each in found.values()}):
        return tuple(found.values())
    first: dict[str, Finding] = {}
    for each in own:
        if metric is not None and each.metric == metric:
            first.setdefault(each.version, each)
    return tuple(first.values())


def _ends_with(path: str, end: str) -> bool:
    return path == end or path.endswith((f".{end}", f":{end}"))


def function_names(result: Result, library: str, version: str | None) -> Sequence[str]:
    """Return the functions of a library in ``result``, each once; ``version`` is None for all versions."""
    own = (each for each in result.findings if each.library == library and version in (None, each.version))
    return tuple(dict.fromkeys(each.function for each in own))
