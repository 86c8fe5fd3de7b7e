"""Scenarios: steps made one after the other, as people type them (``leave_one_out+sampled:99``), on a data set."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches

from recsys_metric_audit.audit.data.dataset import Dataset, facts_of
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.scenarios.protocol_steps import (
    Applied,
    LeaveOneOut,
    RelevanceThreshold,
    SampledCandidates,
    Step,
    TrainFiltered,
    UsersCapped,
)
from recsys_metric_audit.reference.input.case import Case


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


_WITH_NUMBER: dict[str, tuple[str, Callable[[int], Step]]] = {
    "sampled": ("99", SampledCandidates),
    "sampled_popular": ("99", lambda number: SampledCandidates(number, by_popularity=True)),
    "users": ("1000", UsersCapped),
}
_ALONE: dict[str, Callable[[], Step]] = {"leave_one_out": LeaveOneOut, "train_filtered": TrainFiltered}
_LARGEST = 1_000_000

FORMS = ("sampled:N", "sampled_popular:N", "leave_one_out", "train_filtered", "threshold:GAIN", "users:N")
"""The steps that there are, as typed."""


def parse_scenario(text: str) -> Scenario:
    """Return the scenario that is typed: steps joined by ``+``, made from left to right.

    Raises:
        UserError: for an unknown step, a number that is missing or makes no sense, and a step that stands twice.
    """
    names = [part.strip() for part in text.split("+")]
    steps = tuple(_step(name, text) for name in names)
    kinds = [type(step) for step in steps]
    if len(set(kinds)) < len(kinds):
        raise UserError(f"--scenario {text}: one kind of step stands in it twice", "leave out one of them")
    return Scenario("+".join(names), steps)


def _step(name: str, text: str) -> Step:
    kind, colon, number = name.partition(":")
    if kind in _ALONE:
        if colon:
            raise UserError(f"--scenario {text}: {kind} takes no number", f"try --scenario {kind}")
        return _ALONE[kind]()
    if kind in _WITH_NUMBER:
        example, make = _WITH_NUMBER[kind]
        return make(_count(number, f"{kind}:{example}", text))
    if kind == "threshold":
        return RelevanceThreshold(_gain(number, text))
    near = get_close_matches(kind, [form.partition(":")[0] for form in FORMS], n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    raise UserError(f"--scenario {text}: there is no scenario {kind!r}", f"{meant}There are: {', '.join(FORMS)}")


def _count(number: str, example: str, text: str) -> int:
    if not (number.isascii() and number.isdigit()) or not 1 <= int(number[:9]) <= _LARGEST:
        raise UserError(f"--scenario {text}: a whole number from 1 to {_LARGEST:,} is missing", f"try {example}")
    return int(number[:9])


def _gain(number: str, text: str) -> float:
    try:
        gain = float(number)
    except ValueError:
        gain = math.nan
    if not math.isfinite(gain):
        raise UserError(f"--scenario {text}: the gain from which items are relevant is missing", "try threshold:4")
    return gain


def dataset_under(dataset: Dataset, scenario: Scenario, seed: int) -> Dataset:
    """Return the data set as a scenario makes it, with its facts counted anew and the scenario among its choices.

    Raises:
        UserError: if the data cannot carry the scenario, or carry it only with bounds.
    """
    made = scenario.apply(dataset.case, seed)
    if made.highest is not None:
        raise scenario.refused(
            "some lists lack relevant items, whose places among drawn candidates nobody can know",
            "write predictions with a score for every item; audit evaluate tells bounds",
        )
    drawn = f", seed {seed}" if scenario.drawn else ""
    own = {fact.slug for fact in facts_of(dataset.case)}
    kept = tuple(fact for fact in dataset.facts if fact.slug not in own)
    name, facts = f"{dataset.name}, {scenario.name}{drawn}", (*kept, *facts_of(made.case))
    choices = (*dataset.choices, f"Scenario {scenario.name}{drawn}: {scenario.words}", *made.notes)
    return replace(dataset, name=name, case=made.case, facts=facts, choices=choices)
