"""The words of a contract: what a function takes, in phrases."""

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
