"""Decides which rows count as recommended, for ratios of classification: the first k, or rows with a high score.

Scores are probabilities there, and one half is the threshold of a classifier.
"""

from __future__ import annotations

from dataclasses import replace

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Ints, Lists
from recsys_metric_audit.reference.space.metric import Values

# fmt: off
DECISION = axis("decision", "which rows count as recommended",
    {"top_k": "the first k", "at_half": "those with a score of 0.5 and more, which is a probability"},
    slug="score-threshold",
    sources={"at_half": "scikit-learn, User Guide, 3.3.1.1: predict takes the class of a probability above 0.5"})
# fmt: on


def decided(lists: Lists, decision: str) -> Lists:
    """Return the lists cut so that their first k rows are the rows that count as recommended."""
    return lists if decision == "top_k" else replace(lists, k=lists.at_half, depth=lists.at_half)


def decided_hits(lists: Lists, *, decision: str, **_: str) -> Ints:
    """Return the number of relevant rows of each list that count as recommended; shape (lists,)."""
    return decided(lists, decision).hits.count


def refuse_decision(values: Values) -> str | None:
    """Return why the values are meaningless where scores decide what counts as recommended, or None."""
    if values["decision"] == "at_half" and values.get("order") == "rows":
        return "decision:at_half asks for scores, which order:rows does not read"
    return None
