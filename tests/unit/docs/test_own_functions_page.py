"""Holds what ``docs/your-functions.md`` says of calls: each has its row, and the wrapper that it shows can be asked."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import numpy as np
import pytest

from recsys_metric_audit import identify
from recsys_metric_audit.audit.inhouse.shapes import SHAPES

PAGE = (Path(__file__).parents[3] / "docs" / "your-functions.md").read_text(encoding="utf-8")


def test_every_shape_has_its_row() -> None:
    rows = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall("`([^`]+)`", row)}
    also = {name for line in PAGE.splitlines() if line.startswith("| `") for name in re.findall("`([a-z1-]+)`", line)}
    assert {*SHAPES} <= named | also and named <= {*SHAPES, "--shape"}


def test_the_wrapper_that_it_shows_is_identified(monkeypatch: pytest.MonkeyPatch) -> None:
    rankers = ModuleType("rankers")
    monkeypatch.setitem(sys.modules, "rankers", rankers)

    def evaluate_ranking(ranking: np.ndarray, labels: np.ndarray, max_len: int) -> float:
        gains, best = labels[ranking][:max_len], np.sort(labels)[::-1][:max_len]
        discount = np.log2(np.arange(max_len) + 2)
        ideal = (best / discount[: len(best)]).sum()
        return float((gains / discount[: len(gains)]).sum() / ideal) if ideal else 0.0

    rankers.evaluate_ranking = evaluate_ranking  # type: ignore[attr-defined]
    (block,) = re.findall(r"(    from rankers import .*?)\n\n[A-Z]", PAGE, re.DOTALL)
    names: dict[str, object] = {"np": np}
    exec(dedent(block), names)
    found = identify(names["ndcg"])
    assert found.signature == "ndcg@k|gain:linear|ideal:rows", found  # of the rows, a repeated item twice
