"""The experiments after identification: what a confirmed definition tells is not asked, all else is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from recsys_metric_audit.audit.behaviours.experiment_answers import ExperimentAnswers
from recsys_metric_audit.audit.behaviours.experiment_asks import read_by_experiments
from recsys_metric_audit.audit.behaviours.scenarios import CALLED_AGAIN, ORDINARY, SCENARIOS, TIES
from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Errored, Measured, Unaskable
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.run.experiments_asked import ask_experiments, told_inputs
from recsys_metric_audit.audit.run.initial_answers import InitialAnswers
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case

RECALL = Function(name="lib.recall", metric="recall")
PROBES_READ = read_by_experiments(RECALL) & {probe.name for probe in PROBES}
NOTHING = InitialAnswers(Conversation(None, (), 0.0), {}, ExperimentAnswers())


class Library:
    """Computes recall, and keeps the names of the cases that it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
        self.asked += [cases[ask.case].name for ask in asks]
        answers = (
            Answer(ask.id, name, k, self.recall(cases[ask.case], k)) for ask in asks for name in ask.functions
            for k in ask.ks
        )  # fmt: skip
        return Conversation(None, tuple(answers), 0.0)

    def recall(self, case: Case, k: int | None) -> Measured:
        return Measured(float(evaluate(parse("recall@k"), Problem.of([case], [k])).mean[0]), None, None, "float", 0.0)


def trial(users: int = 1000, **fields: object) -> Trial:
    observation = Observation(RECALL.name, {ORDINARY: Measured(0.5, None, None, "float", 0.0)}, {})
    fit = Fitting((parse("recall@k"),), 0.0, Tolerance(1e-9, "float64"), 1)
    return Trial(Diagnosis(RECALL, observation, fit), users, 12, **fields)  # type: ignore[arg-type]


def open_axes(own: Trial, *axes: str, **fields: object) -> Trial:
    """Return a trial whose definition does not know some axes."""
    fit = own.diagnosis.fit
    assert isinstance(fit, Fitting)
    diagnosis = replace(own.diagnosis, fit=replace(fit, unidentified_axes=axes))
    return replace(own, diagnosis=diagnosis, **fields)  # type: ignore[arg-type]


def asked(own: Trial, *, predict: bool = True) -> tuple[list[str], ExperimentAnswers]:
    library = Library()
    answers = ask_experiments([RECALL], NOTHING, {RECALL.name: own}, library, predict=predict)
    return library.asked, answers


def test_what_a_confirmed_definition_tells_is_known_and_not_asked() -> None:
    names, answers = asked(trial())
    assert "hit at 1 of 8" not in names and "perfect list upside down" not in names
    assert {"many changes together", "no truth at all", "padded with item 0"} <= set(names)
    ((outcome,),) = answers.scenarios[RECALL.name]["hit at 1 of 8"].values()
    assert isinstance(outcome, Measured) and outcome.mean == 0.5  # one of two relevant items is in the list
    expected = {each.name for each in SCENARIOS} - {CALLED_AGAIN}
    assert expected <= answers.scenarios[RECALL.name].keys()


def test_without_prediction_or_confirmation_everything_is_asked() -> None:
    for own, predict in ((trial(), False), (trial(0), True), (open_axes(trial(), "unlisted"), True)):
        names, answers = asked(own, predict=predict)
        assert "hit at 1 of 8" in names
        assert PROBES_READ - {ORDINARY} <= answers.probes[RECALL.name].keys()


def test_where_held_out_cases_left_out_a_feature_inputs_with_it_are_asked() -> None:
    left_out = ("long runs of ties", "ties")
    names, answers = asked(open_axes(trial(), "ties", left_out=left_out, refuted={"ties": "a case"}))
    assert {each.name for each in TIES} <= set(names)
    assert "hit at 1 of 8" not in names and "hit at 1 of 8" in answers.scenarios[RECALL.name]


def test_inputs_on_which_an_edge_decides_that_is_not_known_are_not_told() -> None:
    """Of one rated item there is no variance: an edge of R² decides, though the user has a hit."""
    own = open_axes(trial(), "no_hit", left_out=("users without a hit",))
    definition, fit = parse("r_squared"), own.diagnosis.fit
    assert isinstance(fit, Fitting)
    tells = told_inputs(
        definition, replace(own, diagnosis=replace(own.diagnosis, fit=replace(fit, definitions=(definition,))))
    )
    by_name = {probe.name: probe for probe in PROBES}
    assert tells([by_name["[2 0 0 0] k3 miss 2"], by_name["[0 4 2 0 0 0] k5 miss 2 2"]]).tolist() == [False, True]


def test_an_axis_that_is_not_known_though_its_feature_was_asked_tells_nothing() -> None:
    names, _ = asked(open_axes(trial(), "ties"))
    assert "hit at 1 of 8" in names


def test_probes_that_experiments_compare_with_are_told_or_asked() -> None:
    names, answers = asked(trial())
    told_or_asked = answers.probes[RECALL.name].keys()
    assert PROBES_READ - {ORDINARY} <= told_or_asked
    assert len([name for name in names if name in PROBES_READ]) < len(PROBES_READ) / 2


def test_of_a_function_that_refuses_more_than_its_definition_says_everything_is_asked() -> None:
    plain, short = "[4 2 0 0] k2", "with a short list"
    for name, outcome, told in (
        (short, Errored("ValueError", "too short", ""), False),
        (short, Unaskable("an item has no score"), False),
        (plain, Measured(1.0, None, None, "float", 0.0), True),
    ):
        own = trial()
        observation = own.diagnosis.observation
        seen = replace(observation, probes={**observation.probes, name: outcome})
        names, _ = asked(replace(own, diagnosis=replace(own.diagnosis, observation=seen)))
        assert ("hit at 1 of 8" not in names) == told
