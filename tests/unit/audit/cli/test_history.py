"""A history is of one library, or a page on all, with their versions in the order in which they came."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.pins.library_changes import library_meanings
from tests.support.command_line import audit


@pytest.mark.slow
def test_versions_stand_in_the_order_in_which_they_came() -> None:
    known = discover([adapters_dir()])
    recommenders, daisyrec = library_meanings([known["recommenders"], known["daisyrec"]])
    assert [pin.version for pin in recommenders.pins][:2] == ["2021.2", "0.7.0"], "its tags once bore the year"
    assert list(daisyrec.without) == ["2.0.8"]
    assert "import each other" in daisyrec.without["2.0.8"]


@pytest.mark.parametrize("words", [(), ("rs_metrics", "--page", "p.md")])
def test_a_history_is_of_one_library_or_a_page_on_all(words: tuple[str, ...]) -> None:
    made = audit("history", *words)
    assert made.exit_code == 2
    assert "audit history LIBRARY, or --page FILE" in made.stderr
