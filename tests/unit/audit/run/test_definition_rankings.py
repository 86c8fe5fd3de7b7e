"""Recommenders ranked by definitions: values and intervals worked out by hand."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.audit.run.definition_rankings import with_rankings
from recsys_metric_audit.reports.model.ranking import DefinitionRanking
from tests.support.result_samples import differing, finding, lost, result
from tests.support.scenario_cases import case

TRUTH = {1: "abc", 2: "abc", 3: "abc"}
SHORT = case({1: "a", 2: "b", 3: "c"}, TRUTH)
"""One item shown, a hit: precision is 1/3 over k = 3, and 1 over what is shown."""
LONG = case({1: "abx", 2: "bcx", 3: "axc"}, TRUTH)
"""Three items shown, two hits: precision is 2/3 either way."""
THIRD, TWO_THIRDS = round(1 / 3, 9), round(2 / 3, 9)
SHOWN = differing("precision", "alpha", "denominator", "shown", 1.0, k=3)


def ranked(*signatures: str, **cases: object) -> dict[str, DefinitionRanking]:
    found = [finding("precision", function=str(number), signature=each, k=3) for number, each in enumerate(signatures)]
    made = with_rankings(result(findings=tuple(found), reference=(), k=(3,)), cases)  # type: ignore[arg-type]
    return {each.signature: each for each in made.rankings}


def test_each_definition_ranks_by_its_own_values() -> None:
    made = ranked("precision@3", "precision@3|denominator:shown", short=SHORT, long=LONG)
    canonical, shown = made["precision@3"], made["precision@3|denominator:shown"]
    assert canonical.values == {"short": THIRD, "long": TWO_THIRDS} and canonical.first == ("long",)
    assert shown.values == {"short": 1.0, "long": TWO_THIRDS} and shown.first == ("short",)


def test_where_every_user_differs_by_the_same_the_interval_is_a_point() -> None:
    lead = ranked("precision@3", short=SHORT, long=LONG)["precision@3"].leads["short"]
    assert (lead.difference, lead.low, lead.high) == (THIRD, THIRD, THIRD)
    assert lead.is_clear


def test_an_interval_is_that_of_differences_of_the_same_users() -> None:
    """Differences 1/3, 0, 0: a sample holds the first user never with 8/27, and three times with 1/27."""
    other = case({1: "abx", 2: "b", 3: "c"}, TRUTH)
    lead = ranked("precision@3", short=SHORT, other=other)["precision@3"].leads["short"]
    assert lead.difference == round(1 / 9, 9)
    assert (lead.low, lead.high) == (0.0, THIRD)  # 2.5 % is below 8/27, and 97.5 % above 1 - 1/27
    assert not lead.is_clear


def test_recommenders_of_one_value_are_first_together() -> None:
    made = ranked("precision@3", one=SHORT, two=SHORT)["precision@3"]
    assert made.first == ("one", "two")
    assert made.leads["two"].difference == 0 and not made.leads["two"].is_clear


def test_one_ranking_of_all_users_has_a_lead_without_interval() -> None:
    """All relevant items before all others, and behind them."""
    found = case({1: "ax"}, {1: "a"}), case({1: "xa"}, {1: "a"})
    made = ranked("auc|scope:stacked", best=found[0], worst=found[1])["auc|scope:stacked"]
    assert made.values == {"best": 1.0, "worst": 0.0}
    assert made.leads["worst"].difference == 1.0 and math.isnan(made.leads["worst"].low)


def test_a_definition_without_a_number_ranks_nobody() -> None:
    nobody = case({1: "x"}, {1: "x"})
    made = ranked("auc|no_negatives:nan", one=nobody, two=nobody)["auc|no_negatives:nan"]
    assert math.isnan(made.values["one"]) and made.first == () and made.leads == {}


def test_what_cannot_be_averaged_over_orders_of_ties_says_why() -> None:
    letters = "abcdefghijklmno"
    tied = case({1: letters}, {1: letters})
    score = tied.predictions.score * 0
    tied = type(tied)("tied", type(tied.predictions)(tied.predictions.user, tied.predictions.item, score),
                      type(tied.truth)(tied.truth.user, tied.truth.item, tied.truth.item + 1.0), tied.train,
                      catalogue=tied.catalogue)  # fmt: skip
    made = ranked("ndcg@3|gain:linear|ties:average", own=tied)["ndcg@3|gain:linear|ties:average"]
    assert made.values == {} and made.first == () and made.reason.startswith("own: the tied items of one user have ")


def test_canonical_definitions_are_ranked_and_metrics_that_no_table_has_are_not() -> None:
    other = finding("precision", function="f", signature="f_score@3", k=3).model_copy(update={"metric": "f_score"})
    made = with_rankings(result(findings=(SHOWN, other, lost("recall", "alpha", "failed", "no", k=3))), {"one": SHORT})
    found = [each.signature for each in made.rankings]
    assert "hit_rate@20" in found and "precision@3|denominator:shown" in found
    assert not [each for each in found if each.startswith(("f_score", "recall@3"))]


@pytest.mark.parametrize("signature", ["precision@3", "precision@2"])
def test_a_definition_keeps_its_own_cut_off(signature: str) -> None:
    value = ranked(signature, long=LONG)[signature].values["long"]
    hits = {"precision@3": (2 + 2 + 2) / 9, "precision@2": (2 + 2 + 1) / 6}
    assert value == round(hits[signature], 9)
