"""Reads the claims of papers as data: what is claimed, and by which findings, checks and experiments it is judged.

``reports/cited/<key>/claims.toml`` holds the claims of one paper; docs/adding-a-paper.md describes its keys.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reports.experiments.audited_functions import LibraryAgreement
from recsys_metric_audit.reports.experiments.kinds import AnyExperiment
from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.paper.arithmetic import Arithmetic
from recsys_metric_audit.reports.paper.published import (
    CITED,
    RE_AUDITED,
    DescribedPaper,
    Table3Column,
    read_claims_file,
)

Setting = Literal["full", "threshold", "short", "undefined"]
"""A kind of input on which two definitions are compared (:mod:`reports.paper.sample_data`); ``full`` is the paper's."""


class ClaimSubject(FrozenModel):
    """Names one metric of one library that a claim is about."""

    library: str
    metric: str
    version: str
    """The version that the paper used, as the manifest of the library's adapter names it."""
    function: re.Pattern[str] = re.compile("")
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
    function: re.Pattern[str] = re.compile("")
    label: str
    """Their name in a sentence."""


class Effect(FrozenModel):
    """Describes a change that is measured on the data of the run: some axes of a finding's definition, moved alone."""

    library: str
    function: re.Pattern[str]
    axes: Annotated[tuple[str, ...], Field(min_length=1)]
    label: str
    """Describes the change in words."""


class Claim(FrozenModel):
    """Holds one claim of a paper and the data by which it is judged."""

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
    experiment: tuple[AnyExperiment, ...] = ()
    """What is run to check the claim: on the reference, on data, on what the audit found."""
    beside: tuple[Beside, ...] = ()
    effects: tuple[Effect, ...] = ()
    notes: tuple[str, ...] = ()
    """What the sources show and no finding can: each a sentence with its source."""
    unverified: tuple[str, ...] = ()
    """What of the claim cannot be checked here, and why."""


class PaperHead(FrozenModel):
    """Says how a paper is cited."""

    authors: str
    title: str
    venue: str
    """Where and when it was published, such as ``RecSys 2021``."""
    link: Annotated[str, Field(pattern=r"^https://[^\s<>]+$")]

    @property
    def short(self) -> str:
        """Return the authors with venue and year."""
        return f"{self.authors} ({self.venue})"

    @property
    def citation(self) -> str:
        """Return the authors, the title, and where and when it was published."""
        return f"{self.authors}, {self.title}{'' if self.title.endswith('?') else '.'} {self.venue}"


class Claims(FrozenModel):
    """Holds the whole of one ``claims.toml``."""

    paper: PaperHead
    claim: Annotated[tuple[Claim, ...], Field(min_length=1)]
    table3: tuple[Table3Column, ...] = ()
    described: tuple[DescribedPaper, ...] = ()
    """Papers on whose definitions the paper comments one by one."""


def paper_keys() -> tuple[str, ...]:
    """Return the keys of all papers, the one whose tables this tool makes first, then in alphabetical order."""
    found = sorted(file.parent.name for file in CITED.glob("*/claims.toml"))
    return (RE_AUDITED, *(key for key in found if key != RE_AUDITED))


def load_claims(key: str = RE_AUDITED) -> Claims:
    """Return the validated claims of a paper, in the order of their numbers; ``key`` is one of its folder's."""
    return Claims.model_validate(read_claims_file(key))


def compared_libraries(key: str) -> tuple[str, ...]:
    """Return the libraries that the claims of a paper hold against each other, function by function."""
    experiments = (each for claim in load_claims(key).claim for each in claim.experiment)
    pairs = [(each.first, each.second) for each in experiments if isinstance(each, LibraryAgreement)]
    return tuple(dict.fromkeys(name for pair in pairs for name in pair))
