"""The rivals of a hypothesis: what else might be computed, one axis away."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.identification.hypotheses.rivals import (
    NOT_ON_PLAIN_INPUT,
    can_be_cut,
    canonical_where_unknown,
    inseparable,
    one_axis_away,
    rivals,
)
from recsys_metric_audit.audit.libraries.contract import Takes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.shortest import shortest


def of(metric: str, **given: object) -> Function:
    return Function.model_validate({"name": "f", "metric": metric, **given})


def never_equal(one: Definition, other: Definition) -> bool:
    return False


@pytest.mark.parametrize(
    ("asked", "rival"),
    [
        ("recall@k", "recall@k|users:all|undefined:nan"),  # both axes together: neither alone gives NaN
        ("recall@k", "recall@k|relevance:4"),  # a constant threshold is no name of the axis
        ("precision@k", "precision@k|denominator:shown"),
    ],
)
def test_rivals_differ_on_one_axis_or_in_who_is_averaged_and_how(asked: str, rival: str) -> None:
    found = rivals(parse(asked), of(parse(asked).metric))
    assert parse(rival) in found
    assert parse(asked) not in found


def test_on_plain_input_no_axis_is_changed_that_does_not_act_there() -> None:
    every = one_axis_away(parse("ndcg@k"), frozenset())
    plain = one_axis_away(parse("ndcg@k"), NOT_ON_PLAIN_INPUT)
    assert {*plain} < {*every}
    assert {parse("ndcg@k|gain:exp2"), parse("ndcg@k|users:one_relevant"), parse("ndcg@k|order:rows")} <= {*plain}
    unusual = {"undefined", "no_list", "no_hit", "ties", "duplicates", "truth_duplicates"}
    assert not any(unusual & {*each.differs_on} for each in plain)
    assert all(unusual & {*each.differs_on} for each in {*every} - {*plain})


def test_one_of_all_rivals_that_mean_one_thing_is_tried() -> None:
    found = rivals(parse("recall@k"), of("recall"))
    spellings = {"recall@k|users:both", "recall@k|no_list:skip", "recall@k|users:predictions"}
    assert len(spellings & {each.signature() for each in found}) == 1
    assert not any(each.signature() == "recall@k|undefined:1" for each in found)  # nobody whom it counts for


@pytest.mark.parametrize(
    ("asked", "rival"),
    [
        ("new_share@k|users:train", "new_share@k|users:truth"),
        ("gini@k", "gini@k|nobody:error"),  # what nobody counts as shows with all else
        ("novelty@k|pooling:pooled", "novelty@k"),
    ],
)
def test_a_metric_beyond_accuracy_has_rivals_too(asked: str, rival: str) -> None:
    assert parse(rival) in rivals(parse(asked), of(parse(asked).metric))


def test_beyond_accuracy_another_formula_is_told_beside_and_all_else_is_unknown() -> None:
    others = [parse(f"novelty@k|{each}") for each in ("denominator:k", "users:all", "ties:item_asc", "order:rows")]
    unknown, beside = inseparable(parse("novelty@k"), others, {"order"}, never_equal)
    assert unknown == ("users", "ties") and beside == (parse("novelty@k|denominator:k"),)
    told = canonical_where_unknown(parse("novelty@k|log:ln|users:all|ties:item_asc"), ("users", "ties", "nobody"))
    assert told == parse("novelty@k|log:ln")


def test_what_the_contract_decides_makes_no_rival() -> None:
    function = of("recall", takes=Takes(input="ranked", truth="set"))
    assert not any(
        {"ties", "order", "truth_duplicates"} & set(each.differs_on) for each in rivals(parse("recall@k"), function)
    )


@pytest.mark.slow
def test_an_edge_is_tried_with_who_is_averaged_also_where_the_adapter_decides_that() -> None:
    """A user without relevant items who makes the mean NaN: seen only if such users are averaged."""
    function = of("precision", called_with=[{"what": "rows of each user", "decides": ["users"]}])
    hypothesis, rival = (parse(f"precision@k|{axes}no_list:nan") for axes in ("", "users:all|undefined:nan|"))
    assert shortest(rival) in {shortest(each) for each in rivals(hypothesis, function)}


def test_a_function_without_cut_off_has_no_rival_that_needs_one() -> None:
    found = rivals(parse("reciprocal_rank|cutoff:none"), of("reciprocal_rank", cutoff=False))
    assert found and all(each.k is None for each in found)


def test_the_rule_for_nobody_makes_no_rival() -> None:
    assert not any(each.axes["nobody"] != "nan" for each in rivals(parse("recall@k"), of("recall")))


def test_an_axis_that_no_answer_shows_makes_no_rival() -> None:
    assert not any("mean" in each.differs_on for each in rivals(parse("recall@k"), of("recall"), ("mean",)))


def test_who_is_averaged_differs_with_the_edge_that_leaves_users_out() -> None:
    """To average users with a list and a relevant item is to leave out those without a list."""
    left = [parse("recall@k|users:both"), parse("recall@k|no_list:1"), parse("recall@k|users:both|no_list:1")]
    assert inseparable(parse("recall@k"), left, (), never_equal) == (("no_list",), ())


def test_a_user_without_a_list_may_be_left_out_by_who_is_averaged_too() -> None:
    """Whether users without a list count as 1 or not at all is one edge, though the axis ``users`` differs as well."""
    hypothesis = parse("average_precision@k|users:predictions|undefined:1")
    left = [
        parse("average_precision@k|users:all|undefined:1|no_list:1"),
        parse("average_precision@k|users:all|undefined:1"),
    ]
    assert inseparable(hypothesis, left, (), never_equal) == (("no_list",), ())


def test_whose_rows_are_in_one_ranking_differs_with_the_users_that_have_none() -> None:
    left = [parse("auc|scope:stacked|users:all"), parse("auc|scope:stacked|users:all|no_list:1")]
    assert inseparable(parse("auc|scope:stacked|users:predictions"), left, (), never_equal) == (("no_list",), ())


@pytest.mark.parametrize(
    ("known", "unknown", "told"),
    [
        ("auc|scope:stacked|users:predictions", ("no_list",), "auc|scope:stacked|users:all"),
        ("auc|scope:stacked|users:all", ("no_list",), "auc|scope:stacked|users:all"),
        ("recall@k|users:predictions|undefined:1", ("no_list",), "recall@k|users:all|undefined:1"),
        ("recall@k|users:all|undefined:1", ("undefined",), "recall@k"),
        ("recall@k|users:both", ("no_list",), "recall@k"),
        ("recall@k|no_list:nan", ("no_list",), "recall@k"),
        ("recall@k|no_list:nan", (), "recall@k|no_list:nan"),
    ],
)
def test_an_edge_that_nothing_shows_is_told_as_canonical(known: str, unknown: tuple[str, ...], told: str) -> None:
    assert canonical_where_unknown(parse(known), unknown) == parse(told)


def test_another_rule_of_relevance_may_make_the_formula_canonical() -> None:
    """Of the gains that can be asked, all above 0 may be relevant: then the ideal list of all rows is canonical."""
    found = rivals(parse("ndcg@k|gain:linear|ideal:rows"), of("ndcg"))
    assert parse("ndcg@k|gain:linear|relevance:every_row") in found


def test_other_formulas_are_told_apart_from_edges() -> None:
    left = [parse("ndcg@k|ideal:listed"), parse("ndcg@k|no_list:nan")]
    assert inseparable(parse("ndcg@k"), left, (), never_equal) == (("no_list",), (parse("ndcg@k|ideal:listed"),))


def test_of_an_axis_that_no_input_shows_nothing_is_known() -> None:
    left = [parse("ndcg@k|pooling:pooled"), parse("ndcg@k|no_list:nan")]
    assert inseparable(parse("ndcg@k"), left, (), never_equal) == (("pooling", "no_list"), ())


def test_an_axis_makes_no_rival_where_another_formula_does_not_read_it() -> None:
    """Beside the ideal list of what is relevant, a rule of relevance stands that no allowed gain shows."""
    left = [parse("ndcg@k|gain:linear"), parse("ndcg@k|gain:linear|relevance:positive")]
    hypothesis = parse("ndcg@k|gain:linear|ideal:rows")
    assert inseparable(hypothesis, left, (), lambda one, other: True) == (("relevance",), (left[0],))


def test_a_threshold_of_the_functions_own_is_asked_for_later() -> None:
    """Leave out users without a list, or count them, whichever the threshold is: only the former is not known."""
    left = [parse("ndcg@k|users:both|relevance:1"), parse("ndcg@k|ideal:listed|users:both|relevance:1")]
    left.append(parse("ndcg@k|ideal:listed|relevance:0.5"))
    unknown, beside = inseparable(parse("ndcg@k|relevance:0.5"), left, (), lambda one, other: True)
    assert "relevance" not in unknown and beside == (parse("ndcg@k|ideal:listed|relevance:0.5"),)


def test_how_rivals_differ_where_the_contract_decides_is_not_told() -> None:
    left = [parse("precision@k|truth_duplicates:once|users:both"), parse("precision@k|no_list:nan")]
    assert inseparable(parse("precision@k"), left, ("truth_duplicates",), never_equal) == (("no_list",), ())
    assert "truth_duplicates" in inseparable(parse("precision@k"), left, (), never_equal)[0]


@pytest.mark.parametrize(
    ("signature", "with_k", "without_k"),
    [
        ("auc", True, True),
        ("auc|list:topk", True, False),  # without a k it is that of the whole list
        ("auc@k|list:topk", True, False),
        ("ndcg|cutoff:none", True, True),
        ("ndcg|cutoff:10", True, False),
    ],
)
def test_a_function_without_a_cutoff_computes_what_needs_none(signature: str, with_k: bool, without_k: bool) -> None:
    functions = (Function(name="f", metric="auc", cutoff=cutoff) for cutoff in (True, False))
    definition = Definition.of("auc", {"list": "topk"}) if signature == "auc|list:topk" else parse(signature)
    assert [can_be_cut(definition, each) for each in functions] == [with_k, without_k]


def test_an_edge_is_unknown_rather_than_an_axis_that_acts_on_every_user() -> None:
    # Without a rated item in the list there is an error: of the state, or of a list from which unrated items are cut.
    hypothesis = parse("r_squared|undefined:error|no_hit:error|no_list:error")
    rival = parse("r_squared|undefined:error|no_list:error|candidates:test_only")
    assert inseparable(hypothesis, [rival], (), lambda one, other: one == other) == (("no_hit",), ())
