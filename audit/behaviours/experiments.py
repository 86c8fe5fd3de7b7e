"""The table of experiments: what each changes, what would be expected, and which judge names the behaviour.

The root causes that they separate, by their codes in the project's taxonomy: ties T1, duplicates I1, edges A1 and A4,
thresholds I2, scores I3, ids I4, candidates C2 and C3, short lists C4 and C5, state S1, chance S3, harness M2.
"""

from __future__ import annotations

from dataclasses import dataclass

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.judges.changed_input import (
    alternatives,
    copy_that_counts,
    invariance,
    truth_row_counts,
)
from recsys_metric_audit.audit.behaviours.judges.judge import Judge
from recsys_metric_audit.audit.behaviours.judges.missing_user import missing_user
from recsys_metric_audit.audit.behaviours.judges.repeated_calls import other_cutoffs, other_hash_seed, repeated_call
from recsys_metric_audit.audit.behaviours.judges.returned_values import per_user_values, value
from recsys_metric_audit.audit.behaviours.judges.tie_rule import precision_of_scores, tie_rule
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
    pair: tuple[str, str] | None = None
    axis: str | None = None

    @property
    def experiment(self) -> Experiment:
        """Return its name, title and question, for the report."""
        return Experiment(name=self.name, title=self.title, question=self.question)


def _invariant(
    name: str, title: str, question: str, changed: str, slug: str | None = None, *, renamed: bool = False,
    axis: str | None = None,
) -> MetamorphicTest:  # fmt: skip
    judge = invariance(scenarios.ORDINARY, changed, renamed=renamed)
    return MetamorphicTest(name, title, question, judge, slug, (scenarios.ORDINARY, changed) if slug else None, axis)


def _truth_row(name: str, title: str, question: str, given: str, without: str) -> MetamorphicTest:
    return MetamorphicTest(name, title, question, truth_row_counts(given, without), axis="relevance")


_TIED = tuple(scenario.name for scenario in scenarios.TIES)
_LONGER = (scenarios.LONGER_TRUTH[0].name, scenarios.LONGER_TRUTH[1].name)
_ABOVE, _BELOW = (scenario.name for scenario in scenarios.UNTIED)

_LISTS = (
    MetamorphicTest(
        "perfect",
        "Perfect list",
        "Both relevant items stand on top, the better one first. Expected: 1.",
        value(scenarios.PERFECT),
    ),
    MetamorphicTest(
        "worst",
        "List upside down",
        "The relevant items stand below the cut-off. Expected: 0.",
        value("perfect list upside down"),
    ),
    MetamorphicTest(
        "ties",
        "Ties",
        "Two items share their score, one is relevant: which one comes first?",
        tie_rule((_TIED[0], _TIED[1], _TIED[2], _TIED[3]), _ABOVE, _BELOW, (scenarios.ORDINARY, "scores × 100")),
        axis="ties",
    ),
    MetamorphicTest(
        "close_scores",
        "Scores a billionth apart",
        "Two scores differ in double precision, not in single: do they tie?",
        precision_of_scores([each.name for each in scenarios.CLOSE_SCORES], (scenarios.ORDINARY, "scores × 100")),
        "single-precision",
        axis="ties",
    ),
    MetamorphicTest(
        "duplicates",
        "A hit twice",
        "A relevant item is recommended twice: does the copy count again?",
        alternatives(scenarios.TWICE_BASE, scenarios.TWICE, {scenarios.TWICE_BASE: "counted_once"}, "larger"),
        axis="duplicates",
    ),
    MetamorphicTest(
        "duplicates_above",
        "A miss twice",
        "An irrelevant item is recommended twice above a hit just below k: does the copy take a place?",
        alternatives(
            "a hit just below k, nothing twice",
            scenarios.TWICE_ABOVE,
            {"a hit just below k, nothing twice": "counted_once", "the copy taken out, the hit moved up": "removed"},
        ),
        axis="duplicates",
    ),
    MetamorphicTest(
        "truth_duplicates",
        "A truth row twice",
        "The truth lists the same relevant item twice.",
        invariance("the hit is listed once in the truth", scenarios.TRUTH_TWICE),
        axis="truth_duplicates",
    ),
    MetamorphicTest(
        "truth_copies",
        "Two gains of an item",
        "The truth lists an item twice, with a gain of 2 and one of 4, and 3 is relevant: which row counts?",
        copy_that_counts([each.name for each in scenarios.TRUTH_COPIES]),
        axis="truth_duplicates",
    ),
    MetamorphicTest(
        "short_list",
        "List shorter than k",
        "Two items for five places: is it scored as if misses filled it up?",
        invariance("filled up with misses", scenarios.SHORT),
    ),
    MetamorphicTest(
        "padding",
        "Padding",
        "The three places left are filled with item 0, again and again.",
        alternatives(
            scenarios.SHORT, "padded with item 0", {scenarios.SHORT: "skipped", "filled up with misses": "counted"}
        ),
    ),
)

