"""Refutation: right definitions stand, wrong values become unknown or are replaced, wrong formulas are refuted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Contradicted, Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Errored, Hello, Measured, Outcome
from recsys_metric_audit.audit.refutation import held_out_cases, held_out_lists
from recsys_metric_audit.audit.refutation.held_out_cases import CASES, RARE, held_out_case
from recsys_metric_audit.audit.refutation.held_out_trial import FIRST
from recsys_metric_audit.audit.refutation.judgement import variant
from recsys_metric_audit.audit.refutation.refute import draw_first_cases, prepare_cases, refute
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.refutation.unusual_features import FEATURES, Setting
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from tests.support.oracle_means import evaluate as slow

HELLO = Hello(1, "3.11", "here", {}, ("f",))
Computes = Callable[[Case, int | None], Outcome]


def diagnosis(*signatures: str, **fit: object) -> Diagnosis:
    """Return the diagnosis of a function of which these definitions were identified, on no probes."""
    definitions = tuple(parse(each) for each in signatures)
    function = Function.model_validate({"name": "f", "metric": definitions[0].metric})
    made = Fitting(definitions, 0.0, Tolerance(1e-9, "float64"), 100, **fit)  # type: ignore[arg-type]
    return Diagnosis(function, Observation("f", {}, {}), made)


def computing(signature: str) -> Computes:
    """Return a function that computes a definition."""
    definition = parse(signature)

    def answer(case: Case, k: int | None) -> Outcome:
        made = evaluate(definition, Problem.of([case], k))
        if made.refused[0]:
            return Errored("ValueError", "no", "")
        return Measured(float(made.mean[0]), None, None, "float", 0.0)

    return answer


def slowly_computing(signature: str) -> Computes:
    """Return a function that computes a definition by the slow oracle, which shares no code with the reference."""
    definition = parse(signature)

    def answer(case: Case, k: int | None) -> Outcome:
        made = slow(definition.metric, definition.axes, case, k)
        return Errored("ValueError", "no", "") if made.refused else Measured(made.mean, None, None, "float", 0.0)

    return answer


def tried(found: Diagnosis, computes: Computes) -> tuple[Trial, int]:
    """Return the trial of a function, and how many calls it took."""
    calls = 0

    def ask(cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
        nonlocal calls
        calls += len(asks)
        answers = [Answer(each.id, "f", each.ks[0], computes(cases[each.case], each.ks[0])) for each in asks]
        return Conversation(HELLO, tuple(answers), 0.0)

    return refute({"f": found}, ask)["f"], calls


def definitions_of(trial: Trial) -> list[str]:
    assert trial.diagnosis.fit is not None
    return [each.signature() for each in trial.diagnosis.fit.definitions]


@pytest.mark.parametrize(
    "signature",
    ["ndcg@k|ties:item_desc", "recall@k|duplicates:first_in_place|relevance:at_least_t"],
)
@pytest.mark.slow
def test_a_right_definition_predicts_everything_in_a_call_for_each_case(signature: str) -> None:
    trial, calls = tried(diagnosis(signature), slowly_computing(signature))
    assert definitions_of(trial) == [signature]
    assert (trial.cases, calls, trial.refuted) == (CASES + RARE, CASES + RARE, {})
    assert trial.users > 1000


def unstable(case: Case, k: int | None) -> Outcome:
    """Compute precision of rows ordered by numpy's default sort, which keeps up to 16 rows in order only."""
    rows = case.predictions
    own = [np.flatnonzero(rows.user == user) for user in np.unique(rows.user)]
    order = np.concatenate([each[np.argsort(-rows.score[each])] for each in own])
    sorted_case = replace(case, predictions=Predictions(rows.user[order], rows.item[order], rows.score[order]))
    return computing("precision@k|order:rows")(sorted_case, k)


