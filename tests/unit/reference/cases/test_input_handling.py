"""Probes of input handling: variants change gains, thresholds or lists, and nothing else."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.cases import Kind
from recsys_metric_audit.reference.cases.input_handling import ABOVE_THRESHOLD, ALL_LISTED, UNIT_GAINS, USUAL

BY_NAME = {probe.name: probe for probe in USUAL}


def test_unit_variants_have_gains_of_one() -> None:
    for probe in UNIT_GAINS:
        plain = BY_NAME[probe.name.removeprefix("gains of 1: ")]
        assert set(probe.case.truth.gain.tolist()) == {1.0} and probe.case.threshold == 1.0
        assert probe.kind == Kind(plain.kind.role, "unit_gains") and probe.case.predictions is plain.case.predictions


def test_above_variants_have_every_gain_above_the_threshold() -> None:
    for probe in ABOVE_THRESHOLD:
        plain = BY_NAME[probe.name.removeprefix("threshold below: ")]
        assert (probe.case.truth.gain > probe.case.threshold).all() and probe.case.truth is plain.case.truth


def test_listed_variants_append_missed_items_and_two_misses_below_all_scores() -> None:
    for probe in ALL_LISTED:
        plain = BY_NAME[probe.name.removeprefix("all listed: ")]
        rows, more = len(plain.case.predictions.item), probe.case.predictions.item
        missed = set(plain.case.truth.item.tolist()) - set(plain.case.predictions.item.tolist())
        assert set(more[rows:].tolist()) == missed | {400, 401}
        assert (np.diff(probe.case.predictions.score[rows:]) < 0).all()
        assert probe.case.predictions.score[rows:].max() < plain.case.predictions.score.min()
        assert set(more.tolist()) <= set(probe.case.catalogue.tolist())


def test_order_probes_hold_ties_or_rows_out_of_order() -> None:
    for probe in (each for each in USUAL if each.kind == Kind("order")):
        score = probe.case.predictions.score
        assert len(set(score.tolist())) < len(score) or (np.diff(score) > 0).any(), probe.name
