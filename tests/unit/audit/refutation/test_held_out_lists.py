"""Trials of functions beyond accuracy on held-out lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Contradicted, Fitting
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.process.protocol import Errored, Outcome, Unaskable
from recsys_metric_audit.audit.refutation.held_out_lists import held_out_items, try_shown_items
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Case, Predictions
from tests.support.item_answers import answers, observed, of_definition
from tests.support.slow_parameters import slow_but_first


def tried(
    claimed: str, computed: str, refuses: tuple[str, ...] = (), unknown: tuple[str, ...] = (),
    raises: tuple[str, ...] = (), change: Callable[[Case], Case] = lambda case: case,
) -> Trial:  # fmt: skip
    """Return the trial of a function that computes one definition and is taken for another, but for unknown axes."""
    definition, value = parse(claimed), of_definition(computed)
    fit = Fitting((definition,), 0.0, Tolerance(1e-9, "test"), 40, unidentified_axes=unknown)
    trying = try_shown_items(Diagnosis(Function(name="f", metric=definition.metric), observed(value), fit))
    probes = next(trying)
    outcomes: dict[str, Outcome] = {
        **answers(
            lambda case, k: value(change(case), k), [p for p in probes if p.kind.role not in (*refuses, *raises)]
        ),
        **{probe.name: Unaskable("not such rows") for probe in probes if probe.kind.role in refuses},
        **{probe.name: Errored("ValueError", "no train items", "") for probe in probes if probe.kind.role in raises},
    }
    with pytest.raises(StopIteration) as end:
        trying.send(outcomes)
    trial = end.value.value
    assert isinstance(trial, Trial)
    return trial


@pytest.mark.parametrize(
    "signature",
    slow_but_first(
        [
            "gini@k|ties:item_desc",
            "novelty@k|unseen:zero",
            "user_coverage",
            "intra_list_diversity@k|distance:jaccard|no_pair:left_out",
            "serendipity@k|useful:all|users:truth",
            "serendipity@k|unexpected:popularity|order:rows",
            "serendipity@k|unexpected:popularity|truth_duplicates:counted",
        ],
        2,
    ),
)
def test_what_is_right_is_confirmed(signature: str) -> None:
    trial = tried(signature, signature)
    assert trial.confirmed == parse(signature)
    assert trial.cases == len(held_out_items(copies="truth_duplicates" in parse(signature).axes)[0])
    assert trial.users > 500


def test_what_refuses_items_that_nobody_has_is_confirmed_on_others() -> None:
    trial = tried("novelty@k|unseen:error", "novelty@k|unseen:error")
    assert trial.confirmed == parse("novelty@k|unseen:error")
    assert trial.cases == 5 and trial.users > 200


def test_a_refusal_of_shown_train_items_is_told() -> None:
    trial = tried("novelty@k", "novelty@k", refuses=("seen",))
    assert trial.confirmed == parse("novelty@k") and trial.left_out == ("repeated truth rows", "training items")
    # the adapter refuses here, the library below
    assert trial.refuted == {}
    trial = tried("novelty@k", "novelty@k", raises=("seen",))
    assert trial.refuted == {"training items": "it refuses them: no train items"}


def test_shown_train_items_that_a_function_leaves_out_refute_no_formula() -> None:
    def without_train_items(case: Case) -> Case:
        rec, seen = case.predictions, {*zip(case.train.user.tolist(), case.train.item.tolist(), strict=True)}
        kept = np.array([pair not in seen for pair in zip(rec.user.tolist(), rec.item.tolist(), strict=True)])
        return replace(case, predictions=Predictions(rec.user[kept], rec.item[kept], rec.score[kept]))

    trial = tried("novelty@k", "novelty@k", change=without_train_items)
    assert isinstance(trial.diagnosis.fit, Fitting) and trial.diagnosis.fit.unidentified_axes == ()
    assert trial.refuted == {
        "training items": "refuted on held-out input with items shown that the user's train data hold: 2 of 2 cases"
    }


def test_a_wrong_formula_is_refuted_by_a_case() -> None:
    trial = tried("gini@k", "gini@k|over:train")
    fit = trial.diagnosis.fit
    assert isinstance(fit, Contradicted) and fit.stage == "held-out input"
    assert fit.nearest == parse("gini@k") and fit.counterexample is not None
    assert fit.counterexample.name in trial.diagnosis.observation.probes


def test_who_counts_may_be_unknown_but_is_the_same_in_all_cases() -> None:
    computed, unknown = "novelty@k|users:truth|no_list:nan", ("users", "no_list", "nobody")
    assert isinstance(tried("novelty@k", computed).diagnosis.fit, Contradicted)
    fit = tried("novelty@k", computed, unknown=unknown).diagnosis.fit
    assert isinstance(fit, Fitting) and fit.unidentified_axes == unknown
    other = tried("novelty@k|log:ln", computed, unknown=unknown).diagnosis.fit
    assert isinstance(other, Contradicted)


def test_a_wrong_tie_rule_leaves_the_formula() -> None:
    trial = tried("novelty@k|ties:item_asc", "novelty@k|ties:text_asc")
    fit = trial.diagnosis.fit
    assert fit is not None and fit.definitions == (parse("novelty@k|ties:item_asc"),)
    assert fit.unidentified_axes == ("order", "ties") == tuple(trial.refuted)


def test_a_tie_rule_is_not_believed_where_no_long_tied_runs_were_answered() -> None:
    trial = tried("novelty@k", "novelty@k", refuses=("order",))
    fit = trial.diagnosis.fit
    assert fit is not None and fit.unidentified_axes == ("order", "ties")
    assert not trial.refuted and trial.left_out == ("ties", "repeated truth rows")


def test_without_an_answer_nothing_is_tried() -> None:
    trial = tried("novelty@k", "novelty@k", refuses=("multi_user", "order", "seen"))
    assert (trial.users, trial.cases, trial.why_not) == (0, 0, "it gives no number on them")


def test_some_held_out_cases_have_long_lists_for_everybody() -> None:
    probes, _ = held_out_items()
    shortest = [np.unique(probe.case.predictions.user, return_counts=True)[1].min() for probe in probes]
    long = [
        probe.kind.role
        for probe, least in zip(probes, shortest, strict=True)
        if least >= max(each.k for each in probes)
    ]
    assert long == ["multi_user", "multi_user", "order", "order"]


def test_some_held_out_cases_show_only_items_that_somebody_has() -> None:
    probes, _ = held_out_items()
    known = [np.isin(probe.case.predictions.item, probe.case.train.item).all() for probe in probes]
    assert [probe.kind.role for probe, all_known in zip(probes, known, strict=True) if all_known] == [
        "multi_user", "order", "multi_user", "order", "seen"
    ]  # fmt: skip


BY_POPULARITY = "serendipity@k|unexpected:popularity"
COUNTED = f"{BY_POPULARITY}|truth_duplicates:counted"


@pytest.mark.slow
def test_only_metrics_with_an_axis_for_them_are_asked_copies_in_the_truth() -> None:
    for probe in held_out_items(copies=True)[0]:
        pairs = np.stack([probe.case.truth.user, probe.case.truth.item])
        once = len(np.unique(pairs, axis=1).T) == len(probe.case.truth.user)
        assert once == (probe.kind.role != "truth_duplicates")
    assert tried("novelty@k", "novelty@k").left_out == ("repeated truth rows",)
    assert tried("novelty@k", "novelty@k|unseen:zero").left_out == ("repeated truth rows",)
    assert tried(BY_POPULARITY, BY_POPULARITY).left_out == tried(COUNTED, COUNTED).left_out == ()


@pytest.mark.parametrize(("claimed", "computed"), [(BY_POPULARITY, COUNTED), (COUNTED, BY_POPULARITY)])
def test_a_wrong_rule_for_copies_in_the_truth_leaves_the_formula(claimed: str, computed: str) -> None:
    trial = tried(claimed, computed)
    fit = trial.diagnosis.fit
    assert isinstance(fit, Fitting) and fit.unidentified_axes == ("truth_duplicates",) == tuple(trial.refuted)
    assert trial.refuted["truth_duplicates"] == (
        "refuted on held-out input with items that the truth lists twice: 2 of 2 cases"
    )


def test_a_refusal_of_copies_is_a_rule_or_leaves_it_open() -> None:
    refusing = tried(f"{BY_POPULARITY}|truth_duplicates:error", f"{BY_POPULARITY}|truth_duplicates:error")
    assert refusing.confirmed is not None and refusing.left_out == ()
    not_asked = tried(COUNTED, COUNTED, refuses=("truth_duplicates",))
    fit = not_asked.diagnosis.fit
    assert fit is not None and fit.unidentified_axes == ("truth_duplicates",)
    assert not not_asked.refuted and not_asked.left_out == ("repeated truth rows",)


def test_a_function_whose_contract_decides_on_copies_is_not_asked_them() -> None:
    fit = Fitting((parse(BY_POPULARITY),), 0.0, Tolerance(1e-9, "test"), 40)
    decides = [{"what": "a set of relevant items", "decides": ["truth_duplicates"]}]
    function = Function.model_validate({"name": "f", "metric": "serendipity", "called_with": decides})
    assert "truth_duplicates" in function.ruled_out
    trying = try_shown_items(Diagnosis(function, observed(of_definition(BY_POPULARITY)), fit))
    assert {probe.kind.role for probe in next(trying)} == {"multi_user", "order", "seen"}
