"""The vectorised reference against the slow oracle, over the whole product of axes.

On a few hundred cases a family; AUDIT_EXAMPLES multiplies them.
"""

from __future__ import annotations

import os

import pytest
from against_oracle import disagreements

from reference.metrics import METRICS

CASES = 240 * int(os.environ.get("AUDIT_EXAMPLES", "1"))


@pytest.mark.parametrize("name", METRICS)
def test_agrees_with_the_oracle(name: str) -> None:
    assert not disagreements(name, CASES)
