"""Applies a scenario to a data set that libraries are asked on."""

from __future__ import annotations

from dataclasses import replace

from recsys_metric_audit.audit.data.dataset import Dataset
from recsys_metric_audit.audit.data.facts import facts_of
from recsys_metric_audit.audit.scenarios.scenario import Scenario


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
    return replace(
        dataset, name=f"{dataset.name}, {scenario.name}{drawn}", case=made.case, facts=(*kept, *facts_of(made.case)),
        choices=(*dataset.choices, f"Scenario {scenario.name}{drawn}: {scenario.words}", *made.notes),
    )  # fmt: skip
