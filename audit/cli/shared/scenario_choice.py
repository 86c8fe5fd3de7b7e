"""Reads the scenarios and seeds that the user names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recsys_metric_audit.audit.errors import UserError

if TYPE_CHECKING:
    from recsys_metric_audit.audit.data.dataset import Dataset
    from recsys_metric_audit.audit.scenarios import Scenario

SEEDS = (1, 2, 3, 4, 5)
"""The seeds where none is named."""
_LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True)
class ScenarioChoice:
    """Holds the scenarios, each once, and the seeds under which those are evaluated that draw."""

    scenarios: tuple[Scenario, ...]
    seeds: tuple[int, ...]

    def applied(self, dataset: Dataset) -> Dataset:
        """Return the data set under each scenario in turn, with the first seed.

        Raises:
            UserError: if the data cannot carry one, or carry it only with bounds.
        """
        from recsys_metric_audit.audit.scenarios import dataset_under

        for scenario in self.scenarios:
            dataset = dataset_under(dataset, scenario, self.seeds[0])
        return dataset


def choose_scenarios(
    names: Sequence[str] | None, seeds: Sequence[int] | None, excluded: Mapping[str, object]
) -> ScenarioChoice:
    """Return the scenarios that are named; none if none is.

    Args:
        names: as typed.
        seeds: as typed; None for the usual ones.
        excluded: the values of options that cannot be used with a scenario, by option.

    Raises:
        UserError: for a scenario that does not parse, a seed that cannot be one, seeds without a scenario that draws,
            and options that exclude each other.
    """
    from recsys_metric_audit.audit.scenarios import parse_scenario

    found = tuple({each.name: each for each in map(parse_scenario, names or [])}.values())
    if found and (given := [option for option, value in excluded.items() if value is not None]):
        raise UserError(f"--scenario and {given[0]} exclude each other", "leave out one of them")
    if seeds and not any(each.drawn for each in found):
        raise UserError(
            f"--seed {seeds[0]}: no scenario is named that draws", "try --scenario sampled:99, or leave it out"
        )
    for seed in seeds or ():
        if not 0 <= seed <= _LARGEST_SEED:
            raise UserError(f"--seed {seed}: a seed is a number from 0 to {_LARGEST_SEED:,}", "try --seed 1")
    return ScenarioChoice(found, tuple(dict.fromkeys(seeds or SEEDS)))


def choose_scenario(name: str | None, seed: int | None) -> ScenarioChoice:
    """Return the one scenario that libraries are asked under; none if none is named.

    Args:
        name: as typed.
        seed: as typed; None for the first of the usual ones.

    Raises:
        UserError: for a scenario that does not parse, and a seed that cannot be one or that nothing draws with.
    """
    chosen = choose_scenarios([] if name is None else [name], None if seed is None else [seed], {})
    return ScenarioChoice(chosen.scenarios, chosen.seeds[:1])
