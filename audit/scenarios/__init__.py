"""Applies scenarios to a data set: the evaluation protocol around a metric (candidates, users, relevance).

May import ``audit.data``, ``audit.errors`` and ``reference``.
"""

from recsys_metric_audit.audit.scenarios.protocol_steps import Applied
from recsys_metric_audit.audit.scenarios.scenario import Scenario, dataset_under, parse_scenario

__all__ = ["Applied", "Scenario", "dataset_under", "parse_scenario"]
