"""Inputs that tell from which gain on an item is relevant, by the slow oracle's answers."""

from __future__ import annotations

from math import inf

import pytest

from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.fit import Fit, Fitting
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.questions.threshold_cases import (
    Bracket,
    has_own_threshold,
    threshold_bracket,
    threshold_probes,
    threshold_questions,
    with_told_threshold,
)
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.metrics import METRICS
from tests.support.answers_of_oracle import answers_of_oracle, oracle_observation
from tests.support.oracle_means import evaluate as slow


@pytest.mark.parametrize(
    ("bracket", "rule", "gains"),
    [
        (Bracket(0.5, 1.0), "1", (0.50001, 0.99999)),
        (Bracket(0.50001, 0.99999), "0.99999", (0.6, 0.7, 0.8, 0.9)),
        (Bracket(0.6, 0.7), "0.7", (0.60001, 0.69999)),
        (Bracket(0.60001, 0.69999), "0.69999", tuple(round(0.6 + n / 100, 2) for n in range(1, 10))),
        (Bracket(0.5, 0.50001), "above_0.5", ()),
        (Bracket(0.69999, 0.7), "0.7", ()),
        (Bracket(2.5, 3.0), "3", (2.50001, 2.99999)),
        (Bracket(4.0, inf), "above_4", ()),
    ],
)
def test_the_gains_to_ask_about_next(bracket: Bracket, rule: str, gains: tuple[float, ...]) -> None:
    assert bracket.gains() == pytest.approx(gains) and bracket.rule == rule


@pytest.mark.parametrize(
    ("signature", "own"),
    [("recall@k|relevance:0.5", True), ("recall@k|relevance:above_2", True), ("recall@k|relevance:above_t", False),
     ("recall@k", False), ("gini@k", False)],
)  # fmt: skip
def test_a_number_that_is_no_part_of_the_input(signature: str, own: bool) -> None:
    assert has_own_threshold(parse(signature)) is own


def test_the_probes_leave_a_threshold_between_two_of_their_gains() -> None:
    evidence = gather_evidence(answers_of_oracle("recall@k|relevance:1"), PROBES)
    assert threshold_bracket(parse("recall@k|relevance:1"), evidence, Tolerance(1e-9, "float64")) == (0.5, 1.0)


def test_ties_without_a_rule_say_nothing_of_a_threshold() -> None:
    """Answers by item id contradict rows as given on ties, whatever is relevant: a threshold is told all the same."""
    truth, tolerance = "recall@k|relevance:above_0.75|ties:item_desc", Tolerance(1e-9, "float64")
    fit: Fit = Fitting((parse("recall@k|relevance:1|ties:other"),), 0.0, tolerance, len(PROBES))
    evidence = gather_evidence(answers_of_oracle(truth), PROBES)
    while more := threshold_questions(fit, evidence):
        asked = (*evidence.probes, *more)
        evidence = gather_evidence(oracle_observation(truth, further=asked[len(PROBES) :]).probes, asked)
        fit = with_told_threshold(fit, evidence)
    assert fit.definitions == (parse("recall@k|relevance:above_0.75|ties:other"),)


@pytest.mark.parametrize("metric", [name for name, each in METRICS.items() if "relevance" in each.canonical])
def test_each_answer_tells_if_the_gain_is_relevant(metric: str) -> None:
    definition = parse(f"{metric}@k" if parse(metric).k else metric)
    if definition.family.axis("relevance").numeric is None:
        return  # ratings are compared whatever they are
    own = definition.with_(relevance="1")
    probes = threshold_probes(own, Bracket(0.5, 1.0))
    assert len(probes) == 2, f"nothing tells the threshold of {metric}"
    # The oracle compares exactly, and a float is not the decimal that is written: so thresholds beside the gain.
    for probe, (below, beyond) in zip(probes, (("0.5", "0.6"), ("0.9", "1")), strict=True):
        made = [slow(metric, own.with_(relevance=rule).axes, probe.case, probe.k).mean for rule in (below, beyond)]
        assert abs(made[0] - made[1]) > 1e-3
