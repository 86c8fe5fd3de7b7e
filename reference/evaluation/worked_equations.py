"""The lines of a worked example: counts, sums written out, the quotient, and the policy that decides."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.readable_number import readable
from recsys_metric_audit.reference.evaluation.recorded_sums import RecordedSum
from recsys_metric_audit.reference.formula_text import template_of
from recsys_metric_audit.reference.space import edges
from recsys_metric_audit.reference.space.lists import Floats, Lists, Ratio

_ORDERS_SHOWN = 6


def sum_names(definition: Definition, sums: list[RecordedSum]) -> tuple[str, ...]:
    """Name the sums as the formula does, in the order in which it takes them."""
    told, out, own = template_of(definition), list[str](), 0
    for each in sums:
        if each.places.ideal:
            out.append(told.ideal_sum)
        else:
            out.append(told.sums[own] if own < len(told.sums) else f"sum {own + 1}")
            own += 1
    return tuple(out)


def equations(definition: Definition, lists: Lists, ratio: Ratio, sums: list[RecordedSum]) -> list[str]:
    """Write out the value of the first list: counts, sums, quotient, other orders of ties, edge policy."""
    names = sum_names(definition, sums)
    over, under = float(ratio.numerator[0]), float(ratio.denominator[0])
    return [
        _counts(definition, lists),
        *(f"{name} = {_added(each)}" for name, each in zip(names, sums, strict=True)),
        quotient(over, under, root=ratio.root),
        *_orders(ratio.value),
        *_policies(definition, lists, under),
    ]


def _counts(definition: Definition, lists: Lists) -> str:
    named = {"n": lists.shown, "r": lists.relevant, "H": lists.hits.count}
    cut = {"k": lists.k} if definition.k is not None else {}
    more = template_of(definition).counts(lists, definition.axes)
    return ", ".join(f"{name} = {readable(float(of[0]))}" for name, of in {**cut, **named, **more}.items())


def _added(each: RecordedSum) -> str:
    terms = [float(term) for term in each.terms[each.places.list == 0]]
    total = readable(sum(terms))
    return total if len(terms) < 2 else f"{' + '.join(map(readable, terms))} = {total}"


def quotient(over: float, under: float, *, root: bool = False) -> str:
    """Return the line of a value as the quotient of two sums."""
    if under == 0:
        return f"{readable(over)} / 0: the formula says nothing"
    value = over / under
    shown = " / ".join(f"({term})" if "/" in term else term for term in (readable(over), readable(under)))
    line = f"value = sqrt({shown}) = {value**0.5:.6g}" if root else f"value = {shown} = {value:.6g}"
    return line.replace("-", "−")


def _orders(values: Floats) -> list[str]:
    """Return a line with the values in all orders of the ties, if ties are averaged and there are several."""
    if len(values) < 2:
        return []
    some = ", ".join(readable(float(value)) for value in values[:_ORDERS_SHOWN])
    more = ", ..." if len(values) > _ORDERS_SHOWN else ""
    return [f"that is one order of the tied items; over all {len(values)}: {some}{more}"]


def _policies(definition: Definition, lists: Lists, denominator: float) -> list[str]:
    """Return a line with the edge policy that decides, if the user is at an edge."""
    metric, values = definition.family, definition.axes
    own = {axis.name: values[axis.name] for axis in metric.axes}
    negatives = metric.negatives(lists, **own)[:1] if metric.negatives is not None else None
    found = edges.edge_states(lists.relevant[:1], metric.list_rows(lists)[:1], negatives, np.array([denominator != 0]))
    return [
        f"{name}:{values[name]}: {metric.axis(name).meaning}: {metric.axis(name).value(values[name]).meaning}"
        for name, where in found.items()
        if where[0] and name in values
    ]
