"""Held-out cases: the same in every run, enough users, and everything unusual in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Contradicted, Fit, Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Measured, Outcome, Unaskable
from recsys_metric_audit.audit.refutation.draft import Draft, DraftUser
from recsys_metric_audit.audit.refutation.held_out_cases import CASES, RARE, held_out_case
from recsys_metric_audit.audit.refutation.held_out_lists import held_out_items, try_shown_items
from recsys_metric_audit.audit.refutation.judgement import evidence_of, is_refused, mispredicted, predicts, variant
from recsys_metric_audit.audit.refutation.other_values import blamed_axes, other_values
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.refutation.unusual_features import FEATURES, Setting, features_of
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Case, Predictions
from tests.support.answers_of_oracle import oracle_observation
from tests.support.item_answers import answers, observed, of_definition
from tests.support.slow_parameters import slow_but_first

SERIES = [held_out_case(0, number) for number in range(CASES)]


def test_there_are_more_than_a_thousand_users() -> None:
    assert sum(len(draft.users) for draft in SERIES) > 1000


@cache
def features_of_cases() -> list[frozenset[str]]:
    return [features_of(draft, Setting()) for draft in SERIES]


@pytest.mark.parametrize("feature", [name for name, feature in FEATURES.items() if feature.told])
def test_what_no_definition_says_anything_of_is_in_rare_cases_alone(feature: str) -> None:
    rare = [features_of(held_out_case(0, CASES + number), Setting()) for number in range(RARE)]
    assert sum(feature in features for features in rare) in (1, 2)  # a pair alone is of a user alone
    assert not any(feature in features for features in features_of_cases())


@pytest.mark.parametrize("feature", [name for name, feature in FEATURES.items() if not feature.told])
def test_every_feature_is_in_most_cases(feature: str) -> None:
    having = [feature in features for features in features_of_cases()]
    assert sum(having) >= CASES / 2, f"{feature} is in {sum(having)} cases"


def test_runs_of_20_to_60_equal_scores_occur_in_every_case() -> None:
    for draft in SERIES:
        runs = [max(Counter(score for _, score in user.rows).values()) for user in draft.users if user.rows]
        assert any(20 <= run <= 60 for run in runs)


def test_thresholds_lie_between_gains_and_on_some() -> None:
    on = [any(gain == draft.threshold for user in draft.users for _, gain in user.truth) for draft in SERIES]
    assert any(on)
    assert not all(on)


def test_some_gains_are_below_1_and_some_scores_below_0() -> None:
    assert any(0 < gain < 1 for draft in SERIES for user in draft.users for _, gain in user.truth)
    assert any(score < 0 for draft in SERIES for user in draft.users for _, score in user.rows)


def test_another_series_draws_other_cases() -> None:
    first, second = (held_out_case(series, 3).probe("one") for series in (0, 1))
    assert input_digest(first.case) != input_digest(second.case)


def test_drawing_again_gives_the_same_case() -> None:
    again = held_out_case.__wrapped__(0, 5)
    assert input_digest(again.probe("one").case) == input_digest(SERIES[5].probe("other").case)


def test_a_cutoff_replaces_that_of_the_case() -> None:
    assert held_out_case(0, 2, 7).k == 7


# Trials of functions beyond accuracy on held-out lists.


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


# Judgement of answers to held-out cases: two users, recall at 2 by hand.

ANN = DraftUser(1, ((10, 1.0), (11, 0.5)), ((10, 4.0), (12, 4.0), (13, 4.0)))
BOB = DraftUser(2, ((10, 1.0), (11, 0.5)), ((11, 4.0),))
PROBES = tuple(
    Draft(users, (10, 11, 12, 13), 3.5, 2).probe(name) for name, users in (("both", (ANN, BOB)), ("bob", (BOB,)))
)
RECALL, MIN = parse("recall@k"), parse("recall@k|denominator:min")


def fit(*unidentified: str) -> Fit:
    return Fitting((RECALL,), 0.0, Tolerance(1e-9, "float64"), 9, unidentified_axes=unidentified)


def mean(number: float) -> Outcome:
    return Measured(number, None, None, "float", 0.0)


def masks(answers: dict[str, Outcome], *unidentified: str) -> list[list[bool]]:
    evidence = evidence_of(answers, PROBES)
    return [mispredicted(each, fit(*unidentified), evidence).tolist() for each in (RECALL, MIN)]


def test_a_case_is_mispredicted_where_its_number_is_another() -> None:
    assert masks({"both": mean(2 / 3), "bob": mean(1.0)}) == [[False, False], [True, False]]
    assert masks({"both": mean(3 / 4), "bob": mean(1.0)}) == [[True, False], [False, False]]
    assert masks({"both": mean(0.9), "bob": mean(0.9)}) == [[True, True], [True, True]]


def test_neither_refusals_nor_missing_answers_are_mispredicted() -> None:
    assert masks({"both": Errored("ValueError", "no", "")}) == [[False, False], [False, False]]


def test_an_axis_that_is_not_known_explains_any_of_its_values() -> None:
    quadratic = ((1 / 9 + 1) / 2) ** 0.5  # the quadratic mean of 1/3 and 1
    answers = {"both": mean(quadratic), "bob": mean(1.0)}
    assert masks(answers)[0] == [True, False]
    assert masks(answers, "mean")[0] == [False, False]
    assert predicts(RECALL, fit("mean"), evidence_of(answers, PROBES))
    assert not predicts(RECALL, fit(), evidence_of(answers, PROBES))


@pytest.mark.parametrize(
    ("outcome", "refused"),
    [
        (Errored("ValueError", "no", ""), True), (Unaskable("no"), True), (Crashed(-9, ""), False), (mean(1.0), False),
        (None, False),
    ],
)  # fmt: skip
def test_only_the_library_and_its_adapter_refuse(outcome: Outcome | None, refused: bool) -> None:
    assert is_refused(outcome) is refused


@pytest.mark.slow
def test_a_series_is_named_by_what_it_is_without() -> None:
    made = variant(0, frozenset({"ties", "repeated items"}), Setting(), None)
    assert made.probes[0].name == "held-out case 1.1 without repeated items, ties"
    assert variant(1, frozenset(), Setting(), None).probes[2].name == "held-out case 2.3"
    assert all(probe.k == 7 for probe in variant(0, frozenset(), Setting(), 7).probes)


def test_cases_of_which_nobody_is_left_are_left_out() -> None:
    made = variant(0, frozenset(FEATURES), Setting(), None)
    assert len(made.drafts) == len(made.probes) == len(made.problem.cases) <= CASES + RARE
    assert all(draft.users for draft in made.drafts)


# The right axis is blamed for an unusual feature, and the right other values are left to it.


def fit_of_other_values(signature: str, *unidentified: str) -> Fit:
    return Fitting((parse(signature),), 0.0, Tolerance(1e-9, "float64"), 9, unidentified_axes=unidentified)


@pytest.mark.parametrize(
    ("signature", "features", "blamed"),
    [
        ("recall@k", {"ties"}, ("ties",)),
        ("recall@k", {"ties", "repeated items"}, ("duplicates",)),  # fewer inputs repeat items than tie
        ("recall@k", set(), ()),  # a plain case: it is the formula
        ("recall@k", {"users without a list"}, ("no_list",)),  # averaged over, as users with relevant items
        ("recall@k|users:both", {"users without a list"}, ("users",)),  # not averaged over: no policy acts
    ],
)
def test_the_axis_that_acts_on_the_fewest_inputs_is_blamed(
    signature: str, features: set[str], blamed: tuple[str, ...]
) -> None:
    assert blamed_axes(fit_of_other_values(signature), frozenset(features)) == blamed


def test_an_axis_that_is_unknown_anyway_is_not_blamed() -> None:
    assert blamed_axes(fit_of_other_values("recall@k", "ties"), frozenset({"ties"})) == ()


def test_without_earlier_answers_every_other_value_is_left() -> None:
    found = other_values(fit_of_other_values("recall@k"), frozenset({"ties"}), Observation("f", {}, {}))
    rules = {each.axes["ties"] for each in found}
    assert {"item_desc", "best", "worst"} <= rules
    assert not rules & {"other", parse("recall@k").axes["ties"]}


def test_a_value_that_an_earlier_answer_contradicts_is_not_left() -> None:
    found = other_values(fit_of_other_values("recall@k"), frozenset({"ties"}), oracle_observation("recall@k"))
    assert {each.axes["ties"] for each in found}.isdisjoint({"item_desc", "best", "worst", "shared"})
