"""Looks up what ``audit explain``, ``show`` and ``definitions`` are asked of: a metric, definition, function, library.

Nothing is printed here. For what does not exist, the error says what to type instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.libraries.metric_name import known_metric
from recsys_metric_audit.reference.catalogue import Variant
from recsys_metric_audit.reference.catalogue.everyday_names import metric_named, parse_named
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError
from recsys_metric_audit.reference.documented import definitions
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.model.result import Finding, Library, find_function, function_names
from recsys_metric_audit.reports.model.result_file import LoadedRun

_FUNCTION = re.compile(r"(?P<library>[\w.-]+?)(==(?P<version>[^:|]+))?:(?P<function>[^|]+)")

_LIBRARY = re.compile(r"[\w.-]+?(==[^:|]+)?")


@dataclass(frozen=True)
class ChoosingGuide:
    """The guide to choosing a metric was asked for."""


@dataclass(frozen=True)
class Metric:
    """A metric was asked for, by its name in signatures."""

    name: str


@dataclass(frozen=True)
class AuditedFunction:
    """A function of a library was asked for: its findings, one for each version, and where they were read."""

    findings: tuple[Finding, ...]
    origin: str


@dataclass(frozen=True)
class AuditedLibrary:
    """Holds a library that was asked for: the version that was named, or its newest in the run."""

    entry: Library


Subject = ChoosingGuide | Metric | Definition | AuditedFunction | AuditedLibrary
"""Everything that can be explained or shown."""


def look_up(text: str, load: Callable[[], LoadedRun]) -> Subject:
    """Return what `text` names: ``choosing``, a metric, a signature, ``LIBRARY[==VERSION]`` or ``…:FUNCTION``.

    Args:
        text: what the user typed.
        load: reads the result in which functions are looked up.

    Raises:
        UserError: if it names nothing.
    """
    if text == "choosing":
        return ChoosingGuide()
    if (metric := metric_named(text)) is not None:
        return Metric(metric)
    function = _FUNCTION.fullmatch(text)
    if function is not None:
        loaded = load()
        found = _find(loaded, function["library"], function["version"], function["function"])
        return AuditedFunction(found, loaded.origin)
    try:
        return parse_named(text)
    except SignatureError as error:
        library, _, version = text.partition("==")
        known = load().result.libraries if _LIBRARY.fullmatch(text) else ()
        own = [each for each in known if each.library == library and version in ("", each.version)]
        if own:
            return AuditedLibrary(own[0])
        if known and (adapters_dir() / library).is_dir():
            raise UserError(f"{load().origin}: no library {text}", f"audit it: audit run -l {text}") from None
        raise _unknown(text, error) from None


def documented_definitions(metric: str | None) -> tuple[Variant, ...]:
    """Return the documented definitions of one metric, or of all for None.

    Raises:
        UserError: for a metric that does not exist.
    """
    return tuple(definitions(None if metric is None else known_metric(metric)))


def _unknown(text: str, error: SignatureError) -> UserError:
    pointer = f"\n  {error.signature}\n  {' ' * error.position}^"
    metric = re.match(r"\w+", error.signature)
    known = metric[0] if metric is not None and metric[0] in FAMILIES else None
    hint = f"audit explain {known} lists its axes and values" if known else f"one of: {', '.join(FAMILIES)}, choosing"
    return UserError(f"{error}{pointer}", hint)


def _find(loaded: LoadedRun, library: str, version: str | None, function: str) -> tuple[Finding, ...]:
    found = find_function(loaded.result, library, version, function)
    if found:
        return found
    versions = [each.version for each in loaded.result.libraries if each.library == library]
    which = f"{library}=={version}" if version else library
    if not versions:
        names = dict.fromkeys(each.library for each in loaded.result.libraries)
        raise UserError(f"{loaded.origin}: no library {library!r}", f"it holds: {', '.join(names)}; audit another: "
                        f"audit run -l {which}, then audit explain {which}:{function} --from audit-report")  # fmt: skip
    if version is not None and version not in versions:
        raise UserError(f"{loaded.origin}: no version {version} of {library}", f"it holds {', '.join(versions)}")
    known = function_names(loaded.result, library, version)
    near = get_close_matches(function, known, n=3, cutoff=0.3) or list(known)[:3]
    commands = " or ".join(f"audit explain {which}:{name}" for name in near)
    raise UserError(f"{loaded.origin}: {which} has no function {function!r}", f"try {commands}")
