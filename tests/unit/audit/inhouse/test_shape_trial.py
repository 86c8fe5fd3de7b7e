"""Trials: which shape, and which metric, a few answers speak for."""

from __future__ import annotations

from dataclasses import replace

from recsys_metric_audit.audit.inhouse.shape_trial import Trial, best_trial, trial_probes
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, SHAPES
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome

PROBES = trial_probes(DEFAULT, None)


def answers(values: list[float]) -> dict[str, Outcome]:
    return {probe.name: Measured(value, None, None, "float", 0.0) for probe, value in zip(PROBES, values, strict=True)}


def found(values: list[float], metric: str | None = None) -> Trial:
    return Trial.of(DEFAULT, PROBES, answers(values), metric)


def shares(wrong_order: bool = False) -> list[float]:
    """Compute recall by sets: relevant items among the first k, over all; or with lists for truths."""
    values = []
    for probe in PROBES:
        listed, relevant = probe.case.predictions.item.tolist(), probe.case.truth.item.tolist()
        one, other = (relevant, listed) if wrong_order else (listed, relevant)
        values.append(len(set(one[: probe.k]) & set(other)) / len(other))
    return values


def test_the_metric_is_the_one_that_differs_least_from_its_canonical_definition() -> None:
    trial = found(shares())
    assert (trial.metric, trial.agreement, trial.changes) == ("recall", 1.0, 0)


def test_a_named_metric_is_held_against_alone() -> None:
    trial = found(shares(), "hit_rate")
    assert (trial.metric, trial.agreement, trial.changes) == ("hit_rate", 1.0, 1)  # hits over r, one axis away


def test_the_right_order_of_arguments_agrees_more() -> None:
    right, wrong = found(shares()), found(shares(wrong_order=True))
    assert best_trial([wrong, right]) is right


def test_of_equal_trials_the_likelier_comes_first_and_no_answer_agrees_with_nothing() -> None:
    nothing = Trial.of(SHAPES["actual"], PROBES, {probe.name: Errored("E", "", "") for probe in PROBES}, None)
    assert (nothing.answered, nothing.agreement) == (0, 0)
    again = Trial.of(DEFAULT, PROBES, {}, None)
    assert best_trial([nothing, again]) is nothing


def test_a_shape_that_is_mostly_refused_does_not_win_by_chance() -> None:
    outcomes: dict[str, Outcome] = {probe.name: Errored("E", "", "") for probe in PROBES}
    few = dict(list(answers(shares()).items())[: len(PROBES) // 3])
    by_chance = Trial.of(SHAPES["actual"], PROBES, {**outcomes, **few}, None)
    of_no_metric = found([1234.5] * len(PROBES))  # nor in percent
    assert by_chance.agreement > of_no_metric.agreement == 0
    assert best_trial([by_chance, of_no_metric]) is of_no_metric
    assert not by_chance.taken and of_no_metric.taken
    refused = Trial.of(SHAPES["vector"], PROBES, outcomes, None)
    assert best_trial([refused, by_chance]) is by_chance


def test_answers_that_are_nearly_all_alike_speak_for_no_shape() -> None:
    # Where a function finds no item at all it returns 0 throughout, as the miss rate of a perfect list does.
    alike = Trial(SHAPES["scores"], 18, True, 1.0, "miss_rate", varied=False)
    fair = Trial(SHAPES["recommended"], 48, True, 0.2, "hit_rate")
    assert best_trial([alike, fair]) is fair
    assert not found([0.0] * len(PROBES)).varied
    assert found([number / 7 for number in range(len(PROBES))]).varied


def test_a_function_that_refuses_lists_shorter_than_k_takes_its_shape() -> None:
    outcomes: dict[str, Outcome] = {
        probe.name: Errored("IndexError", "list index out of range", "")
        for probe in PROBES
        if len(probe.case.predictions.item) < probe.k
    }
    assert len(outcomes) > 5
    assert Trial.of(DEFAULT, PROBES, {**answers(shares()), **outcomes}, "recall").taken


def test_answers_in_percent_and_rounded_ones_agree() -> None:
    exact = shares()
    assert found([round(value, 3) for value in exact]).agreement == found(exact).agreement == 1
    for scaled in ([100 * value for value in exact], [-value for value in exact]):
        assert 0.9 <= found(scaled).agreement < 1  # so that another call is tried as well
    assert found([value + 0.01 for value in exact]).agreement < 0.5


def test_of_equal_shares_that_of_more_inputs_is_surer() -> None:
    few, many = (replace(found(shares()), agreement=0.6, answered=each) for each in (11, 48))
    assert best_trial([few, many]) is many
