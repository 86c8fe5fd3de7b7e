"""Definitions: a metric with one value on each of its axes, written in one line as a signature.

``ndcg@20|gain:exp2|ideal:all`` is the short form: only what is not canonical. The long form has every axis.
In both, axes of the formula come first, then who counts, then input handling; both parse back to the definition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.axis import Axis, shortest_number
from recsys_metric_audit.reference.space.levels import LEVELS, level_of
from recsys_metric_audit.reference.space.metric import Metric


class SignatureError(ValueError):
    """Tells that a signature does not parse; the message names position, axis, allowed values and the nearest one."""

    def __init__(self, signature: str, position: int, message: str) -> None:
        super().__init__(f"{message} (at position {position + 1} of {signature!r})")
        self.signature, self.position = signature, position


@dataclass(frozen=True)
class Definition:
    """Names a point of the definition space; ``k`` is a number, a letter that stands for one, or None.

    Made by :meth:`of` or :func:`parse`: ``values`` holds every axis of the metric, in order.

    >>> definition = Definition.of("recall", {"denominator": "min"}, 10)
    >>> str(definition), str(definition.with_(k=5, denominator="r"))
    ('recall@10|denominator:min', 'recall@5')
    """

    metric: str
    k: int | str | None
    values: tuple[tuple[str, str], ...]

    @staticmethod
    def of(metric: str, values: Mapping[str, str] | None = None, k: int | str | None = "k") -> Definition:
        """Return the canonical definition of ``metric`` with some values replaced.

        Args:
            metric: Name of the metric.
            values: Axis name to value name, for axes that are not canonical.
            k: Cut-off; ignored if no cut-off acts.

        Raises:
            KeyError: for an axis that cannot act on the metric.
        """
        known = FAMILIES[metric]
        chosen = known.canonical.copy()
        chosen.update(values or {})
        if len(chosen) > len(known.canonical):
            raise KeyError(f"{metric} has no axis {min(chosen.keys() - known.canonical.keys())}")
        return Definition(metric, k if _uses_k(known, chosen) else None, tuple(chosen.items()))

    @property
    def family(self) -> Metric:
        """The metric as an object."""
        return FAMILIES[self.metric]

    @cached_property
    def axes(self) -> dict[str, str]:
        """Value name by axis name, for every axis of the metric."""
        return dict(self.values)

    def with_(self, k: int | str | None = None, **values: str) -> Definition:
        """Return this definition with some values (and k) changed.

        If no cut-off acted and one does now, it is the letter k, unless another is given.
        """
        if k is None:
            k = self.k if self.k is not None or _uses_k(self.family, self.axes) else "k"
        return Definition.of(self.metric, {**self.axes, **values}, k)

    @cached_property
    def differs_on(self) -> tuple[str, ...]:
        """The axes whose value is not canonical, in signature order."""
        canonical = self.family.canonical
        return tuple(name for name, value in self.values if value != canonical[name])

    @cached_property
    def remoteness(self) -> tuple[int, ...]:
        """Return a key that orders definitions from the canonical-most on.

        It holds the number of axes that are not canonical, whether truth is one, and the place of each value on its
        axis; numbers come after the values that have a place.
        """
        moved = self.differs_on
        axes = zip(self.family.all_axes, self.values, strict=True)
        return len(moved), "truth" in moved, *(axis.place(value) for axis, (_, value) in axes)

    @property
    def classes(self) -> tuple[str, ...]:
        """The slugs of the classes of mismatch against the canonical definition, without repeats."""
        slugs = [self.family.axis(name).value(self.axes[name]).slug for name in self.differs_on]
        canonical_moved = [slug or "canonical-overridden" for slug in slugs]
        return tuple(dict.fromkeys(canonical_moved))

    def signature(self, *, long: bool = False) -> str:
        """Return the signature: short (only what is not canonical) or ``long`` (every axis)."""
        head = self.metric if self.k is None else f"{self.metric}@{self.k}"
        moved = set(self.differs_on)
        shown = [(name, value) for name, value in self.values if long or name in moved]
        shown.sort(key=lambda pair: LEVELS.index(level_of(pair[0])))
        return "|".join([head, *(f"{name}:{value}" for name, value in shown)])

    def __str__(self) -> str:
        return self.signature()


def _uses_k(metric: Metric, values: Mapping[str, str]) -> bool:
    return values.get("cutoff") != "none" and metric.uses_k(values)


def parse(signature: str) -> Definition:
    """Parse a signature, short or long, into its definition.

    Where all ranked items would be relevant, a signature that names no ``relevance`` is one of labels: those above 0
    are relevant.

    Raises:
        SignatureError: if it does not parse; names position, axis, allowed values and the nearest one.
    """
    head, *pairs = signature.split("|")
    found = re.fullmatch(r"([a-z_]+)(?:@(\w+))?", head)
    if found is None:
        raise SignatureError(signature, 0, f"{head!r} is no metric, with or without @k")
    name, cut = found.groups()
    if name not in FAMILIES:
        raise SignatureError(signature, 0, f"no metric {name!r}{_nearest(name, FAMILIES)}")
    metric, position = FAMILIES[name], len(head) + 1
    values: dict[str, str] = {}
    for pair in pairs:
        axis, value = _pair(signature, position, pair, metric)
        if axis in values:
            raise SignatureError(signature, position, f"axis {axis} stands twice")
        values[axis] = value
        position += len(pair) + 1
    reason = metric.refusal({**metric.canonical, **values})
    if reason and "relevance" in metric.canonical and "relevance" not in values:
        labelled = {**values, "relevance": "positive"}
        if metric.refusal({**metric.canonical, **labelled}) is None:
            values, reason = labelled, None
    if reason:
        raise SignatureError(signature, 0, reason)
    return Definition.of(name, values, _cut(signature, cut, metric, values))


def stated_axes(signature: str) -> frozenset[str]:
    """Return the axes that a signature names, also those that it names at their canonical value."""
    return frozenset(pair.partition(":")[0] for pair in signature.split("|")[1:])


def _pair(signature: str, position: int, pair: str, metric: Metric) -> tuple[str, str]:
    """Split ``axis:value`` and check both names."""
    name, colon, value = pair.partition(":")
    axes: dict[str, Axis] = {axis.name: axis for axis in metric.all_axes}
    if not colon:
        raise SignatureError(signature, position, f"{pair!r} is not axis:value")
    if name not in axes:
        raise SignatureError(
            signature, position, f"{metric.name} has no axis {name!r}{_nearest(name, axes)}; it has {', '.join(axes)}"
        )
    if not axes[name].admits(value):
        allowed = ", ".join(axes[name].names) + (" or any number" if axes[name].numeric else "")
        allowed += " or above_ and a number" if axes[name].of_more else ""
        raise SignatureError(
            signature,
            position + len(name) + 1,
            f"axis {name} has no value {value!r}{_nearest(value, axes[name].names)}; allowed: {allowed}",
        )
    return name, value if value in axes[name].names else shortest_number(value)


def _cut(signature: str, cut: str | None, metric: Metric, values: Mapping[str, str]) -> int | str | None:
    """Return the cut-off written in a signature as ``cut`` (None: none was written)."""
    acts = _uses_k(metric, {**metric.canonical, **values})
    if cut is not None and not acts:
        raise SignatureError(signature, len(metric.name), f"{metric.name} takes no @k here: no cut-off acts")
    if cut is None and acts:
        return "k"
    if cut is not None and cut.isdigit() and int(cut) == 0:
        raise SignatureError(signature, len(metric.name) + 1, "a cut-off of 0 shows nothing")
    return int(cut) if cut is not None and cut.isdigit() else cut


def _nearest(word: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    close = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f", did you mean {close[0]!r}?" if close else ""
