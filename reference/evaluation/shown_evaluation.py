"""Evaluation of definitions that read which items are shown, not which are relevant."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.space import averaging, edges
from recsys_metric_audit.reference.space.lists import Bools, Floats, Ratio
from recsys_metric_audit.reference.space.shown_items import ShownItems


def evaluate_shown(definition: Definition, shown: ShownItems, refused: Bools) -> Evaluated:
    """Evaluate a definition on what the lists of some cases show.

    Args:
        definition: A definition whose metric reads lists or items.
        shown: What the lists show, all users included.
        refused: Mask of the cases that hold what the definition refuses, shape (cases,).
    """
    chosen = looked_at(shown, definition.axes.get("users", "all"))
    if definition.axes.get("unseen") == "error":
        unseen = chosen[shown.user] & (shown.had[shown.item] == 0)
        refused = refused | (np.bincount(shown.case_of_user[shown.user[unseen]], minlength=shown.cases) > 0)
    if definition.family.reads == "items":
        return _of_all(definition, shown.only(chosen), refused)
    return _of_users(definition, shown, chosen, refused)


def formula_of_shown(definition: Definition, shown: ShownItems) -> Ratio:
    """Return the formula's ratio of each user, or of each case."""
    metric = definition.family
    return metric.formula(shown, **{axis.name: definition.axes[axis.name] for axis in metric.axes})


def looked_at(shown: ShownItems, users: str) -> Bools:
    """Tell whose recommendations are looked at, or who is averaged over; shape (users,)."""
    listed, rated = shown.shown > 0, shown.rated > 0
    named = {"predictions": listed, "both": listed & rated, "truth": rated, "train": shown.trained}
    return named.get(users, listed | rated)


def _of_all(definition: Definition, shown: ShownItems, refused: Bools) -> Evaluated:
    """Evaluate a definition with one value for all users of a case."""
    mean = formula_of_shown(definition, shown).value
    nobody = np.isnan(mean)
    mean, raised = averaging.over_nobody(mean, nobody, definition.axes)
    yes = np.ones(len(mean), dtype=np.bool_)
    return Evaluated(mean, yes, mean, refused | raised, nobody, yes, ~yes, ~yes)


def _of_users(definition: Definition, shown: ShownItems, averaged: Bools, refused: Bools) -> Evaluated:
    """Evaluate a definition that averages a value of each user; one whose items are all left out is left out."""
    values, listed = definition.axes, shown.shown > 0
    ratio = formula_of_shown(definition, shown)
    value = np.where(listed, ratio.value, edges.CONSTANTS[values["no_list"]])
    counted = averaged & ~(listed & (ratio.denominator == 0))
    terms = _terms(ratio, value, counted, pooled=values.get("pooling") == "pooled")
    over, under = (shown.sum_of_users(column) for column in (terms.numerator, terms.denominator))
    if values["users"] == "train":  # those who have train rows alone stand in no list of users
        others = shown.sizes.train_users - shown.sum_of_users(shown.trained)
        over, under = over + np.where(others > 0, others * edges.CONSTANTS[values["no_list"]], 0.0), under + others
    mean, nobody = terms.of_sums(over, under), under == 0
    mean, raised = averaging.over_nobody(mean, nobody, values)
    no = np.zeros(len(value), dtype=np.bool_)
    return Evaluated(value, counted, mean, refused | raised, nobody, listed, no, no, (terms,))


def _terms(ratio: Ratio, value: Floats, counted: Bools, *, pooled: bool) -> averaging.MeanTerms:
    """Return what each user adds to the mean."""
    over, under = (ratio.numerator, ratio.denominator) if pooled else (value, np.ones(len(value)))
    return averaging.MeanTerms(np.where(counted, over, 0.0), np.where(counted, under, 0.0))
