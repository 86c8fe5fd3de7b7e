"""The experiments as a table: what is changed, what would be expected, and how the answers are judged.

Root causes and the experiments that separate them: ties T1, duplicates I1, edges A1 and A4, thresholds I2, scores I3,
ids I4, candidates C2 and C3, short lists C4 and C5, state S1, chance S3, harness M2 of the project's taxonomy.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.behaviours import scenes as at
from audit.behaviours.judges import Judge, alternatives, invariance, missing_user, row_counts, value
from audit.behaviours.repeated_calls import other_k, per_user, repeated, seeded
from audit.behaviours.tie_rule import ties
from reports.model.result import Experiment


@dataclass(frozen=True)
class Trial:
    """One experiment with its judge.

    ``slug`` is the class of a failed invariance, where it is one that holds for a right metric; ``pair`` are the two
    scenes or probes whose values a definition must give alike for that.
    """

    name: str
    title: str
    question: str
    judge: Judge
    slug: str | None = None
    pair: tuple[str, str] | None = None

    @property
    def experiment(self) -> Experiment:
        """What a report says of it."""
        return Experiment(name=self.name, title=self.title, question=self.question)


def _invariant(
    name: str, title: str, question: str, changed: str, slug: str | None = None, *, renamed: bool = False
) -> Trial:
    judge = invariance(at.ORDINARY, changed, renamed=renamed)
    return Trial(name, title, question, judge, slug, (at.ORDINARY, changed) if slug else None)


_TIED = tuple(scene.name for scene in at.TIES)
_ABOVE, _BELOW = (scene.name for scene in at.UNTIED)

_LISTS = (
    Trial("perfect", "Perfect list", "Both relevant items stand on top, the better one first. Expected: 1.",
          value(at.PERFECT)),
    Trial("worst", "List upside down", "The relevant items stand below the cut-off. Expected: 0.",
          value("perfect list upside down")),
    Trial("ties", "Ties", "Two items share their score, one is relevant: which one comes first?",
          ties((_TIED[0], _TIED[1], _TIED[2], _TIED[3]), _ABOVE, _BELOW, (at.ORDINARY, "scores × 100"))),
    Trial("duplicates", "A hit twice", "A relevant item is recommended twice: does the copy count again?",
          alternatives(at.TWICE_BASE, at.TWICE, {at.TWICE_BASE: "counted_once"}, "counted")),
    Trial("duplicates_above", "A miss twice", "An irrelevant item is recommended twice above a hit just below k: "
          "does the copy take a place?",
          alternatives("a hit just below k, nothing twice", at.TWICE_ABOVE,
                       {"a hit just below k, nothing twice": "counted_once",
                        "the copy taken out, the hit moved up": "removed"})),
    Trial("truth_duplicates", "A truth row twice", "The truth lists the same relevant item twice.",
          invariance("the hit is listed once in the truth", at.TRUTH_TWICE)),
    Trial("short_list", "List shorter than k", "Two items for five places: is it scored as if misses filled it up?",
          invariance("filled up with misses", at.SHORT)),
    Trial("padding", "Padding", "The three places left are filled with item 0, again and again.",
          alternatives(at.SHORT, "padded with item 0", {at.SHORT: "skipped", "filled up with misses": "counted"})),
)  # fmt: skip

_USERS = (
    Trial("no_list", "User without list", "A user of the truth has no recommendations: as what does this user count?",
          missing_user(at.NO_LIST, "without that user", 1, 2)),
    Trial("no_truth", "User without truth", "A user has recommendations and no row in the truth: as what does this "
          "user count?", missing_user(at.NO_TRUTH, "without that user", 1, 2)),
    Trial("empty_truth", "Empty truth", "Five users have lists, nobody has a relevant item.", value("no truth at all")),
    Trial("empty_lists", "No recommendations", "Five users have relevant items, nobody has a list.",
          value("no predictions at all")),
    Trial("per_user", "Per-user values", "Has each of five ordinary users one value?",
          per_user(at.ORDINARY, (1, 2, 3, 4, 5))),
)  # fmt: skip

_GAINS = (
    Trial("below_threshold", "Gain below the threshold", "A truth row has a gain of 2 where 3 is relevant.",
          row_counts(at.BELOW, "without the row below")),
    Trial("zero_gain", "Gain of 0", "A truth row has a gain of 0.", row_counts(at.ZERO_GAIN, "without the row of 0")),
    Trial("negative_gain", "Negative gain", "A truth row has a gain of −1.",
          row_counts(at.NEGATIVE_GAIN, "without the negative row")),
)  # fmt: skip

_INPUT = (
    _invariant("score_shift", "Scores + 10", "All scores are larger by 10; their order stays.", "scores + 10",
               "score-scale"),
    _invariant("score_scale", "Scores × 100", "All scores are multiplied by 100; their order stays.", "scores × 100",
               "score-scale"),
    _invariant("score_sign", "Negative scores", "All scores are smaller by 10, so all are negative; their order stays.",
               "scores − 10", "score-scale"),
    _invariant("item_ids", "Items renamed", "Items have other ids in the same order.", "items renamed, order kept",
               "item-ids"),
    _invariant("item_ids_reversed", "Items renamed backwards", "Items have other ids in the reverse order; no scores "
               "are tied.", "items renamed, order reversed", "item-ids"),
    _invariant("user_ids", "Users renamed", "Users have other ids in the reverse order.", "users renamed", "user-ids",
               renamed=True),
    _invariant("rows_interleaved", "Rows interleaved", "Rows of different users alternate; within a user their order "
               "stays.", "rows of users interleaved", "row-order"),
    _invariant("rows_shuffled", "Rows shuffled", "Predictions come in no order at all; scores say which is best.",
               "rows shuffled across users", "order-lost"),
    _invariant("truth_shuffled", "Truth shuffled", "The rows of the truth come in another order.", "truth shuffled",
               "row-order"),
    Trial("train_item", "Train item in the list", "An item of the user's training data stands on top of the list: is "
          "it a miss like any other?", alternatives("an unseen item on top", "a train item on top",
                                                     {"an unseen item on top": "counted", at.ORDINARY: "skipped"})),
    _invariant("no_train", "Train left out", "No training data is given.", "no train"),
    _invariant("catalogue", "Catalogue grown", "500 items are added that nobody is recommended.", "catalogue grown",
               "depends-on-catalogue"),
)  # fmt: skip

_CALLS = (
    Trial("repeated_call", "Called again", "The same call, three times on the same prepared data.",
          repeated(at.ORDINARY, "called three times"), "state"),
    Trial("other_metrics", "Other metrics before", "All functions of the library are called on the same prepared data.",
          invariance(at.ORDINARY, "after other metrics"), "state"),
    Trial("several_k", "Several cut-offs", "k = 1 and k = 5 on prepared data on which other cut-offs and metrics were "
          "asked, against each alone.", other_k("k alone", "after other k", at.OTHER_KS), "state"),
    Trial("hash_seed", "Hash seed", "Three cases again in a process with another PYTHONHASHSEED.",
          seeded(at.SEEDED), "not-deterministic"),
)  # fmt: skip

TRIALS: tuple[Trial, ...] = (*_LISTS, *_USERS, *_GAINS, *_INPUT, *_CALLS)

RANGE = Experiment(
    name="range", title="Range", question="Does every value of every case lie where this metric can lie, and is finite?"
)
ROUTE = Experiment(
    name="second_route",
    title="Second route",
    question="Does another function of the library that bears this metric's name give the same answers?",
)
EXPERIMENTS: tuple[Experiment, ...] = (*(trial.experiment for trial in TRIALS), RANGE, ROUTE)
