"""The level of each experiment: what a changed behaviour in it says something about."""

from __future__ import annotations

from recsys_metric_audit.reference.space.levels import Level

_WHO_COUNTS = frozenset({"no_list", "no_truth", "empty_truth", "empty_lists"})
_INPUT = frozenset({
    "ties", "close_scores", "duplicates", "duplicates_above", "truth_duplicates", "truth_copies", "short_list",
    "padding", "below_threshold", "zero_gain", "negative_gain", "score_shift", "score_scale", "score_sign", "item_ids",
    "item_ids_reversed", "user_ids", "rows_interleaved", "rows_shuffled", "truth_shuffled", "truth_beyond_k",
    "train_item", "no_train", "catalogue",
})  # fmt: skip


def level_of_experiment(name: str) -> Level:
    """Return the level of an experiment; one that neither table names is about the formula.

    These are the experiments on ordinary input: the best and the worst list, the range of the values, calls repeated
    or in another order.
    """
    if name in _WHO_COUNTS:
        return "who_counts"
    return "input" if name in _INPUT else "formula"
