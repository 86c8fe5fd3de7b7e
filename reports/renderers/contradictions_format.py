"""The list of contradictions between documentation and code, as Markdown that can be sent to a library."""

from __future__ import annotations

from recsys_metric_audit.reports.headlines.contradictions import Contradiction, contradictions
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.renderers.markdown import code_span, escape
from recsys_metric_audit.reports.wording.labels import count, joined

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
