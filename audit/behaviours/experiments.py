"""The experiments: which judge names the behaviour of each; ``experiments.toml`` has what they change and ask.

The root causes that they separate, by their codes in the project's taxonomy: ties T1, duplicates I1, edges A1 and A4,
thresholds I2, scores I3, ids I4, candidates C2 and C3, short lists C4 and C5, state S1, chance S3, harness M2.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from recsys_metric_audit.audit.behaviours import judges, scenarios
from recsys_metric_audit.audit.behaviours.judges import Judge, alternatives, invariance, missing_user, truth_row_counts
from recsys_metric_audit.reports.model.result import Experiment


@dataclass(frozen=True)
class MetamorphicTest:
    """One experiment with its judge.

    ``slug`` is the class of a failure where the answer of a right metric would have stayed; ``pair`` names the two
    scenarios or probes on which the canonical definition is evaluated to see whether it would have; without them every
    right metric's answer would have. Where the contract or the adapter decides on ``axis``, nothing is told.
    """

    name: str
    title: str
    question: str
    judge: Judge
    slug: str | None = None
    pair: tuple[str, ...] = ()
    axis: str | None = None

    @property
    def experiment(self) -> Experiment:
        """Return its name, title and question, for the report."""
        return Experiment(name=self.name, title=self.title, question=self.question)


_PLAIN: Final = scenarios.ORDINARY
_RESCALED: Final = (_PLAIN, "scores × 100")
_JUST_BELOW: Final = "a hit just below k, nothing twice"


def _names(made: tuple[scenarios.Scenario, ...]) -> tuple[str, ...]:
    return tuple(each.name for each in made)


_JUDGES: Final[Mapping[str, Judge]] = {
    "perfect": judges.value(scenarios.PERFECT),
    "worst": judges.value("perfect list upside down"),
    "ties": judges.tie_rule(_names(scenarios.TIES), _names(scenarios.UNTIED), _RESCALED),
    "close_scores": judges.precision_of_scores(_names(scenarios.CLOSE_SCORES), _RESCALED),
    "duplicates": alternatives(scenarios.TWICE_BASE, scenarios.TWICE, {scenarios.TWICE_BASE: "counted_once"}, "larger"),
    "duplicates_above": alternatives(
        _JUST_BELOW,
        scenarios.TWICE_ABOVE,
        {_JUST_BELOW: "counted_once", "the copy taken out, the hit moved up": "removed"},
    ),
    "truth_duplicates": invariance("the hit is listed once in the truth", scenarios.TRUTH_TWICE),
    "truth_copies": judges.copy_that_counts(_names(scenarios.TRUTH_COPIES)),
    "short_list": invariance("filled up with misses", scenarios.SHORT),
    "padding": alternatives(
        scenarios.SHORT, "padded with item 0", {scenarios.SHORT: "skipped", "filled up with misses": "counted"}
    ),
    "no_list": missing_user(scenarios.NO_LIST, "without that user"),
    "no_truth": missing_user(scenarios.NO_TRUTH, "without that user"),
    "empty_truth": judges.value(scenarios.NOBODY_RELEVANT),
    "empty_lists": judges.value(scenarios.NOBODY_LISTED),
    "per_user": judges.per_user_values(_PLAIN, (1, 2, 3, 4, 5)),
    "below_threshold": truth_row_counts(scenarios.BELOW, "without the row below"),
    "zero_gain": truth_row_counts(scenarios.ZERO_GAIN, "without the row of 0"),
    "negative_gain": truth_row_counts(scenarios.NEGATIVE_GAIN, "without the negative row"),
    "score_shift": invariance(_PLAIN, "scores + 10"),
    "score_scale": invariance(*_RESCALED),
    "score_sign": invariance(_PLAIN, "scores − 10"),
    "item_ids": invariance(_PLAIN, "items renamed, order kept"),
    "item_ids_reversed": invariance(_PLAIN, "items renamed, order reversed"),
    "user_ids": invariance(_PLAIN, "users renamed", renamed=True),
    "rows_interleaved": invariance(_PLAIN, "rows of users interleaved"),
    "rows_shuffled": invariance(_PLAIN, scenarios.SHUFFLED),
    "truth_shuffled": invariance(_PLAIN, "truth shuffled"),
    "truth_beyond_k": invariance(*_names(scenarios.LONGER_TRUTH)),
    "train_item": alternatives(
        scenarios.UNSEEN_ON_TOP, scenarios.TRAIN_ON_TOP, {scenarios.UNSEEN_ON_TOP: "counted", _PLAIN: "skipped"}
    ),
    "no_train": invariance(_PLAIN, "no train"),
    "catalogue": invariance(_PLAIN, "catalogue grown"),
    "repeated_call": judges.repeated_call(_PLAIN, "called three times"),
    "other_metrics": invariance(_PLAIN, "after other metrics"),
    "several_k": judges.other_cutoffs(scenarios.K_ALONE, "after other k", scenarios.OTHER_KS),
    "hash_seed": judges.other_hash_seed(scenarios.SEEDED),
}


def _tests() -> tuple[MetamorphicTest, ...]:
    rows = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(
        MetamorphicTest(
            name,
            row["title"],
            row["question"],
            judge,
            row.get("slug"),
            judge.reads if row.get("only_if_canonical_stays") else (),
            row.get("axis"),
        )
        for (name, judge), row in zip(_JUDGES.items(), rows.values(), strict=True)
    )


METAMORPHIC_TESTS: Final = _tests()

RANGE = Experiment(
    name="range", title="Range", question="Does every value of every case lie where this metric can lie, and is finite?"
)
ROUTE = Experiment(
    name="second_route",
    title="Second route",
    question="Does another function of the library that bears this metric's name give the same answers?",
)
EXPERIMENTS: tuple[Experiment, ...] = (*(test.experiment for test in METAMORPHIC_TESTS), RANGE, ROUTE)
