"""Outcomes read from a confirmed definition are those of the function, by the slow oracle; nothing else is told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from recsys_metric_audit.audit.behaviours.predicted_outcomes import predicted_probes, predicted_scenarios
from recsys_metric_audit.audit.behaviours.scenarios import CALLED_AGAIN, CONTRACT, K_ALONE, SCENARIOS, TIES, UNTIED
from recsys_metric_audit.audit.libraries.function import Function, Takes
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.oracle_means import evaluate as slow

MEAN = Measured(0.5, None, None, "float", 0.0)
BY_NAME = {each.name: each for each in (*SCENARIOS, *CONTRACT)}


def all_is_told(probes: Sequence[Probe]) -> np.ndarray:
    return np.ones(len(probes), dtype=np.bool_)


@pytest.mark.parametrize(
    "signature",
    ["ndcg@k|gain:exp2|ties:item_asc", "recall@k|users:all|undefined:0", "precision@k|candidates:without_train"],
)
def test_the_oracle_gives_what_is_told_of_scenarios(signature: str) -> None:
    definition = parse(signature)
    told = predicted_scenarios(definition, Function(name="f", metric=definition.metric), MEAN, all_is_told)
    assert len(told) >= 20
    for name, by_cutoff in told.items():
        assert tuple(by_cutoff) == BY_NAME[name].ks
        for k, (outcome,) in by_cutoff.items():
            made = slow(definition.metric, definition.axes, BY_NAME[name].case, k)
            assert isinstance(outcome, Measured) and outcome.mean == pytest.approx(made.mean, abs=1e-12, nan_ok=True)


def test_several_cut_offs_are_told_of_a_function_that_takes_one() -> None:
    for cutoff, signature in ((True, "recall@k"), (False, "recall|cutoff:none")):
        told = predicted_scenarios(
            parse(signature), Function(name="f", metric="recall", cutoff=cutoff), MEAN, all_is_told
        )
        assert (K_ALONE in told) == cutoff


def test_what_no_axis_describes_is_never_told() -> None:
    told = predicted_scenarios(parse("recall@k"), Function(name="f", metric="recall"), MEAN, all_is_told)
    asked = {
        "many changes together",
        "rows shuffled across users",
        "no truth at all",
        "padded with item 0",
        CALLED_AGAIN,
    }
    assert not asked & told.keys()


def test_where_the_contract_decides_on_ties_they_are_not_told() -> None:
    function = Function(name="f", metric="recall", takes=Takes(input="ranked"))
    told = predicted_scenarios(parse("recall@k|order:rows"), function, MEAN, all_is_told)
    assert not {each.name for each in TIES} & told.keys()
    assert {each.name for each in UNTIED} <= told.keys()


def test_an_error_that_a_definition_expects_is_not_told_since_its_words_are_not_known() -> None:
    told = predicted_probes(parse("recall@k|no_list:error"), Function(name="f", metric="recall"), {}, MEAN, all_is_told)
    assert "a user without recommendations first" not in told
    assert "ordinary users of unequal r and list length" in told


def test_probes_that_were_asked_are_not_told_again() -> None:
    asked = {probe.name: MEAN for probe in INITIAL_PROBES[1:]}
    told = predicted_probes(parse("recall@k"), Function(name="f", metric="recall"), asked, MEAN, all_is_told)
    assert list(told) == [INITIAL_PROBES[0].name]


def test_inputs_with_a_feature_that_held_out_cases_left_out_are_not_told() -> None:
    function = Function(name="f", metric="recall")

    def tells(probes: Sequence[Probe]) -> np.ndarray:
        return np.array([probe.k != 5 for probe in probes])

    told = predicted_scenarios(parse("recall@k"), function, MEAN, tells)
    assert K_ALONE not in told, "one of its cut-offs is 5"
    assert all(5 not in BY_NAME[name].ks for name in told) and told
    of_five = {probe.name for probe in INITIAL_PROBES if probe.k == 5}
    assert not of_five & predicted_probes(parse("recall@k"), function, {}, MEAN, tells).keys()


def test_users_have_values_where_the_function_gives_them() -> None:
    like = Measured(None, np.array([1]), np.array([0.5]), "float32", 0.0)
    name = "ordinary users of unequal r and list length"
    outcome = predicted_probes(parse("recall@k"), Function(name="f", metric="recall"), {}, like, all_is_told)[name]
    assert isinstance(outcome, Measured) and outcome.mean is None and outcome.users is not None
    (probe,) = [each for each in INITIAL_PROBES if each.name == name]
    made = slow("recall", parse("recall@k").axes, probe.case, probe.k)
    assert outcome.values is not None and outcome.values.mean() == pytest.approx(made.mean)
