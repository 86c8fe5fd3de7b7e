"""Definitions: a metric with one value on each of its axes, and the signature that says it in one line.

``ndcg@20|gain:exp2|ideal:all`` is the short form: only what is not canonical. The long form has every axis, in a
fixed order: formula, averaging, edges, order. Both parse back to the same definition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from reference.definitions.normal_form import normal
from reference.metrics import METRICS
from reference.space.axis import Axis
from reference.space.equalities import (
    by_formula,
    none_shown,
    nothing_ends,
    one_item,
    one_row,
    weighted_ratio,
    weightless,
    zeros_and_ones,
)
from reference.space.metric import Metric, averaging_ignores_r, is_stacked


class SignatureError(ValueError):
    """A signature that does not parse: says the position, the axis, what is allowed there, and the nearest."""

    def __init__(self, signature: str, position: int, message: str) -> None:
        super().__init__(f"{message} (at position {position + 1} of {signature!r})")
        self.signature, self.position = signature, position


@dataclass(frozen=True)
class Definition:
    """A point of the definition space. ``k`` is a number, a letter that stands for one, or None.

    Make one with :meth:`of` or :func:`parse`: ``values`` holds every axis of the metric, in order.
    """

    metric: str
    k: int | str | None
    values: tuple[tuple[str, str], ...]

    @staticmethod
    def of(metric: str, values: Mapping[str, str] | None = None, k: int | str | None = "k") -> Definition:
        """The canonical definition of ``metric`` with ``values`` put in.

        Raises:
            KeyError: for an axis that cannot act on the metric.
        """
        known = METRICS[metric]
        chosen = {**known.canonical, **(values or {})}
        if extra := set(chosen) - set(known.canonical):
            raise KeyError(f"{metric} has no axis {sorted(extra)[0]}")
        return Definition(metric, k if _uses_k(known, chosen) else None, tuple(chosen.items()))

    @property
    def family(self) -> Metric:
        """The metric itself."""
        return METRICS[self.metric]

    @cached_property
    def axes(self) -> dict[str, str]:
        """Axis name to value name, every axis of the metric."""
        return dict(self.values)

    def with_(self, k: int | str | None = None, **values: str) -> Definition:
        """This definition with some values (and k) changed."""
        return Definition.of(self.metric, {**self.axes, **values}, self.k if k is None else k)

    @property
    def differs_on(self) -> tuple[str, ...]:
        """Axes that do not stand at their canonical value, in signature order."""
        canonical = self.family.canonical
        return tuple(name for name, value in self.values if value != canonical[name])

    @property
    def classes(self) -> tuple[str, ...]:
        """Slugs of the classes of mismatch against the canonical definition, without repeats."""
        slugs = [self.family.axis(name).value(self.axes[name]).slug for name in self.differs_on]
        canonical_moved = [slug or "canonical-overridden" for slug in slugs]
        return tuple(dict.fromkeys(canonical_moved))

    def signature(self, *, long: bool = False) -> str:
        """The signature: short (only what is not canonical) or long (every axis)."""
        head = self.metric if self.k is None else f"{self.metric}@{self.k}"
        moved = set(self.differs_on)
        shown = [f"{name}:{value}" for name, value in self.values if long or name in moved]
        return "|".join([head, *shown])

    def simplified(self, *, edges_known: bool = True) -> Definition:
        """The provably equal definition that is written with the least: see ``simplify`` of the families and
        :func:`_simplify_shared`. Without ``edges_known`` only what is equal whatever the edges ``no_hit`` and
        ``no_list``
        are: for definitions on which those are still to be put in."""
        values, before = dict(self.axes), None
        while values != before:
            before = values
            values = _simplify_shared(self.family, values, edges_known=edges_known)
            edges = {edge: values[edge] for edge in ("no_hit", "no_list") if edge in values and not edges_known}
            values = self.family.simplify({**values, **{edge: f"open {edge}" for edge in edges}}) | edges
            if edges_known and values == before and not is_stacked(self.family, values):
                values = normal(self.family, values)
        return Definition.of(self.metric, values, self.k)

    def __str__(self) -> str:
        return self.signature()


def _uses_k(metric: Metric, values: Mapping[str, str]) -> bool:
    return values.get("cutoff") != "none" and metric.uses_k(values)


def _simplify_shared(metric: Metric, values: dict[str, str], *, edges_known: bool) -> dict[str, str]:
    """Equal by construction, whatever the formula. Without scores there are no ties; 0/0 has no value but NaN; a
    copy that counts in r only does not count where r is not read; the first truth row has no copy before it; where
    the denominator is never 0 no policy for that acts; and where k is not read, a list that is not cut has none, and
    hits within k + 1 rows are those of a cut-off of k + 1."""
    out = _simplify_one(values) if is_stacked(metric, values) else _simplify_users(dict(values))
    if out.get("no_hit") == "formula":
        out["no_hit"] = "0" if metric.zero_by_convention(out) else "nan"
    # A cut-off of k - 1 may be 0, and 0 in a denominator that has it.
    above = out.get("cutoff") != "k_minus_1" or not (metric.reads_k(out) and metric.k_divides)
    if metric.has_denominator(out) and not metric.zero_by_convention(out) and above and "no_hit" in out:
        out["no_hit"] = "0"
    out = by_formula(metric, out)
    if not metric.reads_k(out) and out.get("no_hit") != "1/k" and "cutoff" in out:
        out["cutoff"] = {"hits_uncut": "none", "hits_k_plus_1": "k_plus_1"}.get(out["cutoff"], out["cutoff"])
    if out.get("order") == "rows" and "ties" in out:
        out["ties"] = "given"
    if out.get("truth") == "first" and out.get("truth_duplicates") in ("once", "r_only"):
        out["truth_duplicates"] = "counted"
    unread = not metric.reads_r(out) and averaging_ignores_r(out)
    if out.get("truth_duplicates") == "r_only" and unread:
        out["truth_duplicates"] = "once"
    out = one_row(out, stacked=is_stacked(metric, out))
    if is_stacked(metric, out):
        return out
    out = one_item(weightless(out))
    if not edges_known:
        return _simplify_pooling(metric, out)
    out = none_shown(metric, weighted_ratio(metric, out))
    return zeros_and_ones(metric, nothing_ends(metric, _simplify_pooling(metric, out)))


def _simplify_pooling(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """Weights act only on a weighted mean, and a mean weighted by nothing is the plain one; where every truth row
    is looked at and relevant, their number is r, in which copies count that are no hits. A user who adds 0 to both sums
    is not seen in their ratio. Where every user's denominator is the same number, and what the edges give is what the
    formula gives, a ratio of sums is the mean of ratios."""
    out = dict(values)
    if out["pooling"] != "weighted":
        out["weight"] = "none"
    elif out["weight"] == "none":
        out["pooling"] = "user"
    every = (out.get("relevance"), out.get("truth", "all")) == ("every_row", "all")
    if out["weight"] == "rated" and every and out.get("truth_duplicates") in ("counted", "r_only", "error"):
        out["weight"] = "relevant"
    copies = (out["weight"], out.get("relevance"), out.get("truth_duplicates"), out.get("truth", "all"))
    unread = out["users"] != "one_relevant" and not metric.reads_r(out)
    if unread and copies == ("relevant", "every_row", "r_only", "all"):
        out["weight"], out["truth_duplicates"] = "rated", "once"
    if out["pooling"] == "pooled":
        out["mean"] = "arithmetic"
        # A ratio of sums adds terms, not values: what a user counts as is never looked at, only who is left out.
        if out["undefined"] in ("0", "1", "half", "nan", "formula"):
            out["undefined"] = "0" if metric.proportional else "formula"
        if out["no_list"] in ("1", "half", "nan", "formula", "ends_all"):
            out["no_list"] = "0"
        carried = "previous" in (out.get("no_hit"), out["no_list"])  # who raises depends on who comes before
        if metric.vanishes(out) and out["undefined"] == "0" and not carried:
            out["users"] = {"all": "truth", "predictions": "both"}.get(out["users"], out["users"])
            out["undefined"] = "skip"
        for edge in {"no_hit", "no_negatives"} & set(out):
            if out[edge] not in ("skip", "error", "previous"):
                out[edge] = "0"
        plain = {"skip", "formula", "error"} | ({"0"} if metric.proportional else set())
        conventional = out.get("no_hit", "0") in ("0", "skip", "error") or not metric.zero_by_convention(out)
        settled = conventional and out["undefined"] in plain and out["no_list"] in plain | {"0"}
        if metric.same_denominator(out) and settled:
            out["pooling"] = "user"
    return out


def _simplify_one(values: Mapping[str, str]) -> dict[str, str]:
    """One ranking of all rows is one user, so that there is no mean to choose. Where only users with relevant items
    are in it, it is defined; where only users with recommendations are, it has a list."""
    out = {**values, "weight": "none", "mean": "arithmetic"}
    if "scope" in out or "over" in out:
        out["pooling"] = "user"
    if out["users"] in ("truth", "both", "one_relevant") and out["undefined"] != "error":
        out["undefined"] = "skip"
    if out["users"] in ("both", "predictions"):
        out["no_list"] = "0"
    # Nobody else's value ends, and there is none to carry over; the mean over nobody is NaN. Where ties are averaged,
    # some of their orders may be without a hit, or without a miss above the cut, and others not.
    alone = {"ends_all": "0", "previous": "error", "nan": "skip"}
    by_order = ("no_hit", "no_negatives") if out.get("ties") == "average" else ()
    policies = (edge for edge in ("undefined", "no_hit", "no_list", "no_negatives") if edge not in by_order)
    return out | {edge: alone.get(out[edge], out[edge]) for edge in policies if edge in out}


def _simplify_users(values: dict[str, str]) -> dict[str, str]:
    """A user who is never averaged over needs no policy; a policy ``skip`` is the same as not averaging over that
    user. ``error`` stays: raising is seen whoever is averaged, so who else would be is never seen. A user with
    neither relevant items nor a list is undefined first: ``all`` is ``predictions`` only where those do not act."""
    out = dict(values)
    no_relevant = {"predictions": "both", "all": "truth"}
    if out["undefined"] in ("skip", "error"):
        out["users"] = no_relevant.get(out["users"], out["users"])
    if out["no_list"] == "skip":
        out["users"] = {"truth": "both"}.get(out["users"], out["users"])
    if out["no_list"] == "error":
        out["users"] = {"both": "truth"}.get(out["users"], out["users"])
    if out["users"] not in no_relevant and out["undefined"] != "error":
        out["undefined"] = "skip"
    if out["users"] in ("both", "predictions", "hits") and out["no_list"] != "error":
        out["no_list"] = "0"
    return out


def parse(signature: str) -> Definition:
    """The definition that a signature, short or long, stands for.

    Raises:
        SignatureError: naming position, axis, allowed values and the nearest one.
    """
    head, *pairs = signature.split("|")
    found = re.fullmatch(r"([a-z_]+)(?:@(\w+))?", head)
    if found is None:
        raise SignatureError(signature, 0, f"{head!r} is no metric, with or without @k")
    name, cut = found.groups()
    if name not in METRICS:
        raise SignatureError(signature, 0, f"no metric {name!r}{_nearest(name, METRICS)}")
    metric, position = METRICS[name], len(head) + 1
    values: dict[str, str] = {}
    for pair in pairs:
        axis, value = _pair(signature, position, pair, metric)
        if axis in values:
            raise SignatureError(signature, position, f"axis {axis} stands twice")
        values[axis] = value
        position += len(pair) + 1
    if reason := metric.refusal({**metric.canonical, **values}):
        raise SignatureError(signature, 0, reason)
    return Definition.of(name, values, _cut(signature, cut, metric, values))


def _pair(signature: str, position: int, pair: str, metric: Metric) -> tuple[str, str]:
    name, colon, value = pair.partition(":")
    axes: dict[str, Axis] = {axis.name: axis for axis in metric.all_axes}
    if not colon:
        raise SignatureError(signature, position, f"{pair!r} is not axis:value")
    if name not in axes:
        raise SignatureError(
            signature,
            position,
            f"{metric.name} has no axis {name!r}{_nearest(name, axes)}; it has {', '.join(axes)}",
        )
    if not axes[name].admits(value):
        allowed = ", ".join(axes[name].names) + (" or any number" if axes[name].numeric else "")
        raise SignatureError(
            signature, position + len(name) + 1,
            f"axis {name} has no value {value!r}{_nearest(value, axes[name].names)}; allowed: {allowed}",
        )  # fmt: skip
    return name, value


def _cut(signature: str, cut: str | None, metric: Metric, values: Mapping[str, str]) -> int | str | None:
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
