"""A function is asked no probe that can only show what its contract rules out."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from recsys_metric_audit.audit.libraries.contract import Made, Takes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.questions.contract_probes import is_asked, is_decided_elsewhere, shown_axes
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES, plan
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.definitions.definition import parse

BY_NAME = {probe.name: probe for probe in PROBES}
UNSORTED, TIED = "best row last", "tie of two, relevant second"
TWICE, TRUTH_TWICE = "relevant item twice inside k", "the hit is listed twice in the truth"
BELOW, CROSSING = "only a gain below the threshold is recommended", "gains of 1, scores cross 0 with misses between"
FRACTIONS, SEEN = "gains between 0 and 1 among better ones", "the only hit was seen in training"
SOME = (UNSORTED, TIED, TWICE, TRUTH_TWICE, BELOW, CROSSING, FRACTIONS, SEEN)


def function(takes: Mapping[str, str], *decides: str, metric: str = "ndcg") -> Function:
    made = (Made(what="a mask", decides=decides),) if decides else ()
    return Function(name=f"lib.{metric}", metric=metric, takes=Takes.model_validate(takes), called_with=made)


@pytest.mark.parametrize(
    ("name", "axes"),
    [
        (UNSORTED, {"order"}),
        (TIED, {"ties", "tied_scores"}),
        (TWICE, {"duplicates"}),
        (f"all listed: {TWICE}", {"duplicates"}),
        (TRUTH_TWICE, {"truth_duplicates"}),
        (f"gains of 1: {TRUTH_TWICE}", {"truth_duplicates"}),
        (BELOW, {"relevance"}),
        (CROSSING, {"counted_scores"}),
        ("hits that score 0.4, 0 and less, with misses between", {"counted_scores"}),
        (FRACTIONS, {"relevance"}),
        (SEEN, {"candidates"}),
        ("[2 0 0 0] k3 miss 2", set()),
        ("everything at once", set()),
    ],
)
def test_the_axes_that_a_probe_shows(name: str, axes: set[str]) -> None:
    assert shown_axes(BY_NAME[name]) == axes


@pytest.mark.parametrize(
    ("asked", "left_out"),
    [
        (function({}), ()),
        (function({"input": "ranked"}), (UNSORTED, TIED, CROSSING)),
        (function({"input": "ranks", "truth": "list"}), (UNSORTED, TIED, CROSSING, BELOW, FRACTIONS)),
        (function({"input": "matrix"}), (UNSORTED, TWICE)),
        (function({"input": "matrix", "truth": "set"}), (UNSORTED, TWICE, TRUTH_TWICE, BELOW, FRACTIONS)),
        (function({"input": "labels"}), (TRUTH_TWICE, BELOW, FRACTIONS, SEEN)),
        (function({"gains": "whole"}), (FRACTIONS,)),
        (function({}, "duplicates"), (TWICE,)),
        # An error of ratings ranks nothing, so that order and ties are no axes of it.
        (function({"input": "pairs"}, metric="rmse"), (UNSORTED, TIED)),
    ],
    ids=lambda each: each.metric + str(each.takes) if isinstance(each, Function) else "",
)
def test_what_is_ruled_out_is_not_asked(asked: Function, left_out: tuple[str, ...]) -> None:
    missing = {name for name in SOME if not is_asked(asked, BY_NAME[name])}
    assert missing == set(left_out)
    assert all(is_asked(asked, BY_NAME[name], kept=SOME) for name in SOME)


def test_formula_and_users_are_asked_of_every_contract() -> None:
    ranked = function({"input": "ranked", "truth": "set"})
    roles = {probe.kind.role for probe in INITIAL_PROBES if is_asked(ranked, probe)}
    assert {"single_user", "multi_user", "rated_users", "exhaustive"} <= roles
    assert not roles & {"order", "truth_duplicates", "fractions"}


def test_functions_of_one_library_are_asked_what_each_leaves_open() -> None:
    by_score, ranked = function({}), function({"input": "ranked"}, metric="recall")
    made = plan([by_score, ranked], PROBES[0].case, (1,), kept={ranked.name: (TIED,)})
    asked = {made.probe_of[ask.id]: ask.functions for ask in made.asks if ask.id in made.probe_of}
    assert asked[TIED] == (by_score.name, ranked.name)
    assert asked[UNSORTED] == (by_score.name,)
    only = plan([ranked], PROBES[0].case, (1,))
    assert BY_NAME[UNSORTED].case not in only.cases.values()
    assert {ask.case for ask in only.asks} == set(only.cases)


@pytest.mark.parametrize(
    ("takes", "probe", "decided"),
    [
        ({}, TRUTH_TWICE, False),
        ({"truth": "set"}, TRUTH_TWICE, True),
        ({"truth": "set"}, "[2 0 0 0] k3 miss 2", False),
        # Labels hold no relevant item that is not listed: the second one, missed here, is in none.
        ({"input": "labels"}, "[2 0 0 0] k3 miss 2", True),
        ({"input": "labels"}, "[4 2 0 0] k2", False),
    ],
)
def test_a_value_that_the_contract_decides_is_none_of_the_library(
    takes: dict[str, str], probe: str, decided: bool
) -> None:
    own = function(takes, metric="recall")
    assert is_decided_elsewhere(own, parse("recall@k"), BY_NAME[probe]) == decided
