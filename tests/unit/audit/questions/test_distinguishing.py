"""The choice of inputs: what they tell apart, and what they avoid."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.audit.questions.distinguishing import (
    confirming_inputs,
    differing_inputs,
    distinguishing_inputs,
    independent_cases,
    one_of_equals,
)
from recsys_metric_audit.audit.questions.generated_cases import pool
from recsys_metric_audit.audit.questions.value_comparison import GAP, undescribed_features
from recsys_metric_audit.reference.cases import User
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.space.input_axes import TIES, WITHOUT_RULE
from tests.support.answers_of_oracle import oracle_outcome

RECALL, MIN, DESC = parse("recall@k"), parse("recall@k|denominator:min"), parse("recall@k|ties:item_desc")
FEATURES = dict(zip((probe.name for probe in pool()[0]), pool()[1], strict=True))


def test_the_oracle_finds_them_apart_too() -> None:
    (probe,) = distinguishing_inputs([RECALL, MIN], frozenset())
    one, other = (oracle_outcome(str(each), probe) for each in (RECALL, MIN))
    assert isinstance(one, Measured) and isinstance(other, Measured)
    assert one.mean is not None and other.mean is not None and abs(one.mean - other.mean) > GAP


def test_an_input_has_no_feature_that_is_not_needed() -> None:
    (plain,) = distinguishing_inputs([RECALL, MIN], frozenset())
    (tied,) = distinguishing_inputs([RECALL, DESC], frozenset())
    assert FEATURES[plain.name] == frozenset() and FEATURES[tied.name] == {"ties"}


def test_inputs_that_were_asked_are_not_chosen_again() -> None:
    (first,) = distinguishing_inputs([RECALL, MIN], frozenset())
    (second,) = distinguishing_inputs([RECALL, MIN], frozenset({first.name}))
    assert first is not second
    assert distinguishing_inputs([RECALL, MIN], frozenset(FEATURES)) == ()


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
    rules = ["order:rows", *(f"ties:{name}" for name in TIES.names if name not in WITHOUT_RULE)]
    known = [parse(f"{metric}@k|{rule}|cutoff:10") for rule in rules]
    for pair in combinations(known, 2):
        assert distinguishing_inputs(pair, frozenset()), pair
