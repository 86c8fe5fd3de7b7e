"""The second route is found among the functions of the library by its answers."""

from __future__ import annotations

from dataclasses import replace

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.second_route import second_route
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.definitions.definition import parse
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
    assert second_route(asked, [asked, replace(unasked, definitions=(one,))]).name == "differs"
    assert second_route(replace(unasked, definitions=(one,)), [asked, unasked]).name == "differs"
    assert second_route(asked, [asked, replace(unasked, definitions=(other,))]).name == "agrees"
    assert (
        second_route(asked, [asked, replace(unasked, definitions=(parse("reciprocal_rank@k|ties:other"),))]).name
        == "agrees"
    )


def test_routes_that_agree_on_what_both_were_asked_differ_if_their_definitions_do() -> None:
    first, second = parse("ndcg@k|ties:average"), parse("ndcg@k|ties:other|undefined:0")
    plain = {scenarios.PERFECT: 1.0}
    one = replace(subject(plain, "lib.a"), definitions=(first,))
    other = replace(subject(plain, "lib.b"), definitions=(second,))
    assert second_route(one, [one, other]).name == "differs"
    assert "lib.b, which gives the same on 1 cases" in second_route(one, [one, other]).text
    same = replace(other, function=other.function.model_copy(update={"name": "lib.c"}), definitions=(first,))
    assert second_route(one, [other, same, one]).text.startswith("lib.c")  # the nearest is one that agrees
    unknown = replace(other, unknown=("ties", "undefined"))
    assert second_route(one, [one, unknown]).name == "agrees"
    nobody = replace(other, definitions=(first.with_(nobody="error"),))
    assert second_route(one, [one, nobody]).name == "agrees"
    several = replace(other, definitions=(first, second))
    assert second_route(one, [one, several]).name == "agrees"
