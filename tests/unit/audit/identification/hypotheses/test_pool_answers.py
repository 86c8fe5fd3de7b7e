"""Tests what is left out of the answers where no definition explains what some probes show."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.identification.hypotheses.pool_answers import PoolAnswers
from recsys_metric_audit.audit.identification.hypotheses.readings import Reading
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.cases import PROBES, Probe, Role
from recsys_metric_audit.reference.definitions.definition import parse


def test_what_shows_items_seen_in_training_is_left_out_with_its_probes() -> None:
    probes, features = generated_cases.pool()
    seen, other = (
        next(probe for probe, own in zip(probes, features, strict=True) if own == {feature})
        for feature in ("seen in training", "ties")
    )
    half = Measured(0.5, None, None, "float", 0.0)
    answers = {probe.name: half for probe in (*INITIAL_PROBES, seen, other)}
    observation = Observation("f", answers, {}, further_probes=(seen, other))
    function = Function(name="f", metric="recall")
    read = [
        {probe.name for probe in further.probes if probe.name in {seen.name, other.name}}
        for left_out in (frozenset[Role](), frozenset[Role]({"seen"}))
        if (further := Reading(left_out).of(function, observation).further) is not None
    ]
    assert read == [{seen.name, other.name}, {other.name}]


def _has_user_without(probe: Probe, least: float) -> bool:
    """Return True if a user of a probe has no truth row with a gain above a bound."""
    case = probe.case
    return not {*case.predictions.user.tolist(), *case.truth.user.tolist()} <= {
        *case.truth.user[case.truth.gain > least].tolist()
    }


@pytest.mark.parametrize("is_explained", [True, False])
def test_refusals_of_ordinary_users_say_something_only_if_a_rule_of_relevance_explains_all(is_explained: bool) -> None:
    """Where gains must be above the threshold, some ordinary users have nothing relevant; several users are usual."""

    def outcome(probe: Probe) -> Outcome:
        several = len({*probe.case.predictions.user.tolist(), *probe.case.truth.user.tolist()}) > 1
        refused = _has_user_without(probe, probe.case.threshold) if is_explained else True
        return Errored("ValueError", "", "") if several and refused else Measured(0.5, None, None, "float", 0.0)

    observation = Observation("f", {probe.name: outcome(probe) for probe in (*PROBES, *INITIAL_PROBES)}, {})
    answers = PoolAnswers.of(Function(name="f", metric="recall"), observation)
    assert answers.refused.any() == is_explained


def _all_hit_without_ties(probe: Probe, rows_shown: int) -> bool:
    """Return True if each user has a relevant item among the first rows, and no two rows of one score."""
    rows, truth = probe.case.predictions, probe.case.truth
    gains = zip(truth.user.tolist(), truth.item.tolist(), truth.gain.tolist(), strict=True)
    relevant = {(user, item) for user, item, gain in gains if gain >= probe.case.threshold}
    for user in {*rows.user.tolist(), *truth.user.tolist()}:
        own = rows.user == user
        by_score = sorted(zip(rows.score[own].tolist(), rows.item[own].tolist(), strict=True), reverse=True)
        if len({score for score, _ in by_score}) < len(by_score):
            return False
        if not {(user, item) for _, item in by_score[:rows_shown]} & relevant:
            return False
    return True


@pytest.mark.parametrize(("cutoff", "fewer"), [("k", 0), ("k_minus_1", 1)])
def test_of_a_plain_probe_every_user_has_a_hit_by_the_definition_and_nothing_ties(cutoff: str, fewer: int) -> None:
    answers = PoolAnswers.of(Function(name="f", metric="reciprocal_rank"), Observation("f", {}, {}))
    definition = parse(f"reciprocal_rank@k|relevance:at_least_t|cutoff:{cutoff}")
    own = answers.plain(definition)
    plain = [probe for probe, each in zip(answers.initial.probes, own, strict=True) if each]
    assert len(plain) > 10
    assert all(_all_hit_without_ties(probe, probe.k - fewer) for probe in plain)
    assert not any(probe.kind.role in ("duplicates", "truth_duplicates") for probe in plain)
