"""Which probes a function of lists or of DataFrames is asked."""

from __future__ import annotations

from itertools import pairwise
from operator import itemgetter

import numpy as np
import pytest

from recsys_metric_audit.audit.inhouse.function_inputs import (
    are_alike,
    frame_calls,
    function_inputs,
    labelled_probes,
    list_calls,
)
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, FRAMES, SHAPES
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import parse


def test_lists_are_asked_only_what_they_can_hold() -> None:
    """A list has no scores that tie or rise, and a dict has no item twice; what was left out has one of these."""
    lists, frames = function_inputs(DEFAULT), function_inputs(FRAMES)
    kept = {probe.name for probe in lists.probes}
    assert [probe for probe in frames.probes if probe.name in kept] == list(lists.probes)
    for probe in frames.probes:
        listed, truth = probe.case.predictions, probe.case.truth
        rows = list(zip(listed.user.tolist(), listed.score.tolist(), strict=True))
        best_first = all(one[0] != two[0] or one[1] > two[1] for one, two in pairwise(sorted(rows, key=itemgetter(0))))
        once = len(set(zip(truth.user.tolist(), truth.item.tolist(), strict=True))) == len(truth.user)
        assert (probe.name in kept) == (best_first and once and probe.kind.role not in ("degenerate", "rated_users"))


def test_several_cutoffs_or_the_only_one() -> None:
    open_, only = function_inputs(DEFAULT), function_inputs(DEFAULT, 7)
    assert (open_.one_k, open_.k) == (False, 20)
    assert (only.one_k, only.k) == (True, 7)
    assert len({probe.k for probe in open_.probes}) > 1


def test_every_user_of_a_truth_is_a_call() -> None:
    probe, recommended, relevant = next(list_calls())
    case = probe.case
    assert recommended == case.predictions.item[case.predictions.user == case.truth.user[0]].tolist()
    assert set(relevant) == set(case.truth.item[case.truth.user == case.truth.user[0]].tolist())
    probe, predictions, truth = next(frame_calls())
    assert (len(predictions), len(truth)) == (len(probe.case.predictions.user), len(probe.case.truth.user))


def test_labels_of_rows_are_asked_no_input_with_a_relevant_item_that_is_not_listed() -> None:
    inputs = function_inputs(SHAPES["vector"])
    assert len(inputs.further) == 5
    for case in (*(probe.case for probe in inputs.every), inputs.data):
        listed = set(zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True))
        assert set(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True)) <= listed


@pytest.mark.parametrize("shape", ["scores", "vector", "indexes", "indexes-labels-first", "vectors", "scorer"])
def test_labels_at_one_cut_off_get_probes_without_what_is_not_listed(shape: str) -> None:
    own = SHAPES[shape]
    inputs = function_inputs(own, 10)
    made = labelled_probes(own, 10)
    assert {probe.name for probe in made} <= {probe.name for probe in inputs.further} and len(made) > 10
    assert all(own.holds(probe.case) and probe.k == 10 for probe in made)
    of_several = [probe for probe in made if len(set(probe.case.predictions.user.tolist())) > 1]
    assert bool(of_several) == own.users, "one call has one user's rows, or those of all"
    assert (
        any(len(probe.case.truth.user) < len(set(probe.case.predictions.user.tolist())) for probe in made) == own.users
    )


@pytest.mark.parametrize("k", [None, 1, 3, 5, 20])
@pytest.mark.parametrize("name", [shape.name for shape in SHAPES.values() if "order" not in shape.not_shown])
def test_where_a_call_shows_the_order_rows_out_of_order_and_ties_are_asked(name: str, k: int | None) -> None:
    """Else a function whose ties follow no rule is told to read no scores."""

    def steps(probe: Probe) -> set[float]:
        rec = probe.case.predictions
        return {*np.sign(np.concatenate([[], *(np.diff(rec.score[rec.user == user]) for user in np.unique(rec.user))]))}

    seen = [steps(probe) for probe in function_inputs(SHAPES[name], k).every]
    assert sum(1 in each for each in seen) > 2 and sum(0 in each for each in seen) > 2


def test_shapes_and_cut_offs_that_hold_the_probes_get_no_others() -> None:
    assert labelled_probes(SHAPES["recommended"], 10) == () == labelled_probes(SHAPES["indexes"], None)


LABELS_OF_ROWS = ("scores", "scores-first", "indexes", "indexes-labels-first", "scorer", "vector", "vectors")


@pytest.mark.parametrize("name", LABELS_OF_ROWS)
@pytest.mark.parametrize("gain", ["binary", "linear", "exp2"])
def test_labels_of_rows_show_no_ideal_beyond_the_list(name: str, gain: str) -> None:
    """Every relevant item has a row, so that the best of the list are the best there are."""
    shape, usual = SHAPES[name], parse(f"ndcg@k|gain:{gain}")
    for ideal in ("listed", "rows", "shown"):
        assert are_alike(usual, usual.with_(ideal=ideal), shape)
        assert not are_alike(usual, usual.with_(ideal=ideal), DEFAULT)
    assert not are_alike(usual, usual.with_(ideal="all"), shape)  # they may stand below k
    assert not are_alike(parse("recall@k"), parse("precision@k"), shape)


def test_rows_that_are_not_cut_show_no_cutoff_of_the_ideal() -> None:
    of_list, of_all = parse("ndcg|gain:exp2|cutoff:none"), parse("ndcg|gain:exp2|ideal:all|cutoff:none")
    assert are_alike(of_list, of_all, SHAPES["scorer"])
    assert not are_alike(of_list, of_all, SHAPES["recommended"])
