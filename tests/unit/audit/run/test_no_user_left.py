"""Reads the rule for nobody from the experiments in which no user has a relevant item or a list."""

from __future__ import annotations

import math

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.libraries.contract import Made
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Contradicted, Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Errored, Outcome
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.run.no_user_left import nobody_probes, with_nobody
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.answers_of_oracle import measured

NO_TRUTH, NO_LISTS = "no truth at all", "no predictions at all"
REFUSED = Errored("KeyError", "user", "")


def rule(signature: str, truth: Outcome, lists: Outcome, k: int | None = 3) -> str:
    """Return the rule for a function that answers so in the two experiments; empty if it is not known."""
    fit = Fitting((parse(signature),), 0.0, Tolerance(1e-9, "float64"), 1)
    trial = Trial(Diagnosis(Function(name="f", metric=fit.definitions[0].metric), Observation("f", {}, {}), fit))
    found = with_nobody(trial, {NO_TRUTH: {k: (truth,)}, NO_LISTS: {k: (lists,)}}).diagnosis.fit
    assert found is not None
    return "" if "nobody" in found.unidentified_axes else found.definitions[0].axes["nobody"]


def test_only_the_experiment_that_leaves_nobody_tells() -> None:
    assert rule("recall@k", measured(math.nan), measured(0.0)) == "nan", "without lists five users count as 0"
    assert rule("recall@k", measured(0.0), REFUSED) == "0"
    assert rule("recall@k", REFUSED, measured(0.0)) == "error"
    assert rule("recall@k|users:predictions|undefined:0", measured(0.0), measured(math.nan)) == "nan"


def test_two_experiments_that_leave_nobody_have_to_agree() -> None:
    assert rule("recall@k|users:both", measured(0.0), measured(0.0)) == "0"
    assert rule("recall@k|users:both", measured(0.0), measured(math.nan)) == ""
    assert rule("recall@k|users:both", measured(0.0), REFUSED) == ""


def test_a_function_without_a_cut_off_is_asked_too() -> None:
    assert rule("auc", measured(0.0), measured(0.0), k=None) == "0"


def test_nothing_is_read_where_no_definition_fits() -> None:
    fit = Contradicted("formula", Tolerance(1e-9, "float64"), 1)
    trial = Trial(Diagnosis(Function(name="f", metric="recall"), Observation("f", {}, {}), fit))
    assert with_nobody(trial, {}) is trial


def test_what_the_adapter_makes_of_nobody_tells_nothing() -> None:
    fit = Fitting((parse("recall@k"),), 0.0, Tolerance(1e-9, "float64"), 1)
    joined = Made(what="lists joined, of which there must be one", decides=("nobody",))
    function = Function(name="f", metric="recall", called_with=(joined,))
    trial = Trial(Diagnosis(function, Observation("f", {}, {}), fit))
    assert with_nobody(trial, {NO_TRUTH: {3: (REFUSED,)}, NO_LISTS: {3: (REFUSED,)}}) is trial


def test_the_two_experiments_are_what_they_are_called() -> None:
    probes, _ = nobody_probes()
    assert [(each.name, len(each.case.truth.user) > 0, len(each.case.predictions.user) > 0) for each in probes] == [
        (NO_TRUTH, False, True), (NO_LISTS, True, False),
    ]  # fmt: skip
