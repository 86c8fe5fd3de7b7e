"""Reads the forms of a report back, and holds what they say against the result file that they were made from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result import FORMAT, Result
from recsys_metric_audit.reports.model.result_file import read_result, result_json, result_text
from recsys_metric_audit.reports.verification import readers
from recsys_metric_audit.reports.verification.document import Block, Table, UnreadableError
from recsys_metric_audit.reports.verification.facts import Facts
from recsys_metric_audit.reports.verification.findings import FindingsJudge, judge_csv
from recsys_metric_audit.reports.verification.ledger import KINDS, Ledger, Meanings
from recsys_metric_audit.reports.verification.page_judge import PageJudge
from recsys_metric_audit.reports.verification.sentences import SentenceJudge
from recsys_metric_audit.reports.verification.tables import Shown, TableJudge

Kind = Literal["findings", "html", "md", "latex", "text", "csv"]
_LEFT_OUT = re.compile(r"\n\*Left out: the last [\d,]+ lines\. The HTML report has everything\.\*\n$")


@dataclass(frozen=True)
class Form:
    """One form of a report: its name in messages, how it is written, and its text."""

    file: str
    kind: Kind
    text: str


def verify(result: Result, forms: Iterable[Form]) -> tuple[Ledger, ...]:
    """Return for each form what was read of it and what of it was not returned.

    Letters and words have to mean one thing in all forms together. Not read are the plots of the page, its handbook,
    its pages of edges and experiments, and what it says of papers; of what is said on recommenders, Table 3 alone.

    Raises:
        UnreadableError: if a form is not one of this tool's, or something in it is of no known kind.
    """
    facts = Facts(result)
    meanings = Meanings(facts)
    ledgers = []
    for form in forms:
        ledgers.append(Ledger(form.file, meanings))
        try:
            _judge(form, facts, ledgers[-1])
        except (LookupError, ValueError) as error:  # fewer cells, or others, than any form has
            raise UnreadableError(form.file, f"it is laid out in an unknown way ({error})") from error
    return tuple(ledgers)


def _judge(form: Form, facts: Facts, ledger: Ledger) -> None:
    if form.kind == "csv":
        judge_csv(form.text, facts, ledger)
    elif form.kind == "findings":
        FindingsJudge(facts, ledger).judge(form.text)
    elif form.kind == "html":
        page = readers.read_page(form.text, form.file)
        _judge_blocks(readers.page_blocks(page, form.file), facts, ledger)
        PageJudge(facts, ledger, page).judge()
    elif form.kind == "md":
        text = _LEFT_OUT.sub("", form.text)
        _judge_blocks(readers.read_markdown(text, form.file), facts, ledger, cut=text != form.text)
    elif form.kind == "latex":
        _judge_blocks(readers.read_latex(form.text, form.file), facts, ledger)
    else:
        _judge_blocks(readers.read_terminal(form.text, form.file, facts.metrics), facts, ledger)


def _judge_blocks(blocks: Sequence[Block], facts: Facts, ledger: Ledger, cut: bool = False) -> None:
    """Judge tables and sentences in their order; of a form that was ``cut`` at its end, the last table is not whole."""
    tables, sentences = TableJudge(facts, ledger), SentenceJudge(facts, ledger)
    found: list[Shown] = []
    last = max((place for place, block in enumerate(blocks) if isinstance(block, Table)), default=-1)
    for place, block in enumerate(blocks):
        if isinstance(block, Table):
            found.append(tables.judge(block, whole=not cut or place < last))
        elif not ((found and tables.key(block, found[-1])) or sentences.judge(block)):
            raise UnreadableError(ledger.file, f"it has the unknown sentence {block[:80]!r}")
    for each in found[:-1] if cut else found:
        tables.key_is_complete(each)
    first = [each.table for each in found if each.table.name.startswith("Table 1")]
    if first and sentences.headlines:
        metrics = {each.metric_title for each in sentences.newest}
        right = [head for head in first[0].columns if head in metrics]
        ledger.at("headlines", "metrics").holds("sentences", sentences.headlines, right)
    if len(first) != len(facts.result.k) and not cut:
        raise UnreadableError(ledger.file, f"it has {len(first)} times Table 1, for {len(facts.result.k)} cut-offs")


def read_unchanged(folder: Path, tool: str) -> Result:
    """Return the result in a folder, as this version of the tool wrote it: nothing is converted or filled in.

    Raises:
        ReportError: if it cannot be read, is of another format or tool version, or is not as it was written.
    """
    result = read_result(folder)
    text = result_text(folder if folder.is_file() else folder / "audit.json")
    found = json.loads(text)["format"]
    if found != FORMAT:
        raise ReportError(
            f"{folder} has a result of format {found}; pages of format {FORMAT} say more.",
            "Make it again: audit run --out DIR",
        )
    if result.tool != tool:
        raise ReportError(
            f"{folder} was written by version {result.tool} of this tool; this is {tool}.",
            f"Verify it with that version: pip install recsys-metric-audit=={result.tool}",
        )
    if text not in (result_json(result), result_json(result, compact=True)):
        raise ReportError(
            f"The result in {folder} is not as this tool writes it: it has been edited.",
            "Restore the file as the audit wrote it, or make it again: audit run --out DIR",
        )
    return result


def summary(ledgers: Sequence[Ledger]) -> str:
    """Return what was read of each form in a line, then a line for each thing that is not as it was returned."""
    lines = []
    for ledger in ledgers:
        *others, last = [f"{ledger.counts[kind]:,} {kind}" for kind in KINDS]
        wrong = len(ledger.mismatches)
        lines.append(f"{ledger.file}: {', '.join(others)} and {last} read, {wrong or 'none'} not as returned")
    lines += [mismatch for ledger in ledgers for mismatch in ledger.mismatches]
    return "\n".join(lines)
