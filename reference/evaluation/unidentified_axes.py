"""Axes that data cannot identify: every value gives equal numbers on that data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from reference.cases import Kind, Role, of_kind
from reference.evaluation.evaluate import Problem

_SHOWN_BY: Mapping[str, Role] = {
    "ties": "order", "order": "order", "duplicates": "duplicates", "truth_duplicates": "truth_duplicates",
    "relevance": "relevance", "counted_scores": "relevance", "users": "multi_user", "undefined": "multi_user",
    "no_list": "multi_user", "no_negatives": "multi_user",
}  # fmt: skip
"""The role of the probes that identify an axis; all others are identified by those of one user."""


def unidentified_axes(problem: Problem) -> dict[str, str]:
    """Return the axes (or axis:value) that the data cannot identify at its cut-off, each with the reason.

    The reason also names a probe that would identify the axis.
    """
    return {axis: f"{why}; a probe that shows it: {_example(axis)}" for axis, why in _reasons(problem)}


def _example(axis: str) -> str:
    return of_kind(Kind(_SHOWN_BY.get(axis, "single_user")))[0].name


def _reasons(problem: Problem) -> Iterator[tuple[str, str]]:
    place = problem.placement
    listed = place.row >= 0
    relevant = np.bincount(place.user, weights=(place.copy == 0) & (place.repeat <= 0), minlength=len(place))
    k = np.asarray(problem.k)[place.case]
    cut = np.where(k < 0, place.length, k)
    if not (place.tied[listed] > 1).any():
        yield "ties", "no relevant item shares its score with another"
    if (place.row[listed] == (place.above + place.before)[listed]).all():
        yield "order", "rows stand in the order of their scores"
    if not place.repeats.any():
        yield "duplicates", "no item is recommended twice to a user"
    if not (place.copy > 0).any():
        yield "truth_duplicates", "the truth lists no item twice for a user"
    if (place.gain >= np.maximum(place.threshold[place.user], 0)).all() and (place.gain > 0).all():
        yield "relevance", "every gain is positive and at the threshold or above"
    if (place.score[listed] > 0).all():
        yield "counted_scores", "every relevant item that is listed has a score above 0"
    if (place.gain == place.gain[:1]).all():
        yield "gain", "all gains are the same"
    if (relevant > 0).all():
        yield "undefined", "every user has relevant items"
    if (place.length > 0).all():
        yield "no_list", "every user has recommendations"
    if (relevant > 0).all() and (place.length > 0).all():
        yield "users", "every user has relevant items and recommendations"
    if (place.length > relevant).all():
        yield "no_negatives", "every list holds irrelevant items"
    if (place.length >= cut).all():
        yield "denominator:shown", "every list is as long as the cut-off: what is shown is k"
    if (relevant <= cut).all():
        yield "denominator:min", "nobody has more relevant items than the cut-off: min(k, r) is r"
    if (relevant == 1).all():
        yield "truth", "every user has one relevant item: hit rate is recall, and MAP is MRR"
