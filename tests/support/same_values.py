"""Holds two results of a definition equal to the last digit, with what users add to the mean, or equal refusals."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit import Values


def assert_same(made: Values | ValueError, wanted: Values | ValueError) -> None:
    """Fail unless both are the same values and terms, or the same error."""
    if isinstance(made, ValueError) or isinstance(wanted, ValueError):
        assert (type(made), str(made)) == (type(wanted), str(wanted))
        return
    assert np.array_equal(made.mean, wanted.mean, equal_nan=True), made.definition
    assert made.users.tolist() == wanted.users.tolist()
    assert np.array_equal(made.values, wanted.values, equal_nan=True)
    if wanted.terms is None:
        assert made.terms is None
        return
    assert made.terms is not None
    for ours, theirs in zip(made.terms.terms, wanted.terms.terms, strict=True):
        assert np.array_equal(ours.numerator, theirs.numerator, equal_nan=True)
        assert np.array_equal(ours.denominator, theirs.denominator, equal_nan=True)
        assert (ours.root, ours.exponential) == (theirs.root, theirs.exponential)
