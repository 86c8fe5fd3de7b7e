"""The right axis is blamed for an unusual feature, and the right other values are left to it."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.observations.fit import Fit, Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.refutation.other_values import blamed_axes, other_values
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.answers_of_oracle import oracle_observation


def fit(signature: str, *unidentified: str) -> Fit:
    return Fitting((parse(signature),), 0.0, Tolerance(1e-9, "float64"), 9, unidentified_axes=unidentified)


@pytest.mark.parametrize(
    ("signature", "features", "blamed"),
    [
        ("recall@k", {"ties"}, ("ties",)),
        ("recall@k", {"ties", "repeated items"}, ("duplicates",)),  # fewer inputs repeat items than tie
        ("recall@k", set(), ()),  # a plain case: it is the formula
        ("recall@k", {"users without a list"}, ("no_list",)),  # averaged over, as users with relevant items
        ("recall@k|users:both", {"users without a list"}, ("users",)),  # not averaged over: no policy acts
    ],
)
def test_the_axis_that_acts_on_the_fewest_inputs_is_blamed(
    signature: str, features: set[str], blamed: tuple[str, ...]
) -> None:
    assert blamed_axes(fit(signature), frozenset(features)) == blamed


def test_an_axis_that_is_unknown_anyway_is_not_blamed() -> None:
    assert blamed_axes(fit("recall@k", "ties"), frozenset({"ties"})) == ()


def test_without_earlier_answers_every_other_value_is_left() -> None:
    found = other_values(fit("recall@k"), frozenset({"ties"}), Observation("f", {}, {}))
    rules = {each.axes["ties"] for each in found}
    assert {"item_desc", "best", "worst"} <= rules
    assert not rules & {"other", parse("recall@k").axes["ties"]}


def test_a_value_that_an_earlier_answer_contradicts_is_not_left() -> None:
    found = other_values(fit("recall@k"), frozenset({"ties"}), oracle_observation("recall@k"))
    assert {each.axes["ties"] for each in found}.isdisjoint({"item_desc", "best", "worst", "shared"})
