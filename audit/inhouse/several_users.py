"""Compares what a function gives of several users in one call with what it gives of each of them.

A function that takes a batch is identified one user at a time. Whether a batch gives their values, or the mean, no
answer about one user shows: a sum over the users, which the caller divides, agrees with every definition of a mean.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.audit.inhouse.call import Call
from recsys_metric_audit.audit.observations.observation import scalar
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.reference.cases.probe import case_from_rows

_K = 3
_SAME = 1e-6  # besides what the function rounds away: of each value, and of their mean
_SCORES = (0.9, 0.8, 0.7, 0.6)
_FIRST = [(1, item, score) for item, score in zip((11, 14, 12, 15), _SCORES, strict=True)]
_SECOND = [(2, item, score - 0.25) for item, score in zip((31, 34, 32, 35), _SCORES, strict=True)]
_RELEVANT = [(1, 11, 2.0)], [(2, 34, 2.0)]  # at the first place and at the second
_ONE_MORE = [(2, 35, 2.0)]  # at the fourth: pooled, a user with two counts twice


def of_several_users(call: Call, width: float) -> str | None:
    """Say what a function gives of two users in one call, if that is neither their values nor the mean; else None.

    None as well where one call has all users anyway, where the arguments of one user are no batch of one, or where it
    has no value of one of them.

    Args:
        call: How the function is called.
        width: Up to which its values are rounded.
    """
    if call.shape.users:
        return None
    of_second = _RELEVANT[1] if call.shape.one else _RELEVANT[1] + _ONE_MORE
    rows = {"first": (_FIRST, _RELEVANT[0]), "second": (_SECOND, of_second),
            "both": (_FIRST + _SECOND, _RELEVANT[0] + of_second)}  # fmt: skip
    cases = {name: (call.given(case_from_rows(name, *each)), call.k or _K) for name, each in rows.items()}
    if not all(call.shape.holds(case) for case, _ in cases.values()):
        return None
    answers = call.running.outcomes(call.shape, {name: cases[name] for name in ("first", "second")})
    one, two = map(scalar, answers.values())
    if one is None or two is None or np.isnan([one, two]).any():
        return None
    same = _SAME + 2 * width
    together = call.running.outcomes(call.shape, {"both": cases["both"]}, "[batch]")["both"]
    if not isinstance(together, Measured):
        return None
    told = "of several users in one call it gives"
    if together.values is not None:
        if np.allclose(together.values, [one, two], atol=same):
            return None
        given = ", ".join(f"{each:.6g}" for each in together.values)
    else:
        value = scalar(together)
        if value is not None and abs(value - (one + two) / 2) < same:
            return None
        if value is not None and abs(value - (one + two)) < same:
            return f"{told} the sum of their values, not the mean: {value:.6g} for {one:.6g} and {two:.6g}"
        given = "no number" if value is None else f"{value:.6g}"
    return f"{told} neither their values nor the mean: {given} for {one:.6g} and {two:.6g}"
