"""What fits the probes held against the data: means, per-user values, and users of whom a definition says nothing."""

import numpy as np
import pytest

from recsys_metric_audit.audit.identification.data_recheck import recheck_on_data, unspecified_ties
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.reference.cases import User
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem

# Recall at 2: user 1 has 1 of 2, user 2 has 1 of 1, user 3 ties its hit at ranks 2 and 3.
TIED = User((0, 0, 2), (), scores=(0.9, 0.5, 0.5), items=(11, 12, 10))
DATA = Problem.of([case_from_users("three", [User((2, 0, 0), (2,)), User((0, 2, 0), ()), TIED])], 2)


def fit(signature: str) -> Fitting:
    return Fitting((parse(signature),), 0.0, Tolerance(1e-9, "float64"), 1)


def mean(value: float) -> Measured:
    return Measured(value, None, None, "float", 0.0)


def values(*pairs: tuple[int, float]) -> Measured:
    return Measured(None, np.array([user for user, _ in pairs]), np.array([v for _, v in pairs]), "float", 0.0)


def test_a_mean_that_is_equal_stays() -> None:
    recheck = recheck_on_data(fit("recall@2"), mean(0.5), DATA)
    assert [each.signature() for each in recheck.definitions] == ["recall@2"]
    assert recheck.value == pytest.approx(0.5)


def test_a_mean_that_is_not_equal_goes_and_its_distance_is_told() -> None:
    recheck = recheck_on_data(fit("recall@2"), mean(0.6), DATA)
    assert recheck.definitions == ()
    assert recheck.deviation == pytest.approx(0.1)


def test_values_of_users_are_compared_where_there_is_no_mean() -> None:
    assert recheck_on_data(fit("recall@2"), values((1, 0.5), (2, 1.0), (3, 0.0)), DATA).definitions
    assert not recheck_on_data(fit("recall@2"), values((1, 0.5), (2, 0.9), (3, 0.0)), DATA).definitions


def test_a_user_who_is_left_out_is_seen() -> None:
    assert not recheck_on_data(fit("recall@2"), values((1, 0.5), (2, 1.0)), DATA).definitions


def test_more_orders_of_ties_than_can_be_averaged_are_said_not_to_be_compared() -> None:
    # Eight tied items, of which seven are relevant: 8! = 40,320 orders.
    user = User((2,) * 7 + (0,), (), scores=(0.5,) * 8)
    data = Problem.of([case_from_users("ties", [user])], 4)
    both = Fitting((parse("recall@4"), parse("recall@4|ties:average")), 0.0, Tolerance(1e-9, "float64"), 1)
    recheck = recheck_on_data(both, mean(0.5), data)
    assert [str(each) for each in recheck.definitions] == ["recall@4|ties:average"]  # as given it is 4/7
    assert recheck.compared.startswith("nothing: the tied items of one user have 40,320 orders")
    assert recheck.value is None


def test_of_ties_that_no_value_describes_nothing_is_claimed() -> None:
    recheck = recheck_on_data(fit("recall@2|ties:other"), values((1, 0.5), (2, 1.0), (3, 1.0)), DATA)
    assert recheck.definitions
    assert "but for 1 user(s) with ties" in recheck.compared
    assert recheck_on_data(fit("recall@2|ties:other"), mean(2.5 / 3), DATA).definitions
    # 0.4 above: more than that user can move.
    assert not recheck_on_data(fit("recall@2|ties:other"), mean(0.9), DATA).definitions


def test_ties_are_in_no_describable_order_where_all_untied_users_fit() -> None:
    # User 3's hit is tied at ranks 2 and 3: as given it is at 3, and 1 says that it came second.
    answer = values((1, 0.5), (2, 1.0), (3, 1.0))
    assert not recheck_on_data(fit("recall@2"), answer, DATA).definitions
    assert [str(each) for each in unspecified_ties(fit("recall@2"), answer, DATA)] == ["recall@2|ties:unspecified"]


def test_an_untied_user_who_does_not_fit_is_no_matter_of_ties() -> None:
    assert not unspecified_ties(fit("recall@2"), values((1, 0.25), (2, 1.0), (3, 1.0)), DATA)


@pytest.mark.parametrize("signature", ["recall@2|ties:average", "recall@2|ties:other"])
def test_what_orders_no_tie_cannot_order_it_otherwise(signature: str) -> None:
    assert not unspecified_ties(fit(signature), values((1, 0.5), (2, 1.0), (3, 1.0)), DATA)


def test_a_mean_alone_does_not_show_that_ties_are_in_no_order() -> None:
    assert not unspecified_ties(fit("recall@2"), mean(0.9), DATA)
