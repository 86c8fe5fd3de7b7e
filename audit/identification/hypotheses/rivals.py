"""Lists the rivals of a hypothesis, and says on which axes those differ that no input tells from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.canonical import canonical_on
from recsys_metric_audit.audit.questions.threshold_cases import has_own_threshold
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import takes_one_ranking
from recsys_metric_audit.reference.space.averaging import NOBODY, USERS
from recsys_metric_audit.reference.space.axis import Axis
from recsys_metric_audit.reference.space.edges import AXES as EDGES
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reference.space.user_outcomes import Outcomes, also_asking, edge_apart, outcomes, states_apart

AreEqual = Callable[[Definition, Definition], bool]
"""Tells whether two definitions give the same on every input that can be asked."""
CONSTANT_THRESHOLDS = ("0.5", "1", "2", "4")
"""The constants that are tried as thresholds of relevance, beside the rules that have a name."""
_LEFT_OUT_BY_USERS = frozenset({"undefined", "no_list"})
"""The edges at which a user may be left out by who is averaged over."""
_EDGES = frozenset(axis.name for axis in EDGES)
_COUNTING = _EDGES | {USERS.name}
"""The axes that together say what becomes of the users in each state."""
NOT_ON_PLAIN_INPUT = _EDGES | {"ties", "tied_scores", "duplicates", "truth_duplicates"}
"""The axes that do not act where nobody is at an edge, and nothing ties or repeats."""


@lru_cache(maxsize=5_000)
def one_axis_away(hypothesis: Definition, fixed: frozenset[str]) -> tuple[Definition, ...]:
    """Return the definitions with another value on one axis, or with other averaged users and another edge.

    A weighted mean comes with each weight and each mean. Two axes also move together where one becomes canonical, and
    the other becomes so too or is the rule of relevance. Of definitions that say one thing of the users in every state
    there is one.

    Args:
        hypothesis: The definition.
        fixed: Axes that stay as they are.
    """
    values = {axis.name: _values(axis) for axis in hypothesis.family.all_axes if axis.name in hypothesis.axes}
    read_apart = {NOBODY.name} if hypothesis.family.reads == "relevance" else set()
    free = [name for name in values if name not in fixed and name not in read_apart]
    moves = [{name: value} for name in free for value in values[name]]
    # Who is averaged and as what the others count are told by the same users: one can hide the other, also where the
    # adapter decides who is averaged.
    policies = {name: values[name] for name in free if name in _EDGES and name != "no_negatives"}
    moves += _moves_of_counting(values.get(USERS.name, ()), policies)
    if {"pooling", "weight"} <= {*free}:
        weighted = [{"pooling": "weighted", "weight": weight} for weight in hypothesis.family.axis("weight").names]
        moves += weighted
        moves += [{**each, "mean": mean} for each in weighted for mean in values["mean"] if "mean" in free]
    moves += _moves_of_listed_truth(hypothesis)
    # If all ratios have one denominator, the ratio of sums is the mean of ratios, but for terms that are carried over.
    if {"pooling", "no_list"} <= {*free} and "previous" in values["no_list"]:
        moves.append({"pooling": "pooled", "no_list": "previous"})
    # Another rule of relevance may leave the formula with less that is unusual, on all gains that can be asked.
    canonical = hypothesis.family.canonical
    moves += [
        {"relevance": rule, name: canonical[name]}
        for name in hypothesis.differs_on
        if "relevance" in free and name in free and name != "relevance"
        for rule in values["relevance"]
    ]
    moved = [name for name in hypothesis.differs_on if name in free]
    moves += [{one: canonical[one], other: canonical[other]} for one, other in combinations(moved, 2)]
    return tuple(each for each in _of_other_meaning(hypothesis, moves) if not _weighs_no_mean(each, hypothesis))


def _of_other_meaning(hypothesis: Definition, moves: Iterable[Mapping[str, str]]) -> tuple[Definition, ...]:
    """Return one definition for each meaning that some moves lead to, but for that of the hypothesis."""
    made = (hypothesis.with_(**move) for move in moves)
    first: dict[object, Definition] = {_meaning(hypothesis): hypothesis}
    for each in made:
        if each.family.refusal(each.axes) is None:
            first.setdefault(_meaning(each), each)
    return tuple(first.values())[1:]


def _meaning(definition: Definition) -> object:
    """Return what is equal for two definitions that differ in how they spell what becomes of the users in each state.

    Beyond accuracy nothing is spelled in two ways.
    """
    if definition.family.reads != "relevance":
        return definition
    counting = {USERS.name} if takes_one_ranking(definition) else _COUNTING
    others = tuple(pair for pair in definition.values if pair[0] not in counting)
    return definition.k, _outcomes(definition), others


def _outcomes(definition: Definition) -> Outcomes:
    """Return what becomes of the users in each state."""
    return outcomes(definition.axes, one_ranking=takes_one_ranking(definition))


def _edge_apart(one: Definition, other: Definition) -> str:
    """Return the edge at which alone two definitions differ that differ in who counts; empty if there are several."""
    states = states_apart(_outcomes(one), _outcomes(other))
    edges = {edge_apart(states)} if states else set[str]()
    edges |= differing_axes(one, other) & _EDGES if takes_one_ranking(one) else set()
    return edges.pop() if len(edges) == 1 else ""


def _moves_of_counting(averaged: Collection[str], policies: Mapping[str, Collection[str]]) -> list[dict[str, str]]:
    """Return the moves to each choice of averaged users with each policy of one of some edges."""
    return [{USERS.name: users, edge: each} for edge, own in policies.items() for users in averaged for each in own]


def _weighs_no_mean(rival: Definition, hypothesis: Definition) -> bool:
    """Return True for a rival with other weights that cannot act, since its mean is not weighted."""
    values = rival.axes
    other = values.get("weight", "none") not in ("none", hypothesis.axes.get("weight"))
    return other and values["pooling"] != "weighted"


def _moves_of_listed_truth(hypothesis: Definition) -> list[dict[str, str]]:
    """Return moves to a truth of listed items alone, beside what that makes of the users' states."""
    values, canonical = hypothesis.axes, hypothesis.family.canonical
    moves = list[dict[str, str]]()
    if values.get("truth") == "listed" and "users" in values:
        # Whoever has a list and a relevant item may be averaged instead.
        moves.append({"truth": canonical["truth"], "users": also_asking(values["users"], "listed")})
        # So may a policy for users without a list, of whose truth no item is listed.
        if "no_list" in values:
            policies = hypothesis.family.axis("no_list").names
            moves += [{"truth": canonical["truth"], "no_list": policy} for policy in policies]
    if "truth" not in values or values["truth"] != canonical["truth"]:
        return moves
    if values.get("unlisted") == "dropped":
        # To drop relevant items from the formula, or from the truth before, differs where copies count in r.
        moves.append({"unlisted": canonical["unlisted"], "truth": "listed"})
    states = [name for name in ("no_hit", "no_list") if name in values]
    if states and "undefined" in values and {values[name] for name in states} == {values["undefined"]}:
        # One policy of three states may be that of users without a listed relevant item.
        moves.append({"truth": "listed", **{name: canonical[name] for name in states}})
    return moves


