"""The situations of the edge matrix, and what a function does in each, in two or three words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from recsys_metric_audit.reference.space.averaging import USERS
from recsys_metric_audit.reference.space.edges import POLICIES
from recsys_metric_audit.reference.space.levels import Level, level_of
from recsys_metric_audit.reference.space.user_outcomes import Property, asks_for


@dataclass(frozen=True)
class Situation:
    """Describes an unusual input: a column of the edge matrix.

    Attributes:
        title: The situation in a word or two.
        question: The situation in a sentence.
        axes: Axes that act in it; the first that a definition has is shown.
        experiments: Names of the experiments that put it to a function.
        lacks: What such a user has not: where averaged users must have it, the user is left out.
        observed_first: Whether an observation goes before the identified definition.
        of_all_rows: Axes that act in it where all rows of all users are one ranking, if they are others.
    """

    title: str
    question: str
    axes: tuple[str, ...] = ()
    experiments: tuple[str, ...] = ()
    lacks: Property | None = None
    observed_first: bool = False
    of_all_rows: tuple[str, ...] | None = None

    @property
    def is_of_one_user(self) -> bool:
        """Return True if a single user is in the situation, which is none of one ranking of all rows."""
        return self.of_all_rows == ()

    @property
    def level(self) -> Level:
        """Return the level of the situation: who counts, or input handling."""
        return level_of(self.axes[0])

    @property
    def absent_users(self) -> tuple[str, ...]:
        """Return the values of the axis ``users`` that leave such a user out, whatever the other axes say."""
        lacks = self.lacks
        return () if lacks is None else tuple(users for users in USERS.names if asks_for(users, lacks))


SITUATIONS = (
    Situation(
        "No truth", "A user has recommendations and no relevant item.", ("undefined",), ("no_truth",),
        "relevant", observed_first=True, of_all_rows=(),
    ),
    Situation(
        "No list", "A user has relevant items and no recommendation.", ("no_list",), ("no_list",),
        "listed", observed_first=True, of_all_rows=(),
    ),
    Situation(
        "No hit", "A user has relevant items and a list, and none of them is in it.", ("no_hit",), (), "hit",
        of_all_rows=(),
    ),
    Situation(
        "No irrelevant item", "A user's list holds relevant items only.", ("no_negatives",), of_all_rows=()
    ),
    Situation(
        "Nobody relevant", "No user has a relevant item.", ("nobody",), ("empty_truth",), None, True, ("undefined",)
    ),
    Situation(
        "Nobody listed", "No user has a recommendation.", ("nobody",), ("empty_lists",), None, True, ("no_list",)
    ),
    Situation("Tie", "Two items of a user have one score.", ("tied_scores", "ties"), ("ties",)),
    Situation("Item twice", "An item is recommended to a user twice.", ("duplicates",), ("duplicates",)),
    Situation(
        "Truth row twice", "The truth lists a relevant item twice.", ("truth_duplicates",), ("truth_duplicates",)
    ),
    Situation("Short list", "A list is shorter than k.", ("short_lists",), ("short_list",)),
    Situation("Rows shuffled", "The rows of a list do not come best first.", ("order",), ("rows_shuffled",)),
    Situation("Low gain", "A truth row has a gain below the threshold.", ("relevance",), ("below_threshold",)),
    Situation("Score of 0", "A recommended row has the score 0 or less.", ("counted_scores",), ("score_sign",)),
    Situation("Train item", "An item of the user's training data is recommended.", ("candidates",), ("train_item",)),
)  # fmt: skip
"""Lists the situations in the order of the matrix: unusual users, then unusual rows."""

_POLICIES = {name: each.word for name, each in POLICIES.items()}

AXIS_WORDS: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("undefined", "no_list", "no_hit", "no_negatives", "nobody"), _POLICIES),
    "order": {"score": "sorts by score", "rows": "keeps the rows"},
    "ties": {
        "given": "as given", "reversed": "reversed", "item_asc": "lower id first", "item_desc": "higher id first",
        "text_asc": "lower id text first", "text_desc": "higher id text first", "average": "mean of orders",
        "best": "hits first", "worst": "misses first", "shared": "share a rank", "unspecified": "not reproducible",
    },
    "tied_scores": {
        "half": "counts 1/2", "win": "pair won", "lose": "pair lost", "ranked": "by rank", "dropped": "left out",
    },
    "short_lists": {"listed": "as it is", "filled": "filled up"},
    "duplicates": {
        "counted": "counts twice", "first_in_place": "first counts", "first_closed_up": "copies removed",
        "last": "last counts", "error": "raises",
    },
    "truth_duplicates": {
        "counted": "counts twice", "once": "counts once", "r_only": "one hit of two", "error": "raises",
    },
    "relevance": {
        "every_row": "relevant", "positive": "relevant", "at_least_t": "not relevant", "above_t": "not relevant",
        "equal_1": "not relevant",
    },
    "counted_scores": {"any": "counts", "nonzero": "no hit", "positive": "no hit"},
    "candidates": {"all": "ranked", "test_only": "left out", "without_train": "left out"},
}  # fmt: skip
"""Describes values of axes, by axis and value; other values are shown by their names."""

BEHAVIOUR_WORDS: Mapping[str, str] = {
    "skipped": "left out", "zero": "counts 0", "one": "counts 1", "half": "counts 1/2", "nan": "NaN",
    "raises": "raises", "crashes": "crashes", "times_out": "no answer", "infinite": "infinite", "number": "a number",
    "unchanged": "no change", "changes": "value changes", "counted": "counts", "counted_once": "counts once",
    "larger": "lifts the value",
    "removed": "copy removed", "row_order": "as given", "reverse_row_order": "reversed",
    "lower_item_first": "lower id first", "higher_item_first": "higher id first", "hits_first": "hits first",
    "misses_first": "misses first", "shared": "share a rank", "mixed": "no known rule",
}  # fmt: skip
"""Describes the observation of an experiment, by the name of the behaviour."""

UNTELLING = ("changes", "not_asked", "not_askable")
"""Lists behaviours that do not tell how a function acts."""
