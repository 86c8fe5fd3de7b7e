"""Looking things up for the command line: what a subject means, and what to type where it means nothing."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path

import typer
from rich.console import Console

from audit.errors import UserError
from reference import METRICS, SignatureError, definitions, parse
from reference.catalogue import Variant
from reports.handbook import choosing_text, definitions_list, explain_text
from reports.handbook.console_layout import print_heading, print_paragraph
from reports.model.default_run import LoadedRun, load_run
from reports.model.function_lookup import find_function, function_names
from reports.model.result import Finding
from reports.wording.labels import VERDICT_MEANINGS
from reports.wording.meanings import open_cutoff

_FUNCTION = re.compile(r"(?P<library>[\w.-]+?)(==(?P<version>[^:|]+))?:(?P<function>[^|]+)")


def show(subject: str, source: Path | None, default: Path) -> None:
    """Print what ``subject`` is: a metric, a signature, a function of a library, or how to choose.

    Raises :class:`UserError` for a subject that is none of these.
    """
    console = Console(highlight=False)
    asked = _FUNCTION.fullmatch(subject)
    if subject == "choosing":
        choosing_text.show(console)
    elif subject in METRICS:
        explain_text.show_metric(subject, console)
    elif asked is not None:
        held = load_run(source, default)
        _functions(_found(held, asked["library"], asked["version"], asked["function"]), held, console)
    else:
        try:
            definition = parse(subject)
        except SignatureError as error:
            raise _not_known(subject, error) from None
        explain_text.show_definition(definition, console)


def show_definitions(metric: str | None, form: str) -> None:
    """Print the documented definitions of one metric, or of all, as text, json or md."""
    if metric is not None and metric not in METRICS:
        raise UserError(f"no metric {metric!r}{_nearest(metric)}", f"one of: {', '.join(METRICS)}")
    chosen: tuple[Variant, ...] = definitions(metric)
    if form == "text":
        explain_text.show_list(chosen, Console(highlight=False))
    else:
        typer.echo(definitions_list.as_json(chosen) if form == "json" else definitions_list.as_markdown(chosen))


def _not_known(subject: str, error: SignatureError) -> UserError:
    pointer = f"\n  {subject}\n  {' ' * error.position}^"
    metric = re.match(r"\w+", subject)
    known = metric[0] if metric is not None and metric[0] in METRICS else None
    hint = f"audit explain {known} lists its axes and values" if known else f"one of: {', '.join(METRICS)}, choosing"
    return UserError(f"{error}{pointer}", hint)


def _nearest(word: str) -> str:
    close = get_close_matches(word, METRICS, n=1, cutoff=0.5)
    return f", did you mean {close[0]!r}?" if close else ""


def _found(held: LoadedRun, library: str, version: str | None, function: str) -> tuple[Finding, ...]:
    found = find_function(held.result, library, version, function)
    if found:
        return found
    versions = [each.version for each in held.result.libraries if each.library == library]
    known = function_names(held.result, library, version)
    which = f"{library}=={version}" if version else library
    if not versions:
        names = dict.fromkeys(each.library for each in held.result.libraries)
        raise UserError(f"{held.origin}: no library {library!r}", f"it holds: {', '.join(names)}; audit another: "
                        f"audit run -l {which}, then audit explain {which}:{function} --from audit-report")  # fmt: skip
    if version is not None and version not in versions:
        raise UserError(f"{held.origin}: no version {version} of {library}", f"it holds {', '.join(versions)}")
    near = get_close_matches(function, known, n=3, cutoff=0.3) or list(known)[:3]
    said = " or ".join(f"audit explain {which}:{name}" for name in near)
    raise UserError(f"{held.origin}: {which} has no function {function!r}", f"try {said}")


def _functions(found: tuple[Finding, ...], held: LoadedRun, console: Console) -> None:
    """What the functions were found to compute, and each distinct definition once."""
    print_paragraph(console, f"From {held.origin}.")
    for finding in found:
        print_heading(console, f"{finding.library} {finding.version}: {finding.function}")
        for line in _said(finding):
            print_paragraph(console, line)
    for signature in dict.fromkeys(each.signature for each in found if each.signature):
        explain_text.show_definition(parse(signature), console)


def _said(finding: Finding) -> list[str]:
    if finding.verdict is None:
        return [f"not measured ({finding.status}): {finding.reason}"]
    lines = [f"{finding.verdict}: it {VERDICT_MEANINGS[finding.verdict]}" if finding.signature else
             f"{finding.verdict}: {VERDICT_MEANINGS[finding.verdict]}"]  # fmt: skip
    if finding.signature:
        lines.append(f"{'one is' if finding.equivalent else 'signature:'} {finding.signature}")
    if finding.equivalent:
        some = ", ".join(map(open_cutoff, finding.equivalent[:4]))
        more = len(finding.equivalent) - 4
        lines.append(f"as well as {some}" + (f" and {more} more" if more > 0 else ""))
    if finding.classes:
        lines.append(f"classes of the difference: {', '.join(finding.classes)}")
    if finding.claimed:
        kept = {True: "as it does", False: "which it does not", None: "which could not be settled"}
        lines.append(f"its documentation says {finding.claimed}, {kept[finding.matches_claim]}")
    if finding.evidence.nearest:
        lines.append(f"nearest: {finding.evidence.nearest.signature}, off by up to "
                     f"{finding.evidence.nearest.deviation:.3g}")  # fmt: skip
    return lines