_USERS = (
    MetamorphicTest(
        "no_list",
        "User without list",
        "A user of the truth has no recommendations: as what does this user count?",
        missing_user(scenarios.NO_LIST, "without that user", 1, 2),
    ),
    MetamorphicTest(
        "no_truth",
        "User without truth",
        "A user has recommendations and no row in the truth: as what does this user count?",
        missing_user(scenarios.NO_TRUTH, "without that user", 1, 2),
    ),
    MetamorphicTest(
        "empty_truth",
        "Empty truth",
        "Five users have lists, nobody has a relevant item.",
        value(scenarios.NOBODY_RELEVANT),
    ),
    MetamorphicTest(
        "empty_lists",
        "No recommendations",
        "Five users have relevant items, nobody has a list.",
        value(scenarios.NOBODY_LISTED),
        axis="nobody",
    ),
    MetamorphicTest(
        "per_user",
        "Per-user values",
        "Has each of five ordinary users one value?",
        per_user_values(scenarios.ORDINARY, (1, 2, 3, 4, 5)),
    ),
)

_GAINS = (
    _truth_row(
        "below_threshold", "Gain below the threshold", "A truth row has a gain of 2 where 3 is relevant.",
        scenarios.BELOW, "without the row below",
    ),
    _truth_row("zero_gain", "Gain of 0", "A truth row has a gain of 0.", scenarios.ZERO_GAIN, "without the row of 0"),
    _truth_row(
        "negative_gain", "Negative gain", "A truth row has a gain of −1.", scenarios.NEGATIVE_GAIN,
        "without the negative row",
    ),
)  # fmt: skip

_INPUT = (
    _invariant(
        "score_shift",
        "Scores + 10",
        "All scores are larger by 10; their order stays.",
        "scores + 10",
        "score-scale",
        axis="counted_scores",
    ),
    _invariant(
        "score_scale",
        "Scores × 100",
        "All scores are multiplied by 100; their order stays.",
        "scores × 100",
        "score-scale",
        axis="counted_scores",
    ),
    _invariant(
        "score_sign",
        "Negative scores",
        "All scores are smaller by 10, so all are negative; their order stays.",
        "scores − 10",
        "score-scale",
        axis="counted_scores",
    ),
    _invariant(
        "item_ids", "Items renamed", "Items have other ids in the same order.", "items renamed, order kept", "item-ids"
    ),
    _invariant(
        "item_ids_reversed",
        "Items renamed backwards",
        "Items have other ids in the reverse order; no scores are tied.",
        "items renamed, order reversed",
        "item-ids",
    ),
    _invariant(
        "user_ids",
        "Users renamed",
        "Users have other ids in the reverse order.",
        "users renamed",
        "user-ids",
        renamed=True,
    ),
    _invariant(
        "rows_interleaved",
        "Rows interleaved",
        "Rows of different users alternate; within a user their order stays.",
        "rows of users interleaved",
        "row-order",
    ),
    _invariant(
        "rows_shuffled",
        "Rows shuffled",
        "Predictions come in no order at all; scores say which is best.",
        scenarios.SHUFFLED,
        "order-lost",
        axis="order",
    ),
    _invariant(
        "truth_shuffled",
        "Truth shuffled",
        "The rows of the truth come in another order.",
        "truth shuffled",
        "row-order",
    ),
    MetamorphicTest(
        "truth_beyond_k",
        "Truth longer than k",
        "Four items are relevant and k is 2: the only hit stands in the first row of the truth, then in the last.",
        invariance(*_LONGER),
        "truth-cut",
        _LONGER,
    ),
    MetamorphicTest(
        "train_item",
        "Train item in the list",
        "An item of the user's training data stands on top of the list: is it a miss like any other?",
        alternatives(
            scenarios.UNSEEN_ON_TOP,
            scenarios.TRAIN_ON_TOP,
            {scenarios.UNSEEN_ON_TOP: "counted", scenarios.ORDINARY: "skipped"},
        ),
        axis="candidates",
    ),
    _invariant("no_train", "Train left out", "No training data is given.", "no train"),
    _invariant(
        "catalogue",
        "Catalogue grown",
        "500 items are added that nobody is recommended.",
        "catalogue grown",
        "depends-on-catalogue",
    ),
)

_CALLS = (
    MetamorphicTest(
        "repeated_call",
        "Called again",
        "The same call, three times on the same prepared data.",
        repeated_call(scenarios.ORDINARY, "called three times"),
        "state",
    ),
    MetamorphicTest(
        "other_metrics",
        "Other metrics before",
        "All functions of the library are called on the same prepared data.",
        invariance(scenarios.ORDINARY, "after other metrics"),
        "state",
    ),
    MetamorphicTest(
        "several_k",
        "Several cut-offs",
        "k = 1 and k = 5 on prepared data on which other cut-offs and metrics were asked, against each alone.",
        other_cutoffs(scenarios.K_ALONE, "after other k", scenarios.OTHER_KS),
        "state",
    ),
    MetamorphicTest(
        "hash_seed",
        "Hash seed",
        "Three cases again in a process with another PYTHONHASHSEED.",
        other_hash_seed(scenarios.SEEDED),
        "not-deterministic",
    ),
)

METAMORPHIC_TESTS: tuple[MetamorphicTest, ...] = (*_LISTS, *_USERS, *_GAINS, *_INPUT, *_CALLS)

RANGE = Experiment(
    name="range", title="Range", question="Does every value of every case lie where this metric can lie, and is finite?"
)
ROUTE = Experiment(
    name="second_route",
    title="Second route",
    question="Does another function of the library that bears this metric's name give the same answers?",
)
EXPERIMENTS: tuple[Experiment, ...] = (*(test.experiment for test in METAMORPHIC_TESTS), RANGE, ROUTE)
