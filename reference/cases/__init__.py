"""The probe cases: tiny inputs to read and check by hand, each with the reason why it exists.

May import ``reference.input``.
"""

from __future__ import annotations

from recsys_metric_audit.reference.cases import input_handling, multi_user, single_user
from recsys_metric_audit.reference.cases.exhaustive import EXHAUSTIVE, split_batch, split_users
from recsys_metric_audit.reference.cases.item_probes import ITEM_PROBES
from recsys_metric_audit.reference.cases.mixed import MIXED
from recsys_metric_audit.reference.cases.multi_user import DEGENERATE
from recsys_metric_audit.reference.cases.probe import Kind, Probe, Role, User, Variant

PROBES: tuple[Probe, ...] = (
    *single_user.USUAL, *input_handling.USUAL, *multi_user.USUAL, *multi_user.RATED_USERS, *multi_user.RATED_MISSES,
    *single_user.UNIT_GAINS, *multi_user.UNIT_GAINS, *input_handling.UNIT_GAINS,
    *single_user.ABOVE_THRESHOLD, *multi_user.ABOVE_THRESHOLD, *input_handling.ABOVE_THRESHOLD,
    *single_user.ONE_RELEVANT, *single_user.ONE_RELEVANT_UNIT_GAIN,
    *multi_user.ALL_LISTED, *input_handling.ALL_LISTED,
)  # fmt: skip
"""All probes that are written down, but for degenerate and mixed ones; their order is that in which they are asked."""


KINDS: tuple[Kind, ...] = tuple(dict.fromkeys(probe.kind for probe in (*PROBES, *DEGENERATE, *EXHAUSTIVE, *MIXED)))
"""All kinds of probes that are written down."""


def of_kind(*kinds: Kind) -> tuple[Probe, ...]:
    """Return the probes of some kinds, kind after kind; none of the kinds whose probes are made as they are needed."""
    every = (*PROBES, *DEGENERATE, *EXHAUSTIVE, *MIXED, *ITEM_PROBES)
    return tuple(probe for kind in kinds for probe in every if probe.kind == kind)


__all__ = [
    "DEGENERATE",
    "EXHAUSTIVE",
    "ITEM_PROBES",
    "KINDS",
    "MIXED",
    "PROBES",
    "Kind",
    "Probe",
    "Role",
    "User",
    "Variant",
    "of_kind",
    "split_batch",
    "split_users",
]
