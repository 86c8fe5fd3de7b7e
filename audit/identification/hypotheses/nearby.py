"""Looks for definitions near the known ones: where none fits, one that differs from one on few axes may."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from audit.identification.formula_stage import shows_a_formula
from audit.identification.hypotheses.pool_answers import PoolAnswers, contradicted_answers
from audit.identification.hypotheses.rivals import one_axis_away
from audit.libraries.function import Function
from reference.definitions.definition import Definition

_KEPT = 3
"""Of so many definitions, those that the fewest answers contradict, axes are changed."""
_STEPS = 4
"""A definition is changed on so many axes at most."""
_WITHOUT_RULE = (("ties",), ("duplicates",), ("truth_duplicates",), ("ties", "duplicates"))
"""The axes on which a function may follow no rule, in the order in which that is tried."""


def nearby_definitions(known: Iterable[Definition], function: Function, answers: PoolAnswers) -> list[Definition]:
    """Change known definitions axis by axis, as long as fewer answers contradict them, until none does.

    An axis that the contract or the adapter decides is changed too: a pin does not tell how it was decided. Where no
    change helps, they are tried without a rule for ties or repeats.

    Args:
        known: The known definitions, under the contract of the function.
        function: The function.
        answers: Its answers.

    Returns:
        All definitions of the last change that no answer contradicts; none if there is none.
    """
    if not shows_a_formula(answers.initial, answers.tolerance):
        return []  # of a function that gives 0 and 1 nearly everything fits a few answers
    hidden = {axis for each in known for axis in answers.hidden_axes(each)}
    fixed = frozenset({*function.takes.fixed_values, *hidden})
    best = _least_contradicted(known, answers)
    for _ in range(_STEPS):
        if not best or best[0][0] == 0:
            break
        least = best[0][0]
        changed = dict.fromkeys(made for _, each in best for made in one_axis_away(each, fixed))
        further = _least_contradicted((each for each in changed if function.cutoff or each.k is None), answers)
        if not further or further[0][0] >= least:
            return _without_rule([each for _, each in best], function, answers)
        best = further
    found = list(dict.fromkeys(each.simplified() for count, each in best if count == 0))
    return list(dict.fromkeys((*_plainer(found, fixed, answers), *found))) if found else []


def _plainer(found: Sequence[Definition], fixed: frozenset[str], answers: PoolAnswers) -> list[Definition]:
    """Return what fits as well as the first definition found and differs from the canonical one on fewer axes.

    Another path may lead to what is equal on all that was asked: one axis is canonical again, and another moves.
    """
    first, canonical = found[0], found[0].family.canonical
    moved = [name for name in first.differs_on if name not in fixed]
    tried = (
        each
        for name in moved
        for each in one_axis_away(first.with_(**{name: canonical[name]}), fixed)
        if len(each.differs_on) <= len(first.differs_on) and (each.k is None or first.k is not None)
    )
    fitting = (each.simplified() for each in dict.fromkeys(tried) if contradicted_answers(each, answers) == 0)
    return [each for each in fitting if len(each.differs_on) < len(first.differs_on)]


def _least_contradicted(definitions: Iterable[Definition], answers: PoolAnswers) -> list[tuple[int, Definition]]:
    """Return the definitions that no answer contradicts, or else those that the fewest do, with how many do."""
    counted = [(contradicted_answers(each, answers), each) for each in definitions]
    counted.sort(key=lambda pair: (pair[0], len(pair[1].differs_on), str(pair[1])))
    fitting = sum(count == 0 for count, _ in counted)
    return counted[: fitting or _KEPT]


def _without_rule(
    definitions: Sequence[Definition], function: Function, answers: PoolAnswers
) -> list[Definition]:  # fmt: skip
    """Return the definitions that fit if they say nothing of ties, of repeats, or of neither."""
    for axes in _WITHOUT_RULE:
        open_ = [each for each in definitions if set(axes) <= each.axes.keys() and not {*axes} & {*function.ruled_out}]
        made = dict.fromkeys(each.with_(**dict.fromkeys(axes, "other")) for each in open_)
        if found := [each for each in made if contradicted_answers(each, answers) == 0]:
            return found
    return []
