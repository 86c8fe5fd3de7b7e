"""Names what a repeat, a tie, the name of an item or a single user can do to the number of a function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reports.edges.edge_words import SITUATIONS
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.wording.axis_words import of_one_ranking
from recsys_metric_audit.reports.wording.labels import metric_title

REPEAT = "a repeat lifts it above 1"
_TIES: Mapping[str, str] = {
    "best": "ties count as hits",
    "win": "ties count as won",
    "unspecified": "ties come out otherwise each time",
    **dict.fromkeys(("item_asc", "item_desc", "text_asc", "text_desc"), "names of items decide ties"),
}
_ONE_USER: Mapping[str, str] = {
    "nan": "one user makes it NaN",
    "error": "one user stops it",
    "ends_all": "one user makes it 0",
    "previous": "the order of users matters",
}
_USERS = {each.axes[0]: each.absent_users for each in SITUATIONS if each.absent_users or each.axes == ("no_negatives",)}
"""The axes that say what an unusual user counts as, each with the values of ``users`` that leave such a user out."""
_ITEMS = 3


def hazards_of(finding: Finding) -> tuple[str, ...]:
    """Return the hazards of one function in plain words, each once; what is not known of it is none."""
    return tuple(dict.fromkeys(_hazards(finding)))


def hazards_of_row(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the hazards of functions that share a row, with the metrics that have it where not all do."""
    metrics: dict[str, dict[str, None]] = {}
    for finding in findings:
        for hazard in hazards_of(finding):
            metrics.setdefault(hazard, {})[finding.metric] = None
    every = {finding.metric for finding in findings}
    return tuple(
        hazard if set(own) == every else f"{hazard} ({', '.join(map(metric_title, own))})"
        for hazard, own in metrics.items()
    )


def _hazards(finding: Finding) -> Iterator[str]:
    known = finding.definition
    if finding.signature and "duplicates" in known and _repeats_exceed_1(parse(finding.signature)):
        yield REPEAT
    for axis in ("tied_scores", "ties"):
        if (hazard := _TIES.get(known.get(axis, ""))) is not None:
            yield hazard
    if of_one_ranking(finding):  # no single user is at an edge
        return
    for axis, absent in _USERS.items():
        if known.get(axis) == "nan" and "pooling" in finding.does_not_apply:
            continue  # users' values, and no mean that could be NaN
        hazard = _ONE_USER.get(known.get(axis, ""))
        if hazard is not None and known.get("users") not in absent:
            yield hazard
    if known.get("undefined") == "1" and known.get("users") not in _USERS["undefined"]:
        yield "nothing to find counts as a perfect list"


@cache  # evaluates 170 definitions in place of 1,200 for the recorded run: saves 4.4 of 9 seconds
def _repeats_exceed_1(definition: Definition) -> bool:
    """Return True if the only relevant item gives more than 1 when recommended three times, and not when once."""
    k = None if definition.k is None else _ITEMS
    cut = definition if k is None else definition.with_(k=k)
    once, thrice = (evaluate(cut, Problem.of([_list(items)], k)) for items in ((0, 1, 2), (0, 0, 0, 1)))
    if once.refused[0] or thrice.refused[0]:
        return False
    return bool(once.mean[0] <= 1 + 1e-9 and thrice.mean[0] > 1 + 1e-9)


def _list(items: Sequence[int]) -> Case:
    """Return one user's list of items, of which item 0 is relevant."""
    ids, scores = np.array(items), np.arange(len(items), 0, -1, dtype=float)
    truth = Truth(np.ones(1, np.int64), np.zeros(1, np.int64), np.ones(1))
    return Case("repeats", Predictions(np.ones(len(items), np.int64), ids, scores), truth, catalogue=np.arange(_ITEMS))
