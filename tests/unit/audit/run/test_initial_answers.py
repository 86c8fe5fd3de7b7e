"""The first questions to a library: one conversation, then only what its answers make worth asking."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.behaviours.experiment_asks import OTHER_SEED
from recsys_metric_audit.audit.behaviours.scenarios import ORDINARY, SEEDED
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Errored,
    Limits,
    Measured,
    NotAnswered,
    Outcome,
)
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.audit.questions.initial import DATA, INITIAL_PROBES
from recsys_metric_audit.audit.run.initial_answers import InitialAnswers, ask_initial_questions, with_recorded_answers
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.input.case import Case

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
    held = {PROBES[5].name: 0.25, generated_cases.pool()[0][7].name: 0.75}
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
    assert {probe.name for probe in generated_cases.pool()[0]} <= made.probes.keys()
