"""A check of the adapter, so that its fault is not blamed on the library behind it.

A list of eight items is asked with its only hit at different places, among ids that lie far apart. Whatever a metric
computes, four rules hold: some place shows that there is a hit; if a cut-off acts, the place of the hit matters; a hit
at the top counts for more than one at the end (or less, where the canonical definition says so); and a cut-off of four
cuts after the fourth item. A single function may break a rule. If most functions of a library break one, and not of
one metric alone, the fault lies in what they share: the adapter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.audit.behaviours.function_behaviours import canonical, top_and_bottom_values
from recsys_metric_audit.audit.behaviours.responses import FunctionUnderTest, Refused, Response, Responses, Returned
from recsys_metric_audit.audit.behaviours.scenarios import HIT_PLACES, SINGLE_HIT, SINGLE_HIT_K

METRICS_AT_LEAST = 2
"""Functions of this many metrics must break a rule: one metric alone cannot tell an adapter from a library."""

SUSPECTED = "harness fault suspected: "


@dataclass(frozen=True)
class SingleHitResponses:
    """Holds the answers of one function to the single-hit list: ``none`` without a hit, ``at`` by the hit's place."""

    metric: str
    has_k: bool
    none: Response
    at: dict[int, Response]
    responses: Responses

    def sees(self, place: int) -> bool | None:
        """Return whether a hit at ``place`` changes the answer; None if either answer is no value."""
        return self._differ(self.none, self.at[place])

    def distinguishes(self, one: int, other: int) -> bool | None:
        """Return whether the answers to hits at two places differ; None if either answer is no value."""
        return self._differ(self.at[one], self.at[other])

    def _differ(self, one: Response, other: Response) -> bool | None:
        if isinstance(one, Returned) and isinstance(other, Returned):
            return not self.responses.same(Returned(one.number, None), Returned(other.number, None))
        return None


def single_hit_responses(tested: FunctionUnderTest) -> SingleHitResponses:
    """Return the function's responses to the single-hit list."""
    responses = tested.responses
    none, *hits = (responses.to(scenario.name) for scenario in SINGLE_HIT)
    own = tested.function
    return SingleHitResponses(own.metric, own.cutoff, none, dict(zip(HIT_PLACES, hits, strict=True)), responses)


def suspected_fault(tested: Mapping[str, FunctionUnderTest]) -> str | None:
    """Return why nothing that the adapter answered may be published, None if there is no reason.

    Args:
        tested: all functions of one library, by name.
    """
    words = adapter_fault(list(tested.values()))
    return SUSPECTED + words if words else None


def adapter_fault(tested: Sequence[FunctionUnderTest]) -> str | None:
    """Return which rule most functions of a library break, with their number; None if they break none."""
    asked = [each for each in map(single_hit_responses, tested) if each.none is not None]
    offered = [each for each in asked if not (isinstance(each.none, Refused) and each.none.how == "not_offered")]
    for broken, words in _SIGNS:
        able = [(each, sign) for each in offered if (sign := broken(each)) is not None]
        guilty = [each for each, sign in able if sign]
        metrics = {each.metric for each in guilty}
        # The adapter hands k over in one way. If functions of other metrics cut at k, those that do not do so by
        # their own code: a few of them cannot convict the adapter.
        innocent = {each.metric for each, sign in able if not sign}
        if broken is _cuts_elsewhere and 2 * len(innocent) >= len(metrics):
            continue
        if 2 * len(guilty) > len(able) and len(metrics) >= METRICS_AT_LEAST:
            return f"{words} ({len(guilty)} of the {len(able)} functions that can tell)"
    return None


def _sees_no_hit(asked: SingleHitResponses) -> bool | None:
    """Return True if a hit changes the answer at no place."""
    seen = [asked.sees(place) for place in HIT_PLACES]
    return None if None in seen else not any(seen)


def _ignores_place(asked: SingleHitResponses) -> bool | None:
    """Return True if a hit is seen, beyond the cut-off too, and its place never matters."""
    if not asked.has_k or None in (asked.sees(1), asked.sees(8), asked.distinguishes(1, 8)):
        return None
    if not asked.sees(1) and not asked.sees(8):
        return None
    return bool(asked.sees(8) and not asked.distinguishes(1, 8) and not asked.distinguishes(1, 5))


def _reverses_order(asked: SingleHitResponses) -> bool | None:
    """Return True if the first and the last place count in the reverse order of the canonical definition."""
    top, bottom = top_and_bottom_values(canonical(asked.metric, has_k=asked.has_k))
    first, last = asked.at[1], asked.at[8]
    if top == bottom or not isinstance(first, Returned) or not isinstance(last, Returned):
        return None
    if not asked.distinguishes(1, 8) or first.number is None or last.number is None:
        return None
    return (first.number > last.number) != (top > bottom)


def _cuts_elsewhere(asked: SingleHitResponses) -> bool | None:
    """Return True if the last place at which a hit is seen is one beside the cut-off.

    None for a function that does not cut within one place of it.
    """
    if not asked.has_k:
        return None
    seen = {place: asked.sees(place) for place in HIT_PLACES}
    if None in seen.values():
        return None
    reach = max((place for place, found in seen.items() if found), default=0)
    return reach != SINGLE_HIT_K if SINGLE_HIT_K - 1 <= reach <= SINGLE_HIT_K + 1 else None


_SIGNS: tuple[tuple[Callable[[SingleHitResponses], bool | None], str], ...] = (
    (lambda asked: isinstance(asked.at[1], Refused), "a list with its hit on top is refused"),
    (_sees_no_hit, "no hit is seen at any place: ids that do not meet, or columns confused"),
    (
        _ignores_place,
        "the place of a hit is never seen, beyond the cut-off neither: predictions and truth, or columns, confused",
    ),
    (_reverses_order, "a hit at the end counts for more than one at the top: the order is ascending"),
    (_cuts_elsewhere, "lists are cut one place beside the cut-off"),
)
