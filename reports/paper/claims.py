"""The paper's claims as data: what it says of which library, and on what that is judged.

They stand in ``reports/cited/claims.toml``, which describes its keys; the paper is Tamm, Damdinov & Vasilev, Quality
Metrics in Recommender Systems: Do We Calculate Metrics Consistently? (RecSys 2021).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from reference.definitions.definition import Definition
from reports.model.fields import FrozenModel
from reports.paper.arithmetic import Arithmetic
from reports.paper.described_papers import Column, Described, document

Way = Literal["full", "threshold", "short", "undefined"]


def _pattern(text: str) -> str:
    re.compile(text)
    return text


class About(FrozenModel):
    """What a claim says of one metric of one library."""

    library: str
    metric: str
    version: str
    """The version that the paper used, as an adapter would call it."""
    function: Annotated[str, AfterValidator(_pattern)] = ""
    """Which functions are meant; all of the metric where empty."""
    expects: dict[str, str] = Field(default_factory=dict)
    """Axes that the claim names; all others are canonical."""
    fails: bool = False
    """The claim is that there is no value."""

    @model_validator(mode="after")
    def _expects_what_exists(self) -> Self:
        _ = self.claimed
        return self

    @property
    def claimed(self) -> Definition:
        """The definition that the claim states."""
        return Definition.of(self.metric, self.expects)


class Claim(FrozenModel):
    """One claim, with what decides it."""

    number: int
    title: str
    text: str
    citation: str
    ways: tuple[Way, ...] = ("full",)
    about: tuple[About, ...] = ()
    baseline: dict[str, str] = Field(default_factory=dict)
    """Axes as they would stand without the cause that the paper names; empty where it explains nothing."""
    arithmetic: tuple[Arithmetic, ...] = ()


class Claims(FrozenModel):
    """The whole file."""

    claim: tuple[Claim, ...]
    table3: Annotated[tuple[Column, ...], Field(min_length=1)]
    paper: tuple[Described, ...]


@cache
def claims() -> Claims:
    """Return all claims, in the order of their numbers."""
    return Claims.model_validate(document())
