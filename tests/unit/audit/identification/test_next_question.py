"""The next question: its purpose follows from what fits."""

from __future__ import annotations

from dataclasses import replace

from audit.identification.diagnosis import Diagnosis
from audit.identification.next_question import next_question
from audit.libraries.contract import Takes
from audit.libraries.function import Function
from audit.observations.fit import Contradicted, Fit, Fitting
from audit.observations.observation import Observation, Tolerance
from audit.questions.whole_gains import has_whole_gains
from reference.cases import DEGENERATE, EXHAUSTIVE, PROBES
from reference.definitions.definition import parse
from tests.support.answers_of_oracle import oracle_observation

EXACT = Tolerance(1e-9, "float64")


def diagnosis(observation: Observation, fit: Fit | None, metric: str = "recall") -> Diagnosis:
    return Diagnosis(Function(name="f", metric=metric), observation, fit)


def fitting(*signatures: str, metric: str = "recall") -> Diagnosis:
    fit = Fitting(tuple(map(parse, signatures)), 0.0, EXACT, 1)
    return diagnosis(oracle_observation(signatures[0]), fit, metric)


def test_what_was_not_measured_is_asked_nothing() -> None:
    assert next_question(diagnosis(Observation("f", {}, {}), None)) is None


def test_the_canonical_definition_alone_leaves_nothing_to_ask() -> None:
    assert next_question(fitting("recall@k")) is None


def test_several_are_told_apart() -> None:
    question = next_question(fitting("recall@k", "recall@k|denominator:min"))
    assert question is not None and question.purpose == "distinguishing"
    assert 0 < len(question.probes) <= 4


def test_where_no_formula_fits_variants_of_probes_are_asked() -> None:
    nothing = Contradicted("formula", EXACT, 1)
    question = next_question(diagnosis(Observation("f", {}, {}), nothing))
    assert question is not None and question.purpose == "variants"
    varied = {probe.kind for probe in PROBES if probe.kind.variant != "usual"}
    assert varied <= {probe.kind for probe in question.probes}


def test_no_question_has_gains_that_the_contract_rules_out() -> None:
    nothing = Contradicted("formula", EXACT, 1)
    whole = Function(name="f", metric="recall", takes=Takes(gains="whole"))
    question = next_question(Diagnosis(whole, Observation("f", {}, {}), nothing))
    assert question is not None and all(has_whole_gains(probe.case) for probe in question.probes)


def test_what_a_contract_left_unasked_is_asked_where_no_formula_fits_the_data() -> None:
    answers = oracle_observation("recall@k")
    unasked = {name: each for name, each in answers.probes.items() if "twice" not in name}
    fewer = replace(answers, probes=unasked)
    fit = Fitting((parse("recall@k"),), 0.0, EXACT, 1)
    question = next_question(replace(diagnosis(fewer, fit), misses_data=True))
    assert question is not None and question.purpose == "variants"
    missing = answers.probes.keys() - unasked.keys()
    assert missing and missing <= {probe.name for probe in question.probes}


def test_another_family_than_the_name_says_is_not_enough() -> None:
    answers = Observation("f", {}, {})
    question = next_question(diagnosis(answers, Fitting((parse("precision@k"),), 0.0, EXACT, 1)))
    assert question is not None and question.purpose == "variants"


def test_one_ranking_is_asked_where_all_users_are_in_one_state() -> None:
    question = next_question(fitting("auc|scope:stacked", metric="auc"))
    assert question is not None and question.purpose == "degenerate"
    assert question.probes == tuple(DEGENERATE)


def test_small_lists_that_contradict_are_asked_one_by_one() -> None:
    batch = next(probe for probe in EXHAUSTIVE if len(probe.users) > 1)
    refuted = Contradicted("every small list", EXACT, 1, parse("recall@k"), 0.5, batch)
    question = next_question(diagnosis(Observation("f", {}, {}), refuted))
    assert question is not None and question.purpose == "single_list"
    assert all(probe.size < batch.size for probe in question.probes)


def test_what_is_not_canonical_is_confirmed() -> None:
    question = next_question(fitting("recall@k|ties:item_desc"))
    assert question is not None and question.purpose in ("edges", "confirming")
    assert question.probes
