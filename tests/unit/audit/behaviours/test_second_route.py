"""The second route is found among the functions of the library by its answers."""

from __future__ import annotations

from audit.behaviours import scenarios
from audit.behaviours.second_route import second_route
from tests.support.behaviour_samples import subject


def test_a_second_route_is_found_by_its_answers() -> None:
    own, other = subject({scenarios.PERFECT: 1.0}, "lib.a"), subject({scenarios.PERFECT: 1.0}, "lib.b")
    off = subject({scenarios.PERFECT: 0.5}, "lib.c")
    assert second_route(own, [own]).name == "not_askable"
    assert second_route(own, [own, off]).name == "differs"
    assert second_route(own, [own, off, other]).text.startswith("lib.b")
