"""A case as the callers of own functions see it: two users, one of whom has the relevant item in the list."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np


def case() -> SimpleNamespace:
    """User 3 has the items 30 and 31, of which 31 is relevant with gain 2; user 4 has 40, and 41 is missed."""
    return SimpleNamespace(
        recommended=SimpleNamespace(
            user=np.array([3, 3, 4]), item=np.array([30, 31, 40]), score=np.array([0.9, 0.8, 0.7])
        ),
        relevant=SimpleNamespace(user=np.array([4, 3]), item=np.array([41, 31]), gain=np.array([1.0, 2.0])),
    )