@pytest.mark.slow
def test_an_unstable_sort_is_no_rule_for_ties() -> None:
    trial, _ = tried(diagnosis("precision@k"), unstable)
    assert list(trial.refuted) == ["ties"]
    assert "ties" in trial.refuted["ties"]
    fit = trial.diagnosis.fit
    assert fit is not None
    assert fit.unidentified_axes == ("ties",)
    assert definitions_of(trial) == ["precision@k"], "the formula stands"
    assert trial.users > 1000, "what is left predicts the cases without ties"


@pytest.mark.slow
def test_a_wrong_threshold_is_replaced_by_one_that_other_cases_confirm() -> None:
    trial, calls = tried(diagnosis("recall@k|relevance:positive"), computing("recall@k|relevance:at_least_t"))
    assert definitions_of(trial) == ["recall@k|relevance:at_least_t"]
    assert trial.refuted == {}
    assert calls < 60


def test_a_threshold_that_no_value_describes_is_unknown() -> None:
    trial, _ = tried(diagnosis("recall@k|relevance:positive"), computing("recall@k|relevance:2.6"))
    assert list(trial.refuted) == ["relevance"]
    assert "where there are irrelevant truth rows" in trial.refuted["relevance"]


def test_a_wrong_formula_is_refuted_by_a_plain_case() -> None:
    trial, _ = tried(diagnosis("ndcg@k"), computing("ndcg@k|ideal:all"))
    fit = trial.diagnosis.fit
    assert fit is not None
    assert fit.definitions == ()
    assert isinstance(fit, Contradicted) and fit.stage == "held-out input"
    assert fit.counterexample is not None
    assert len(set(fit.counterexample.case.truth.user.tolist())) == 1, "one user is enough to show it"
    assert fit.counterexample.name in trial.diagnosis.observation.probes


def test_of_several_formulas_those_stay_that_predict_everything() -> None:
    trial, _ = tried(diagnosis("ndcg@k", "ndcg@k|ideal:all"), computing("ndcg@k|ideal:all"))
    assert definitions_of(trial) == ["ndcg@k|ideal:all"]


def test_an_unknown_axis_refutes_nothing() -> None:
    trial, _ = tried(diagnosis("precision@k", unidentified_axes=("no_list",)), computing("precision@k|no_list:half"))
    assert definitions_of(trial) == ["precision@k"]
    assert "users without a list" in trial.left_out
    trial, _ = tried(diagnosis("recall@k", unidentified_axes=("mean",)), computing("recall@k|mean:quadratic"))
    assert definitions_of(trial) == ["recall@k"]
    assert trial.refuted == {}


def test_what_is_refused_is_left_out() -> None:
    def refusing(case: Case, k: int | None) -> Outcome:
        if len(np.unique(case.predictions.user)) < len(np.union1d(case.predictions.user, case.truth.user)):
            return Errored("KeyError", "7", "")
        return computing("recall@k")(case, k)

    trial, _ = tried(diagnosis("recall@k"), refusing)
    assert trial.left_out == ("users without a list",)
    assert trial.refuted == {}
    assert trial.users > 1000


def test_a_function_that_refuses_all_is_not_tried() -> None:
    trial, _ = tried(diagnosis("recall@k"), lambda case, k: Errored("ValueError", "never", ""))
    assert (trial.users, trial.why_not) == (0, "it refuses them: never")


def test_a_recording_without_answers_tries_nothing() -> None:
    trials = refute({"f": diagnosis("recall@k")}, lambda cases, asks: Conversation(HELLO, (), 0.0))
    assert trials["f"].why_not == "there are no answers to them"
    assert definitions_of(trials["f"]) == ["recall@k"]


