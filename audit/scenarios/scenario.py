"""Defines a scenario: the steps of an evaluation protocol, each of which turns a case into another case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.input.case import Case


@dataclass(frozen=True, eq=False)
class Applied:
    """Holds what a scenario makes of a case.

    Attributes:
        case: The case. Where the lists do not tell everything, the one with the lowest values of ranking metrics.
        highest: The case with the highest values of ranking metrics; None where the lists tell everything.
        notes: What a reader of the values should know, in sentences.
    """

    case: Case
    highest: Case | None = None
    notes: tuple[str, ...] = ()


class Step(Protocol):
    """Changes a case in one way; ``drawn`` tells that chance plays a part, ``needs_train`` that train data do."""

    @property
    def drawn(self) -> bool:
        """Return True if the seed decides what comes out."""

    @property
    def needs_train(self) -> bool:
        """Return True if the step cannot be made without train data."""

    @property
    def words(self) -> str:
        """Return a sentence on what the step does."""

    def apply(self, case: Case, seed: int, *, with_train: bool) -> Applied:
        """Return the changed case; ``with_train`` tells whether train data were given at all.

        Raises:
            UserError: if the data cannot carry the step.
        """


@dataclass(frozen=True)
class Scenario:
    """Holds the steps that are made one after the other, and the ``name`` as typed: ``leave_one_out+sampled:99``."""

    name: str
    steps: tuple[Step, ...]

    @property
    def drawn(self) -> bool:
        """Return True if the seed decides what comes out."""
        return any(step.drawn for step in self.steps)

    @property
    def words(self) -> str:
        """Return what the scenario does, a sentence a step."""
        return " ".join(step.words for step in self.steps)

    def apply(self, case: Case, seed: int = 1) -> Applied:
        """Return what the scenario makes of a case; of equal case and seed, always the same.

        Args:
            case: Predictions grouped by user, best first.
            seed: Of all draws, 0 or more.

        Raises:
            UserError: if the data cannot carry it, with the next step.
        """
        with_train = len(case.train.item) > 0
        if not with_train and any(step.needs_train for step in self.steps):
            raise self.refused("it needs train data, and none were given", "add --train FILE, with columns user, item")
        low, high, notes = case, None, list[str]()
        for step in self.steps:
            made = self._stepped(step, low, seed, with_train)
            high = made.highest if high is None else self._stepped(step, high, seed, with_train).case
            low, notes = made.case, [*notes, *made.notes]
        return Applied(low, high, tuple(dict.fromkeys(notes)))

    def _stepped(self, step: Step, case: Case, seed: int, with_train: bool) -> Applied:
        try:
            return step.apply(case, seed, with_train=with_train)
        except UserError as error:
            raise self.refused(error.message, error.hint) from None

    def refused(self, why: str, hint: str) -> UserError:
        """Return the error that says why the data cannot carry this scenario."""
        return UserError(f"--scenario {self.name}: {why}", hint)
