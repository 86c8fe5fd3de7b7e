"""A metric: one formula with its axes, as a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from types import MappingProxyType

from reference.space import averaging, edges, input_axes
from reference.space.axis import Axis
from reference.space.lists import Floats, Ints, Lists, Ratio

Values = Mapping[str, str]
Formula = Callable[..., Ratio]


def _unchanged(values: dict[str, str]) -> dict[str, str]:
    return values


def _always(values: Values) -> str | None:
    return None


def is_cut(values: Values) -> bool:
    """Whether hits count down to some rank only."""
    return values.get("cutoff", "k") not in ("none", "hits_uncut")


def merge_uncut_sets(values: dict[str, str]) -> dict[str, str]:
    """A set has no order where nothing is cut: all that is listed is in it, whichever order equal scores have and
    whatever a rank counts; and whatever ranks it, unless that says which copy of an item stays."""
    if is_cut(values) or "ties" not in values:
        return values
    whole = {"ties": "given"} | ({"order": "score"} if values["duplicates"] == "counted" else {})
    return {**values, **whole} | ({"positions": "list"} if "positions" in values else {})


def _differing(values: Values) -> bool:
    return False


def _nothing(values: Values) -> frozenset[str]:
    return frozenset()


def _everywhere(values: Values) -> bool:
    return True


def has_single_relevant(values: Values) -> bool:
    """Whether users who are averaged over have one relevant item, or none, in a ranking of their own."""
    return values.get("truth") == "first" or values.get("users") == "one_relevant"


def is_single_mean(values: Values) -> bool:
    """The same, with k at least 1, and a mean over users with relevant items of what no edge takes from the formula:
    there min(k, r) and r are 1."""
    usual = values.get("cutoff", "k") != "k_minus_1" and "formula" not in (values["undefined"], values["no_list"])
    return has_single_relevant(values) and usual and values["users"] in ("truth", "both", "hits", "one_relevant")


def is_single_formula(values: Values) -> bool:
    """The same of each user's formula: where the first truth row is looked at only, whoever has none is at an edge."""
    first = values.get("truth") == "first" and values["pooling"] != "pooled"
    return is_single_mean({**values, "users": "truth"} if first else values)


def averaging_ignores_r(values: Values) -> bool:
    """Whether the averaging does not look at the number of relevant items beyond its being 0."""
    return values.get("weight") != "relevant" and values.get("users") != "one_relevant"


