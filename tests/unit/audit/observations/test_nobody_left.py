"""What comes out where nobody is left is read from the answers once everything else is identified."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from recsys_metric_audit.audit.observations.fit import Fit, Fitting
from recsys_metric_audit.audit.observations.nobody_left import with_rule_for_nobody
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Errored, Outcome
from recsys_metric_audit.reference.cases import DEGENERATE, PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.answers_of_oracle import measured, oracle_observation

EXACT = Tolerance(1e-9, "float64")
ANSWERED = ("nobody has relevant items", "nobody has relevant items, though rated ones")


def fit(*signatures: str, unidentified: tuple[str, ...] = ()) -> Fit:
    definitions = tuple(parse(each) for each in signatures)
    return Fitting(definitions, 0.0, EXACT, len(PROBES), unidentified_axes=unidentified)


def of_answers(*outcomes: Outcome) -> Observation:
    """Return a function that gave these answers to as many probes of which nobody is left under recall."""
    return Observation("f", dict(zip(ANSWERED, outcomes, strict=False)), {})


RATED = "recall@k|relevance:at_least_t"
"""A definition under which nobody is left in both."""
REFUSED = Errored("ZeroDivisionError", "division by zero", "")


@pytest.mark.parametrize("rule", ["nan", "0", "error"])
@pytest.mark.parametrize("base", ["recall@k", "ndcg@k|users:both", "average_precision@k|pooling:pooled", "auc"])
def test_each_rule_is_read_from_the_answers_of_a_function(base: str, rule: str) -> None:
    found = with_rule_for_nobody(fit(base), oracle_observation(f"{base}|nobody:{rule}", further=DEGENERATE))
    assert found.unidentified_axes == ()
    assert [each.axes["nobody"] for each in found.definitions] == [rule]


def test_answers_that_follow_no_one_rule_leave_it_unknown() -> None:
    for outcomes in [(measured(0.0), measured(math.nan)), (measured(0.0), REFUSED), (), (measured(0.5),)]:
        found = with_rule_for_nobody(fit(RATED), of_answers(*outcomes))
        assert found.unidentified_axes == ("nobody",), outcomes
        assert found.definitions[0] == parse(RATED)
    refused = with_rule_for_nobody(fit(RATED), of_answers(REFUSED, REFUSED))
    assert refused.definitions == (parse(f"{RATED}|nobody:error"),)


def test_who_is_averaged_has_to_be_known_first() -> None:
    answers = of_answers(measured(0.0), measured(0.0))
    assert with_rule_for_nobody(fit("recall@k", unidentified=("ties",)), answers).definitions[0].axes["nobody"] == "0"
    for axis in ("users", "undefined", "pooling", "relevance"):
        assert "nobody" in with_rule_for_nobody(fit("recall@k", unidentified=(axis,)), answers).unidentified_axes


def test_a_user_who_counts_as_0_is_somebody() -> None:
    always = fit("recall@k|users:all|undefined:0")
    assert with_rule_for_nobody(always, of_answers(measured(0.0), measured(0.0))) == always
    listed = with_rule_for_nobody(
        fit("recall@k|users:predictions|undefined:0"), of_answers(measured(0.0), measured(0.0))
    )
    assert listed.unidentified_axes == ("nobody",), "somebody has a list in both"


def test_one_ranking_and_values_of_users_are_not_asked() -> None:
    answers = of_answers(measured(0.0), measured(0.0))
    stacked = fit("auc|scope:stacked")
    assert with_rule_for_nobody(stacked, answers) == stacked
    by_user = replace(fit("recall@k"), user_values_only=True)
    assert with_rule_for_nobody(by_user, answers) == by_user


def test_formulas_between_which_nothing_decided_share_the_rule() -> None:
    found = with_rule_for_nobody(fit("recall@k", "recall@k|denominator:min"), of_answers(measured(0.0), measured(0.0)))
    assert [each.axes["nobody"] for each in found.definitions] == ["0", "0"]
