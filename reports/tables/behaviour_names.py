"""Names of behaviours: what they mean, and how they are written for readers."""

from __future__ import annotations

from collections.abc import Mapping

from recsys_metric_audit.reports.wording.formatting import one_line

BEHAVIOUR_MEANINGS: Mapping[str, str] = {
    "unchanged": "the answer stays the same",
    "changes": "the answer changes",
    "raises": "it raises an error",
    "crashes": "its process dies",
    "times_out": "it gives no answer in time",
    "nan": "it counts as NaN, or the answer is NaN",
    "zero": "it counts as 0, or the answer is 0",
    "one": "it counts as 1, or the answer is 1",
    "half": "it counts as one half",
    "infinite": "a value is infinite",
    "number": "the answer is another number",
    "skipped": "it is left out",
    "counted": "it is counted like any other",
    "larger": "the copy makes the answer larger",
    "counted_once": "the copy takes its place and counts as a miss",
    "removed": "the copy is taken out and the rest moves up",
    "row_order": "tied items keep the order of their rows",
    "reverse_row_order": "tied items stand in the reverse order of their rows",
    "lower_item_first": "of tied items the lower id stands first",
    "higher_item_first": "of tied items the higher id stands first",
    "hits_first": "hits stand before misses of the same score",
    "misses_first": "misses stand before hits of the same score",
    "shared": "tied items share their places",
    "mixed": "tied items stand in an order that none of these rules gives",
    "tied": "they tie",
    "first_copy": "the first row counts",
    "last_copy": "the last row counts",
    "largest_copy": "the row of the larger gain counts",
    "smallest_copy": "the row of the smaller gain counts",
    "both_copies": "both rows count",
    "within": "every value lies where the metric can lie",
    "outside": "a value lies where the metric cannot lie",
    "complete": "every user has one value",
    "mean_only": "there are no per-user values",
    "repeated": "a user has several values",
    "unknown": "there are values of users who do not exist",
    "agrees": "another function for this metric gives the same answers",
    "differs": "no other function for this metric gives the same answers",
    "not_askable": "it cannot be asked of this function",
    "not_asked": "it was not asked",
}
"""Meaning of each name, in the order of the glossary; names that are not listed explain themselves."""

AS_EXPECTED = ("unchanged", "within", "complete", "not_askable", "not_asked")
"""Behaviours that need no attention: shown last, and not emphasised."""

DASHED = ("not_asked", "not_askable")
"""Behaviours that are shown as a dash, because nothing was observed."""


def readable_name(name: str) -> str:
    """Return a behaviour's name for readers: ``counted_once`` as ``counted once``."""
    return one_line(name).replace("_", " ")
