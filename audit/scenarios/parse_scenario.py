"""Reads scenarios as people type them: ``sampled:99``, ``leave_one_out+sampled:99``, ``threshold:4``."""

from __future__ import annotations

import math
from collections.abc import Callable
from difflib import get_close_matches

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.scenarios.held_out_items import LeaveOneOut, RelevanceThreshold
from recsys_metric_audit.audit.scenarios.kept_rows import TrainFiltered, UsersCapped
from recsys_metric_audit.audit.scenarios.sampled_candidates import SampledCandidates
from recsys_metric_audit.audit.scenarios.scenario import Scenario, Step

_WITH_NUMBER: dict[str, tuple[str, Callable[[int], Step]]] = {
    "sampled": ("99", SampledCandidates),
    "sampled_popular": ("99", lambda number: SampledCandidates(number, by_popularity=True)),
    "users": ("1000", UsersCapped),
}
_ALONE: dict[str, Callable[[], Step]] = {"leave_one_out": LeaveOneOut, "train_filtered": TrainFiltered}
_LARGEST = 1_000_000

FORMS = ("sampled:N", "sampled_popular:N", "leave_one_out", "train_filtered", "threshold:GAIN", "users:N")
"""The steps that there are, as typed."""


def parse_scenario(text: str) -> Scenario:
    """Return the scenario that is typed: steps joined by ``+``, made from left to right.

    Raises:
        UserError: for an unknown step, a number that is missing or makes no sense, and a step that stands twice.
    """
    names = [part.strip() for part in text.split("+")]
    steps = tuple(_step(name, text) for name in names)
    kinds = [type(step) for step in steps]
    if len(set(kinds)) < len(kinds):
        raise UserError(f"--scenario {text}: one kind of step stands in it twice", "leave out one of them")
    return Scenario("+".join(names), steps)


def _step(name: str, text: str) -> Step:
    kind, colon, number = name.partition(":")
    if kind in _ALONE:
        if colon:
            raise UserError(f"--scenario {text}: {kind} takes no number", f"try --scenario {kind}")
        return _ALONE[kind]()
    if kind in _WITH_NUMBER:
        example, make = _WITH_NUMBER[kind]
        return make(_count(number, f"{kind}:{example}", text))
    if kind == "threshold":
        return RelevanceThreshold(_gain(number, text))
    near = get_close_matches(kind, [form.partition(":")[0] for form in FORMS], n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    raise UserError(f"--scenario {text}: there is no scenario {kind!r}", f"{meant}There are: {', '.join(FORMS)}")


def _count(number: str, example: str, text: str) -> int:
    if not (number.isascii() and number.isdigit()) or not 1 <= int(number[:9]) <= _LARGEST:
        raise UserError(f"--scenario {text}: a whole number from 1 to {_LARGEST:,} is missing", f"try {example}")
    return int(number[:9])


def _gain(number: str, text: str) -> float:
    try:
        gain = float(number)
    except ValueError:
        gain = math.nan
    if not math.isfinite(gain):
        raise UserError(f"--scenario {text}: the gain from which items are relevant is missing", "try threshold:4")
    return gain
