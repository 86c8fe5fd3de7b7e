"""The value of a user without list or truth is found from the mean or the user's own value."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.behaviours import scenarios
from tests.support.behaviour_samples import ERROR, NAN, Given, judged


@pytest.mark.parametrize(
    ("mean", "name"),
    [
        # two others of mean 0.6: alone 0.6; with 0: 1.2/3; with 1: 2.2/3; with one half: 1.7/3
        (0.6, "skipped"),
        (0.4, "zero"),
        (2.2 / 3, "one"),
        (1.7 / 3, "half"),
        (NAN, "nan"),
        (0.55, "changes"),
        (ERROR, "raises"),
    ],
)
@pytest.mark.parametrize(("experiment", "probe"), [("no_list", scenarios.NO_LIST), ("no_truth", scenarios.NO_TRUTH)])
def test_as_what_a_missing_user_counts(mean: Given, name: str, experiment: str, probe: str) -> None:
    assert judged(experiment, {probe: mean, "without that user": 0.6}).name == name


@pytest.mark.parametrize(
    ("values", "name"),
    [({2: 0.5, 3: 0.7}, "skipped"), ({1: 0.0, 2: 0.5, 3: 0.7}, "zero"), ({1: NAN, 2: 0.5, 3: 0.7}, "nan")],
)
def test_without_a_mean_the_users_own_value_says_it(values: Given, name: str) -> None:
    assert judged("no_list", {scenarios.NO_LIST: values, "without that user": {2: 0.5, 3: 0.7}}).name == name
