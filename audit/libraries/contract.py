"""The contract of a function: what it takes, and which axes can therefore not be seen in its answers.

A function that takes a ranked list has no rule for ties, and one that takes a score for every item cannot be given an
item twice. Such axes are not questions about the library: a finding says that they do not apply, and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Input = Literal["scores", "ranked", "ranks", "matrix", "labels", "pairs"]
Truth = Literal["graded", "list", "set"]
Gains = Literal["any", "whole"]

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
        "candidates": "only labelled candidates are passed",
    },
    "pairs": dict.fromkeys(("order", "ties", "positions"), "a pair of ratings has no rank"),
    "graded": {},
    "list": {"relevance": "the list holds no gains"},
    "set": {"truth_duplicates": _SET, "relevance": "a set holds no gains"},
    "any": {},
    "whole": {},
}  # fmt: skip
"""The axes that each word of a contract rules out, with the reason."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Takes(_Part):
    """Declares the form of recommendations and truth that a function takes, and the gains that it accepts."""

    input: Input = "scores"
    truth: Truth = "graded"
    gains: Gains = "any"

    def ruled_out(self) -> dict[str, str]:
        """Return the axes that no input of this form can show, each with the reason."""
        return {**RULED_OUT[self.input], **RULED_OUT[self.truth], **RULED_OUT[self.gains]}

    def in_words(self) -> str:
        """Return the contract as a phrase: ``a ranked list for each user ...; relevant items as a set ...``."""
        # Listing libraries reads contracts, and must not wait for numpy, which ``reference`` imports.
        from reference.space.contract_words import MEANING

        words = [MEANING[self.input], MEANING[self.truth]]
        return "; ".join([*words, MEANING[self.gains]] if self.gains == "whole" else words)


class Made(_Part):
    """One thing that the adapter makes of the data for the library, and the axes that this decides."""

    what: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    decides: Annotated[tuple[str, ...], Field(default=())]

    def ruled_out(self) -> dict[str, str]:
        """Return the axes that the adapter decides, each with the reason."""
        return dict.fromkeys(self.decides, f"the adapter's doing: {self.what}")


def ruled_out(takes: Takes, made: Iterable[Made]) -> dict[str, str]:
    """Return the axes that do not apply to a function called this way, each with the reason."""
    out = takes.ruled_out()
    for each in made:
        out |= each.ruled_out()
    return out
