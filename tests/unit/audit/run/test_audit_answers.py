"""Hold the answers that a run asks for: at first, ahead, for experiments, where no user is left."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.behaviours.experiment_answers import OTHER_SEED, ExperimentAnswers, read_by_experiments
from recsys_metric_audit.audit.behaviours.scenarios import (
    CALLED_AGAIN,
    ORDINARY,
    SCENARIOS,
    SEEDED,
    TIES,
)
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.findings.finding import Subject, make_finding
from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.libraries.function import Function, Made
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.observations.fit import Contradicted, Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Errored,
    Limits,
    Measured,
    NotAnswered,
    Outcome,
    Unaskable,
)
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.audit.questions.initial import DATA, INITIAL_PROBES
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.run import run
from recsys_metric_audit.audit.run.asking import (
    AskedAhead,
    InitialAnswers,
    ask_experiments,
    ask_initial_questions,
    told_inputs,
    with_recorded_answers,
)
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.audit.run.rows import dataset_row, reference_rows
from recsys_metric_audit.audit.run.version_audit import nobody_probes, with_nobody
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions
from recsys_metric_audit.reports.model.result import Finding
from tests.support.answers_of_oracle import measured
from tests.support.generated_inputs import make
from tests.support.identified import identified
from tests.support.observed_definitions import CASE as CASE_OF_DATASET_ROWS
from tests.support.observed_definitions import DATA as DATA_OF_CANONICAL_OVERRIDE
from tests.support.observed_definitions import DATA as DATA_OF_DATASET_ROWS
from tests.support.observed_definitions import observation_of
from tests.support.one_metric_library import GOOD, KS, TOML, Endings, by_hand, ensure

# The first questions to a library: one conversation, then only what its answers make worth asking.

FUNCTIONS = (Function(name="a.recall", metric="recall"), Function(name="a.auc", metric="auc", cutoff=False))
REQUEST = Request((), data.load("synthetic:5x20"), (1, 3), 1, Limits(), "audit run")


class Library:
    """Answers every call with one outcome; ``conversations`` are the asks and hash seeds so far."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.conversations: list[tuple[Sequence[Ask], int]] = []

    def __call__(self, cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
        assert {ask.case for ask in asks} <= set(cases)
        self.conversations.append((asks, hash_seed))
        answers = (
            Answer(ask.id, function, k, self.outcome, repetition)
            for ask in asks
            for function in ask.functions
            for k in ask.ks
            for repetition in range(ask.repeat)
        )
        return Conversation(None, tuple(answers), 0.5)


def test_a_library_that_answers_is_asked_again_under_another_hash_seed() -> None:
    library = Library(Measured(0.5, None, None, "float", 0.0))
    initial = ask_initial_questions(FUNCTIONS, REQUEST, library)
    assert [seed for _, seed in library.conversations] == [0, OTHER_SEED]
    assert initial.conversation.seconds == 0.5
    assert set(initial.observations) == {"a.recall", "a.auc"}
    recall, auc = initial.observations["a.recall"], initial.observations["a.auc"]
    assert set(recall.data) == {1, 3} and set(auc.data) == {None}
    assert set(recall.probes) == {probe.name for probe in INITIAL_PROBES}
    assert set(initial.experiments.other_seed["a.recall"]) == set(SEEDED)
    # Repeated are three calls in a row on the ordinary probe and one under another hash seed, beside the last probes.
    assert len(recall.repeats[ORDINARY]) >= 4


def test_ids_of_asks_are_all_different_in_the_first_conversation() -> None:
    library = Library(Errored("ValueError", "", ""))
    ask_initial_questions(FUNCTIONS, REQUEST, library)
    ((asks, seed),) = library.conversations
    assert seed == 0
    assert [ask.id for ask in asks] == list(range(len(asks)))


def test_a_library_that_refuses_everything_is_asked_nothing_more() -> None:
    library = Library(Errored("ValueError", "", ""))
    initial = ask_initial_questions(FUNCTIONS, REQUEST, library)
    assert len(library.conversations) == 1
    assert initial.experiments.other_seed == {}


def test_the_data_are_asked_while_the_other_answers_are_read() -> None:
    """The library gives no answer on the data before something was made of its answers to probes."""
    read, about = threading.Event(), list[set[str]]()
    library = Library(Measured(0.5, None, None, "float", 0.0))

    def ask(cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
        named = {each.case for each in asks}
        about.append(named)
        if DATA in named:
            assert read.wait(60) and named == {DATA}
        return library(cases, asks, hash_seed)

    def meanwhile(initial: InitialAnswers) -> None:
        assert set(initial.observations["a.recall"].probes) == {probe.name for probe in INITIAL_PROBES}
        assert all(not each.data for each in initial.observations.values())
        read.set()

    initial = ask_initial_questions(FUNCTIONS, REQUEST, ask, None, meanwhile)
    assert len(about) == 3 and sum(DATA in each for each in about) == 1
    usual = ask_initial_questions(FUNCTIONS, REQUEST, library)
    assert [vars(each) for each in initial.conversation.answers] == [vars(each) for each in usual.conversation.answers]
    for name, observation in usual.observations.items():
        assert initial.observations[name].data == observation.data
        assert initial.observations[name].probes == observation.probes
        assert initial.observations[name].repeats == observation.repeats


def test_a_recording_is_asked_all_that_it_may_hold_and_nothing_twice() -> None:
    """Marks what it does not hold as not recorded, so that it is not asked again."""
    held = {PROBES[5].name: 0.25, generated_cases.pool().probes[7].name: 0.75}
    asked = list[str]()

    def look_up(cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
        names = {name: case.name for name, case in cases.items()}
        asked.extend(names[ask.case] for ask in asks)
        answers = (
            Answer(ask.id, function, k, Measured(held[names[ask.case]], None, None, "float", 0.0), 0)
            for ask in asks
            if names[ask.case] in held
            for function in ask.functions
            for k in ask.ks
        )
        return Conversation(None, tuple(answers), 0.0)

    before = Observation("a.recall", {PROBES[0].name: Measured(0.5, None, None, "float", 0.0)}, {})
    made = with_recorded_answers(FUNCTIONS, {"a.recall": before}, look_up)["a.recall"]
    numbers = {name: each.mean for name, each in made.probes.items() if isinstance(each, Measured)}
    assert numbers == {PROBES[0].name: 0.5, **held}
    assert {probe.name for probe in made.further_probes} == held.keys()
    assert PROBES[0].name not in asked
    assert len(asked) == len(set(asked)) == len(made.probes) - 1
    left = made.probes.keys() - numbers.keys()
    assert {made.probes[name] for name in left} == {NotAnswered("not recorded")}
    assert {probe.name for probe in generated_cases.pool().probes} <= made.probes.keys()


# A conversation that was held ahead is given once, to whoever asks the same.

CASE = make([(1, 10, 2.0), (1, 11, 1.0)], [(1, 10, 1.0)], [])
ASKS = [Ask(0, "s000", ("a.recall",), (5,))]


class LibraryOfAskedAhead:
    """Counts the conversations with it."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
        self.count += 1
        return Conversation(None, (), float(self.count))


def test_what_was_asked_ahead_is_not_asked_again_but_once() -> None:
    library, ahead = LibraryOfAskedAhead(), LibraryOfAskedAhead()
    ask = AskedAhead(library, ahead)
    held = ask.ahead({"s000": CASE}, ASKS)
    assert ask({"s000": CASE}, ASKS) is held
    assert library.count == 0
    ask({"s000": CASE}, ASKS)
    assert (library.count, ahead.count) == (1, 1)


def test_equal_conversations_are_given_in_the_order_in_which_they_were_held() -> None:
    ask = AskedAhead(LibraryOfAskedAhead(), LibraryOfAskedAhead())
    held = [ask.ahead({"s000": CASE}, ASKS) for _ in range(2)]
    assert [ask({"s000": CASE}, ASKS) for _ in range(2)] == held


def test_other_calls_other_rows_and_another_hash_seed_are_asked() -> None:
    library = LibraryOfAskedAhead()
    ask = AskedAhead(library, LibraryOfAskedAhead())
    ask.ahead({"s000": CASE}, ASKS)
    ask({"s000": CASE}, [replace(ASKS[0], ks=(6,))])
    ask({"s000": replace(CASE, threshold=2.0)}, ASKS)
    ask({"s000": CASE}, ASKS, 7)
    assert library.count == 3


# The canonical definition can be overridden: verdict, differences, witness and reference rows follow it.

MIN = parse("recall@k|denominator:min")


def judged(computes: str, override: str | None) -> Finding:
    function = Function(name="lib.f", metric="recall").against(None if override is None else parse(override))
    observation = observation_of(computes)
    return make_finding(
        Subject("lib", "1.0", function), 3, observation, identified(observation, "recall"), DATA_OF_CANONICAL_OVERRIDE
    )


def test_what_is_held_against_agrees() -> None:
    row = judged("recall@k|denominator:min", "recall@k|denominator:min")
    assert (row.verdict, row.differs_on, row.classes, row.witness) == ("agrees", (), (), None)
    assert row.signature == "recall@3|denominator:min" and row.decomposition == ()


def test_the_built_in_canonical_definition_becomes_a_variant() -> None:
    row = judged("recall@k", "recall@k|denominator:min")
    assert (row.verdict, row.signature) == ("variant", "recall@3")
    assert (row.differs_on, row.classes) == (("denominator",), ("canonical-overridden",))
    assert row.witness is not None and row.witness.text.startswith("recall@k|denominator:min")
    assert [step.signature for step in row.decomposition] == ["recall@3|denominator:min", "recall@3"]


@pytest.mark.slow
def test_axes_are_those_on_which_the_two_differ() -> None:
    row = judged("recall@k|denominator:min|users:both", "recall@k|denominator:min")
    assert (row.differs_on, row.classes) == (("users",), ("averaged-users",))
    assert judged("recall@k|denominator:min|users:both", None).differs_on == ("denominator", "users")


@pytest.mark.slow
def test_a_run_shows_the_override_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "ensure", ensure)
    folder = tmp_path / "good"
    folder.mkdir()
    (folder / "library.toml").write_text(TOML)
    (folder / "adapter.py").write_text(GOOD)
    manifest = load(folder)
    override = parse("precision@k|denominator:min")
    request = Request(
        ((manifest, manifest.versions[0]),), data.load("synthetic:20x30"), KS, 1, Limits(seconds=60), "audit run",
        canonical={"precision": override},
    )  # fmt: skip
    result = run(request, Endings())
    shown = {row.k: row for row in result.reference if row.metric == "precision"}
    assert shown[5].signature == "precision@5|denominator:min" and shown[5].definition["denominator"] == "min"
    assert shown[5].value >= by_hand(5)
    assert any(
        "precision is held against precision@k|denominator:min" in text for text in result.dataset.choices.values()
    )
    row = next(each for each in result.findings if each.k == 5)
    assert (row.verdict, row.signature, row.differs_on) == ("variant", "precision@5", ("denominator",))
    assert row.witness is not None and row.witness.canonical_value != row.witness.library_value


# The dataset and our own values on it, by hand on a few lists.

SMALL = replace(data.load("synthetic:5x20"), case=CASE_OF_DATASET_ROWS)


def test_every_metric_has_a_value_at_every_cutoff() -> None:
    rows = reference_rows(DATA_OF_DATASET_ROWS, Request((), SMALL, (1, 3), 1, Limits(), "audit run"))
    by_hand = {("recall", 1): (0 + 1) / 2, ("recall", 3): (1 / 4 + 1) / 2, ("precision", 3): 1 / 3}
    assert {(row.metric, row.k): row.value for row in rows if (row.metric, row.k) in by_hand} == by_hand
    assert [row.k for row in rows if row.metric == "auc"] == [None]
    assert all(row.by_recommender == {} for row in rows)


def test_an_override_takes_the_place_of_the_canonical_definition() -> None:
    override = parse("recall@k|denominator:min")
    rows = reference_rows(
        DATA_OF_DATASET_ROWS, Request((), SMALL, (3,), 1, Limits(), "", canonical={"recall": override})
    )
    row = next(row for row in rows if row.metric == "recall")
    assert (row.signature, row.value) == ("recall@3|denominator:min", (1 / 3 + 1) / 2)
    described = dataset_row(SMALL, {"recall": override})
    assert any("recall is held against recall@k|denominator:min" in text for text in described.choices.values())
    assert len(dataset_row(SMALL, {}).choices) == len(described.choices) - 1


def test_other_recommenders_stand_beside_the_first() -> None:
    nothing = replace(
        CASE_OF_DATASET_ROWS,
        predictions=Predictions(
            CASE_OF_DATASET_ROWS.truth.user, CASE_OF_DATASET_ROWS.truth.item + 1000, CASE_OF_DATASET_ROWS.truth.gain
        ),
    )
    request = Request((), SMALL, (3,), 1, Limits(), "", "first", {"hopeless": nothing})
    row = next(row for row in reference_rows(DATA_OF_DATASET_ROWS, request) if row.metric == "recall")
    assert row.by_recommender == {"first": (1 / 4 + 1) / 2, "hopeless": 0.0}


def test_only_metrics_that_somebody_offers_are_computed(tmp_path: Path) -> None:
    (tmp_path / "library.toml").write_text(TOML.replace('"precision"', '"recall"'))
    manifest = load(tmp_path)
    rows = reference_rows(
        DATA_OF_DATASET_ROWS, Request(((manifest, manifest.versions[0]),), SMALL, (1, 3), 1, Limits(), "")
    )
    assert [(row.metric, row.k, row.value) for row in rows] == [("recall", 1, 1 / 2), ("recall", 3, (1 / 4 + 1) / 2)]


# The experiments after identification: what a confirmed definition tells is not asked, all else is.

RECALL = Function(name="lib.recall", metric="recall")
PROBES_READ = read_by_experiments(RECALL) & {probe.name for probe in PROBES}
NOTHING = InitialAnswers(Conversation(None, (), 0.0), {}, ExperimentAnswers())


class LibraryOfExperimentsAsked:
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

    def recall(self, case: Case, k: int | None) -> Outcome:
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
    library = LibraryOfExperimentsAsked()
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


# Reads the rule for nobody from the experiments in which no user has a relevant item or a list.

NO_TRUTH, NO_LISTS = "no truth at all", "no predictions at all"
REFUSED = Errored("KeyError", "user", "")


def rule(signature: str, truth: Outcome, lists: Outcome, k: int | None = 3) -> str:
    """Return the rule for a function that answers so in the two experiments; empty if it is not known."""
    fit = Fitting((parse(signature),), 0.0, Tolerance(1e-9, "float64"), 1)
    trial = Trial(Diagnosis(Function(name="f", metric=fit.definitions[0].metric), Observation("f", {}, {}), fit))
    found = with_nobody(trial, {NO_TRUTH: {k: (truth,)}, NO_LISTS: {k: (lists,)}}).diagnosis.fit
    assert found is not None
    return "" if "nobody" in found.unidentified_axes else found.definitions[0].axes["nobody"]


def test_only_the_experiment_that_leaves_nobody_tells() -> None:
    assert rule("recall@k", measured(math.nan), measured(0.0)) == "nan", "without lists five users count as 0"
    assert rule("recall@k", measured(0.0), REFUSED) == "0"
    assert rule("recall@k", REFUSED, measured(0.0)) == "error"
    assert rule("recall@k|users:predictions|undefined:0", measured(0.0), measured(math.nan)) == "nan"


def test_two_experiments_that_leave_nobody_have_to_agree() -> None:
    assert rule("recall@k|users:both", measured(0.0), measured(0.0)) == "0"
    assert rule("recall@k|users:both", measured(0.0), measured(math.nan)) == ""
    assert rule("recall@k|users:both", measured(0.0), REFUSED) == ""


def test_a_function_without_a_cut_off_is_asked_too() -> None:
    assert rule("auc", measured(0.0), measured(0.0), k=None) == "0"


def test_nothing_is_read_where_no_definition_fits() -> None:
    fit = Contradicted("formula", Tolerance(1e-9, "float64"), 1)
    trial = Trial(Diagnosis(Function(name="f", metric="recall"), Observation("f", {}, {}), fit))
    assert with_nobody(trial, {}) is trial


def test_what_the_adapter_makes_of_nobody_tells_nothing() -> None:
    fit = Fitting((parse("recall@k"),), 0.0, Tolerance(1e-9, "float64"), 1)
    joined = Made(what="lists joined, of which there must be one", decides=("nobody",))
    function = Function(name="f", metric="recall", called_with=(joined,))
    trial = Trial(Diagnosis(function, Observation("f", {}, {}), fit))
    assert with_nobody(trial, {NO_TRUTH: {3: (REFUSED,)}, NO_LISTS: {3: (REFUSED,)}}) is trial


def test_the_two_experiments_are_what_they_are_called() -> None:
    probes, _ = nobody_probes()
    assert [(each.name, len(each.case.truth.user) > 0, len(each.case.predictions.user) > 0) for each in probes] == [
        (NO_TRUTH, False, True), (NO_LISTS, True, False),
    ]  # fmt: skip
