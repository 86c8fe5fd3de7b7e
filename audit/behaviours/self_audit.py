"""The harness audits itself: a fault of an adapter must not be blamed on the library behind it.

One list of eight is asked with its only listed hit at different places, among ids far apart. Whatever a metric
computes, some things hold: that a hit is there at all is seen somewhere; which place it takes is seen where a cut-off
acts; a higher place is never worse for all metrics of a library at once; a cut-off of four cuts after the fourth.
One function may well break such a rule by itself. Where most functions of a library do, and not one metric alone,
what they share is the adapter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from audit.behaviours.behaviour import Subject
from audit.behaviours.predicted import canonical, placed_values
from audit.behaviours.readings import Heard, Reading, Refused, View
from audit.behaviours.scenes import SELF, SELF_K, SELF_PLACES

METRICS_AT_LEAST = 2
"""Two metrics at least must give the same sign: one alone cannot tell an adapter from a library."""

SUSPECTED = "harness fault suspected: "


@dataclass(frozen=True)
class Places:
    """How one function answers the list: ``none`` without a hit, ``at`` by the hit's place."""

    metric: str
    has_k: bool
    none: Heard
    at: dict[int, Heard]
    view: View

    def sees(self, place: int) -> bool | None:
        """Whether a hit at this place changes the answer; None where either was no value."""
        return self._differ(self.none, self.at[place])

    def apart(self, one: int, other: int) -> bool | None:
        """Whether the answer tells two places apart."""
        return self._differ(self.at[one], self.at[other])

    def _differ(self, one: Heard, other: Heard) -> bool | None:
        if isinstance(one, Reading) and isinstance(other, Reading):
            return not self.view.same(_by_number(one), _by_number(other))
        return None


def _by_number(heard: Reading) -> Reading:
    return Reading(heard.number, None)


def places(subject: Subject) -> Places:
    """The self-audit's answers of one function."""
    view = subject.view
    none, *hits = (view.at(scene.name) for scene in SELF)
    own = subject.function
    return Places(own.metric, own.cutoff, none, dict(zip(SELF_PLACES, hits, strict=True)), view)


def suspicion(subjects: Sequence[Subject]) -> str | None:
    """What is wrong with the adapter, in words, or None: asked of all functions of a library at once."""
    asked = [each for each in map(places, subjects) if each.none is not None]
    offered = [each for each in asked if not _not_offered(each)]
    for sign, words in _SIGNS:
        told = [(each, said) for each in offered if (said := sign(each)) is not None]
        guilty = [each for each, said in told if said]
        metrics = {each.metric for each in guilty}
        # k is handed over in one way: metrics that cut at it show that the others' own code does not. One among many
        # may hide a wrong k for reasons of its own.
        innocent = {each.metric for each, said in told if not said}
        if sign is _cut_elsewhere and 2 * len(innocent) >= len(metrics):
            continue
        if 2 * len(guilty) > len(told) and len(metrics) >= METRICS_AT_LEAST:
            return f"{words} ({len(guilty)} of the {len(told)} functions that can tell)"
    return None


def _not_offered(asked: Places) -> bool:
    return isinstance(asked.none, Refused) and asked.none.how == "not_offered"


def _refuses(asked: Places) -> bool | None:
    """The plainest list of all, a hit on top, is refused."""
    return isinstance(asked.at[1], Refused)


def _blind(asked: Places) -> bool | None:
    """No place at which a hit is seen."""
    seen = [asked.sees(place) for place in SELF_PLACES]
    return None if None in seen else not any(seen)


def _flat(asked: Places) -> bool | None:
    """A hit is seen, wherever it stands and beyond the cut-off, too, always as the same."""
    if not asked.has_k or None in (asked.sees(1), asked.sees(8), asked.apart(1, 8)):
        return None
    if not asked.sees(1) and not asked.sees(8):
        return None
    return bool(asked.sees(8) and not asked.apart(1, 8) and not asked.apart(1, 5))


def _reversed(asked: Places) -> bool | None:
    """A hit at the end counts as the canonical definition counts one at the top, and the other way round."""
    top, bottom = placed_values(canonical(asked.metric, has_k=asked.has_k))
    first, last = asked.at[1], asked.at[8]
    if top == bottom or not isinstance(first, Reading) or not isinstance(last, Reading) or not asked.apart(1, 8):
        return None
    if first.number is None or last.number is None:
        return None
    return (first.number > last.number) != (top > bottom)


def _cut_elsewhere(asked: Places) -> bool | None:
    """The last place at which a hit is seen is one beside the cut-off; None for what is not cut near it."""
    if not asked.has_k:
        return None
    seen = {place: asked.sees(place) for place in SELF_PLACES}
    if None in seen.values():
        return None
    reach = max((place for place, found in seen.items() if found), default=0)
    return reach != SELF_K if SELF_K - 1 <= reach <= SELF_K + 1 else None


_SIGNS: tuple[tuple[Callable[[Places], bool | None], str], ...] = (
    (_refuses, "a list with its hit on top is refused"),
    (_blind, "no hit is seen at any place: ids that do not meet, or columns confused"),
    (
        _flat,
        "the place of a hit is never seen, beyond the cut-off neither: predictions and truth, or columns, confused",
    ),
    (_reversed, "a hit at the end counts for more than one at the top: the order is ascending"),
    (_cut_elsewhere, "lists are cut one place beside the cut-off"),
)
