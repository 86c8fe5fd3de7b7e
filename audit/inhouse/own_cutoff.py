"""Finds the cut-off of a function that cuts its lists where nobody tells it to: the rank below which a hit is lost."""

from __future__ import annotations

from recsys_metric_audit.audit.inhouse.call import Call
from recsys_metric_audit.audit.observations.observation import scalar
from recsys_metric_audit.reference.cases.probe import case_from_rows
from recsys_metric_audit.reference.input.case import Case

_ROWS = 130
_LARGEST = 100
_SAME = 1e-12
_ASKED_AT_ONCE = 11


def own_cutoff(call: Call) -> int | None:
    """Return at how many rows, at most 100, a function cuts whatever it is told; None if no such cut-off is seen.

    It is asked about one relevant item at each rank of a long list: where the value is the same from some rank down to
    the end, and another one above, the list was cut.
    """
    first = _values(call, {(1, _ROWS), (2, _ROWS), (_ROWS - 1, _ROWS), (_ROWS, _ROWS), (2, 1)})
    missed = first.get((_ROWS, _ROWS))
    if missed is None or len(first) < 5 or abs(first[_ROWS - 1, _ROWS] - missed) > _SAME:
        return None
    reads_cutoff = abs(first[2, 1] - first[2, _ROWS]) > _SAME
    if reads_cutoff or abs(first[1, _ROWS] - missed) <= _SAME:
        return None
    found, lost = 1, _ROWS - 1
    while lost - found > 1:
        step = max((lost - found) // _ASKED_AT_ONCE, 1)
        between = range(found + step, lost, step)
        values = _values(call, {(rank, _ROWS) for rank in between})
        if len(values) < len(between):
            return None
        found = max((rank for (rank, _), value in values.items() if abs(value - missed) > _SAME), default=found)
        lost = min(lost, found + step)
    return found if found <= _LARGEST else None


def _values(call: Call, asked: set[tuple[int, int]]) -> dict[tuple[int, int], float]:
    """Return the value of a hit at each (rank, cut-off that the function is told), where it has one."""
    outcomes = call.answers({f"{rank} {k}": (_hit_at(rank), k) for rank, k in sorted(asked)})
    values = {(rank, k): scalar(outcomes[f"{rank} {k}"]) for rank, k in asked}
    return {key: value for key, value in values.items() if value is not None}


def _hit_at(rank: int) -> Case:
    rows = [(1, 10 + place, 1.0 - place / (2 * _ROWS)) for place in range(1, _ROWS + 1)]
    return case_from_rows(f"a hit at rank {rank}", rows, [(1, 10 + rank, 4.0)])