def test_without_answers_to_what_a_case_shows_nothing_is_blamed() -> None:
    """A recording holds the cases and not what they are made of."""
    computes = computing("ndcg@k|ties:item_asc")

    def ask(cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
        held = [each for each in asks if "," not in cases[each.case].name]
        answers = (Answer(each.id, "f", each.ks[0], computes(cases[each.case], each.ks[0])) for each in held)
        return Conversation(HELLO, tuple(answers), 0.0)

    for found in (diagnosis("ndcg@k|ties:item_desc"), diagnosis("ndcg@k")):
        trial = refute({"f": found}, ask)["f"]
        assert (trial.users, trial.refuted, trial.confirmed) == (0, {}, None)
        assert trial.why_not == "a case refutes it or is refused, and no answers tell why"


def test_a_definition_of_few_questions_that_a_case_refutes_is_not_told() -> None:
    """Ask what is to blame, but no smaller case: further questions may find the definition."""
    hypothesis = replace(diagnosis("recall@k|no_list:skip"), from_few=True)
    trial, calls = tried(hypothesis, computing("recall@k"))
    assert (trial.users, trial.cases, trial.refuted) == (0, 0, {})
    assert "few questions" in trial.why_not
    assert calls <= CASES + len(FEATURES)
    assert tried(hypothesis, computing("recall@k|no_list:skip"))[0].users > 1000


@pytest.mark.slow
def test_a_definition_of_few_questions_is_told_where_only_its_rule_of_ties_is_refuted() -> None:
    """Further questions have short runs of ties only, which follow it."""
    given, reversed_ = computing("recall@k|ties:given"), computing("recall@k|ties:reversed")

    def unstable(case: Case, k: int | None) -> Outcome:
        runs = [np.unique(case.predictions.score[case.predictions.user == user], return_counts=True)[1].max(initial=0)
                for user in np.unique(case.predictions.user)]  # fmt: skip
        return (reversed_ if max(runs, default=0) > 16 and len(runs) % 5 else given)(case, k)

    trial, _ = tried(replace(diagnosis("recall@k|ties:given"), from_few=True), unstable)
    assert trial.refuted.keys() == {"ties"}
    assert trial.users > 1000
    assert "ties" in trial.left_out


def test_all_features_that_are_refused_by_themselves_are_left_out_together() -> None:
    def refusing(case: Case, k: int | None) -> Outcome:
        without_list = len(np.unique(case.predictions.user)) < len(np.union1d(case.predictions.user, case.truth.user))
        rows = np.stack([case.predictions.user, case.predictions.score])
        tied = np.unique(rows, axis=1).shape != rows.shape
        return Errored("KeyError", "7", "") if without_list or tied else computing("recall@k")(case, k)

    trial, calls = tried(diagnosis("recall@k"), refusing)
    assert trial.left_out == ("long runs of ties", "ties", "users without a list")
    assert calls <= 2 * (CASES + RARE) + len(FEATURES) + 1


def test_inputs_without_a_feature_that_was_left_out_are_told() -> None:
    trial, _ = tried(diagnosis("recall@k", unidentified_axes=("ties",)), computing("recall@k|ties:item_asc"))
    by_name = {probe.name: probe for probe in PROBES}
    assert trial.confirmed == parse("recall@k")
    inputs = [by_name["[2 0 0 0] k3 miss 2"], by_name["tie of two, relevant first"]]
    assert trial.tells(inputs).tolist() == [True, False]
    nothing, _ = tried(diagnosis("recall@k", unidentified_axes=("pooling",)), computing("recall@k"))
    assert nothing.confirmed is None and not nothing.tells(inputs).any()


def test_cases_that_were_prepared_are_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_first_cases(with_items=True)

    def fail(*words: object) -> None:
        raise AssertionError("drawn again")

    monkeypatch.setattr(held_out_cases, "_user", fail)
    monkeypatch.setattr(held_out_lists, "_scored", fail)
    setting = Setting("at_least_t")
    assert len(variant(FIRST, frozenset(), setting, None).drafts) == CASES + RARE
    assert held_out_lists.held_out_items(copies=False)[0]
    with pytest.raises(AssertionError, match="drawn again"):
        variant(2, frozenset(), setting, None)


def changing(signature: str, change: Callable[[Case], Case]) -> Computes:
    """Return a function that computes a definition on changed inputs."""
    computes = computing(signature)
    return lambda case, k: computes(change(case), k)


def in_single_precision(case: Case) -> Case:
    rec = case.predictions
    return replace(case, predictions=replace(rec, score=rec.score.astype(np.float32).astype(float)))


def with_the_last_copy(case: Case) -> Case:
    """Keep the last truth row of each pair at the place of the first, as a dictionary does."""
    rel = case.truth
    kept = {(user, item): gain for user, item, gain in zip(rel.user.tolist(), rel.item.tolist(), rel.gain, strict=True)}
    users, items = (
        (np.array(column, dtype=np.int64) for column in zip(*kept, strict=True)) if kept else (rel.user, rel.item)
    )
    return replace(case, truth=Truth(users, items, np.array(list(kept.values()))))


def without_small_gains(case: Case) -> Case:
    return replace(case, truth=replace(case.truth, gain=np.maximum(case.truth.gain, 0.125)))


@pytest.mark.parametrize(
    ("change", "feature", "signature"),
    [
        (in_single_precision, "scores a billionth apart", "ndcg@k|gain:linear|ties:item_desc"),
        (with_the_last_copy, "copies of other gains", "ndcg@k|gain:linear|truth_duplicates:once"),
        (without_small_gains, "gains below 1/8", "ndcg@k|gain:linear"),
    ],
)
def test_what_no_definition_says_is_told_and_refutes_nothing(
    change: Callable[[Case], Case], feature: str, signature: str
) -> None:
    trial, _ = tried(diagnosis(signature), changing(signature, change))
    assert definitions_of(trial) == [signature]
    assert list(trial.refuted) == [feature] and feature in trial.left_out
    assert trial.diagnosis.fit is not None and trial.diagnosis.fit.unidentified_axes == ()
    assert trial.refuted[feature].startswith(f"refuted on held-out input where there are {feature}: user ")
    own, said = trial.refuted[feature].rsplit(" is ", 1)[1].split(", the library says ")
    assert own != said


@pytest.mark.parametrize(
    ("raises", "feature"),
    [
        (lambda case, k: len(case.predictions.user) > 1 == len({*case.truth.user.tolist()}), "one user alone"),
        (lambda case, k: len(case.predictions.user) == 1, "one pair alone"),
        (lambda case, k: k is not None and k > len(case.catalogue), "a cut-off above the number of items"),
        (lambda case, k: bool((case.truth.gain < 0.125).any()), "gains below 1/8"),
    ],
)
def test_a_refusal_of_what_is_rare_is_told(raises: Callable[[Case, int | None], bool], feature: str) -> None:
    computes = computing("precision@k")

    def answer(case: Case, k: int | None) -> Outcome:
        return Errored("ValueError", "kth out of bounds", "") if raises(case, k) else computes(case, k)

    trial, _ = tried(diagnosis("precision@k"), answer)
    assert definitions_of(trial) == ["precision@k"] and trial.cases >= CASES
    assert trial.refuted == {feature: "it refuses them: kth out of bounds"}


def test_rare_cases_have_what_they_are_called() -> None:
    small, close, copies, few, user, pair = (held_out_case(FIRST, CASES + number) for number in range(RARE))
    rows = [(score, other) for each in close.users for _, score in each.rows for _, other in each.rows]
    assert any(0 < one - other < 1.1e-9 for one, other in rows)
    assert any(gain < 0 for each in small.users for _, gain in each.truth)
    assert any(len({*each.truth}) > len(each.gains) for each in copies.users)
    assert few.k > len(few.items)
    assert [len(each.users) for each in (user, pair)] == [1, 1]
    assert [len(each) for each in (pair.users[0].rows, pair.users[0].truth)] == [1, 1]


@pytest.mark.parametrize(("error", "what"), [(RuntimeError, "Thread.start"), (MemoryError, "held_out_case")])
def test_cases_are_drawn_later_where_memory_or_threads_are_short(
    error: type[Exception], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is raised here, and no thread ends with a traceback, which pytest would make a failure."""

    def fail(*words: object) -> None:
        raise error("short")

    monkeypatch.setattr(f"recsys_metric_audit.audit.refutation.refute.{what}", fail)
    prepare_cases(with_items=False)
    for each in threading.enumerate():
        if each.name.endswith("(draw_first_cases)"):
            each.join()
