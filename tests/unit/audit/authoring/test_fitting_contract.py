"""Functions whose answers contradict the usual contract of their form get one that they do not contradict."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.authoring.adapter_trial import Trial, try_functions
from recsys_metric_audit.audit.authoring.fitting_contract import with_fitting_contracts
from recsys_metric_audit.audit.libraries.contract import Takes
from recsys_metric_audit.audit.libraries.function import Function
from tests.support.defined_responder import DefinedResponder

METRICS = {"lib.hit": "hit_rate", "lib.rr": "reciprocal_rank", "lib.rec": "recall"}
BY_ROWS = {name: f"{metric}@k|order:rows" for name, metric in METRICS.items()}


def fitted(signatures: dict[str, str], like: str = "frames") -> Trial:
    functions = [Function(name=name, metric=METRICS[name]) for name in signatures]
    responder = DefinedResponder(signatures)
    return with_fitting_contracts(try_functions(functions, responder), like, responder)


def test_what_is_ranked_by_rows_takes_a_ranked_list_and_the_others_with_it() -> None:
    found = fitted(BY_ROWS)
    assert found.sane
    assert {each.function.takes for each in found.functions} == {Takes(input="ranked")}


def test_a_right_contract_stays_and_nothing_more_is_asked() -> None:
    signatures = {name: signature.partition("|")[0] for name, signature in BY_ROWS.items()}
    functions = [Function(name=name, metric=METRICS[name]) for name in signatures]
    responder = DefinedResponder(signatures)
    trial = try_functions(functions, responder)
    asked = len(responder.asked)
    assert with_fitting_contracts(trial, "frames", responder) is trial
    assert len(responder.asked) == asked


@pytest.mark.slow
def test_where_none_fits_the_fault_stays() -> None:
    [tried] = fitted({"lib.rr": BY_ROWS["lib.rr"]}, "matrix").functions
    assert tried.faults
