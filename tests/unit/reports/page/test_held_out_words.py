"""One line tells what was tried on held-out inputs."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reports.model.result import EvidenceSummary
from recsys_metric_audit.reports.page.function_entries import held_out_line


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ({}, ""),
        ({"held_out_users": 1320, "held_out_cases": 12}, "1,320 users in 12 cases, all predicted"),
        (
            {"held_out_users": 1320, "held_out_cases": 12, "held_out": "without ties"},
            "1,320 users in 12 cases, all predicted (without ties)",
        ),
        ({"held_out": "not tried: it refuses them"}, "not tried: it refuses them"),
        (
            {"held_out_users": 9, "held_out_cases": 1, "refuted": {"ties": "user 1", "mean": "user 2"}},
            "9 users in 1 case, all predicted; ties: user 1; mean: user 2",
        ),
        ({"refuted": {"ties": "user 1"}}, "ties: user 1"),
    ],
)
def test_the_line_tells_what_was_tried_left_out_and_refuted(told: dict[str, object], line: str) -> None:
    assert held_out_line(EvidenceSummary(**told)) == line  # type: ignore[arg-type]