def _values(axis: Axis) -> tuple[str, ...]:
    """Return the values of an axis that a rival may have; of constant thresholds some stand for all."""
    constants = CONSTANT_THRESHOLDS if axis.name == "relevance" and axis.numeric is not None else ()
    return (*(value for value in axis.names if value not in WITHOUT_RULE), *constants)


def rivals(hypothesis: Definition, function: Function, hidden: Collection[str] = ()) -> tuple[Definition, ...]:
    """Return the definitions one axis away, on an axis that the contract of a function leaves open.

    For a function without a cut-off, only those that need none are returned.
    """
    made = one_axis_away(hypothesis, frozenset({*function.ruled_out, *function.takes.fixed_values, *hidden}))
    return tuple(each for each in made if can_be_cut(each, function))


def can_be_cut(definition: Definition, function: Function) -> bool:
    """Return True if a function can be told what the definition is to be told of a cut-off."""
    whole = definition.axes.get("cutoff", "none") == "none" and reads_whole_list(definition)
    return function.cutoff or (definition.k is None and whole)


def reads_whole_list(definition: Definition) -> bool:
    """Return False for an AUC of the first k: without a k it is that of the whole list, told in another way."""
    return definition.axes.get("list", "full") == "full"


def canonical_where_unknown(definition: Definition, unknown: Collection[str]) -> Definition:
    """Return a definition that is canonical on what no input shows: the policy of an edge, and who is averaged.

    Beyond accuracy it is so on all of it, and on the rules for rows.
    """
    made = definition
    if made.family.reads != "relevance":
        return shortest(canonical_on(made, unknown))
    for axis in (axis for axis in made.family.all_axes if axis.name in unknown and axis.part in ("edges", "order")):
        made = canonical_on(made, [axis.name])
        if axis.name in _COUNTING:
            made = _canonical_at(made, axis.name)
    return shortest(made)


def _canonical_at(definition: Definition, edge: str) -> Definition:
    """Return the definition under which the users at an edge have the canonical outcome, as far as there is one."""
    canonical = outcomes(definition.family.canonical, one_ranking=takes_one_ranking(definition))

    def left(other: Definition) -> int:
        return sum(state.edge == edge for state in states_apart(_outcomes(other), canonical))

    others = (other for other, apart in with_other_edges(definition) if apart == edge)
    return min((definition, *others), key=lambda other: (left(other), other.remoteness))


