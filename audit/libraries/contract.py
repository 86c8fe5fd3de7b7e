"""The contract of a function: what it takes, and which axes can therefore not be seen in its answers.

A function that takes a ranked list has no rule for ties, and one that takes a score for every item cannot be given an
item twice. Such axes are not questions about the library: a finding says that they do not apply, and why.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Input = Literal["scores", "ranked", "ranks", "matrix", "labels", "pairs"]
Truth = Literal["graded", "list", "set"]
Gains = Literal["any", "whole"]
Data = Literal[
    "a catalogue of one item",
    "k above the items", "k above the candidates of a user", "k and a user's truth above the items",
    "equal scores of a user", "scores equal in single precision", "one ranked pair", "one rated pair with a score",
    "one kind of label", "one kind of label among the rated pairs",
    "negative gains", "fractional or negative gains", "a user whose gains are all 0",
    "a user for whom every item is relevant", "a truth user without a list",
    "a list shorter than k", "lists of unequal length", "an unlisted item of the truth", "an unlisted relevant item",
    "an unlisted item of the truth and a list shorter than k", "no train data", "train items in lists",
    "hits in the first k rows and none in the first r", "no hit of any user", "any data",
]  # fmt: skip
"""Names a kind of data on which a function may do otherwise than its definition says."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Takes(_Part):
    """Declares the form of recommendations and truth that a function takes, and the gains that it accepts."""

    input: Input = "scores"
    truth: Truth = "graded"
    gains: Gains = "any"

    def ruled_out(self) -> dict[str, str]:
        """Return the axes that no input of this form can show, each with the reason."""
        # Listing libraries reads contracts, and must not wait for numpy, which ``reference`` imports.
        from recsys_metric_audit.reference.space.contract_words import ruled_out_by

        return ruled_out_by(self.model_dump())

    @property
    def whole_gains_only(self) -> bool:
        """Tell whether fractional and negative gains are ruled out."""
        return self.gains == "whole"

    @property
    def fixed_values(self) -> dict[str, str]:
        """The values of axes that follow from the form alone: rows in a ranked list are ranked by their order."""
        return {"order": "rows"} if self.input in ("ranked", "ranks") else {}

    def in_words(self) -> str:
        """Return the contract as a phrase: ``a ranked list for each user ...; relevant items as a set ...``."""
        from recsys_metric_audit.reference.space.contract_words import MEANING

        words = [MEANING[self.input], MEANING[self.truth]]
        return "; ".join([*words, MEANING[self.gains]] if self.gains == "whole" else words)


class Made(_Part):
    """One thing that the adapter makes of the data for the library, and the axes that this decides.

    Each of ``decides`` is an axis, with the value that the adapter gives it if the axis has such a value:
    ``relevance:at_least_t``.
    """

    what: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    decides: Annotated[tuple[str, ...], Field(default=())]

    @property
    def axes(self) -> tuple[str, ...]:
        """Return the axes that the adapter decides."""
        return tuple(each.partition(":")[0] for each in self.decides)

    @property
    def values(self) -> dict[str, str]:
        """Return the values that the adapter gives to axes, by axis."""
        return dict(each.split(":", 1) for each in self.decides if ":" in each)

    def ruled_out(self) -> dict[str, str]:
        """Return the axes that the adapter decides, each with the reason."""
        return dict.fromkeys(self.axes, f"the adapter's doing: {self.what}")


def ruled_out(takes: Takes, made: Iterable[Made]) -> dict[str, str]:
    """Return the axes that do not apply to a function called this way, each with the reason."""
    out = takes.ruled_out()
    for each in made:
        out |= each.ruled_out()
    return out
