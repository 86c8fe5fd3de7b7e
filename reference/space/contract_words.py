"""The words of a contract: what a function takes, in phrases, and the axes that this rules out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

MEANING: Final[Mapping[str, str]] = {
    "scores": "rows of user, item and score",
    "ranked": "a ranked list for each user: the order is the argument",
    "ranks": "rows of user, item and rank: scores are not read",
    "matrix": "a score for every item (a matrix or a vector)",
    "labels": "labelled candidates: a label and a score for each",
    "pairs": "pairs of a true rating and a predicted one",
    "graded": "relevant items with gains",
    "list": "relevant items as a list without gains",
    "set": "relevant items as a set or a mask, without gains",
    "any": "gains of any size",
    "whole": "whole gains from 0 up only",
}
"""What each word of a contract means."""

_LIST = "a ranked list carries no scores"
_RANKS = "ranks are the argument, scores are not read"
_MATRIX = "every item has one score"
_LABELS = "the caller labels the candidates"
_SET = "a set holds an item once"

RULED_OUT: Final[Mapping[str, Mapping[str, str]]] = {
    "scores": {},
    "ranked": {
        "order": "the order of the list is the argument", "ties": _LIST, "tied_scores": _LIST, "counted_scores": _LIST,
    },
    "ranks": {"order": _RANKS, "ties": _RANKS, "tied_scores": _RANKS, "counted_scores": _RANKS},
    "matrix": {
        "order": "a score for every item has no order of rows", "duplicates": _MATRIX,
    },
    "labels": {
        "relevance": _LABELS, "truth_duplicates": _LABELS, "unlisted": "only labelled candidates are passed",
        "candidates": "only labelled candidates are passed", "truth": "only labelled candidates are passed",
        "no_list": "only labelled candidates are passed",
    },
    "pairs": dict.fromkeys(("order", "ties", "positions"), "a pair of ratings has no rank"),
    "graded": {},
    "list": {"relevance": "the list holds no gains"},
    "set": {"truth_duplicates": _SET, "relevance": "a set holds no gains"},
    "any": {},
    "whole": {},
}  # fmt: skip
"""The axes that each word of a contract rules out, with the reason."""


def ruled_out_by(takes: Mapping[str, str]) -> dict[str, str]:
    """Return the axes that a contract rules out, each with the reason; ``takes`` has a word for each of its parts."""
    return {axis: reason for word in takes.values() for axis, reason in RULED_OUT.get(word, {}).items()}
