"""EASE in blocks ranks as EASE on the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.audit.data import ease_in_blocks
from recsys_metric_audit.audit.data.movielens20m import L2
from recsys_metric_audit.audit.data.recommenders import ease
from recsys_metric_audit.reference.input.case import Train


def test_blocks_give_what_all_users_at_once_give(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(3)
    seen = (draw.random((40, 15)) < 0.3).astype(float)
    seen[:, 0], seen[0] = 1.0, 0.0
    seen[0, :2] = 1.0
    users, items = np.nonzero(seen)
    monkeypatch.setattr(ease_in_blocks, "BLOCK", 7)
    found = ease_in_blocks.rank_in_blocks(Train(users * 3, items + 100), np.array([0, 9, 60, 117]), L2)
    scores = ease(seen, L2)
    expected = [
        (user * 3, item + 100, scores[user, item])
        for user in (0, 3, 20, 39)
        for item in sorted(np.flatnonzero(seen[user] == 0), key=lambda i: (-round(scores[user, i], 9), i))
    ]
    assert list(zip(found.user, found.item, strict=True)) == [row[:2] for row in expected]
    assert found.score == pytest.approx([row[2] for row in expected], abs=1e-9)
