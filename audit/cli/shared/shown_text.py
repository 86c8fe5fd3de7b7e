"""Prints what libraries were found to compute: all of a library, one function, who computes a metric or a formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console

from recsys_metric_audit.audit.cli.shared.lookup import AuditedFunction, AuditedLibrary, Metric, Subject, finding_lines
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.libraries.manifest import load as load_manifest
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reports.handbook.console_layout import print_heading, print_paragraph, print_table
from recsys_metric_audit.reports.headlines.library_differences import (
    FormulaGroup,
    formula_groups,
    value_range,
)
from recsys_metric_audit.reports.model.default_run import LoadedRun
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.formula_words import formula_contrast, formula_words
from recsys_metric_audit.reports.wording.labels import SIGN_MEANINGS, VERDICT_MEANINGS, joined, metric_title
from recsys_metric_audit.reports.wording.meanings import formula

_SHOWN = 2


def show_subject(subject: Subject, run: LoadedRun, console: Console) -> None:
    """Print what libraries compute of a subject.

    Raises:
        UserError: for a subject of which no library computes anything.
    """
    match subject:
        case AuditedLibrary():
            _show_library(subject, run.result, console)
        case AuditedFunction(findings, _):
            _show_function(findings[0], run.result, console)
        case Metric(name):
            _show_metric(name, run.result, console)
        case Definition():
            _show_formula(subject, run.result, console)
        case _:
            raise UserError("there is nothing to show of that", "try audit show ndcg, or audit show rs_metrics")
    print_paragraph(console, f"From {run.origin}.", 0)


def _show_library(subject: AuditedLibrary, result: Result, console: Console) -> None:
    entry = subject.entry
    print_heading(console, one_line(f"{entry.title} {entry.version}"))
    print_paragraph(console, entry.about if entry.status == "audited" else f"{entry.status}: {entry.reason}")
    groups: dict[tuple[str, str], list[Finding]] = {}
    for each in result.findings:
        if (each.library, each.version) == (entry.library, entry.version):
            groups.setdefault((each.metric, formula(each) or each.verdict or each.status), []).append(each)
    for (metric, _), found in groups.items():
        values = value_range(found)
        print_paragraph(console, f"{metric_title(metric)}{f' {values}' if values else ''}: {_words(found[0])}")
        print_paragraph(console, _functions(found), 4)


def _show_function(finding: Finding, result: Result, console: Console) -> None:
    print_heading(console, f"{finding.library} {finding.version}: {finding.function}")
    for line in (*finding_lines(finding), *_about_function(finding, result)):
        print_paragraph(console, line)


def _about_function(finding: Finding, result: Result) -> Iterator[str]:
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
        each.library: each for each in reversed(result.findings)
        if formula(each) == own and each.library != finding.library and each.metric == finding.metric
    }  # fmt: skip
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
        print_table(console, ("library", "called"), list(_callers(computing)))
    if definition.with_(k="k").signature() != own:
        print_paragraph(
            console, "Libraries that compute the formula; they may count other users, or treat unusual rows otherwise."
        )


def _callers(groups: Iterable[FormulaGroup]) -> Iterator[tuple[str, str]]:
    for group in groups:
        for title, findings in group.libraries.items():
            yield f"{title} {findings[0].version}", _functions(findings)


def _words(finding: Finding) -> str:
    if own := formula(finding):
        return formula_contrast(finding.metric, own) or "canonical"
    if finding.verdict is None:
        return finding.status.replace("_", " ")
    return SIGN_MEANINGS.get(finding.verdict) or VERDICT_MEANINGS[finding.verdict]


def _functions(findings: Sequence[Finding]) -> str:
    names = [one_line(each.function) for each in findings]
    more = len(names) - _SHOWN
    return ", ".join([*names[:_SHOWN], *([f"{more} more"] if more > 0 else [])])
