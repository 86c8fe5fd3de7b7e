"""The result of evaluating a definition: the values of users, and the number of each case."""

from __future__ import annotations

from dataclasses import dataclass

from recsys_metric_audit.reference.space import averaging
from recsys_metric_audit.reference.space.lists import Bools, Floats


@dataclass(frozen=True, eq=False)
class Evaluated:
    """The result of evaluating a definition: some arrays with one entry a user, some with one a case.

    Per user, in the order of the placement: ``value`` (under ``of:means``, what the definition gives for the user
    alone) and ``counted`` (false if the user is left out). Per case: ``mean``, ``refused`` (the library raises) and
    ``nobody`` (nothing is left to be averaged: the mean is 0/0, but for the axis ``nobody``).
    Further per user: ``regular``: the value is the formula's own, not an edge policy's (under ``of:means`` the first
    operand decides); ``conventional``: the formula gives 0 by convention only, for want of a hit
    (``Metric.zero_by_convention``), so that another number contradicts the definition, but NaN may only mean another
    policy; ``mixed``: that holds in some orders of the user's ties, so that under another policy any number may result.
    ``terms``: what each user adds to the mean; two under ``of:means``, whose means are combined.
    """

    value: Floats
    counted: Bools
    mean: Floats
    refused: Bools
    nobody: Bools
    regular: Bools
    conventional: Bools
    mixed: Bools
    terms: tuple[averaging.MeanTerms, ...] = ()
