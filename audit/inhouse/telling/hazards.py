"""Hazards of a metric in plain words: what tied scores, repeats, empty lists, missing positives and names do to it.

Each is an experiment on an input of one or two users, told whatever definition was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from recsys_metric_audit.audit.inhouse.shapes import Shape
from recsys_metric_audit.audit.observations.observation import scalar
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.reference.cases.probe import case_from_rows
from recsys_metric_audit.reference.input.case import Case

K = 3
CHANGES = "changes"
"""Names the answer that tells whether a function changes its arguments."""
_RANKED = [(1, 11, 0.9), (1, 14, 0.8), (1, 12, 0.7), (1, 15, 0.6)]
_TRUE = [(1, 14, 4.0), (1, 15, 2.0)]
_LONGER = [*_TRUE, (1, 501, 2.0), (1, 502, 2.0)]
"""More relevant items than k: cut as listed, the other way round it would lose the hit."""
_Rows = list[tuple[int, int, float]]
_OTHER_NAMES = {
    f"renamed {number}": dict(zip((11, 14, 12, 15), names, strict=True))
    for number, names in enumerate(((28, 21, 27, 22), (9, 8, 7, 6), (8, 17, 26, 35), (1003, 90, 517, 41)))
}
"""Other names of the items: in the reverse order, by the remainders that order a small set, and far apart."""


def hazard_cases(shape: Shape) -> dict[str, Case]:
    """Return the inputs that a shape of call holds, by the name of the experiment; asked at k = 3."""
    tied, true = [(user, item, 0.5) for user, item, _ in _RANKED], _TRUE[:1] if shape.one else _TRUE
    ranked = tied if shape.scores else _RANKED
    cases = {
        "tied": case_from_rows("tied", tied, true),
        "tied, turned": case_from_rows("tied, turned", tied[::-1], true),
        "plain": case_from_rows("plain", _RANKED, true),
        "plain, turned": case_from_rows("plain, turned", _RANKED[::-1], true),
        "longer truth": case_from_rows("longer truth", _RANKED, _LONGER),
        "longer truth, turned": case_from_rows("longer truth, turned", _RANKED, _LONGER[::-1]),
        **{name: _renamed(name, names, ranked, true) for name, names in _OTHER_NAMES.items()},
        "twice": case_from_rows("twice", [(1, 11, 0.9), (1, 11, 0.8), (1, 11, 0.7)], [(1, 11, 2.0)]),
        "no list": case_from_rows("no list", [], [(1, 11, 2.0)]),
        "no positive": case_from_rows("no positive", _RANKED, []),
    }
    if shape.users:
        first, second = [(1, 11, 0.9), (1, 12, 0.8)], [(2, 13, 0.9), (2, 14, 0.8)]
        one = case_from_rows("perfect", first, [(1, 11, 2.0)])
        cases["perfect"] = one
        cases["no list"] = case_from_rows("no list", first, [(1, 11, 2.0), (2, 13, 2.0)])
        rows = case_from_rows("no positive", first + second, [(1, 11, 2.0)]).predictions
        cases["no positive"] = replace(one, name="no positive", predictions=rows)
    return {name: case for name, case in cases.items() if _is_held(shape, name, case)}


def _renamed(name: str, names: Mapping[int, int], ranked: _Rows, true: _Rows) -> Case:
    rows, relevant = ([(user, names[item], value) for user, item, value in each] for each in (ranked, true))
    return case_from_rows(name, rows, relevant)


def _is_held(shape: Shape, name: str, case: Case) -> bool:
    if "turned" in name and not shape.scores:
        return name == "longer truth, turned" and shape.holds(case)
    return shape.holds(case)


def hazards(shape: Shape, answers: Mapping[str, Outcome]) -> list[str]:
    """Tell in three sentences what the answers to :func:`hazard_cases` show; in more, what few functions do.

    The answer named :data:`CHANGES` is 1 if the function changes its arguments.
    """
    changes = ["It changes the arguments that it is given."] if scalar(answers.get(CHANGES)) == 1 else []
    return [_ties(shape, answers), _lists(answers), _positives_and_names(shape, answers), *changes]


def _ties(shape: Shape, answers: Mapping[str, Outcome]) -> str:
    if not shape.scores:
        return "A scorer that gives every item one score: not seen by this call, whoever makes the lists decides."
    one, other = (_told(answers.get(name)) for name in ("tied", "tied, turned"))
    if one == other:
        return f"A scorer that gives every item one score gives {one}, with the rows the other way round too."
    return f"A scorer that gives every item one score gives {one} or, with the rows the other way round, {other}."


def _lists(answers: Mapping[str, Outcome]) -> str:
    twice, value = answers.get("twice"), scalar(answers.get("twice"))
    if twice is None:
        repeats = "An item cannot be recommended twice in this call"
    elif value is None or np.isnan(value):
        repeats = f"A relevant item recommended three times gives {_told(twice)}"
    elif value > 1 + 1e-9:
        repeats = f"A relevant item recommended three times lifts the value above 1, to {value:.6g}"
    else:
        repeats = f"A relevant item recommended three times gives {value:.6g}, not more than 1"
    empty = answers.get("no list")
    if empty is None:
        return f"{repeats}; nor can a list be empty." if twice is None else f"{repeats}; no list is empty in this call."
    return f"{repeats}; a user with an empty list {_counts(answers, 'no list')}."


def _positives_and_names(shape: Shape, answers: Mapping[str, Outcome]) -> str:
    positives = f"A user without a relevant item {_counts(answers, 'no positive')}"
    first = _told(answers.get("tied" if shape.scores else "plain"))
    names = any(first != _told(answers.get(name)) for name in _OTHER_NAMES)
    turned = {"the order of rows": "plain", "the order of the truth": "longer truth"}
    moved = [words for words, name in turned.items() if _is_moved(answers, name)]
    depends = [*(["names of items"] if names else []), *moved]
    seen = f"depends on {' and on '.join(depends)}" if depends else "was not seen to depend on the order of rows"
    told = (
        seen
        if names
        else f"{seen}, {'not' if moved else 'nor'} on names of items ({len(_OTHER_NAMES)} renamings tried)"
    )
    return f"{positives}; the value {told}."


def _is_moved(answers: Mapping[str, Outcome], name: str) -> bool:
    """Return True if an answer is another one where rows stand the other way round."""
    turned = answers.get(f"{name}, turned")
    return turned is not None and _told(turned) != _told(answers.get(name))


def _counts(answers: Mapping[str, Outcome], name: str) -> str:
    """Tell how a user of an unusual state counts: by itself, or beside a user whose value is known."""
    outcome, value = answers.get(name), scalar(answers.get(name))
    if outcome is None:
        return "cannot be passed"
    if "perfect" not in answers or value is None:
        return f"gives {_told(outcome)}"
    perfect = scalar(answers["perfect"])
    if perfect is None or perfect == 0:
        return f"beside another one gives {value:.6g}"
    if np.isnan(value):
        return "makes the mean NaN"
    if abs(value - perfect) < 1e-6:
        return f"is left out of the mean, or counts {perfect:.6g}"
    return f"counts {2 * value - perfect:.6g} in the mean"


def _told(outcome: Outcome | None) -> str:
    match outcome:
        case Measured():
            value = scalar(outcome)
            if value is not None:
                return f"{value:.6g}"
            return "no mean" if outcome.values is None else ", ".join(f"{each:.6g}" for each in outcome.values)
        case Errored(error, message, _):
            return f"an error ({error}: {message})"
        case None:
            return "nothing"
        case _:
            return "no answer"
