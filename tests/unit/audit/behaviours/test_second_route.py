"""The second route is found among the functions of the library by its answers."""

from __future__ import annotations

from dataclasses import replace

from audit.behaviours import scenarios
from audit.behaviours.second_route import second_route
from audit.questions.initial import INITIAL_PROBES
from reference.definitions.definition import parse
from tests.support.behaviour_samples import subject
from tests.support.oracle_means import evaluate as slow


def test_a_second_route_is_found_by_its_answers() -> None:
    own, other = subject({scenarios.PERFECT: 1.0}, "lib.a"), subject({scenarios.PERFECT: 1.0}, "lib.b")
    off = subject({scenarios.PERFECT: 0.5}, "lib.c")
    assert second_route(own, [own]).name == "not_askable"
    assert second_route(own, [own, off]).name == "differs"
    assert second_route(own, [own, off, other]).text.startswith("lib.b")


def test_a_known_definition_answers_what_only_the_other_route_was_asked() -> None:
    """Two routes differ in ties, and only one of them was asked a tied list."""
    tied = next(probe for probe in INITIAL_PROBES if probe.name == "tie of two, relevant second")
    plain = INITIAL_PROBES[0]
    one, other = parse("reciprocal_rank@k"), parse("reciprocal_rank@k|ties:reversed")
    values = {probe.name: slow(other.metric, other.axes, probe.case, probe.k).mean for probe in (plain, tied)}
    asked = replace(subject(values, "lib.a"), further=(tied,))
    unasked = subject({plain.name: values[plain.name]}, "lib.b")
    assert second_route(asked, [asked, unasked]).name == "agrees"
    assert second_route(asked, [asked, replace(unasked, known=one)]).name == "differs"
    assert second_route(replace(unasked, known=one), [asked, unasked]).name == "differs"
    assert second_route(asked, [asked, replace(unasked, known=other)]).name == "agrees"
    assert second_route(asked, [asked, replace(unasked, known=parse("reciprocal_rank@k|ties:other"))]).name == "agrees"
