"""Holds Table 4, of the names that evaluators of search and retrieval give to metrics, against the raw answers."""

from __future__ import annotations

import re

from recsys_metric_audit.reference.api import evaluate
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.verification.document import Table, UnreadableError
from recsys_metric_audit.reports.verification.facts import Fact, Facts
from recsys_metric_audit.reports.verification.ledger import Ledger

KEY = "° a relevant item that is not in the list changes nothing: what was retrieved is all that it reads"
_NAME = re.compile(r"(?:[^[]*?\.)?(?:([A-Z]\w*)\.(?:measure|evaluate|run)|(\w+))(\[.*)?")
_LISTS = {"a": {"x": 3.0, "y": 2.0, "z": 1.0}, "b": {"z": 5.0, "x": 4.0}}
_LISTED = {"a": {"y": 1.0, "z": 1.0}, "b": {"z": 1.0}}
_FURTHER = {"a": {**_LISTED["a"], "v": 1.0}, "b": {**_LISTED["b"], "v": 1.0, "w": 1.0}}


def judge_names(table: Table, facts: Facts, ledger: Ledger) -> None:
    """Hold what each function of Table 4 is called and computes, and that every library with one has its row."""
    told = []
    for label, cells in table.rows:
        if label not in facts.labels:
            raise UnreadableError(ledger.file, f"{table.name} has {label}, which the run has not")
        told.append(facts.labels[label])
        for head, text in zip(table.columns, cells, strict=True):
            found = [each for each in facts.every if each.name == told[-1] and each.metric == facts.metrics[head]]
            ledger.at(label, head).says(text, _expected(found) or "–")
    metrics = {facts.metrics[head] for head in table.columns}
    known = {each.name for each in facts.every if each.metric in metrics and each.formula}
    due = [name for name, entry in facts.entries.items() if entry.group == "search" and name in known]
    ledger.at(table.name, "rows").holds("sentences", told, due)


def _expected(findings: list[Fact]) -> str:
    """Return the cell of these functions: of each formula the first, by its own name."""
    first = {each.formula: each for each in reversed(findings) if each.formula}
    shown = sorted(first.values(), key=findings.index)
    return "; ".join(f"{_name(each.function)}{_sign(each.formula)}: {each.words}" for each in shown)


def _name(function: str) -> str:
    found = _NAME.fullmatch(function)
    return "".join(filter(None, found.groups())) if found else function


def _sign(formula: str) -> str:
    """Return the sign of a formula that relevant items which are not in a list do not change."""
    own = parse(formula.replace("@k", "@2"))
    one, more = (next(iter(evaluate(_LISTS, truth, 2, [own]).values())).mean for truth in (_LISTED, _FURTHER))
    return "°" if one == more else ""
