"""The input stages: order, ties, repeats and relevance, by the slow oracle's answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.identification.input_stages import InputStages
from audit.libraries.contract import Takes
from audit.libraries.function import Function
from audit.observations.evidence import evidence_on
from audit.observations.fit import Contradicted, Fit, Fitting
from audit.observations.observation import Observation, Tolerance
from audit.process.protocol import Errored
from audit.questions.contract_probes import is_asked
from reference.cases import PROBES, Kind, Variant
from reference.definitions.definition import Definition, parse
from tests.support.answers_of_oracle import measured, oracle_observation

EXACT = Tolerance(1e-9, "float64")
RECALL = [parse("recall@k")]
BY_NAME = {probe.name: probe for probe in PROBES}


def stages(observation: Observation) -> InputStages:
    return InputStages(observation, "usual", EXACT)


def decided(observation: Observation, candidates: list[Definition] = RECALL) -> list[str]:
    found = stages(observation).follow(candidates, allow_other=True)
    assert not isinstance(found, Fit)
    return [each.simplified().signature() for each in found[0]]


@pytest.mark.parametrize(
    "signature",
    [
        "recall@k",
        "recall@k|ties:item_desc",
        "recall@k|ties:shared",
        "recall@k|duplicates:error",
        "recall@k|relevance:at_least_t",
        "recall@k|relevance:0.5",
        "recall@k|relevance:1",
        "recall@k|relevance:2",
    ],
)
def test_order_repeats_and_relevance_are_decided(signature: str) -> None:
    assert parse(signature).simplified().signature() in decided(oracle_observation(signature))


def test_gains_between_0_and_1_tell_constant_thresholds_from_positive_gains() -> None:
    observation = oracle_observation("recall@k|relevance:1")
    assert "recall@k|relevance:positive" not in decided(observation)
    fractions = {probe.name: Errored("ValueError", "grades are whole", "") for probe in
                 evidence_on(observation, Kind("fractions")).probes}  # fmt: skip
    found = decided(Observation("f", {**observation.probes, **fractions}, {}))
    assert "recall@k|relevance:positive" in found and not any("relevance:1" in each for each in found)


def test_what_fits_no_constant_threshold_keeps_its_named_rule() -> None:
    observation = oracle_observation("recall@k|relevance:at_least_t")
    odd = {probe.name: measured(0.123) for probe in evidence_on(observation, Kind("fractions")).probes}
    assert "recall@k|relevance:at_least_t" in decided(Observation("f", {**observation.probes, **odd}, {}))


def test_ties_that_no_value_describes_are_other_or_a_failed_stage() -> None:
    observation = oracle_observation("recall@k")
    tied = {probe.name: measured(0.123) for probe in evidence_on(observation, Kind("order")).probes}
    odd = Observation("f", {**observation.probes, **tied}, {})
    assert any("ties:other" in each for each in decided(odd))
    failed = stages(odd).follow(RECALL, allow_other=False)
    assert isinstance(failed, Contradicted) and (failed.definitions, failed.stage) == ((), "order")


def test_without_rated_irrelevant_items_nothing_is_said_of_order_or_repeats() -> None:
    made = InputStages(Observation("f", {}, {}), "rated_misses", EXACT).follow(RECALL, allow_other=True)
    assert not isinstance(made, Fit)
    axes = ("order", "ties", "duplicates", "truth_duplicates", "relevance", "counted_scores")
    assert made[1] == axes and len(made[0]) >= 1


@pytest.mark.parametrize(("variant", "has_variants"), [("usual", False), ("unit_gains", True), ("all_listed", True)])
def test_variants_go_with_the_multi_user_probes(variant: Variant, has_variants: bool) -> None:
    made = InputStages(Observation("f", {}, {}), variant, EXACT)
    assert made.has_variants is has_variants


def test_a_fit_is_rechecked_on_probes_of_one_user() -> None:
    both = Fitting((parse("recall@k"), parse("recall@k|ties:item_desc")), 0.0, EXACT, 1)
    assert stages(oracle_observation("recall@k")).recheck(both).definitions == (parse("recall@k"),)


def test_a_fit_on_gains_of_1_is_rechecked_on_other_gains() -> None:
    answers = InputStages(oracle_observation("recall@k"), "unit_gains", EXACT)
    right, wrong = (Fitting((parse(each),), 0.0, EXACT, 1) for each in ("recall@k", "recall@k|relevance:equal_1"))
    assert answers.recheck_without_variants(right, with_multi_user=True) == right
    refuted = answers.recheck_without_variants(wrong, with_multi_user=True)
    assert (refuted.definitions, refuted.stage) == ((), "multi_user")


def test_the_largest_deviation_of_what_fits() -> None:
    observation = oracle_observation("recall@k", lambda value: round(value, 4))
    fit = Fitting((parse("recall@k"),), 0.0, Tolerance(0.51e-4, "4 decimals"), 1)
    made = InputStages(observation, "usual", fit.tolerance).largest_deviation(fit)
    assert 1e-6 < made <= 0.5e-4


@pytest.mark.slow
def test_a_ranked_list_needs_no_probe_of_order() -> None:
    """A value that its contract fixes is taken as it is; an axis that it rules out has the first value that fits."""
    observation = oracle_observation("recall@k|order:rows|relevance:every_row|duplicates:last")
    ruled_out = frozenset(("order", "ties", "truth_duplicates", "relevance", "counted_scores"))
    own = Function(name="f", metric="recall", takes=Takes(input="ranked", truth="set"))
    asked = {name: each for name, each in observation.probes.items() if is_asked(own, BY_NAME[name])}
    assert len(asked) < len(observation.probes)
    thinned = replace(observation, probes=asked)
    fixed = InputStages(thinned, "usual", EXACT, {"order": "rows"}, ruled_out)
    found = fixed.follow(RECALL, allow_other=True)
    assert not isinstance(found, Fit)
    (only,) = found[0]
    assert (only.axes["order"], only.axes["duplicates"]) == ("rows", "last")
    open_axes = InputStages(thinned, "usual", EXACT).follow(RECALL, allow_other=True)
    assert not isinstance(open_axes, Fit)
    assert len(open_axes[0]) > 1, "without the contract nothing tells order and relevance"
