"""Marks parameters of costly tests as slow, so that the fast tests run a few of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet


def slow_but_first(values: Iterable[object], fast: int = 1) -> list[ParameterSet]:
    """Return parameters, of which all but the first ones are marked as slow; a tuple has one for each argument."""
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.slow if number >= fast else ())
        for number, each in enumerate(values)
    ]
