"""Writes findings in Markdown: who agrees with whom, what libraries compute otherwise, contradicted documentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recsys_metric_audit.reports.headlines.library_differences import (
    Contradiction,
    Difference,
    FormulaGroup,
    LibraryDifferences,
    ReleaseChange,
    contradictions,
    formula_groups,
    library_differences,
    release_changes,
)
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.renderers.markdown import code_span, escape
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_contrast, formula_words
from recsys_metric_audit.reports.wording.labels import SIGN_MEANINGS, VERDICT_MEANINGS, count, joined, metric_title
from recsys_metric_audit.reports.wording.meanings import open_cutoff

_SHOWN_FUNCTIONS = 4

_HEAD = """# Findings

What libraries compute under the names of metrics, found by experiment. Made by `make docs` from the recorded
run (of a run of your own: `audit report DIR --format findings`); nothing here is typed by hand but the quotations from
documentation. Formulas only: who is averaged, and what is done with unusual rows, is on the page of a
run, and so is the evidence behind each line. *Canonical* is the definition that each library is held against
(`audit explain ndcg`), which need not be the better one; *canonical on yes/no data* is a formula that equals it
wherever every gain is 1."""


def render_findings(result: Result) -> str:
    """Return the page of findings of a run: by metric, by library, between releases."""
    libraries = library_differences(result)
    parts = [_HEAD, _run_in_words(result, libraries), "## Who agrees with whom"]
    parts += [_metric(metric, groups) for metric, groups in formula_groups(result).items()]
    parts += ["## Library by library", *filter(None, map(_library, libraries))]
    if same := [each for each in libraries if each.measured and not each.differences]:
        names = joined([f"{escape(each.library.title)} {escape(each.library.version)}" for each in same])
        parts.append(f"Canonical in every function that was measured: {names}.")
    if changes := release_changes(result):
        parts += ["## Between releases", "\n".join(map(_change, changes))]
    return "\n\n".join(parts) + "\n"


def _run_in_words(result: Result, libraries: Sequence[LibraryDifferences]) -> str:
    measured, canonical = sum(each.measured for each in libraries), sum(each.canonical for each in libraries)
    contradicted = sum(each.contradicted is not None for own in libraries for each in own.differences)
    return (
        f"Run of {result.time:%Y-%m-%d} on {escape(result.dataset.name)}, newest of the recorded versions: "
        f"{count(len(libraries), 'library', 'libraries')}, {count(measured, 'function')} measured, {canonical} with "
        f"the canonical formula; {count(contradicted, 'formula')} other than the library's own documentation states."
    )


def _metric(metric: str, groups: Sequence[FormulaGroup]) -> str:
    return "\n".join([f"### {escape(metric_title(metric))}", "", *(_group(metric, each) for each in groups)])


def _group(metric: str, group: FormulaGroup) -> str:
    words = formula_words(metric, group.formula) or "canonical"
    alike = ", canonical on yes/no data" if group.alike else ""
    return f"- {escape(words)} ({code_span(group.formula)}){alike}: {joined(list(map(escape, group.libraries)))}"


def _library(own: LibraryDifferences) -> str:
    """Return the section of one library; empty if it has no difference and nothing was lost."""
    if not own.differences and not own.not_measured:
        return ""
    entry = own.library
    lead = (
        f"{count(own.measured, 'function')} measured, {own.canonical} with the canonical formula"
        f"{_lost(own.not_measured)}."
    )
    lines = [line for each in own.differences for line in _difference(entry, each)]
    return "\n".join([f"### {escape(entry.title)} {escape(entry.version)}", "", lead, "", *lines]).rstrip()


def _lost(findings: Sequence[Finding]) -> str:
    return f"; {len(findings)} not: {_names(findings)}" if findings else ""


def _names(findings: Sequence[Finding]) -> str:
    shown = [code_span(one_line(each.function)) for each in findings[:_SHOWN_FUNCTIONS]]
    more = len(findings) - len(shown)
    return ", ".join([*shown, f"{more} more"] if more > 0 else shown)


def _difference(entry: Library, each: Difference) -> Iterator[str]:
    finding = each.contradicted or each.findings[0]
    words = _words(each, finding)
    value = f", {each.value} here" if each.value else ""
    standing = "" if each.contradicted else _standing(each, finding)
    yield f"- **{escape(metric_title(each.metric))}**: {escape(words)}{value} ({_names(each.findings)}){standing}"
    if each.contradicted is not None:
        yield f"  - Documented: {_quoted(each.contradicted)}{_place(entry, each.contradicted)}"
    if finding.evidence.unpredicted:
        yield f"  - {escape(finding.evidence.unpredicted)}"
    if each.witness:
        yield f"  - Witness: {escape(each.witness)}"
    if each.contradicted is not None or (each.formula and not each.documented):
        yield from _details(_issue(entry, each))


def _words(each: Difference, finding: Finding) -> str:
    if each.formula:
        return formula_contrast(each.metric, each.formula) or "canonical, which is not what its documentation states"
    return SIGN_MEANINGS.get(finding.verdict or "", VERDICT_MEANINGS.get(finding.verdict or "", "not known"))


def _standing(each: Difference, finding: Finding) -> str:
    if not each.formula:
        return ""
    if "library" in finding.documented_by:
        return ", as documented"
    return ", a formula of the literature" if each.documented else ", documented nowhere"


def _quoted(finding: Finding) -> str:
    says, claimed = finding.claim_says, open_cutoff(finding.claimed or "")
    meant = formula_words(finding.metric, claimed) or "the canonical formula"
    if not says:
        return f"{escape(meant)} ({code_span(claimed)})"
    said = code_span(says) if "\\" in says else f"“{escape(says)}”"
    return f"{said}, that is {escape(meant)} ({code_span(claimed)})"


def _place(entry: Library, finding: Finding) -> str:
    where = entry.claims.get(finding.function, "")
    return f"; {escape(where)}" if where else ""


def _details(lines: Iterator[str]) -> Iterator[str]:
    """Yield a text to copy, folded up; the fence is longer than any in it."""
    yield "  <details><summary>Text for an issue</summary>"
    yield ""
    yield "  ````markdown"
    yield from (f"  {line}".rstrip() for line in lines)
    yield "  ````"
    yield ""
    yield "  </details>"


def _issue(entry: Library, each: Difference) -> Iterator[str]:
    finding = each.contradicted or each.findings[0]
    title, name = metric_title(each.metric), finding.function.partition("[")[0].rpartition(".")[2]
    computed = _words(each, finding)
    if each.contradicted is not None:
        yield f"# {name}: documentation and code state different formulas of {title}"
        yield ""
        yield f"The documentation of {_names(each.findings)} says{_where(entry, finding)}:"
        yield ""
        yield f"> {one_line(finding.claim_says or open_cutoff(finding.claimed or ''))}"
        yield ""
        yield f"The code, in {one_line(entry.source)}, computes another formula: {computed}."
    else:
        yield f"# {name}: the documentation does not say which {title} is computed"
        yield ""
        yield (
            f"A formula that the documentation does not state is computed in {one_line(entry.source)} by "
            f"{_names(each.findings)}: {computed}. Its values are compared with those of tools that compute another."
        )
    if each.witness:
        yield ""
        yield f"Smallest input: {each.witness}."
    yield ""
    yield from _reproduction(entry, finding)


def _where(entry: Library, finding: Finding) -> str:
    where = one_line(entry.claims.get(finding.function, ""))
    return f" ({where})" if where else ""


def _reproduction(entry: Library, finding: Finding) -> Iterator[str]:
    if finding.script:
        yield "```python"
        yield from finding.script.rstrip().splitlines()
        yield "```"
        return
    subject = f"{entry.library}=={entry.version}:{finding.function}"
    yield f"To reproduce: `audit reproduce {subject!r}` of recsys-metric-audit prints a script."


def _change(each: ReleaseChange) -> str:
    old, new = (formula_words(each.metric, text) or "canonical" for text in (each.old, each.new))
    return (
        f"- {escape(each.library.title)} {code_span(each.function)} ({escape(metric_title(each.metric))}): "
        f"{escape(old)} in {escape(each.before)}; {escape(new)} in {escape(each.after)}"
    )


_TITLE = "# Documentation and code that contradict each other"


def render_contradictions(result: Result) -> str:
    """Return one entry a contradicted statement: library, functions, sentence, place, what is computed, witness."""
    found = contradictions(result)
    number = count(len(found), "statement of a library's documentation", "statements of libraries' documentation")
    lead = f"{number} {'is' if len(found) == 1 else 'are'} contradicted by what was measured."
    if not found:
        lead = "No statement of a library's documentation is contradicted by what was measured."
    return "\n\n".join([_TITLE, lead, *(_entry(each) for each in found)]) + "\n"


def _entry(each: Contradiction) -> str:
    # Formulas are quoted as they stand in the documentation, with their backslashes.
    quoted = code_span(each.says or each.claimed) if "\\" in each.says or not each.says else f"“{escape(each.says)}”"
    meaning = f", that is {escape(each.documented)}" if each.documented else ""
    computed = f"{escape(each.computed)} ({code_span(each.signature)})" if each.computed else code_span(each.signature)
    lines = [
        f"## {escape(each.library)} {escape(joined(list(each.versions)))}: {escape(each.metric)}",
        f"- Functions: {', '.join(map(code_span, each.functions))}",
        f"- Documented ({escape(each.where)}): {quoted}{meaning}",
        f"- Computed: {computed}",
        f"- Witness: {escape(each.witness)}" if each.witness else "",
    ]
    return "\n".join([lines[0], "", *filter(None, lines[1:])])
