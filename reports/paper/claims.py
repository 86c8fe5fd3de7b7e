"""The paper's claims as data: the definition that it states for each library, and the settings that decide.

``reports/cited/claims.toml`` holds the claims and describes its keys. The paper is Tamm, Damdinov & Vasilev, Quality
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
from reports.paper.published import DescribedPaper, Table3Column, read_claims_file

Setting = Literal["full", "threshold", "short", "undefined"]
"""A kind of input on which two definitions are compared (:mod:`reports.paper.sample_data`); ``full`` is the paper's."""


def _pattern(text: str) -> str:
    re.compile(text)
    return text


class ClaimSubject(FrozenModel):
    """Names one metric of one library that a claim is about."""

    library: str
    metric: str
    version: str
    """The version that the paper used, as the manifest of the library's adapter names it."""
    function: Annotated[str, AfterValidator(_pattern)] = ""
    """Regular expression of the functions that are meant; empty: all functions of the metric."""
    expects: dict[str, str] = Field(default_factory=dict)
    """Axes that the claim names; all others are canonical."""
    fails: bool = False
    """Whether the claim is that the library gives no value."""

    @model_validator(mode="after")
    def _expects_what_exists(self) -> Self:
        _ = self.claimed
        return self

    @property
    def claimed(self) -> Definition:
        """The definition that the claim states."""
        return Definition.of(self.metric, self.expects)


class Beside(FrozenModel):
    """Names functions of that release that the claim does not mean, told beside it: another backend, another module."""

    library: str
    metric: str
    version: str
    function: Annotated[str, AfterValidator(_pattern)] = ""
    label: str
    """Their name in a sentence."""


class Effect(FrozenModel):
    """Describes a change that is measured on the data of the run: some axes of a finding's definition, moved alone."""

    library: str
    function: Annotated[str, AfterValidator(_pattern)]
    axes: Annotated[tuple[str, ...], Field(min_length=1)]
    label: str
    """Describes the change in words."""


class Claim(FrozenModel):
    """Holds one claim of the paper and the data by which it is judged."""

    number: int
    title: str
    text: str
    citation: str
    settings: tuple[Setting, ...] = ("full",)
    """Settings in which the claim is judged; the first is the paper's."""
    about: tuple[ClaimSubject, ...] = ()
    baseline: dict[str, str] = Field(default_factory=dict)
    """Values of the axes without the cause that the paper names; empty if the paper explains nothing."""
    arithmetic: tuple[Arithmetic, ...] = ()
    beside: tuple[Beside, ...] = ()
    effects: tuple[Effect, ...] = ()
    notes: tuple[str, ...] = ()
    """What the sources show and no finding can: each a sentence with its source."""


class Claims(FrozenModel):
    """Holds the whole of ``claims.toml``."""

    claim: tuple[Claim, ...]
    table3: Annotated[tuple[Table3Column, ...], Field(min_length=1)]
    paper: tuple[DescribedPaper, ...]


@cache
def load_claims() -> Claims:
    """Return the validated content of ``claims.toml``, claims in the order of their numbers."""
    return Claims.model_validate(read_claims_file())
