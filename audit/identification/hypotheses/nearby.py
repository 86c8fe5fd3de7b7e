"""Looks for definitions near the known ones: where none fits, one that differs from one on few axes may."""

from __future__ import annotations

from collections.abc import Iterable

from audit.identification.hypotheses.pool_answers import PoolAnswers, contradicted_answers
from audit.identification.hypotheses.rivals import one_axis_away
from audit.libraries.function import Function
from reference.definitions.definition import Definition

_KEPT = 3
"""So many definitions, those that the fewest answers contradict, are changed further."""
_STEPS = 4
"""A definition is changed on so many axes at most."""


def nearby_definitions(known: Iterable[Definition], function: Function, answers: PoolAnswers) -> list[Definition]:
    """Change known definitions axis by axis, as long as fewer answers contradict them, until none does.

    An axis that the contract or the adapter decides is changed too: a pin does not tell how it was decided.

    Args:
        known: The known definitions, under the contract of the function.
        function: The function.
        answers: Its answers.

    Returns:
        All definitions of the last change that no answer contradicts; none if no change helps any more.
    """
    hidden = {axis for each in known for axis in answers.hidden_axes(each)}
    fixed = frozenset({*function.takes.fixed_values, *hidden})
    nearest = sorted((contradicted_answers(each, answers), len(each.differs_on), str(each)) for each in known)
    by_name = {str(each): each for each in known}
    for _ in range(_STEPS):
        if not nearest or nearest[0][0] == 0:
            break
        least = nearest[0][0]
        changed = (one for _, _, name in nearest[:_KEPT] for one in one_axis_away(by_name[name], fixed))
        by_name = {str(each): each for each in changed if function.cutoff or each.k is None}
        counted = ((contradicted_answers(each, answers), len(each.differs_on), name) for name, each in by_name.items())
        nearest = sorted(each for each in counted if each[0] < least)
    return [by_name[name] for count, _, name in nearest if count == 0]
