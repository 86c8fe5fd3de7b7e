"""Functions are counted by what was found of them, in a few words."""

from __future__ import annotations

from audit.cli.progress.found_in_words import finished_in_words, found_in_words
from tests.support.result_samples import finding


def test_functions_are_counted_by_verdict_each_once() -> None:
    found = [
        finding(function="one", k=5, verdict="variant"),
        finding(function="one", k=10, verdict="variant"),
        finding(function="two", verdict="agrees"),
        finding(function="three", verdict="undocumented"),
        finding(function="four", status="failed", reason="it raises", verdict=None, value=None, signature=None),
    ]
    words = "4 functions: 1 canonical, 1 another documented formula, 1 an undocumented one, 1 not measured"
    assert found_in_words(found) == words
    assert finished_in_words("alpha", "1.0", "audited", 2.25, found) == f"alpha 1.0: audited in 2.2 s; {words}"


def test_nothing_is_said_where_nothing_was_found() -> None:
    assert finished_in_words("alpha", "1.0", "unavailable", 0.5, []) == "alpha 1.0: unavailable in 0.5 s"


def test_one_function_is_no_plural() -> None:
    assert found_in_words([finding(verdict="agrees")]) == "1 function: 1 canonical"
