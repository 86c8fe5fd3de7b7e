"""Looks up what ``audit explain``, ``show`` and ``definitions`` are asked of, and prints what was found of it.

That is a metric, a definition, a function or a library: all of a library, one function, who computes a metric or a
formula. For what does not exist, the error says what to type instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from rich.console import Console

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.libraries.manifest import load as load_manifest
from recsys_metric_audit.audit.pins.notation import (
    WrittenMetric,
    notation_named,
    notations,
    read_written,
    write_formula,
    written_like,
)
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reference.catalogue.everyday_names import metric_named, parse_named
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.handbook import explain_text
from recsys_metric_audit.reports.handbook.explanation import explain, print_heading, print_paragraph, print_table
from recsys_metric_audit.reports.handbook.paper_kit import kit_text, paper_kit
from recsys_metric_audit.reports.headlines.library_differences import formula_groups, value_range
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import Finding, Library, Result, find_function, function_names
from recsys_metric_audit.reports.model.result_file import LoadedRun
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.formula_words import formula_contrast, formula_words
from recsys_metric_audit.reports.wording.labels import SIGN_MEANINGS, VERDICT_MEANINGS, joined, metric_title
from recsys_metric_audit.reports.wording.meanings import formula, open_cutoff

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


Subject = ChoosingGuide | Metric | Definition | AuditedFunction | Library | WrittenMetric
"""Everything that can be explained or shown; a library in the version that was named, or its newest in the run."""


def look_up(text: str, load: Callable[[], LoadedRun]) -> Subject:
    """Return what `text` names: a metric, a signature, a call as a tool writes it, a library or its function.

    Args:
        text: what the user typed.
        load: reads the result in which functions are looked up.

    Raises:
        UserError: if it names nothing.
    """
    if text == "choosing":
        return ChoosingGuide()
    if written := read_written(text):
        return written[0]
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
            return own[0]
        if known and (adapters_dir() / library).is_dir():
            raise UserError(f"{load().origin}: no library {text}", f"audit it: audit run -l {text}") from None
        raise _unknown(text, error) from None


def _unknown(text: str, error: SignatureError) -> UserError:
    if known_calls := written_like(text):
        return UserError(f"{text}: it is not known what this call computes", f"known are {', '.join(known_calls)}")
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
        names = ", ".join(dict.fromkeys(each.library for each in loaded.result.libraries))
        another = f"audit run -l {which}, then audit explain {which}:{function} --from audit-report"
        raise UserError(f"{loaded.origin}: no library {library!r}", f"it holds: {names}; audit another: {another}")
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
            explain_text.show_choosing(console)
        case Metric(name):
            explain_text.show_metric(name, console)
        case Definition():
            explain(subject).print_on(console)
        case WrittenMetric():
            print_paragraph(console, f"{subject.sentence}.", 0)
            explain(subject.formula).print_on(console)
        case AuditedFunction():
            _print_function(subject, console)
        case Library():
            raise UserError(f"{subject.library} is a library", f"audit show {subject.library} lists what it computes")


def paper_texts(subject: Subject) -> list[str]:
    """Return what a paper needs to say of a definition, a metric's canonical one, or each that a function has.

    Raises:
        UserError: if nothing is defined, as by the guide to choosing or by a function that no definition fits.
    """
    if isinstance(subject, AuditedFunction):
        found = [parse(each) for each in dict.fromkeys(each.signature for each in subject.findings if each.signature)]
    else:
        found = [definition] if (definition := _defined(subject)) is not None else []
    if not found:
        raise UserError("there is no definition to tell in a paper", "try audit explain 'ndcg@20|gain:exp2' --paper")
    return [kit_text(paper_kit(each)) for each in found]


def _defined(subject: Subject) -> Definition | None:
    """Return the definition that a subject is or names; a metric names its canonical one."""
    match subject:
        case Metric(name):
            return Definition.of(name)
        case Definition():
            return subject
        case WrittenMetric():
            return subject.formula
    return None


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
    for name, act in finding.behaviours.items():
        if act.slug:
            lines.append(f"changes where a right metric would not, {name.replace('_', ' ')}: {act.text or act.name}")
    if finding.claimed:
        agrees = {True: "as it does", False: "which it does not", None: "which could not be settled"}
        lines.append(f"its documentation says {finding.claimed}, {agrees[finding.matches_claim]}")
    lines += [finding.evidence.unpredicted] if finding.evidence.unpredicted else []
    if finding.verdict == "ambiguous" and finding.evidence.separating_case:
        lines.append(f"would tell them apart: {finding.evidence.separating_case}")
    return lines


def written_calls(subject: Subject, notation: str) -> list[str]:
    """Return how a notation writes a formula; in several ways where several calls compute it.

    Raises:
        UserError: for a notation that does not exist, and a subject that is no formula.
    """
    known = notation_named(notation)
    wanted = _defined(subject)
    if wanted is None:
        raise UserError("--call takes a formula", "such as: audit show 'ndcg@10|gain:linear' --call trec_eval")
    return [each.text for each in write_formula(wanted, known)]


_SHOWN = 2


def show_subject(subject: Subject, run: LoadedRun, console: Console) -> None:
    """Print what libraries compute of a subject.

    Raises:
        UserError: for a subject of which no library computes anything.
    """
    match subject:
        case Library():
            _show_library(subject, run.result, console)
        case AuditedFunction(findings, _):
            _show_function(findings[0], run.result, console)
        case Metric(name):
            _show_metric(name, run.result, console)
        case WrittenMetric():
            print_paragraph(console, f"{subject.sentence}.", 0)
            _show_formula(subject.formula, run.result, console)
        case Definition():
            _show_formula(subject, run.result, console)
        case _:
            raise UserError("there is nothing to show of that", "try audit show ndcg, or audit show rs_metrics")
    print_paragraph(console, f"From {run.origin}.", 0)


def _show_library(entry: Library, result: Result, console: Console) -> None:
    print_heading(console, one_line(f"{entry.title} {entry.version}"))
    print_paragraph(console, entry.about if entry.status == "audited" else f"{entry.status}: {entry.reason}")
    own = (each for each in result.findings if (each.library, each.version) == (entry.library, entry.version))
    groups = grouped(((each.metric, formula(each) or each.verdict or each.status), each) for each in own)
    for (metric, _), found in groups.items():
        values = value_range(found)
        print_paragraph(console, f"{metric_title(metric)}{f' {values}' if values else ''}: {_words_of(found[0])}")
        print_paragraph(console, _names_of(found), 4)


def _show_function(finding: Finding, result: Result, console: Console) -> None:
    print_heading(console, f"{finding.library} {finding.version}: {finding.function}")
    for line in (*finding_lines(finding), *about_function(finding, result)):
        print_paragraph(console, line)


def about_function(finding: Finding, result: Result) -> Iterator[str]:
    """Yield the numbers of a function, its smallest input, since when it does so, and the calls that do the same."""
    canonical = next((row for row in result.reference if (row.metric, row.k) == (finding.metric, finding.k)), None)
    title = metric_title(finding.metric)
    if finding.formula:
        yield f"in words: {formula_contrast(finding.metric, formula(finding)) or f'the canonical {title}'}"
    if finding.value is not None:
        other = f"; the canonical {title} gives {rounded(canonical.value)}" if canonical else ""
        yield f"on {result.dataset.name}: {rounded(finding.value)}{other}"
    if finding.witness:
        # Not its lists by gain: what differs may be a row that stands twice, or a user without rows.
        at = "" if finding.witness.k is None else f", at k = {finding.witness.k}"
        yield f"smallest input{at}: {one_line(finding.witness.text)}"
    if since := _since(finding):
        yield since
    if not (own := formula(finding)):
        return
    same = {
        each.library: each
        for each in reversed(result.findings)
        if formula(each) == own and each.library != finding.library and each.metric == finding.metric
    }
    calls = [f"{each.function} ({each.library} {each.version})" for _, each in sorted(same.items())]
    yield f"the same formula in other libraries: {', '.join(calls) or 'none of this run'}"


def _since(finding: Finding) -> str:
    """Say since which accepted version a function computes its formula.

    Empty if no older version was accepted, or if what was accepted of its own version is another formula.
    """
    pins = _formulas_by_version(finding)
    (newest, now), *older = pins or [("", ())]
    if now != (formula(finding),):
        return ""
    for version, then in older:
        if then == now:
            newest = version
        elif then is None:
            return f"since {newest}; {version} has no such function"
        else:
            words = " or ".join(formula_words(finding.metric, each) or "the canonical formula" for each in then)
            return f"since {newest}; in {version}: {words or 'no formula that is known'}"
    return f"in every version that was accepted, from {newest} on" if older else ""


def _formulas_by_version(finding: Finding) -> list[tuple[str, tuple[str, ...] | None]]:
    """Return the formulas of a function in its version and older ones, newest first; None where it is not there."""
    folder = adapters_dir() / finding.library
    if not folder.is_dir():
        return []
    manifest = load_manifest(folder)
    place = next((n for n, each in enumerate(manifest.versions) if each.version == finding.version), None)
    pins = [] if place is None else [(each.version, read_pin(manifest, each)) for each in manifest.versions[place:]]
    found = [(version, pin.functions.get(finding.function)) for version, pin in pins if pin is not None]
    return [(version, None if own is None else own.formulas) for version, own in found]


def _show_metric(name: str, result: Result, console: Console) -> None:
    groups = formula_groups(result).get(name, ())
    print_heading(console, f"Who computes which {metric_title(name)}")
    if not groups:
        print_paragraph(console, "no library of this run")
    for group in groups:
        alike = ", canonical on yes/no data" if group.alike else ""
        print_paragraph(console, f"{formula_words(name, group.formula) or 'canonical'} ({group.formula}){alike}")
        print_paragraph(console, joined(list(group.libraries)), 4)


def _show_formula(definition: Definition, result: Result, console: Console) -> None:
    own = formula_of(definition).with_(k="k").signature()
    groups = formula_groups(result)
    computing = [group for of_metric in groups.values() for group in of_metric if group.formula == own]
    print_heading(console, f"Who computes {own}")
    if not computing:
        print_paragraph(console, "no newest version of a library in this run")
    else:
        rows = [
            (f"{title} {own[0].version}", _names_of(own))
            for group in computing
            for title, own in group.libraries.items()
        ]
        print_table(console, ("library", "called"), rows)
    written = [(n.title, each.text) for n in notations().values() for each in write_formula(definition, n)]
    if written:
        print_heading(console, "As it is written")
        print_table(console, ("in", "as"), written)
    if definition.with_(k="k").signature() != own:
        print_paragraph(
            console, "Libraries that compute the formula; they may count other users, or treat unusual rows otherwise."
        )


def _words_of(finding: Finding) -> str:
    if own := formula(finding):
        return formula_contrast(finding.metric, own) or "canonical"
    if finding.verdict is None:
        return finding.status.replace("_", " ")
    return SIGN_MEANINGS.get(finding.verdict) or VERDICT_MEANINGS[finding.verdict]


def _names_of(findings: Sequence[Finding]) -> str:
    names = [one_line(each.function) for each in findings]
    more = len(names) - _SHOWN
    return ", ".join([*names[:_SHOWN], *([f"{more} more"] if more > 0 else [])])
