"""Table 4: what evaluators of search and retrieval call Precision, Recall, MAP and NDCG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recsys_metric_audit.reference.api import evaluate
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.tables.table import EMPTY, Cell, Column, KeyEntry, Row, Table
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.meanings import formula

_GROUP = "search"
_METRICS = ("precision", "recall", "average_precision", "ndcg")
_LISTED_ONLY = "°"
_CALLED = ("measure", "evaluate", "run")
"""Methods whose names say nothing of the metric: their class is named after it."""
_LIST = {"1": {f"item {rank}": 1 / rank for rank in range(1, 7)}}
_FOUND = {"1": {"item 1": 1.0, "item 4": 1.0}}
_MORE = {"1": {**_FOUND["1"], "missed": 1.0, "missed too": 1.0}}


def retrieval_table(result: Result) -> Table | None:
    """Return the table of what the libraries of the group compute under these names; None without any.

    Args:
        result: A run, with one version of each library.
    """
    entries = [each for each in result.libraries if each.group == _GROUP]
    rows = [row for row in (_row(each, result.findings) for each in entries) if any(c is not EMPTY for c in row.cells)]
    if not rows:
        return None
    listed = "a relevant item that is not in the list changes nothing: what was retrieved is all that it reads"
    return Table(
        "Table 4",
        "What evaluators of search and retrieval call these metrics, and what that is.",
        tuple(Column(metric_title(metric)) for metric in _METRICS),
        tuple(rows),
        (KeyEntry("", _LISTED_ONLY, listed, ""),),
    )


def reads_the_list_alone(definition: Definition) -> bool:
    """Return True if further relevant items that are not in the list change nothing."""
    own = definition.with_(k="k") if definition.k is not None else definition
    found, more = (next(iter(evaluate(_LIST, truth, 3, [own]).values())).mean for truth in (_FOUND, _MORE))
    return found == more


def _row(entry: Library, findings: Iterable[Finding]) -> Row:
    own = [each for each in findings if (each.library, each.version) == (entry.library, entry.version)]
    cells = tuple(_cell([each for each in own if each.metric == metric]) for metric in _METRICS)
    return Row(one_line(entry.title), entry.version, cells)


def _cell(findings: Sequence[Finding]) -> Cell:
    told: dict[str, str] = {}
    for each in findings:
        if (text := formula(each)) and text not in told.values():
            told.setdefault(_own_name(each.function), text)
    words = []
    for name, text in told.items():
        sign = _LISTED_ONLY if reads_the_list_alone(parse(text)) else ""
        words.append(f"{name}{sign}: {formula_words(findings[0].metric, text) or 'canonical'}")
    return Cell("; ".join(words)) if words else EMPTY


def _own_name(path: str) -> str:
    """Return the last part of the path of a function with what is chosen of it; of a class's method, the class."""
    head, bracket, chosen = path.partition("[")
    *_, owner, last = "", *head.split(".")
    shown = owner if last in _CALLED and owner[:1].isupper() else last
    return one_line(shown + bracket + chosen)
