"""What a version takes over from the one that it is like."""

from __future__ import annotations

from typing import Any

import pytest

from recsys_metric_audit.audit.libraries.inheritance import with_inherited

BASE = {
    "version": "2.0", "python": "3.11", "requires": ["numpy"], "usual": False, "unavailable": "it fails", "log": "so",
    "stubs": {"torch": "for models", "ray": "for tuning"},
}  # fmt: skip


def rows(*given: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = with_inherited({"title": "T", "version": list(given)})["version"]
    return found


def test_what_is_not_said_is_inherited_but_for_what_a_version_is_by_itself() -> None:
    assert rows(BASE, {"version": "1.0", "like": "2.0", "python": "3.9"})[1] == {
        "version": "1.0", "python": "3.9", "requires": ["numpy"], "stubs": {"torch": "for models", "ray": "for tuning"},
    }  # fmt: skip


def test_tables_are_inherited_key_by_key() -> None:
    own = {"version": "1.0", "like": "2.0", "stubs": {"ray": "for nothing", "six": "for Python 2"}}
    assert rows(BASE, own)[1]["stubs"] == {"torch": "for models", "ray": "for nothing", "six": "for Python 2"}
    assert BASE["stubs"] == {"torch": "for models", "ray": "for tuning"}


def test_a_version_may_be_like_one_that_inherits_and_that_stands_below() -> None:
    found = rows(
        {"version": "3", "like": "2"}, {"version": "2", "like": "1", "torch": "cpu"}, {"version": "1", "java": [8]}
    )
    assert found == [
        {"version": "3", "torch": "cpu", "java": [8]},
        {"version": "2", "torch": "cpu", "java": [8]},
        {"version": "1", "java": [8]},
    ]


def test_a_version_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match=r"^version 1: like: there is no \[\[version\]\] '9', but 2, 1$"):
        rows({"version": "2"}, {"version": "1", "like": "9"})


def test_a_circle_is_named() -> None:
    with pytest.raises(ValueError, match=r"^version 1: like: 1 is like 2 is like 1, "):
        rows({"version": "1", "like": "2"}, {"version": "2", "like": "1"})


@pytest.mark.parametrize("document", [{}, {"version": "1"}, {"version": ["1"]}])
def test_what_is_no_table_is_left_to_the_validation(document: dict[str, Any]) -> None:
    assert with_inherited(document) == document
