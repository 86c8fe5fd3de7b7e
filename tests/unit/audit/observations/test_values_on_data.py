"""Find users' values on the data: from all users where they were asked, else from the sample."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.audit.data.large_data import sample_users
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.observations.values_on_data import values_on_data
from recsys_metric_audit.audit.process.protocol import Errored, Measured
from recsys_metric_audit.reference.cases import PROBES, Kind
from recsys_metric_audit.reference.evaluation.evaluate import Problem

CASE = next(probe.case for probe in PROBES if probe.kind == Kind("multi_user"))
DATA = Problem.of([CASE], None)
MEAN = Measured(0.5, None, None, "float", 0.1)
VALUES = Measured(0.5, np.array([1]), np.array([0.5]), "float", 0.1)
SAMPLED = Measured(0.25, np.array([2]), np.array([0.25]), "float", 0.1)


def test_values_of_all_users_come_before_those_of_the_sample() -> None:
    for observation in (Observation("f", {}, {5: VALUES}), Observation("f", {}, {5: VALUES}, sample={5: SAMPLED})):
        outcome, data = values_on_data(observation, 5, DATA)
        assert outcome is VALUES
        assert data.cases == (CASE,) and data.k == (5,)


def test_the_sample_tells_where_the_data_were_asked_for_a_mean() -> None:
    outcome, data = values_on_data(Observation("f", {}, {5: MEAN}, sample={5: SAMPLED}), 5, DATA)
    assert outcome is SAMPLED
    assert data.cases == (sample_users(CASE),) and data.k == (5,)


def test_a_sample_without_values_tells_nothing() -> None:
    for sampled in ({}, {5: MEAN}, {5: Errored("ValueError", "no", "")}, {1: SAMPLED}):
        outcome, data = values_on_data(Observation("f", {}, {5: MEAN}, sample=sampled), 5, DATA)
        assert outcome is MEAN and data.cases == (CASE,)
