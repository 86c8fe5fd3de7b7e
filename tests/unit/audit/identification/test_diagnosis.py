"""Inputs between definitions, and why a diagnosis is ambiguous, in words."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis, explain_ambiguity, inputs_between
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, NotOffered, Outcome, Unaskable
from recsys_metric_audit.audit.questions.distinguishing import differing_inputs
from recsys_metric_audit.audit.questions.generated_cases import pool
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.answers_of_oracle import measured

EXACT = Tolerance(1e-9, "float64")
RECALL, MIN = parse("recall@k"), parse("recall@k|denominator:min")


def diagnosis(*definitions: str, probes: dict[str, Outcome] | None = None) -> Diagnosis:
    fit = Fitting(tuple(map(parse, definitions)), 0.0, EXACT, 1, unidentified_axes=("pooling", "undefined"))
    return Diagnosis(Function(name="f", metric="recall"), Observation("f", probes or {}, {}), fit)


def test_inputs_that_were_asked_are_left_out_or_not() -> None:
    first = inputs_between(diagnosis("recall@k"), [RECALL, MIN])[0]
    after = diagnosis("recall@k", probes={first.name: measured(0.5)})
    assert first not in inputs_between(after, [RECALL, MIN])
    assert first in inputs_between(after, [RECALL, MIN], also_asked=True)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (None, "not asked"),
        (measured(0.5), "asked; the answer fits several of them"),
        (Errored("ValueError", "no", ""), "asked; the library refuses it (ValueError: no)"),
        (NotOffered("no scores"), "asked; no scores"),
        (Crashed(1, ""), "asked; no answer"),
    ],
)
def test_what_became_of_the_input_that_would_tell_apart(outcome: Outcome | None, words: str) -> None:
    (first,) = inputs_between(diagnosis("recall@k"), [RECALL, MIN], at_most=1)
    probes = {} if outcome is None else {first.name: outcome}
    found = explain_ambiguity(diagnosis("recall@k", "recall@k|denominator:min", probes=probes))
    assert first.name == "separating case 1: nothing unusual"
    assert found.text == f"an input with nothing unusual, k = {first.k}: {words}"
    assert not found.inseparable


@pytest.mark.parametrize(
    ("outcomes", "inseparable"),
    [
        ((Errored("IndexError", "no", ""), NotOffered("too short"), Unaskable("scores every item")), True),
        ((Errored("IndexError", "no", ""),), False),  # one refusal says nothing of other inputs
        ((Errored("IndexError", "no", ""), measured(0.5)), False),
        ((Errored("IndexError", "no", ""), Crashed(1, "")), False),
        ((), False),
    ],
)
def test_formulas_are_inseparable_where_short_lists_are_refused(
    outcomes: tuple[Outcome, ...], inseparable: bool
) -> None:
    # Over k and over the items shown differ on lists shorter than k, and on nothing else.
    signatures = "precision@k", "precision@k|denominator:shown"
    short = [probe for probe, _ in differing_inputs([parse(each) for each in signatures])]
    probes = {probe.name: outcome for probe, outcome in zip(short, outcomes, strict=False)}
    assert explain_ambiguity(diagnosis(*signatures, probes=probes)).inseparable is inseparable


def test_formulas_that_ordinary_input_tells_apart_are_not_inseparable() -> None:
    # min(k, r) and r differ wherever r is above k: no unusual feature is shared.
    probes = {probe.name: Errored("ValueError", "", "") for probe, _ in differing_inputs([RECALL, MIN])}
    assert not explain_ambiguity(diagnosis("recall@k", "recall@k|denominator:min", probes=probes)).inseparable


def test_where_no_case_tells_apart_that_is_said() -> None:
    text, inseparable = explain_ambiguity(diagnosis("ndcg@k", "ndcg@k|discount:ln"))
    assert text.startswith("none of ") and text.endswith(" generated cases tells them apart by 0.001")
    assert inseparable
    other = explain_ambiguity(diagnosis("ndcg@k|ties:other", "ndcg@k|discount:ln|ties:other"))
    assert other.text.endswith(" generated cases without ties tells them apart by 0.001")


def test_an_input_with_a_feature_that_is_always_refused_counts_as_refused() -> None:
    # The two differ on short lists alone, and none of these was asked; but short lists with ties were refused.
    signatures = "precision@k", "precision@k|denominator:shown"
    differing = {probe.name for probe, _ in differing_inputs([parse(each) for each in signatures])}
    short = [probe for probe, each in zip(*pool(), strict=True) if "short list" in each and probe.name not in differing]
    refused: dict[str, Outcome] = {probe.name: Errored("IndexError", "no", "") for probe in short[:2]}
    assert len(refused) == 2
    text, inseparable = explain_ambiguity(diagnosis(*signatures, probes=refused))
    assert inseparable
    assert "not asked; every input asked with" in text and "short list" in text and text.endswith("is refused")
    one_answered = refused | {short[2].name: measured(0.5)}
    assert not explain_ambiguity(diagnosis(*signatures, probes=one_answered)).inseparable
