"""Settings in which two definitions are compared."""

from __future__ import annotations

import math

import numpy as np

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.paper.sample_data import mean_on


def test_the_discounts_base_shows_where_the_ideal_does_not_cancel_it() -> None:
    plain = mean_on(parse("ndcg@k|ideal:none"), "full")
    assert math.isclose(mean_on(parse("ndcg@k|ideal:none|discount:ln"), "full"), plain / np.log(2), rel_tol=1e-12)
