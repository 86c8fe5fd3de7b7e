"""Hold which inputs distinguish definitions: by contract, by values, by whole gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pytest

from recsys_metric_audit.audit.libraries.function import Function, Made, Takes
from recsys_metric_audit.audit.questions.contract_probes import is_asked, is_decided_elsewhere, shown_axes
from recsys_metric_audit.audit.questions.distinguishing import (
    confirming_inputs,
    differing_inputs,
    distinguishing_inputs,
    independent_cases,
    one_of_equals,
)
from recsys_metric_audit.audit.questions.generated_cases import pool
from recsys_metric_audit.audit.questions.initial import DATA, plan
from recsys_metric_audit.audit.questions.own_data import SUFFIXES, data_for
from recsys_metric_audit.audit.questions.value_comparison import differing_cases, undescribed_features
from recsys_metric_audit.audit.questions.whole_gains import ROUNDED, has_whole_gains, with_whole_gains
from recsys_metric_audit.reference.cases import PROBES, User
from recsys_metric_audit.reference.cases.probe import case_from_rows, case_from_users
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.space.input_axes import TIES, WITHOUT_RULE

# The choice of inputs: what they tell apart, and what they avoid.

RECALL, MIN, DESC = parse("recall@k"), parse("recall@k|denominator:min"), parse("recall@k|ties:item_desc")
FEATURES = dict(zip((probe.name for probe in pool().probes), pool().features, strict=True))


def test_an_input_has_no_feature_that_is_not_needed() -> None:
    (plain,) = distinguishing_inputs([RECALL, MIN], frozenset())
    (tied,) = distinguishing_inputs([RECALL, DESC], frozenset())
    assert FEATURES[plain.name] == frozenset() and FEATURES[tied.name] == {"ties"}


def test_inputs_with_a_feature_that_is_refused_come_after_all_others() -> None:
    both = [parse(f"recall@k|{users}relevance:equal_1") for users in ("", "users:truth_rows|undefined:nan|")]
    (usual,) = distinguishing_inputs(both, frozenset())
    (other,) = distinguishing_inputs(both, frozenset(), refused=FEATURES[usual.name])
    assert FEATURES[usual.name] and FEATURES[other.name].isdisjoint(FEATURES[usual.name])
    tied = distinguishing_inputs([RECALL, DESC], frozenset())
    assert distinguishing_inputs([RECALL, DESC], frozenset(), refused={"ties"}) == tied != ()


def test_what_is_refused_tells_nothing_apart_whoever_is_left() -> None:
    # With weights of list length nobody is left where the only list is empty; but both raise on users without truth.
    base = "hit_rate@k|mean:geometric|undefined:error|candidates:without_train"
    both = [parse(base), parse(f"{base}|pooling:weighted|weight:list_length|no_list:ends_all")]
    assert one_of_equals(both) == tuple(both[:1])


def test_0_and_nan_tell_apart_beside_a_definition_that_leaves_nobody() -> None:
    # At k = 1, a cut-off of k - 1 leaves no ideal, and a user without a list is 0, or 0/0.
    base = "ndcg@k|discount:log2_clipped|ideal:ones|cutoff:k_minus_1"
    three = [parse(base), parse(f"{base}|no_hit:skip"), parse(f"{base}|no_list:formula")]
    assert distinguishing_inputs(three, frozenset()) and distinguishing_inputs([three[0], three[2]], frozenset())


def test_equal_definitions_need_no_input() -> None:
    assert distinguishing_inputs([parse("ndcg@k"), parse("ndcg@k|discount:ln")], frozenset()) == ()
    assert distinguishing_inputs([RECALL], frozenset()) == ()


def test_no_more_inputs_than_are_wanted() -> None:
    several = [parse(f"recall@k|ties:{name}") for name in TIES.names if name not in WITHOUT_RULE]
    assert len(distinguishing_inputs(several, frozenset(), at_most=1)) == 1
    assert 1 < len(distinguishing_inputs(several, frozenset(), at_most=4)) <= 4


def test_a_feature_that_a_definition_does_not_describe_is_avoided() -> None:
    other = [parse("recall@k|ties:other"), parse("recall@k|denominator:min|ties:other")]
    assert undescribed_features(other) == {"ties"}
    assert all("ties" not in FEATURES[probe.name] for probe in distinguishing_inputs(other, frozenset()))


def test_all_relevant_items_are_listed_where_that_is_wanted() -> None:
    for probe in distinguishing_inputs([RECALL, MIN], frozenset(), all_listed=True):
        truth, listed = (
            set(zip(table.user.tolist(), table.item.tolist(), strict=True))
            for table in (probe.case.truth, probe.case.predictions)
        )
        assert truth <= listed


def test_users_values_tell_apart_what_the_mean_does_not() -> None:
    # Averaged over users or pooled: each user has the same value.
    pair = [RECALL, parse("recall@k|pooling:pooled")]
    assert distinguishing_inputs(pair, frozenset())
    assert distinguishing_inputs(pair, frozenset(), per_user=True) == ()


# A user with a hit; beside one without relevant items, and one without a list.
USUAL = case_from_users("usual", [User((2, 0)), User((0, 2))])
NOBODY = case_from_users("nobody", [User((2, 0)), User((0, 0))])
NO_LIST = case_from_users("no list", [User((2, 0)), User((), (2,))])
ONE_USER = case_from_users("one user", [User((2, 0))])
PROBLEM = Problem.of([USUAL, NOBODY, NO_LIST, ONE_USER], [2] * 4)


@pytest.mark.parametrize(
    ("unidentified", "per_user", "independent"),
    [
        ((), False, [True] * 4),
        (("ties",), False, [True] * 4),
        (("undefined",), False, [True, False, False, True]),
        (("undefined", "pooling"), False, [False, False, False, True]),
        (("undefined", "pooling"), True, [True, False, False, True]),
    ],
)
def test_cases_that_depend_on_an_unidentified_axis_are_not_independent(
    unidentified: tuple[str, ...], per_user: bool, independent: list[bool]
) -> None:
    assert independent_cases([RECALL], PROBLEM, unidentified, per_user=per_user).tolist() == independent


def test_one_ranking_of_all_rows_is_independent_of_a_user_in_it() -> None:
    stacked = parse("auc|scope:stacked")
    assert np.asarray(independent_cases([stacked], PROBLEM, ("undefined",)))[0]
    assert not independent_cases([stacked], PROBLEM, ("undefined", "pooling")).any()


def test_what_is_not_canonical_in_order_or_input_is_confirmed() -> None:
    assert confirming_inputs(RECALL, frozenset()) == ()
    assert confirming_inputs(MIN, frozenset()) == ()
    chosen = confirming_inputs(DESC, frozenset())
    assert len(chosen) == 2 and all(FEATURES[probe.name] == {"ties"} for probe in chosen)
    assert confirming_inputs(DESC, frozenset({chosen[0].name})) == chosen[1:]
    assert confirming_inputs(parse("recall@k|ties:other"), frozenset()) == ()
    assert confirming_inputs(DESC, frozenset(), ruled_out={"ties"}) == ()


def test_inputs_that_the_contract_rules_out_differ_nowhere() -> None:
    # Where every item has one score, no item is recommended twice: nothing shows what is done with a repeat.
    repeats = [parse("ndcg@k"), parse("ndcg@k|duplicates:last")]
    assert differing_inputs(repeats)
    assert differing_inputs(repeats, ruled_out={"duplicates"}) == ()
    # Over k and over the items shown differ on short lists only.
    shown = [parse("precision@k"), parse("precision@k|denominator:shown")]
    assert differing_inputs(shown)
    assert differing_inputs(shown, ruled_out={"short_lists"}) == ()
    # Ordinary input tells these apart, whatever is ruled out.
    assert differing_inputs(
        [parse("recall@k"), parse("recall@k|denominator:min")],
        ruled_out={"duplicates", "unlisted", "short_lists", "ties"},
    )


@pytest.mark.parametrize("metric", ["precision", "recall"])
def test_every_rule_for_ties_at_a_cut_off_of_ten_is_told_from_every_other(metric: str) -> None:
    """Whatever k is asked for: the order probes are shorter, so that only these cases can show it."""
    none = (*WITHOUT_RULE, *(["middle"] if metric == "precision" else []))  # which takes no place between two
    rules = ["order:rows", *(f"ties:{name}" for name in TIES.names if name not in none)]
    known = [parse(f"{metric}@k|{rule}|cutoff:10") for rule in rules]
    for pair in combinations(known, 2):
        assert distinguishing_inputs(pair, frozenset()), pair


# A function is asked no probe that can only show what its contract rules out.

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


# Two definitions are compared by what they give on the generated cases.

_SIGNATURES = (
    "recall@k", "recall@k|denominator:min", "recall@k|ties:other", "recall@k|users:all|undefined:0",
    "recall@k|users:all|undefined:error", "recall@k|users:all|undefined:nan", "recall@k|pooling:pooled",
    "recall@k|nobody:0", "recall@k|duplicates:other", "recall@k|users:hits",
)  # fmt: skip
PAIRS = tuple(combinations(map(parse, _SIGNATURES), 2))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]} and {pair[1]}")
@pytest.mark.parametrize("per_user", [False, True])
def test_two_definitions_differ_if_an_input_tells_them_apart(
    pair: tuple[Definition, Definition], per_user: bool
) -> None:
    inputs = differing_inputs(pair, per_user=per_user)
    assert differing_cases(pair, per_user=per_user, whole_gains=False).any() == bool(inputs)


def test_gains_that_are_cut_differ_on_fractions_only() -> None:
    pair = parse("ndcg@k|gain:linear"), parse("ndcg@k|gain:linear_whole")
    assert differing_cases(pair, per_user=False, whole_gains=False).any()
    assert not differing_cases(pair, per_user=False, whole_gains=True).any()


# Functions that take whole gains only are asked no others, and compared on what they were asked.

WHOLE = SUFFIXES[ROUNDED]
ANY = Function(name="any", metric="ndcg")
ONLY_WHOLE = Function(name="whole", metric="ndcg", takes=Takes(gains="whole"))


def case(*gains: float) -> Case:
    rows = list(enumerate(gains, 11))
    recommended = [(1, item, 1.0 - item / 100) for item, _ in rows]
    return case_from_rows("own", recommended, [(1, item, gain) for item, gain in rows], [], why="own")


def gains(of: Case) -> Sequence[float]:
    out: list[float] = of.truth.gain.tolist()
    return out


def test_gains_are_rounded_up_to_whole_numbers_from_0_up() -> None:
    assert gains(with_whole_gains(case(4.5, 0.25, 3.0, 0.0, -0.5, -2.0))) == [5.0, 1.0, 3.0, 0.0, 0.0, 0.0]
    whole = case(4.0, 0.0)
    assert with_whole_gains(whole) is whole
    assert [has_whole_gains(each) for each in (whole, case(0.5), case(-1.0), case())] == [True, False, False, True]


def test_the_reference_is_given_the_rounded_gains_too() -> None:
    data = Problem.of([case(0.5, 3.5)], None)
    assert data_for(ANY, data) is data
    asked = data_for(ONLY_WHOLE, data).at(2)
    # (1 + 4 / log2 3) / (4 + 1 / log2 3): gains of 1 and 4 at ranks 1 and 2.
    expected = (1 + 4 / np.log2(3)) / (4 + 1 / np.log2(3))
    assert np.isclose(evaluate(parse("ndcg@2|gain:linear"), asked).mean[0], expected)
    whole = Problem.of([case(1.0, 4.0)], None)
    assert data_for(ONLY_WHOLE, whole) is whole
    assert data_for(ONLY_WHOLE, data) is data_for(ONLY_WHOLE, data), "placements are shared"


def test_each_function_is_asked_about_the_data_that_it_takes() -> None:
    made = plan([ANY, ONLY_WHOLE], case(4.5, 2.0), (1, 5), {"random": case(1.5)})
    asked = {ask.case: ask.functions for ask in made.asks if ask.id in made.data}
    assert asked == {DATA: ("any",), DATA + WHOLE: ("whole",)}
    assert gains(made.cases[DATA + WHOLE]) == [5.0, 2.0]
    others = {made.asks[number].functions: made.cases[made.asks[number].case] for number in made.other_recommenders}
    assert {functions: gains(each) for functions, each in others.items()} == {("any",): [1.5], ("whole",): [2.0]}
    assert set(made.other_recommenders.values()) == {"random"}


def test_inputs_are_chosen_among_those_with_whole_gains() -> None:
    rules = [parse("recall@k|relevance:every_row"), parse("recall@k|relevance:positive")]
    every = [probe for probe, _ in differing_inputs(rules)]
    left = [probe for probe, _ in differing_inputs(rules, whole_gains=True)]
    assert left and all(has_whole_gains(probe.case) for probe in left)
    assert not all(has_whole_gains(probe.case) for probe in every)
    (chosen, *_) = distinguishing_inputs(rules, frozenset(), whole_gains=True)
    assert chosen in left
    asked = frozenset(probe.name for probe in left)
    assert distinguishing_inputs(rules, asked) and not distinguishing_inputs(rules, asked, whole_gains=True)
