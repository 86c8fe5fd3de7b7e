"""Makes the data as a function is asked about them: unchanged, with whole gains, or with train rows to count."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from recsys_metric_audit.audit.data.synthetic import TRAIN_DRAWN, with_train_rows
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.audit.questions.whole_gains import ROUNDED, with_whole_gains
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case

SUFFIXES = {ROUNDED: "-whole", TRAIN_DRAWN: "-train"}
"""What is added to the name of data that were changed, by what a finding says of it."""


def change_for(function: Function) -> tuple[Callable[[Case], Case] | None, str]:
    """Return the change that is made to data before a function is asked, and what a finding says of changed data."""
    if reads_items(function):
        return with_train_rows, TRAIN_DRAWN
    return (with_whole_gains, ROUNDED) if function.takes.whole_gains_only else (None, "")


def data_for(function: Function, data: Problem) -> Problem:
    """Return the data that a function is asked about."""
    change, _ = change_for(function)
    return data if change is None else changed_data(change, data)


@lru_cache(maxsize=4)
def changed_data(change: Callable[[Case], Case], data: Problem) -> Problem:
    """Return data after a change; the same object if it does nothing to them."""
    cases = tuple(change(case) for case in data.cases)
    if all(one is other for one, other in zip(cases, data.cases, strict=True)):
        return data
    return Problem(cases, data.k)
