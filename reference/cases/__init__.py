"""The probe cases: tiny, hand-readable, each with the reason for which it exists."""

from __future__ import annotations

from reference.cases.crowds import CROWDS, RATED_CROWDS
from reference.cases.mixed import MIXED
from reference.cases.orders import ORDERS
from reference.cases.plain import PLAIN
from reference.cases.probe import Kind, Probe, User
from reference.cases.small import SMALL, alone, parts

PROBES: tuple[Probe, ...] = (*PLAIN, *ORDERS, *CROWDS, *RATED_CROWDS)

__all__ = [
    "CROWDS", "MIXED", "ORDERS", "PLAIN", "PROBES", "RATED_CROWDS", "SMALL", "Kind", "Probe", "User", "alone", "parts",
]  # fmt: skip
