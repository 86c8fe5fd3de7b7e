"""Printing what was looked up on a terminal."""

from __future__ import annotations

from rich.console import Console

from recsys_metric_audit.audit.cli.shared.lookup import AuditedFunction, AuditedLibrary, ChoosingGuide, Metric, Subject
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reports.handbook import explain_text
from recsys_metric_audit.reports.handbook.explanation import explain, print_heading, print_paragraph
from recsys_metric_audit.reports.handbook.paper_kit import kit_text, paper_kit
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.wording.labels import VERDICT_MEANINGS
from recsys_metric_audit.reports.wording.meanings import open_cutoff

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
