"""Worked examples: a definition on one user's list, with every term of its sums and the resulting value.

The formula itself is run, on lists that record the sums taken over them: what is shown is what is computed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate, formula_values, takes_one_ranking
from recsys_metric_audit.reference.evaluation.recorded_sums import recording
from recsys_metric_audit.reference.evaluation.worked_equations import equations, sum_names
from recsys_metric_audit.reference.evaluation.worked_rows import Label, WorkedRow, WorkedTable
from recsys_metric_audit.reference.evaluation.worked_shown import work_shown
from recsys_metric_audit.reference.input.case import Case, each_table, rows_of
from recsys_metric_audit.reference.placement.row_selection import RowSelection


@dataclass(frozen=True)
class Worked:
    """A definition worked out for one user.

    ``rows`` are the places that its sums read, under ``columns``; ``lines`` are the sums written out, one equation a
    line; ``value`` is the user's value, None if the definition leaves the user out or refuses the input.
    """

    signature: str
    columns: tuple[str, ...]
    rows: tuple[WorkedRow, ...]
    lines: tuple[str, ...]
    value: float | None


def work(definition: Definition, case: Case, user: int | None = None, *, label: Label = str) -> Worked:
    """Work out a definition for one user of the case.

    If the definition takes all rows of all users as one ranking, the whole case is worked out. If ties are averaged,
    the rows show the first of their orders.

    Args:
        definition: A definition whose ``k`` is a number or None.
        case: The case.
        user: Id of the user; the first one if None.
        label: Names an item by its id.

    Raises:
        ValueError: if the cut-off is a letter, or the user does not occur.
    """
    if isinstance(definition.k, str):
        raise ValueError(f"{definition}: a worked example needs a number for {definition.k}")
    if definition.family.reads != "relevance":
        return Worked(definition.signature(), *work_shown(definition, case, user, label))
    stacked = takes_one_ranking(definition)
    own = case if stacked else _rows_of(case, user)
    lists = Problem.of([own], definition.k).lists(definition.axes, stacked=stacked, uncut=definition.k is None)
    recorded, sums = recording(lists)
    ratio = formula_values(definition.axes, definition, recorded)
    sums = [each for each in sums if (each.places.list == 0).any()]
    table = WorkedTable(*_selected_rows(definition, own, stacked), stacked, lists, label)
    value, lines = _value(definition, case, own, stacked), equations(definition, recorded, ratio, sums)
    if value is None:
        lines.append("the user is left out of the mean")
    columns = table.columns(sum_names(definition, sums))
    return Worked(definition.signature(), columns, table.rows(recorded, sums), tuple(lines), value)


def _selected_rows(definition: Definition, own: Case, stacked: bool) -> tuple[Definition, Case]:
    """Return the rows that the definition ranks as a case, and an equal definition that ranks all rows of it."""
    selection = replace(RowSelection.of(definition.axes, stacked=stacked), keep="", by_rows=False)
    if selection == RowSelection():
        return definition, own
    done = {"candidates": "all", "pairs": "rated"} | ({"users": "all"} if stacked else {})
    if selection.pairs != "rated":
        done["relevance"] = "every_row"
    done = {name: value for name, value in done.items() if name in definition.axes}
    return definition.with_(**done), selection.applied_to(own)


def _rows_of(case: Case, user: int | None) -> Case:
    """Return the case with the rows of one user."""
    known = np.union1d(case.predictions.user, case.truth.user)
    if user is None and len(known):
        user = int(known[0])
    if user not in known:
        raise ValueError(f"case {case.name} has no user {user}")
    items = case.catalogue if len(case.catalogue) else np.union1d(case.predictions.item, case.truth.item)
    return replace(each_table(case, lambda table: rows_of(table, table.user == user)), catalogue=items)


def _value(definition: Definition, case: Case, own: Case, stacked: bool) -> float | None:
    """Return the user's value, evaluated on the whole case, since a policy may carry over another user's."""
    problem = Problem.of([case], definition.k if isinstance(definition.k, int) else None)
    made = evaluate(definition, problem)
    if made.refused[0]:
        return None
    user = 0 if stacked else int(np.union1d(own.predictions.user, own.truth.user)[0])
    place = 0 if stacked else int(np.searchsorted(problem.placement.users, user))
    return float(made.value[place]) if made.counted[place] else None