@dataclass(frozen=True)
class Metric:
    """One metric: its name in signatures, its formula axes, and which shared axes can act on it.

    ``formula(lists, **values)`` gives a :class:`~reference.space.lists.Ratio` per list from the values of ``axes``.
    ``simplify`` rewrites values to a provably equal point (the argument stands where it is defined);
    ``refuse`` says why a combination means nothing, or None. ``uses_k`` tells whether a cut-off acts.
    ``negatives(lists, **values)`` counts the irrelevant items of a list where the formula needs some, ``hits(lists,
    **values)`` its hits where they are not those within the cut-off.
    ``across_users`` names the formula axes that act on several users at once. ``stacked`` names the axis and value
    under which all rows are one ranking; ``inputs`` are order and input axes of this metric only; ``operands``
    gives the ratios that are averaged first where ``of:means``, and ``combine`` one number of their means (NaN: of
    nobody). ``same_denominator`` tells where every user's denominator is one and the same number; ``proportional`` that
    without a hit the numerator is 0;
    ``zero_by_convention`` that without a hit the value is 0 by convention only, so that another policy can replace it;
    ``reads_r`` that the number of relevant items acts; ``reads_k`` that the cut-off acts beyond how deep hits count;
    ``vanishes`` that without relevant items both terms are 0; ``has_denominator`` that a user with relevant items,
    rows and
    irrelevant ones has a denominator, whatever the list: k, r and the like are above 0. ``empty_list_policy`` is
    what the formula
    gives for an empty list where it always gives the same, as the policy of that name; ``no_relevant_policy`` the
    same for a
    user without relevant items, both at a k of at least 1; ``k_divides`` that at a k of 0 it divides by 0 where it
    reads k; ``r_divides`` that r keeps what is divided by above 0, whatever k is; ``over_r`` that r is what is divided
    by; ``unsigned`` that no value is below 0, whatever the gains; ``hits_divide`` that what is divided by is 0
    without a hit, and only then, ``needs_hit`` that it is without one, whatever it is with one; ``adds_nothing``
    names the edges in whose states both terms are 0; ``irrelevant_is_defined`` that the formula has a number for a
    user who has a list and no relevant item; ``zero_one`` that no value that it has is another than 0 or 1.
    """

    name: str
    title: str
    axes: tuple[Axis, ...]
    formula: Formula
    why_canonical: str
    inert: frozenset[str] = frozenset()
    canonical_overrides: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[Axis, ...] = ()
    simplify: Callable[[dict[str, str]], dict[str, str]] = _unchanged
    refuse: Callable[[Values], str | None] = _always
    uses_k: Callable[[Values], bool] = _everywhere
    stacked: tuple[str, str] | None = None
    across_users: tuple[str, ...] = ()
    operands: Callable[..., tuple[Ratio, Ratio]] | None = None
    combine: Callable[[Floats, Floats, Values], Floats] | None = None
    negatives: Callable[..., Ints] | None = None
    hits: Callable[..., Ints] | None = None
    same_denominator: Callable[[Values], bool] = _differing
    proportional: bool = True
    zero_by_convention: Callable[[Values], bool] = _differing
    reads_r: Callable[[Values], bool] = _everywhere
    reads_k: Callable[[Values], bool] = _everywhere
    vanishes: Callable[[Values], bool] = _differing
    has_denominator: Callable[[Values], bool] = _differing
    empty_list_policy: Callable[[Values], str | None] = _always
    no_relevant_policy: Callable[[Values], str | None] = _always
    k_divides: bool = False
    r_divides: Callable[[Values], bool] = _differing
    over_r: Callable[[Values], bool] = _differing
    unsigned: Callable[[Values], bool] = _differing
    hits_divide: Callable[[Values], bool] = _differing
    needs_hit: Callable[[Values], bool] = _differing
    adds_nothing: Callable[[Values], frozenset[str]] = _nothing
    irrelevant_is_defined: Callable[[Values], bool] = _differing
    zero_one: Callable[[Values], bool] = _differing

    @cached_property
    def all_axes(self) -> tuple[Axis, ...]:
        """Formula, averaging, edge and order axes that can act, in the order of signatures."""
        shared = (*averaging.AXES, *edges.AXES, *input_axes.AXES)
        return (*self.axes, *(axis for axis in shared if axis.name not in self.inert), *self.inputs)

    def axis(self, name: str) -> Axis:
        """The axis of that name.

        Raises:
            KeyError: if it cannot act on this metric.
        """
        for axis in self.all_axes:
            if axis.name == name:
                return axis
        raise KeyError(name)

    def hit_count(self, lists: Lists, values: Values) -> Ints:
        """The number of hits of each list, as this formula counts them."""
        if self.hits is None:
            return lists.hits.count
        return self.hits(lists, **{axis.name: values[axis.name] for axis in self.axes})

    def refusal(self, values: Values) -> str | None:
        """Why a combination of values means nothing, or None: what the family says, then what holds for all."""
        return self.refuse(values) or _refuse_shared(self, values)

    @cached_property
    def canonical(self) -> Mapping[str, str]:
        """Every axis at its canonical value (``canonical_overrides`` replace the axes' own first values)."""
        return MappingProxyType(
            {axis.name: self.canonical_overrides.get(axis.name, axis.canonical) for axis in self.all_axes}
        )

    def points(self) -> list[dict[str, str]]:
        """All formula points that mean something, provably equal ones merged.

        Axes that act on several users at once (``across_users``) stand at their canonical value: they belong to the
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
    """Whether all rows of all users are one ranking."""
    return metric.stacked is not None and values[metric.stacked[0]] == metric.stacked[1]


def _refuse_shared(metric: Metric, values: Values) -> str | None:
    """Combinations of shared axes that mean nothing."""
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
    """For sums over pairs of a relevant and an irrelevant item: who has no irrelevant one, or no list, adds nothing to
    a ratio of sums, left out or not."""
    if values.get("pooling") != "pooled" or "previous" in (values.get("no_hit"), values["no_list"]):
        return values  # who carries a value over from whom is seen
    out = {**values, **{edge: "0" for edge in ("no_list", "no_negatives") if values[edge] == "skip"}}
    return out | ({"users": "truth"} if out["users"] == "both" and out["no_list"] == "0" else {})


def averaging_ignores_length(values: Values) -> bool:
    """Whether nothing but the formula looks at the length of a list, which without a cut-off is k too."""
    return values.get("weight") != "list_length" and values.get("no_hit") != "1/k"


def refuse_all_relevant(values: Values) -> str | None:
    """Why it means nothing, for what tells relevant items from irrelevant ones, that all ranked ones are relevant."""
    wanted = {"candidates": "test_only", "relevance": "every_row", "truth": "all", "counted_scores": "any"}
    if any(values.get(name, value) != value for name, value in wanted.items()):
        return None
    return "candidates:test_only ranks what the truth holds, and with relevance:every_row all of that is relevant"


def merge_rated_only(values: dict[str, str]) -> dict[str, str]:
    """For what reads pairs of a score and a true rating only: rows without a rating act by being a list, so that it
    does not matter whether they are ranked where a list without a rated row counts as an empty one."""
    if values.get("candidates") != "test_only" or not averaging_ignores_length(values):
        return values
    empty, nothing = ("nan" if values[edge] == "formula" else values[edge] for edge in ("no_list", "no_hit"))
    return {**values, "candidates": "all"} if empty == nothing and values["users"] in ("truth", "all") else values


SET_AXES = frozenset({"positions", "no_negatives"})
"""Axes that do not act on what only counts the hits of a list's first rows."""
