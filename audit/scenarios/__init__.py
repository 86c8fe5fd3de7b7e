"""Applies scenarios to a data set: the evaluation protocol around a metric (candidates, users, relevance).

May import ``audit.data``, ``audit.errors`` and ``reference``.
"""

from recsys_metric_audit.audit.scenarios.scenario import Scenario, dataset_under, parse_scenario
from recsys_metric_audit.audit.scenarios.steps import Applied

__all__ = ["Applied", "Scenario", "dataset_under", "parse_scenario"]
