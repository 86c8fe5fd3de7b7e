"""Finds the cut-off of a function that cuts its lists where nobody tells it to: the rank below which a hit is lost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recsys_metric_audit.audit.inhouse.call import Call
from recsys_metric_audit.audit.observations.observation import scalar
from recsys_metric_audit.reference.cases.probe import case_from_rows
from recsys_metric_audit.reference.input.case import Case

_ROWS = 130
_LARGEST = 100
_SAME = 1e-12
_LEAST_LOSS = 1e-3
"""A hit at the last rank that is read counts this share of one at the top: 0.5^40 is lost without any cut."""
_ASKED_AT_ONCE = 11


def own_cutoff(call: Call) -> int | None:
    """Return at how many rows, at most 100, a function cuts whatever it is told; None if no such cut-off is seen.

    It is asked about one relevant item at each rank of a long list: where the value is the same from some rank down to
    the end, and another one above, the list was cut. With one and with several relevant items the cut-off that it is
    told must not change the value.
    """
    first = _values(call, [((1,), _ROWS), ((_ROWS - 1,), _ROWS), ((_ROWS,), _ROWS)])
    if len(first) < 3 or abs(first[1] - first[2]) > _SAME or abs(first[0] - first[2]) <= _SAME:
        return None
    ranks: list[tuple[int, ...]] = [(2,), (3,) if call.shape.one else (1, 2, 4, 5)]
    told = [_values(call, [(each, k) for each in ranks]) for k in (1, 2, _ROWS)]
    if any(len(each) < len(ranks) or np.abs(np.subtract(each, told[0])).max() > _SAME for each in told):
        return None
    found, lost, value_there = 1, _ROWS - 1, first[0]
    while lost - found > 1:
        step = max((lost - found) // _ASKED_AT_ONCE, 1)
        between = range(found + step, lost, step)
        values = _values(call, [((rank,), _ROWS) for rank in between])
        if len(values) < len(between):
            return None
        kept = [(rank, value) for rank, value in zip(between, values, strict=True) if abs(value - first[2]) > _SAME]
        found, value_there = max(kept, default=(found, value_there))
        lost = min(lost, found + step)
    enough = abs(value_there - first[2]) >= _LEAST_LOSS * abs(first[0] - first[2])
    return found if found <= _LARGEST and enough else None


def _values(call: Call, asked: Sequence[tuple[tuple[int, ...], int]]) -> list[float]:
    """Return the value of hits at (ranks, cut-off that the function is told), where it has one."""
    outcomes = call.answers({f"{ranks} {k}": (_hits_at(ranks), k) for ranks, k in asked})
    return [value for each in outcomes.values() if (value := scalar(each)) is not None]


def _hits_at(ranks: tuple[int, ...]) -> Case:
    rows = [(1, 10 + place, 1.0 - place / (2 * _ROWS)) for place in range(1, _ROWS + 1)]
    return case_from_rows(f"hits at {ranks}", rows, [(1, 10 + rank, 4.0) for rank in ranks])
