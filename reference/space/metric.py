"""A metric: one formula with its axes and its provable properties, as a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Literal

from reference.space import averaging, edges, input_axes
from reference.space.averaged_users import asks_for
from reference.space.axis import Axis
from reference.space.lists import Floats, Ints, Lists, Ratio

Values = Mapping[str, str]
Formula = Callable[..., Ratio]
Reads = Literal["relevance", "lists", "items"]
"""Says what a formula reads: the places of relevant items, the items of each list, or the items of all lists."""


def _unchanged(values: dict[str, str]) -> dict[str, str]:
    return values


def _none(values: Values) -> str | None:
    return None


def is_cut(values: Values) -> bool:
    """Return True if hits count down to some rank only."""
    return values.get("cutoff", "k") not in ("none", "hits_uncut")


def merge_uncut_sets(values: dict[str, str]) -> dict[str, str]:
    """Drop the order axes of a set metric if no list is cut: the whole list is the set, however it is ordered.

    The ranking still matters if it decides which copy of a repeated item stays.
    """
    if is_cut(values) or "ties" not in values:
        return values
    whole = {"ties": "given"} | ({"order": "score"} if values["duplicates"] == "counted" else {})
    return {**values, **whole} | ({"positions": "list"} if "positions" in values else {})


def _never(values: Values) -> bool:
    return False


def _no_edges(values: Values) -> frozenset[str]:
    return frozenset()


def _always_true(values: Values) -> bool:
    return True


def has_single_relevant(values: Values) -> bool:
    """Return True if all averaged users have one relevant item at most."""
    return values.get("truth") == "first" or values.get("users") == "one_relevant"


def is_single_mean(values: Values) -> bool:
    """Return True if min(k, r) and r are 1 for every user in the mean.

    That is so if users have one relevant item at most, k is at least 1, the mean is over users with relevant items,
    and no edge policy evaluates the formula.
    """
    usual = values.get("cutoff", "k") != "k_minus_1" and "formula" not in (values["undefined"], values["no_list"])
    return has_single_relevant(values) and usual and asks_for(values["users"], "relevant")


def is_single_formula(values: Values) -> bool:
    """Return True if min(k, r) and r are 1 wherever the formula decides a user's value.

    If only the first truth row is used, a user without relevant items is at an edge whoever is averaged over.
    """
    first = values.get("truth") == "first" and values["pooling"] != "pooled"
    return is_single_mean({**values, "users": "truth"} if first else values)


def averaging_ignores_r(values: Values) -> bool:
    """Return True if averaging uses the number of relevant items only to tell whether it is 0."""
    return values.get("weight") != "relevant" and values.get("users") != "one_relevant"


@dataclass(frozen=True)
class Metric:
    """One metric: its name, its formula with the axes that act on it, and what is proved of it.

    What it is:

    * ``name`` in signatures, ``title``, ``axes`` of the formula, ``why_canonical``;
    * ``formula(lists, **values)``: a :class:`~reference.space.lists.Ratio` per list, from the values of ``axes``;
    * ``inert``: names of shared axes that do not act; ``inputs``: order and input axes of this metric only;
    * ``canonical_overrides``: canonical values that differ from the first values of the axes;
    * ``simplify``: rewrites values to provably equal ones (the argument stands where it is defined);
    * ``refuse``: why a combination of values is meaningless, or None;
    * ``uses_k``: whether a cut-off acts;
    * ``stacked``: the axis and value under which all rows of all users are one ranking;
    * ``across_users``: the formula axes that act on several users at once;
    * ``operands``, ``combine``: under ``of:means``, the two ratios that are averaged first, and the number made of the
      two means (NaN is the mean over nobody);
    * ``reads``: what the formula reads. Unless it is ``relevance``, the formula is given
      :class:`~reference.space.shown_items.ShownItems`, returns a ratio for each user (``lists``) or for each case
      (``items``), and has no shared axes but those in ``inputs``;
    * ``terms(shown, **values)``: what each row shown adds to the numerator, if a worked example is to show it;
    * ``negatives(lists, **values)``: number of irrelevant items of a list, if the formula needs some;
    * ``hits(lists, **values)``: number of hits, if they are not those within the cut-off;
    * ``lists_as_given``: whether a user has a list is asked of the rows given: the formula selects candidates.

    What is proved of it, used to find equal definitions (functions take the values of a definition):

    * ``same_denominator``: every user has one and the same denominator;
    * ``proportional``: without a hit the numerator is 0;
    * ``zero_by_convention``: without a hit the value is 0 by convention only, so that a policy can replace it;
    * ``reads_r``: the number of relevant items acts; ``reads_k``: the cut-off acts beyond how deep hits count;
    * ``vanishes``: without relevant items numerator and denominator are 0;
    * ``has_denominator``: a user with relevant items, a list and irrelevant items has a denominator above 0, whatever
      the list, provided that k is above 0;
    * ``empty_list_policy``, ``no_relevant_policy``: the constant that the formula always gives for an empty list, and
      for a user without relevant items, as the name of a policy (k at least 1); None if there is none;
    * ``k_divides``: if it reads k, it divides by 0 at a k of 0; ``r_divides``: r keeps the denominator above 0 whatever
      k is; ``over_r``: the denominator is r;
    * ``unsigned``: no value is below 0, whatever the gains; ``zero_one``: every value is 0 or 1;
    * ``hits_divide``: the denominator is 0 exactly when there is no hit; ``needs_hit``: it is 0 without a hit;
    * ``adds_nothing``: the edges at which numerator and denominator are 0;
    * ``irrelevant_is_defined``: a user with a list and no relevant item has a number.
    """

    name: str
    title: str
    axes: tuple[Axis, ...]
    formula: Formula
    why_canonical: str
    inert: frozenset[str] = frozenset()
    canonical_overrides: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[Axis, ...] = ()
    reads: Reads = "relevance"
    terms: Callable[..., Floats] | None = None
    simplify: Callable[[dict[str, str]], dict[str, str]] = _unchanged
    refuse: Callable[[Values], str | None] = _none
    uses_k: Callable[[Values], bool] = _always_true
    stacked: tuple[str, str] | None = None
    across_users: tuple[str, ...] = ()
    operands: Callable[..., tuple[Ratio, Ratio]] | None = None
    combine: Callable[[Floats, Floats, Values], Floats] | None = None
    negatives: Callable[..., Ints] | None = None
    hits: Callable[..., Ints] | None = None
    lists_as_given: bool = False
    same_denominator: Callable[[Values], bool] = _never
    proportional: Callable[[Values], bool] = _always_true
    zero_by_convention: Callable[[Values], bool] = _never
    reads_r: Callable[[Values], bool] = _always_true
    reads_k: Callable[[Values], bool] = _always_true
    vanishes: Callable[[Values], bool] = _never
    has_denominator: Callable[[Values], bool] = _never
    empty_list_policy: Callable[[Values], str | None] = _none
    no_relevant_policy: Callable[[Values], str | None] = _none
    k_divides: bool = False
    r_divides: Callable[[Values], bool] = _never
    over_r: Callable[[Values], bool] = _never
    unsigned: Callable[[Values], bool] = _never
    hits_divide: Callable[[Values], bool] = _never
    needs_hit: Callable[[Values], bool] = _never
    adds_nothing: Callable[[Values], frozenset[str]] = _no_edges
    irrelevant_is_defined: Callable[[Values], bool] = _never
    zero_one: Callable[[Values], bool] = _never

    @cached_property
    def all_axes(self) -> tuple[Axis, ...]:
        """The formula, averaging, edge and order axes that can act, in the order of signatures."""
        if self.reads != "relevance":
            return (*self.axes, *self.inputs)
        shared = (*averaging.AXES, *edges.AXES, averaging.NOBODY, *input_axes.AXES)
        return (*self.axes, *(axis for axis in shared if axis.name not in self.inert), *self.inputs)

    def axis(self, name: str) -> Axis:
        """Return the axis of that name.

        Raises:
            KeyError: if it cannot act on this metric.
        """
        for axis in self.all_axes:
            if axis.name == name:
                return axis
        raise KeyError(name)

    def hit_count(self, lists: Lists, values: Values) -> Ints:
        """Count the hits of each list as this formula counts them."""
        if self.hits is None:
            return lists.hits.count
        return self.hits(lists, **{axis.name: values[axis.name] for axis in self.axes})

    def list_rows(self, lists: Lists) -> Ints:
        """Count the rows of each list that tell whether a user has one."""
        return lists.given if self.lists_as_given else lists.length

    def refusal(self, values: Values) -> str | None:
        """Return why a combination of values is meaningless, or None; rules of the metric come before shared ones."""
        return self.refuse(values) or (_refuse_shared(self, values) if self.reads == "relevance" else None)

    @cached_property
    def canonical(self) -> Mapping[str, str]:
        """Every axis with its canonical value."""
        return MappingProxyType(
            {axis.name: self.canonical_overrides.get(axis.name, axis.canonical) for axis in self.all_axes}
        )

    def points(self) -> list[dict[str, str]]:
        """List all meaningful combinations of formula axes, provably equal ones merged.

        Axes that act on several users at once (``across_users``) have their canonical value, since they belong to the
        step from users to the mean.
        """
        names = [axis.name for axis in self.axes]
        choices = [(self.canonical[axis.name],) if axis.name in self.across_users else axis.names for axis in self.axes]
        seen: dict[tuple[str, ...], dict[str, str]] = {}
        for chosen in product(*choices):
            values = dict(zip(names, chosen, strict=True))
            if self.refusal({**self.canonical, **values}) is None:
                simple = self.simplify(values)
                seen.setdefault(tuple(simple[name] for name in names), simple)
        return list(seen.values())


def is_stacked(metric: Metric, values: Values) -> bool:
    """Return True if all rows of all users are one ranking, or make one value together."""
    one_ranking = metric.stacked is not None and values[metric.stacked[0]] == metric.stacked[1]
    return one_ranking or metric.reads == "items"


def _refuse_shared(metric: Metric, values: Values) -> str | None:
    """Return why a combination of shared axes is meaningless, or None."""
    cutoff = values.get("cutoff", "k")
    if cutoff not in input_axes.CUTOFF.names and not (float(cutoff).is_integer() and float(cutoff) >= 1):
        return f"a cut-off is a whole number of rows, not {cutoff}"
    if values["weight"] == "listed" and values.get("unlisted") != "dropped":
        return "weight:listed weighs by the relevant items that count where those of no list do not"
    if values.get("positions") == "negatives_only" and (reason := refuse_all_relevant(values)):
        return f"positions:negatives_only counts irrelevant items above, and {reason}"
    if not is_stacked(metric, values):
        return None
    if values.get("ties", "given").startswith("text"):
        return "ties by text ask for an item's name, which a pair of user and item in one ranking of all rows has not"
    if values["users"] == "hits":
        return "users:hits asks who has a hit in a list of their own, and all rows are one ranking"
    return None


def merge_pair_sums(values: dict[str, str]) -> dict[str, str]:
    """Merge definitions that sum over pairs of a relevant and an irrelevant item and differ in users without pairs."""
    if values.get("pooling") != "pooled" or "previous" in (values.get("no_hit"), values["no_list"]):
        return values  # a carried-over value shows who came before
    # A user without an irrelevant item or without a list adds nothing to a ratio of sums, left out or not.
    canonical = {"no_list": "0", "no_negatives": "skip"}
    out = values | {edge: canonical[edge] for edge in canonical if values[edge] in ("0", "skip")}
    return out | ({"users": "truth"} if out["users"] == "both" and out["no_list"] == "0" else {})


def averaging_ignores_length(values: Values) -> bool:
    """Return True if averaging and edges do not use the length of a list (which is also k, without a cut-off)."""
    return values.get("weight") != "list_length" and values.get("no_hit") != "1/k"


def refuse_all_relevant(values: Values) -> str | None:
    """Return why the values are meaningless for a metric that needs irrelevant items, or None.

    They are if all ranked items are relevant by definition.
    """
    wanted = {"candidates": "test_only", "relevance": "every_row", "truth": "all", "counted_scores": "any"}
    if any(values.get(name, value) != value for name, value in wanted.items()):
        return None
    return "candidates:test_only ranks what the truth holds, and with relevance:every_row all of that is relevant"


def refuse_shared_ranks(values: Values) -> str | None:
    """Return why the values are meaningless for a formula that reads which irrelevant rows are among the first k.

    If tied rows share a rank, any number of rows may be down to rank k.
    """
    return "ties:shared leaves no first k rows, which this formula asks for" if values.get("ties") == "shared" else None


def merge_rated_only(values: dict[str, str]) -> dict[str, str]:
    """Drop ``candidates:test_only``, where that is equal, for a metric that reads only scores with a true rating.

    Rows without a rating matter only in that they make a list non-empty, which changes nothing if a list without a
    rated row is treated like an empty one.
    """
    if values.get("candidates") != "test_only" or not averaging_ignores_length(values):
        return values
    empty, nothing = ("nan" if values[edge] == "formula" else values[edge] for edge in ("no_list", "no_hit"))
    return {**values, "candidates": "all"} if empty == nothing and values["users"] in ("truth", "all") else values


SET_AXES = frozenset({"positions", "no_negatives"})
"""The axes that do not act on metrics that only count the hits among a list's first rows."""
