"""Calls of the functions of the area sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.drawn_rankings import Drawn

CALLS: dict[str, Callable[[Any, Drawn], float]] = {
    "light.py:ndcg": lambda f, d: f(d.one.items, set(d.one.truth))[d.k - 1],
}
SLOW: dict[str, Callable[[Drawn], float]] = {}
