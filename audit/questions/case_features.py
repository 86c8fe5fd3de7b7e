"""The unusual features of cases, and the axes that act on them."""

from __future__ import annotations

from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.cases.probe import case_from_rows

SEED = 20240917
"""Seed of all generated cases: recordings hold answers by the digest of the input, so it must not change."""

FEATURE_OF_AXIS = {
    "order": "unsorted", "ties": "ties", "tied_scores": "ties", "duplicates": "repeats", "truth_duplicates": "copies",
    "relevance": "gains", "counted_scores": "signs", "no_list": "no list", "undefined": "no truth",
    "no_negatives": "only hits", "no_hit": "no hit", "candidates": "seen in training", "users": "no truth",
    "pooling": "short list", "weight": "short list",
}  # fmt: skip
"""The feature of a case on which an axis acts."""
FEATURES = tuple(dict.fromkeys([*FEATURE_OF_AXIS.values(), "gains of 1", "one relevant item", "rated misses"]))
"""All features, in a fixed order; ``rated misses`` are irrelevant items with a gain below the threshold."""

Row = tuple[int, int, float]
"""User, item, and score (of a recommended item) or gain (of a rated one)."""
ONE_TRAINING_ITEM = ((1, 900),)
"""The training items of most crafted cases: one of the first user, which is not recommended."""


def generated_probe(
    title: str, recommended: list[Row], truth: list[Row], k: int, *, threshold: float,
    seen: tuple[tuple[int, int], ...] = ONE_TRAINING_ITEM, unseen: tuple[int, ...] = (800, 801),
) -> Probe:  # fmt: skip
    """Return a generated case as a probe.

    Args:
        title: What is unusual about the case; with a number if several cases share it.
        recommended: Rows (user, item, score).
        truth: Rows (user, item, gain).
        k: The cut-off.
        threshold: Gains from here on are relevant, to functions that are told a threshold.
        seen: Rows (user, item) of training.
        unseen: Items of the catalogue that nobody has.
    """
    why, name = "generated to tell definitions apart", f"separating case {title}"
    case = case_from_rows(name, recommended, truth, list(seen), threshold=threshold, why=why, unseen=unseen)
    return Probe(Kind("distinguishing"), case, k)


def threshold_for(features: frozenset[str]) -> float:
    """Return the threshold of a random case with these features."""
    return 3.0 if "gains" in features else 1.0 if "gains of 1" in features else 2.0


def has_all_listed(probe: Probe) -> bool:
    """Return True if all relevant items of a probe are in the lists of their users."""
    relevant, listed = (
        set(zip(table.user.tolist(), table.item.tolist(), strict=True))
        for table in (probe.case.truth, probe.case.predictions)
    )
    return relevant <= listed
