"""Looks up what ``audit explain``, ``show`` and ``definitions`` are asked of, and prints a function's findings.

That is a metric, a definition, a function or a library. For what does not exist, the error says what to type instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from rich.console import Console

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.libraries.metric_name import known_metric
from recsys_metric_audit.reference.catalogue import Variant
from recsys_metric_audit.reference.catalogue.everyday_names import metric_named, parse_named
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.documented import definitions
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.handbook import choosing_text, explain_text
from recsys_metric_audit.reports.handbook.console_layout import print_heading, print_paragraph
from recsys_metric_audit.reports.handbook.explanation import explain
from recsys_metric_audit.reports.handbook.paper_kit import kit_text, paper_kit
from recsys_metric_audit.reports.model.default_run import LoadedRun
from recsys_metric_audit.reports.model.function_lookup import find_function, function_names
from recsys_metric_audit.reports.model.result import Finding, Library
from recsys_metric_audit.reports.wording.labels import VERDICT_MEANINGS
from recsys_metric_audit.reports.wording.meanings import open_cutoff

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


_SHOWN_EQUIVALENTS = 4


def print_subject(subject: Subject, console: Console) -> None:
    """Print everything about a metric, a definition, a library's function, or how to choose a metric."""
    match subject:
        case ChoosingGuide():
            choosing_text.show(console)
        case Metric(name):
            explain_text.show_metric(name, console)
        case Definition():
            explain(subject).print_on(console)
        case AuditedFunction():
            _print_function(subject, console)
        case AuditedLibrary(entry):
            raise UserError(f"{entry.library} is a library", f"audit show {entry.library} lists what it computes")


def paper_texts(subject: Subject) -> list[str]:
    """Return what a paper needs to say of a definition, a metric's canonical one, or each that a function has.

    Raises:
        UserError: if nothing is defined, as by the guide to choosing or by a function that no definition fits.
    """
    match subject:
        case Metric(name):
            definitions = [Definition.of(name)]
        case Definition():
            definitions = [subject]
        case AuditedFunction(findings, _):
            definitions = [parse(each) for each in dict.fromkeys(each.signature for each in findings if each.signature)]
        case _:
            definitions = []
    if not definitions:
        raise UserError("there is no definition to tell in a paper", "try audit explain 'ndcg@20|gain:exp2' --paper")
    return [kit_text(paper_kit(definition)) for definition in definitions]


def _print_function(function: AuditedFunction, console: Console) -> None:
    """Print the findings of a function, then each distinct definition once."""
    print_paragraph(console, f"From {function.origin}.")
    for finding in function.findings:
        print_heading(console, f"{finding.library} {finding.version}: {finding.function}")
        for line in finding_lines(finding):
            print_paragraph(console, line)
    for signature in dict.fromkeys(each.signature for each in function.findings if each.signature):
        explain(signature).print_on(console)


def finding_lines(finding: Finding) -> list[str]:
    """Return what a function was found to compute, in a few lines of text."""
    if finding.verdict is None:
        return [f"not measured ({finding.status}): {finding.reason}"]
    meaning = VERDICT_MEANINGS[finding.verdict]
    lines = [f"{finding.verdict}: {'it ' if finding.signature else ''}{meaning}"]
    if finding.signature:
        lines.append(f"{'one is' if finding.equivalent else 'signature:'} {finding.signature}")
    if finding.equivalent:
        shown = ", ".join(map(open_cutoff, finding.equivalent[:_SHOWN_EQUIVALENTS]))
        more = len(finding.equivalent) - _SHOWN_EQUIVALENTS
        lines.append(f"as well as {shown}" + (f" and {more} more" if more > 0 else ""))
    if finding.unknown:
        lines.append(f"not known, taken as canonical below: {', '.join(finding.unknown)}")
    if finding.does_not_apply:
        lines.append(f"decided by the call, taken as canonical below: {', '.join(finding.does_not_apply)}")
    if finding.classes:
        lines.append(f"classes of the difference: {', '.join(finding.classes)}")
    if finding.claimed:
        agrees = {True: "as it does", False: "which it does not", None: "which could not be settled"}
        lines.append(f"its documentation says {finding.claimed}, {agrees[finding.matches_claim]}")
    lines += [finding.evidence.unpredicted] if finding.evidence.unpredicted else []
    if finding.verdict == "ambiguous" and finding.evidence.separating_case:
        lines.append(f"would tell them apart: {finding.evidence.separating_case}")
    return lines
