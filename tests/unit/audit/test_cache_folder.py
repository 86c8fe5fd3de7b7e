"""Where the cache lies, for every kind of surroundings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recsys_metric_audit.audit.cache_folder import cache_folder
from recsys_metric_audit.audit.errors import UserError


@pytest.mark.parametrize(("given", "below"), [("/abs", "/abs"), ("", "/home/me/.cache"), ("rel", "/home/me/.cache")])
def test_a_relative_path_in_the_variable_is_ignored(monkeypatch: pytest.MonkeyPatch, given: str, below: str) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    assert cache_folder() == Path(below) / "recsys-metric-audit"


def test_a_user_without_a_home_folder_is_told_which_variable_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    pwd = pytest.importorskip("pwd")
    unknown = max(entry.pw_uid for entry in pwd.getpwall()) + 1
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os, "getuid", lambda: unknown)
    with pytest.raises(UserError, match="no home folder") as caught:
        cache_folder()
    assert "XDG_CACHE_HOME" in caught.value.hint
