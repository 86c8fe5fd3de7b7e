"""Functions of a test's own, identified in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from recsys_metric_audit.audit.inhouse.call import Call
from recsys_metric_audit.audit.inhouse.identification import Identified, identified
from recsys_metric_audit.audit.inhouse.running import running_here
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, Shape


def identified_here(
    function: Callable[..., Any], metric: str, shape: Shape = DEFAULT, k: int | None = None, *, every_input: bool = True
) -> Identified:
    """Identify a function in this process, called in a shape."""
    return identified(Call(running_here(function, shape), shape, k), metric, every_input=every_input)
