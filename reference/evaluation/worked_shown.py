"""Worked examples of definitions that read which items are shown: the items with their counts, and the quotient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.readable_number import readable
from recsys_metric_audit.reference.evaluation.shown_evaluation import formula_of_shown, looked_at
from recsys_metric_audit.reference.evaluation.worked_equations import quotient
from recsys_metric_audit.reference.evaluation.worked_rows import WorkedRow
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.space.shown_items import ShownItems

COLUMNS = ("train rows", "shown")
"""The counts beside each item: the users who have it, and the rows that show it."""
ADDS = "adds"
"""The column of what each row adds to the numerator, where a metric says so."""
Sides = tuple[tuple[str, ...], tuple[WorkedRow, ...], tuple[str, ...], float | None]


def work_shown(definition: Definition, case: Case, user: int | None, label: Callable[[int], str]) -> Sides:
    """Work out a definition for one user of the case, or for all users together if it has one value for them.

    Returns:
        The columns, the rows, the lines, and the value: None if the user is left out or the case refused.

    Raises:
        ValueError: if the user does not occur.
    """
    problem = Problem.of([case], definition.k if isinstance(definition.k, int) else None)
    made, shown = evaluate(definition, problem), problem.shown(definition.axes)
    whole = definition.family.reads == "items"
    place = 0 if whole else _place(problem, case, user)
    shown = shown.only(looked_at(shown, definition.axes.get("users", "all")))
    ratio = formula_of_shown(definition, shown)
    lines = [
        _counts(shown, None if whole else place),
        quotient(float(ratio.numerator[place]), float(ratio.denominator[place])),
    ]
    counted = bool(made.counted[place]) and not made.refused[0]
    if not counted:
        lines.append("the user is left out of the mean")
    rows = _items_of_all(shown, case, label) if whole else _rows_of_user(shown, case, place, label)
    columns: tuple[str, ...] = COLUMNS
    if (terms := definition.family.terms) is not None:
        columns, added = (*COLUMNS, ADDS), terms(shown, **definition.axes)[shown.user == place]
        rows = tuple(
            replace(row, cells=(*row.cells, readable(float(one)))) for row, one in zip(rows, added, strict=True)
        )
    return columns, rows, tuple(lines), float(made.value[place]) if counted else None


def _place(problem: Problem, case: Case, user: int | None) -> int:
    users = problem.placement.users
    wanted = int(users[0]) if user is None and len(users) else user
    if wanted is None or wanted not in users:
        raise ValueError(f"case {case.name} has no user {user}")
    return int(np.searchsorted(users, wanted))


def _counts(shown: ShownItems, place: int | None) -> str:
    """Return the counts that formulas read, in one line."""
    sizes = shown.sizes
    own = {"k": shown.k, "n": shown.shown} if place is not None else {}
    told = {name: readable(float(of[place])) for name, of in own.items() if place is not None}
    every = {
        "items that exist": sizes.catalogue, "items of the train data": sizes.train, "train users": sizes.train_users,
        "train rows": sizes.train_rows, "users with recommendations": shown.sum_of_users(shown.shown > 0),
    }  # fmt: skip
    told |= {name: readable(float(of[0])) for name, of in every.items()}
    return ", ".join(f"{name} = {number}" for name, number in told.items())


def _row(rank: int, item: int, shown: ShownItems, case: Case, label: Callable[[int], str]) -> WorkedRow:
    name = label(int(np.unique(case.predictions.item)[item]))
    return WorkedRow(rank, name, (str(int(shown.had[item])), str(int(shown.times[item]))))


def _rows_of_user(shown: ShownItems, case: Case, place: int, label: Callable[[int], str]) -> tuple[WorkedRow, ...]:
    items = shown.item[shown.user == place].tolist()
    return tuple(_row(rank, item, shown, case, label) for rank, item in enumerate(items, 1))


def _items_of_all(shown: ShownItems, case: Case, label: Callable[[int], str]) -> tuple[WorkedRow, ...]:
    """Return the items that are shown, those shown most often first."""
    order = [item for item in np.argsort(-shown.times, kind="stable").tolist() if shown.times[item]]
    return tuple(_row(rank, item, shown, case, label) for rank, item in enumerate(order, 1))
