"""Order and input axes."""

from __future__ import annotations

from recsys_metric_audit.reference.space.input_axes import AXES


def test_names_are_unique() -> None:
    assert len({axis.name for axis in AXES}) == len(AXES)