def inseparable(
    hypothesis: Definition, rivals_left: Sequence[Definition], ruled_out: Collection[str], equal: AreEqual
) -> tuple[tuple[str, ...], tuple[Definition, ...]]:
    """Return the axes, and the other formulas, on which rivals that nothing tells apart differ from a hypothesis.

    Most of these axes are edges. Who is averaged differs with an edge where the rival is equal to one of another
    policy: users in the state of the edge are left out either by its policy or by who is averaged.

    Args:
        hypothesis: The hypothesis.
        rivals_left: The rivals.
        ruled_out: Axes that the contract or the adapter decides: how rivals differ there is not told.
        equal: Whether two definitions are equal on every input that can be asked.
    """
    if hypothesis.family.reads != "relevance":
        return _inseparable_of_items(hypothesis, rivals_left, ruled_out)
    by_edge = {each: _edge_that_differs(hypothesis, each) for each in rivals_left}
    of_formula = {axis.name for axis in hypothesis.family.all_axes if axis.part == "formula"}
    # Which truth is taken shows on unlisted items alone, and they cannot be asked; a threshold of the function's own is
    # asked for when all else is known.
    free, unknown = {"truth", *ruled_out}, set[str]()
    free |= {"relevance"} if has_own_threshold(hypothesis) else set()
    beside = [each for each in rivals_left if each.metric != hypothesis.metric]
    moved = {each: differing_axes(each, hypothesis) for each in rivals_left if each.metric == hypothesis.metric}
    for each, axes in moved.items():
        if edge := by_edge[each]:
            unknown.add(edge)
        elif len(axes - free) == 1 and axes - free <= of_formula:
            beside.append(each)
        elif len(axes - free) == 1:
            unknown |= axes - free - {"users"}
    free |= unknown.union(*(moved.get(each, ()) for each in beside))
    free |= {"users"} if unknown & _LEFT_OUT_BY_USERS else set()
    of_order = {axis.name for axis in hypothesis.family.all_axes if axis.part == "order"}
    for each, axes in moved.items():
        if axes & unknown or axes <= free or by_edge[each]:
            continue
        seen = {axis for axis in axes - free if not equal(each, each.with_(**{axis: hypothesis.axes[axis]}))}
        idle = (equal(hypothesis, hypothesis.with_(**{axis: each.axes[axis]})) for axis in seen)
        if axes & free and seen and all(idle):
            continue  # what is idle under the hypothesis acts only where another axis does, which is not known
        if seen & of_formula:
            beside.append(each)
        else:
            # Another policy is less than another value for every user; beside another formula, axes of the order may
            # make no difference on what can be asked.
            unknown |= seen & _EDGES or seen or (axes - free) & of_order
    return tuple(axis.name for axis in hypothesis.family.all_axes if axis.name in unknown), tuple(beside)


def _inseparable_of_items(
    hypothesis: Definition, rivals_left: Sequence[Definition], ruled_out: Collection[str]
) -> tuple[tuple[str, ...], tuple[Definition, ...]]:
    """Return the axes, and the other formulas, that no input tells apart beyond accuracy, where each axis is shown."""
    unknown, beside = set[str](), list[Definition]()
    for each in rivals_left:
        moved = differing_axes(each, hypothesis) - {*ruled_out}
        if each.metric != hypothesis.metric or any(level_of(axis) == "formula" for axis in moved):
            beside.append(each)
        else:
            unknown |= moved
    return tuple(axis.name for axis in hypothesis.family.all_axes if axis.name in unknown), tuple(beside)


def _edge_that_differs(hypothesis: Definition, rival: Definition) -> str:
    """Return the edge at which alone users have another outcome under a rival; empty if there is none."""
    if differing_axes(hypothesis, rival) <= _COUNTING:
        return _edge_apart(hypothesis, rival)
    return next((edge for each, edge in with_other_edges(hypothesis) if are_equal(each, rival)), "")


@lru_cache(maxsize=500)
def with_other_edges(hypothesis: Definition) -> tuple[tuple[Definition, str], ...]:
    """Return the definitions under which the users at one edge alone have another outcome, each with the edge.

    Beyond accuracy there is none: an axis has its users to itself.
    """
    family = hypothesis.family
    if family.reads != "relevance":
        return ()
    policies = {axis.name: axis.names for axis in family.all_axes if axis.name in _EDGES}
    others = _of_other_meaning(hypothesis, _moves_of_counting(family.axis(USERS.name).names, policies))
    return tuple((each, edge) for each in others if (edge := _edge_apart(hypothesis, each)))


def differing_axes(one: Definition, other: Definition) -> frozenset[str]:
    """Return the axes on which two definitions differ."""
    return frozenset(name for name, value in one.axes.items() if other.axes.get(name) != value)
