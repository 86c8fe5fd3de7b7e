"""Single-user probes: the plain table, and its variants with other gains, thresholds, truth orders."""

from __future__ import annotations

from recsys_metric_audit.reference.cases.single_user import (
    ABOVE_THRESHOLD,
    ONE_RELEVANT,
    ONE_RELEVANT_UNIT_GAIN,
    UNIT_GAINS,
    USUAL,
)


def test_a_row_of_the_table_is_gains_by_rank_cut_off_and_missed_gains() -> None:
    probe = USUAL[0]  # "2 0 0 0 | 3 | 2"
    assert (probe.users[0].ranked, probe.users[0].missed, probe.k) == ((2.0, 0.0, 0.0, 0.0), (2.0,), 3)
    assert probe.name == "[2 0 0 0] k3 miss 2"


def test_unit_probes_have_the_hits_of_the_plain_ones_and_gains_of_one() -> None:
    for plain, unit in zip(USUAL, UNIT_GAINS, strict=False):
        assert unit.case.truth.item.tolist() == plain.case.truth.item.tolist()
        assert set(unit.case.truth.gain.tolist()) == {1.0} and unit.case.threshold == 1.0
        assert unit.k == plain.k


def test_the_last_unit_probes_begin_their_truth_with_another_item_than_the_best_ranked() -> None:
    for probe in UNIT_GAINS[len(USUAL) :]:
        listed = [item for item in probe.case.predictions.item.tolist() if item in probe.case.truth.item.tolist()]
        assert probe.case.truth.item.tolist()[0] != listed[0]


def test_above_probes_are_the_plain_ones_with_every_gain_above_the_threshold() -> None:
    for plain, above in zip(USUAL, ABOVE_THRESHOLD, strict=True):
        assert above.case.truth is plain.case.truth
        assert (above.case.truth.gain > above.case.threshold).all()


def test_probes_of_one_have_one_relevant_item() -> None:
    assert all(len(probe.case.truth.item) == 1 for probe in (*ONE_RELEVANT, *ONE_RELEVANT_UNIT_GAIN))
