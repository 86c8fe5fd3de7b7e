"""Fixes the form of every experiment on a claim: its settings, what it is given, and the outcome that it returns."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.model.result import Finding, Result


class Answer(StrEnum):
    """Answers a claim in the words of ``audit paper``, worst first."""

    no = "no"
    in_part = "in part"
    yes_but = "yes, but"
    yes = "yes"
    unknown = "unknown"

    @classmethod
    def of(cls, held: Collection[bool]) -> Answer:
        """Return yes if all hold, no if none does, else in part."""
        if all(held):
            return cls.yes
        return cls.in_part if any(held) else cls.no


class DataMissingError(Exception):
    """Says that the data an experiment needs is not on this machine, and why."""


Data = Callable[[str, str], Case]
"""Returns the case of a dataset with the predictions of a recommender; raises :class:`DataMissingError`."""


def no_data(dataset: str, recommender: str) -> Case:
    """Refuse every dataset: for callers that judge by findings and the reference alone."""
    raise DataMissingError(f"{dataset} with the predictions of {recommender} is not at hand")


@dataclass(frozen=True)
class Bench:
    """Gives experiments what they are run on: the result of an audit, and data."""

    result: Result
    data: Data = no_data


@dataclass(frozen=True)
class Outcome:
    """Tells what an experiment found.

    Attributes:
        answer: The answer to the claim.
        reason: The reason for it, a clause without a full stop.
        lines: What was measured, a line each.
    """

    answer: Answer
    reason: str
    lines: tuple[str, ...] = ()


def _signature(text: str) -> str:
    parse(text)
    return text


Signature = Annotated[str, AfterValidator(_signature)]
"""A definition as a setting: a signature without a number for k, such as ``ndcg|ideal:none``."""


def _metric(name: str) -> str:
    if name not in METRICS:
        raise ValueError(f"{name} is no metric")
    return name


Metric = Annotated[str, AfterValidator(_metric)]
"""A metric of the reference as a setting."""


class ClaimExperiment(FrozenModel):
    """Checks a claim by an experiment; the fields are its settings in ``claims.toml``."""

    def run(self, bench: Bench) -> Outcome:
        """Return the outcome; unknown if the data that it needs is missing."""
        try:
            return self._measure(bench)
        except DataMissingError as error:
            return Outcome(Answer.unknown, str(error))

    def needs(self, result: Result) -> Iterable[Finding]:
        """Return the findings of ``result`` that the experiment reads, so that the packaged run keeps them."""
        return ()

    @abstractmethod
    def _measure(self, bench: Bench) -> Outcome: ...
