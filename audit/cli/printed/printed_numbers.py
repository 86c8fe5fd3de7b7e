"""Reads the printed numbers that the user names: ``0.1571``, ``ndcg@20=0.1571``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recsys_metric_audit.audit.cli.shared.run_inputs import check_cutoffs
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.metric_name import metric_of_relevance
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.value_search.by_value import Printed
from recsys_metric_audit.reference.value_search.printed_number import PrintedNumberError, read_printed_number

_VALUE = re.compile(r"(?:(?P<metric>[^=@]+?)\s*(?:@\s*(?P<k>\d{1,9}))?\s*=)?\s*(?P<number>[^=]+)")


def read_printed(texts: Sequence[str], metric: str | None, k: int | None) -> tuple[Printed, ...]:
    """Return the printed numbers with their metrics and cut-offs.

    Args:
        texts: numbers, each with its metric and cut-off before it or not: ``[METRIC[@K]=]NUMBER``.
        metric: the metric of numbers that name none.
        k: the cut-off of numbers that name none.

    Raises:
        UserError: for a text of another form, an unknown metric, a metric or cut-off that is missing, and two
            different numbers for one metric and cut-off.
    """
    found: dict[tuple[str, int | None], Printed] = {}
    for text in texts:
        printed = _read(text, metric, k)
        other = found.setdefault((printed.metric, printed.k), printed)
        if other.number.value != printed.number.value:
            at = "" if printed.k is None else f"@{printed.k}"
            raise UserError(
                f"--value: {printed.metric}{at} is printed as {other.number.text} and as {printed.number.text}",
                "give one number for each metric and cut-off",
            )
    return tuple(found.values())


def _read(text: str, metric: str | None, k: int | None) -> Printed:
    where = f"--value {text}"
    parts = _VALUE.fullmatch(text.strip())
    if parts is None:
        raise UserError(f"{where}: not of the form [METRIC[@K]=]NUMBER", "try --value ndcg@20=0.1571")
    named = parts["metric"] or metric
    if named is None:
        raise UserError(f"{where}: which metric is it?", f"try --value ndcg@20={parts['number'].strip()}")
    name = metric_of_relevance(named)
    try:
        number = read_printed_number(parts["number"])
    except PrintedNumberError as error:
        raise UserError(f"{where}: {error}", error.advice) from None
    cut = int(parts["k"]) if parts["k"] else k
    if cut is not None:
        check_cutoffs([cut])
    if cut is None and FAMILIES[name].uses_k(FAMILIES[name].canonical):
        raise UserError(f"{where}: at which cut-off?", f"add -k 20, or --value {name}@20={number.text}")
    return Printed(name, cut, number)
