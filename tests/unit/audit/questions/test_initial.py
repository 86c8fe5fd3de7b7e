"""The initial questions: what is asked of whom, in which order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recsys_metric_audit.audit.libraries.contract import Takes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.questions.initial import DATA, INITIAL_PROBES, REPEATED, plan
from recsys_metric_audit.reference.cases import EXHAUSTIVE, PROBES

CASE = PROBES[0].case
CUT, WHOLE = Function(name="cut", metric="recall"), Function(name="whole", metric="recall", cutoff=False)


def test_asks_are_numbered_in_their_order_and_name_known_cases() -> None:
    made = plan([CUT, WHOLE], CASE, (1, 5))
    assert [ask.id for ask in made.asks] == list(range(len(made.asks)))
    assert {ask.case for ask in made.asks} == set(made.cases)
    assert set(made.probe_of) | made.data == {ask.id for ask in made.asks}


def test_probes_come_first_then_the_data_then_some_probes_again() -> None:
    made = plan([CUT], CASE, (1, 5))
    names = [probe.name for probe in INITIAL_PROBES]
    assert [made.probe_of.get(ask.id) for ask in made.asks] == [*names, None, *names[:REPEATED]]
    (on_data,) = (ask for ask in made.asks if ask.id in made.data)
    assert (on_data.case, on_data.ks, on_data.functions, on_data.fresh) == (DATA, (1, 5), ("cut",), False)


def test_a_function_without_cut_off_is_asked_each_small_list_once() -> None:
    made = plan([WHOLE], CASE, (1,))
    assert all(ask.ks == (None,) for ask in made.asks)
    asked = [made.probe_of[ask.id] for ask in made.asks if ask.id in made.probe_of]
    small = {probe.name for probe in EXHAUSTIVE if probe.k == 1}
    assert {name for name in asked if name in {probe.name for probe in EXHAUSTIVE}} == small


def test_other_recommenders_are_asked_after_the_data() -> None:
    made = plan([CUT], CASE, (1,), {"random": PROBES[1].case})
    (other,) = made.other_recommenders
    assert made.other_recommenders[other] == "random"
    assert made.cases[made.asks[other].case] is PROBES[1].case
    assert other == max(made.data) + 1


def test_variants_of_probes_wait() -> None:
    every = [probe for probe in (*PROBES, *EXHAUSTIVE) if probe.kind.variant == "usual"]
    assert list(INITIAL_PROBES) == every and len(every) < len(PROBES)


def test_a_sample_of_users_is_asked_at_the_cut_offs_of_the_data_and_is_no_data() -> None:
    made = plan([CUT], CASE, (1, 5), {"random": PROBES[1].case}, sample=PROBES[2].case)
    (asked,) = (ask for ask in made.asks if ask.id in made.sample)
    assert made.cases[asked.case] is PROBES[2].case
    assert (asked.ks, asked.functions, asked.fresh) == ((1, 5), ("cut",), False)
    assert not made.sample & (made.data | made.other_recommenders.keys() | made.probe_of.keys())
    assert not plan([CUT], CASE, (1, 5)).sample


def test_functions_of_whole_gains_are_asked_the_sample_with_gains_rounded_up() -> None:
    half = replace(CASE, truth=replace(CASE.truth, gain=CASE.truth.gain + 0.5))
    whole = Function(name="whole", metric="ndcg", takes=Takes(gains="whole"))
    made = plan([CUT, whole], half, (1,), sample=half)
    asked = {ask.functions: made.cases[ask.case].truth.gain.tolist() for ask in made.asks if ask.id in made.sample}
    assert asked == {("cut",): half.truth.gain.tolist(), ("whole",): np.ceil(half.truth.gain).tolist()}
