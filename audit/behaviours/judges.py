"""From answers to a named behaviour: pure functions of what was heard, one a kind of question.

Every judge takes a :class:`~audit.behaviours.readings.View` and returns a ``Behaviour``; what the names mean is said in
:mod:`reports.tables.behaviour_matrix`. Numbers and the library's own words stand in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isinf, isnan

from audit.behaviours.readings import Heard, Reading, Refused, View, as_before
from reports.model.result import Behaviour

Judge = Callable[[View], Behaviour]


WITH_OTHERS = "asked together with other changes"


def _words(heard: Heard) -> str:
    return "not asked" if heard is None else str(heard) if isinstance(heard, Reading) else heard.words


def lost(base: Heard, changed: Heard) -> Behaviour | None:
    """What is said where one of both gave no value; None where both did."""
    if base is None or changed is None:
        return Behaviour(name="not_asked")
    if isinstance(base, Refused):
        if isinstance(changed, Refused) and changed.how == base.how:
            return Behaviour(name="not_askable", text=f"without the change, too: {base.words}")
        return Behaviour(name="not_askable", text=f"refused even without the change: {base.words}")
    if isinstance(changed, Refused):
        name = "not_askable" if changed.how == "not_offered" else changed.how
        return Behaviour(name=name, text=changed.words)
    return None


def invariance(base: str, changed: str, *, renamed: bool = False) -> Judge:
    """Whether a change leaves the answer as it was; with ``renamed`` users are matched by their old ids."""

    def judge(view: View) -> Behaviour:
        before, after = view.at(base), view.at(changed)
        if said := lost(before, after):
            return said
        after = as_before(after) if renamed else after
        assert isinstance(before, Reading) and isinstance(after, Reading)
        said = moved(view, before, after)
        return said.model_copy(update={"text": WITH_OTHERS}) if view.with_others(changed) else said

    return judge


def moved(view: View, before: Reading, after: Reading) -> Behaviour:
    """``unchanged``, ``nan`` or ``changes`` with both numbers."""
    if view.same(before, after):
        return Behaviour(name="unchanged")
    if after.number is not None and isnan(after.number):
        return Behaviour(name="nan", text=f"{before} becomes nan")
    return Behaviour(name="changes", text=f"{before} becomes {after}")


def value(scene: str) -> Judge:
    """What comes out of one scene: 0, 1, NaN, an infinity, another number, or an error."""

    def judge(view: View) -> Behaviour:
        heard = view.at(scene)
        if said := lost(heard if heard is None else Reading(0.0, None), heard):
            return said
        assert isinstance(heard, Reading)
        if heard.number is None or (heard.mean is None and heard.rows == 0):
            return Behaviour(name="skipped", text="no user has a value")
        return named(heard.number)

    return judge


def named(number: float) -> Behaviour:
    """A number by the name of what it is."""
    if isnan(number):
        return Behaviour(name="nan")
    if isinf(number):
        return Behaviour(name="infinite", text=str(number))
    # A last digit that moves, as in float32 or in a sum in another order, is no other behaviour.
    whole = {0.0: "zero", 1.0: "one"}.get(round(number, 6))
    return Behaviour(name=whole) if whole else Behaviour(name="number", text=f"{number:.6g}")


def missing_user(crowd: str, without: str, user: int, others: int) -> Judge:
    """What one unusual user counts as beside ``others`` ordinary ones, whose answer without that user is known."""

    def judge(view: View) -> Behaviour:
        before, after = view.at(without), view.at(crowd)
        if said := lost(before, after):
            return said
        assert isinstance(before, Reading) and isinstance(after, Reading)
        if before.mean is None or after.mean is None:
            return _own_value(after, user)
        if view.same(Reading(before.mean, None), Reading(after.mean, None)):
            return Behaviour(name="skipped", text=f"the mean stays {after.mean:.6g}")
        text = f"the mean of the others is {before.mean:.6g}, with this user {after.mean:.6g}"
        if isnan(after.mean):
            return Behaviour(name="nan", text=text)
        for name, counts in (("zero", 0.0), ("one", 1.0), ("half", 0.5)):
            expected = (before.mean * others + counts) / (others + 1)
            if view.same(Reading(expected, None), Reading(after.mean, None)):
                return Behaviour(name=name, text=text)
        return Behaviour(name="changes", text=text)

    return judge


def _own_value(after: Reading, user: int) -> Behaviour:
    users = after.users or {}
    if user not in users:
        return Behaviour(name="skipped", text="this user has no value")
    own = named(users[user])
    return with_text(own, f"this user's value is {users[user]:.6g}; there is no mean")


def with_text(behaviour: Behaviour, text: str) -> Behaviour:
    """The same behaviour with another text."""
    return behaviour.model_copy(update={"text": text})


def row_counts(with_row: str, without: str) -> Judge:
    """Whether a row of the truth is left out (the answer is that without it) or counted."""

    def judge(view: View) -> Behaviour:
        before, after = view.at(without), view.at(with_row)
        if said := lost(before, after):
            return said
        assert isinstance(before, Reading) and isinstance(after, Reading)
        if view.same(before, after):
            return Behaviour(name="skipped", text=f"{after} with and without it")
        return with_text(moved(view, before, after), f"{before} without it, {after} with it").model_copy(
            update={"name": "nan" if after.number is not None and isnan(after.number) else "counted"}
        )

    return judge


def alternatives(base: str, changed: str, like: Mapping[str, str], more: str = "changes") -> Judge:
    """Which of several plain cases (scene to name) the changed one is answered like; ``base`` is what it came from.

    Like none of them, and larger than each: ``more``.
    """

    def judge(view: View) -> Behaviour:
        before, after = view.at(base), view.at(changed)
        if said := lost(before, after):
            return said
        assert isinstance(before, Reading) and isinstance(after, Reading)
        told = [(name, view.at(scene)) for scene, name in like.items()]
        fitting = [name for name, other in told if isinstance(other, Reading) and view.same(other, after)]
        if len(fitting) == len(told) and len(told) > 1:
            return Behaviour(name="unchanged", text=f"{after}, whichever way it is read")
        text = f"{after}; " + ", ".join(f"{name} would be {_words(other)}" for name, other in told)
        numbers = [other.number for _, other in told if isinstance(other, Reading) and other.number is not None]
        larger = after.number is not None and all(after.number > number for number in numbers)
        return Behaviour(name=fitting[0] if fitting else more if larger else "changes", text=text)

    return judge
