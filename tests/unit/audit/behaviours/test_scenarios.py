"""Scenarios are what their names say, and the probes that tests rely on exist."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.responses import response_of
from tests.support.behaviour_samples import PROBE_NAMES


def test_the_tied_cases_are_what_they_are_called() -> None:
    for scenario in scenarios.TIES:
        rec, hits = scenario.case.predictions, set(scenario.case.truth.item.tolist())
        pair = [item for item, score in zip(rec.item.tolist(), rec.score.tolist(), strict=True) if score == 0.7]
        hit = next(item for item in pair if item in hits)
        assert ("upper" in scenario.name) == (pair[0] == hit)
        assert ("lower id" in scenario.name) == (hit == min(pair))


def test_probes_that_serve_experiments_exist() -> None:
    named = {
        scenarios.ORDINARY,
        scenarios.EVERYTHING,
        scenarios.NO_LIST,
        scenarios.NO_TRUTH,
        scenarios.TWICE,
        scenarios.TWICE_ABOVE,
        scenarios.TWICE_BASE,
    }
    named |= {
        scenarios.TRUTH_TWICE,
        scenarios.SHORT,
        scenarios.BELOW,
        scenarios.ZERO_GAIN,
        scenarios.NEGATIVE_GAIN,
        scenarios.PERFECT,
        *scenarios.SEEDED,
    }
    assert named <= PROBE_NAMES
    assert response_of(None) is None


def test_labels_of_the_rows_shown_hold_close_scores_and_copies() -> None:
    for scenario in (*scenarios.CLOSE_SCORES, *scenarios.TRUTH_COPIES):
        assert np.isin(scenario.case.truth.item, scenario.case.predictions.item).all()
    for gap, pair in ((2e-7, scenarios.CLOSE_SCORES[:2]), (1e-9, scenarios.CLOSE_SCORES[2:])):
        for scenario in pair:
            one, other = scenario.case.predictions.score[:2]
            assert abs(abs(one - other) - gap) < 1e-12
            assert (np.float32(one) == np.float32(other)) == (gap == 1e-9)
