"""A witness worked by hand: the canonical definition and the identified one on the user on whom they part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reference.cases import Probe
from reference.definitions.definition import Definition
from reference.evaluation.worked_example import work
from reports.model.result import Worked, WorkedRow

_GAP = 1e-4


def both(probe: Probe, canonical: Definition, fitted: Definition | None) -> tuple[Worked, ...]:
    """``canonical`` and, where one was identified, ``fitted``, on the first user of the probe with another value."""
    users = np.union1d(probe.case.predictions.user, probe.case.truth.user).tolist()
    chosen = [canonical] if fitted is None else [canonical, fitted]
    of_each = [tuple(_worked(probe, each, user) for each in chosen) for user in users]
    return next((worked for worked in of_each if _part(worked)), of_each[0])


def _part(worked: Sequence[Worked]) -> bool:
    first, last = worked[0].value, worked[-1].value
    if first is None or last is None:
        return first is not last
    return abs(first - last) > _GAP or np.isnan(first) != np.isnan(last)


def _worked(probe: Probe, definition: Definition, user: int) -> Worked:
    cut = definition.with_(k=probe.k) if definition.k is not None else definition
    made = work(cut, probe.case, user)
    rows = tuple(WorkedRow(rank=row.rank, item=row.item, cells=row.cells) for row in made.rows)
    return Worked(signature=made.signature, columns=made.columns, rows=rows, lines=made.lines, value=made.value)
