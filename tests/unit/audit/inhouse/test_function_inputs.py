"""Which probes a function of lists or of DataFrames is asked."""

from __future__ import annotations

from audit.inhouse.function_inputs import frame_calls, function_inputs, list_calls


def test_lists_are_not_asked_what_only_frames_can_hold() -> None:
    lists, frames = function_inputs(frames=False), function_inputs(frames=True)
    missing = {probe.kind for probe in frames.probes} - {probe.kind for probe in lists.probes}
    assert missing == {"order", "truth_duplicates", "sole", "rated_users"}
    assert [probe for probe in frames.probes if probe.kind not in missing] == list(lists.probes)


def test_several_cutoffs_or_the_only_one() -> None:
    open_, only = function_inputs(frames=False), function_inputs(frames=False, k=7)
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
