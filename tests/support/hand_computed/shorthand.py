"""What the tables of hand-computed values share: their row type, short names of sources, small inputs."""

from __future__ import annotations

import math
from fractions import Fraction

from recsys_metric_audit.reference.input.case import Case
from tests.support.generated_inputs import make, one

Row = tuple[str, Case, Fraction | float, str]
"""Signature, input, expected mean, and where the value or its arithmetic comes from."""

TAMM = "Tamm et al. 2021"
SCHROEDER = "Schröder et al. 2011"
LOG3 = math.log2(3)
A, B, C = one("100", 1), one("10", 5), one("10", 4)
"""One hit at rank 1: r = 1 and three shown (k = 3); r = 5 (k = 2); r = 4 and two shown (k = 5)."""

TWICE = make([(1, 1, 2.0), (1, 2, 1.0)], [(1, 1, 2.0), (1, 1, 2.0)])
"""One list of items 1 and 2; the truth lists item 1 twice."""
