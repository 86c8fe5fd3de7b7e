"""Axes that data cannot identify: every value gives equal numbers on that data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from recsys_metric_audit.reference.cases import Kind, Role, of_kind
from recsys_metric_audit.reference.evaluation.evaluate import Problem

_SHOWN_BY: Mapping[str, Role] = {
    "ties": "order", "order": "order", "duplicates": "duplicates", "truth_duplicates": "truth_duplicates",
    "relevance": "relevance", "counted_scores": "relevance", "users": "multi_user", "undefined": "multi_user",
    "no_list": "multi_user", "no_negatives": "multi_user",
}  # fmt: skip
"""The role of the probes that identify an axis; all others are identified by those of one user."""


def unidentified_axes(problems: Iterable[Problem]) -> dict[str, str]:
    """Return the axes (or axis:value) that data cannot identify at a cut-off, each with the reason.

    The reason also names a probe that would identify the axis.

    Args:
        problems: Parts of the data, with all rows of some users each.
    """
    parts = [_facts(problem) for problem in problems]
    facts = {fact: all(part[fact] for part, _ in parts) for fact in _REASONS}
    facts["gain"] = len({gain for _, gains in parts for gain in gains}) <= 1
    return {axis: f"{why}; a probe that shows it: {_example(axis)}" for axis, why in _REASONS.items() if facts[axis]}


def _example(axis: str) -> str:
    return of_kind(Kind(_SHOWN_BY.get(axis, "single_user")))[0].name


_REASONS = {
    "ties": "no relevant item shares its score with another",
    "order": "rows stand in the order of their scores",
    "duplicates": "no item is recommended twice to a user",
    "truth_duplicates": "the truth lists no item twice for a user",
    "relevance": "every gain is positive and at the threshold or above",
    "counted_scores": "every relevant item that is listed has a score above 0",
    "gain": "all gains are the same",
    "undefined": "every user has relevant items",
    "no_list": "every user has recommendations",
    "users": "every user has relevant items and recommendations",
    "no_negatives": "every list holds irrelevant items",
    "denominator:shown": "every list is as long as the cut-off: what is shown is k",
    "denominator:min": "nobody has more relevant items than the cut-off: min(k, r) is r",
    "truth": "every user has one relevant item: hit rate is recall, and MAP is MRR",
}
"""The fact about all users that keeps data from identifying an axis."""


def _facts(problem: Problem) -> tuple[dict[str, bool], tuple[float, ...]]:
    """Return which of the facts hold of a part of the data, by axis, and the least and greatest gain of its rows."""
    place = problem.placement
    listed = place.row >= 0
    relevant = np.bincount(place.user, weights=(place.copy == 0) & (place.repeat <= 0), minlength=len(place))
    k = np.asarray(problem.k)[place.case]
    cut = np.where(k < 0, place.length, k)
    ends = (float(place.gain.min()), float(place.gain.max())) if len(place.gain) else ()
    facts = {
        "ties": not (place.tied[listed] > 1).any(),
        "order": (place.row[listed] == (place.above + place.before)[listed]).all(),
        "duplicates": not place.repeats.any(),
        "truth_duplicates": not (place.copy > 0).any(),
        "relevance": (place.gain >= np.maximum(place.threshold[place.user], 0)).all() and (place.gain > 0).all(),
        "counted_scores": (place.score[listed] > 0).all(),
        "gain": True,
        "undefined": (relevant > 0).all(),
        "no_list": (place.length > 0).all(),
        "users": (relevant > 0).all() and (place.length > 0).all(),
        "no_negatives": (place.length > relevant).all(),
        "denominator:shown": (place.length >= cut).all(),
        "denominator:min": (relevant <= cut).all(),
        "truth": (relevant == 1).all(),
    }
    return {axis: bool(holds) for axis, holds in facts.items()}, ends
