"""The probe cases: tiny inputs to read and check by hand, each with the reason why it exists.

May import ``reference.input``.
"""

from __future__ import annotations

from reference.cases.exhaustive import SMALL, split_batch, split_users
from reference.cases.input_handling import ABOVE_INPUT, LISTED_INPUT, ORDERS, UNIT_INPUT
from reference.cases.mixed import MIXED
from reference.cases.multi_user import ABOVE_CROWDS, CROWDS, LISTED_CROWDS, RATED_CROWDS, RATED_USERS, SOLE, UNIT_CROWDS
from reference.cases.probe import Kind, Probe, User
from reference.cases.single_user import ABOVE, ONE, PLAIN, UNIT, UNIT_ONE

PROBES: tuple[Probe, ...] = (
    *PLAIN, *ORDERS, *CROWDS, *RATED_USERS, *RATED_CROWDS, *UNIT, *UNIT_CROWDS, *UNIT_INPUT, *ABOVE,
    *ABOVE_CROWDS, *ABOVE_INPUT, *ONE, *UNIT_ONE, *LISTED_CROWDS, *LISTED_INPUT,
)  # fmt: skip

__all__ = [
    "ABOVE",
    "ABOVE_CROWDS",
    "ABOVE_INPUT",
    "CROWDS",
    "LISTED_CROWDS",
    "LISTED_INPUT",
    "MIXED",
    "ONE",
    "ORDERS",
    "PLAIN",
    "PROBES",
    "RATED_CROWDS",
    "RATED_USERS",
    "SMALL",
    "SOLE",
    "UNIT",
    "UNIT_CROWDS",
    "UNIT_INPUT",
    "UNIT_ONE",
    "Kind",
    "Probe",
    "User",
    "split_batch",
    "split_users",
]  # fmt: skip
