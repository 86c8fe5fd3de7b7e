"""One row of the result from a function's answers: status, verdict, claim, witness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from recsys_metric_audit.audit.findings.finding import Subject, make_finding
from recsys_metric_audit.audit.libraries.function import Function, Input, Takes
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, NotOffered, Outcome, TimedOut, Unaskable
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.audit.questions.item_cases import item_questions
from recsys_metric_audit.reference.cases import DEGENERATE, EXHAUSTIVE, MIXED, PROBES, Probe
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from recsys_metric_audit.reports.model.result import Effect, Finding
from recsys_metric_audit.reports.model.result_file import packaged_run
from tests.support.answers_of_oracle import measured
from tests.support.identified import identified
from tests.support.observed_definitions import DATA, observation_of
from tests.support.oracle_means import evaluate as slow
from tests.support.own_libraries import own_libraries
from tests.support.slow_parameters import slow_but_first

# One row of the result from a function's answers: status, verdict, claim, witness.


def judged(observation: Observation | None, metric: str, claims: str | None = None, k: int = 3) -> Finding:
    source, says = (None, None) if claims is None else ("its documentation", "as documented")
    function = Function(name="lib.f", metric=metric, claims=claims, where=source, says=says)
    fit = None if observation is None or observation.failure() else identified(observation, metric)
    row = make_finding(Subject("lib", "1.0", function), k, observation, fit, DATA)
    assert Finding.model_validate_json(row.model_dump_json()).model_dump_json() == row.model_dump_json()
    return row


def test_the_canonical_definition_agrees() -> None:
    row = judged(observation_of("recall@k"), "recall")
    assert (row.status, row.verdict, row.signature, row.k) == ("measured", "agrees", "recall@3", 3)
    assert row.value == pytest.approx((1 / 4 + 1) / 2)
    assert row.evidence.fitted_value == pytest.approx((1 / 4 + 1) / 2)
    assert (row.differs_on, row.classes, row.equivalent, row.witness, row.matches_claim) == ((), (), (), None, None)


@pytest.mark.parametrize(
    ("signature", "verdict", "moved"),
    slow_but_first(
        [
            ("recall@k|denominator:min", "variant", ("denominator",)),
            # Who counts is told beside the verdict, which is about the formula.
            ("recall@k|denominator:min|users:all|undefined:1", "variant", ("denominator", "users", "undefined")),
            ("recall@k|denominator:hits|no_hit:0", "undocumented", ("denominator",)),
        ],
        1,
    ),
)
def test_another_definition_is_a_variant_only_where_someone_states_it(
    signature: str, verdict: str, moved: tuple[str, ...]
) -> None:
    row = judged(observation_of(signature), "recall")
    shown = shortest(parse(signature)).with_(k=3)
    assert (row.verdict, row.signature) == (verdict, shown.signature())
    assert set(row.differs_on) == set(moved)
    assert row.levels["formula"] == ("denominator",)
    assert row.formula == f"recall@3|denominator:{shown.axes['denominator']}"
    assert "wrong-denominator" in row.classes


@pytest.mark.slow
def test_another_metric_under_the_name_is_said_first() -> None:
    row = judged(observation_of("precision@k"), "ndcg")
    assert row.classes[0] == "name-is-not-the-metric"
    assert (row.metric, row.signature) == ("ndcg", "precision@3")


@pytest.mark.slow
def test_the_effect_on_the_data_is_told_level_by_level() -> None:
    # One user hits 1 of 4 relevant items within 3, the other 1 of 1; over min(3, r) the first has 1/3.
    row = judged(observation_of("recall@k|denominator:min|users:both"), "recall")
    assert row.effect is not None
    assert row.effect.formula == pytest.approx((1 / 3 + 1) / 2 - (1 / 4 + 1) / 2)
    assert row.effect.total == pytest.approx(row.effect.formula + row.effect.who_counts + row.effect.input)
    assert not row.effect.same_value
    assert judged(observation_of("recall@k"), "recall").effect == Effect(
        formula=0.0, who_counts=0.0, input=0.0, total=0.0, same_value=True
    )


def test_a_value_on_the_data_that_does_not_fit_is_unexplained() -> None:
    right = observation_of("recall@k")
    row = judged(replace(right, data={3: measured(0.7)}), "recall")
    assert (row.verdict, row.signature, row.definition, row.matches_claim) == ("unexplained", None, {}, None)
    assert row.evidence.nearest is not None and row.evidence.nearest.signature == "recall@k"
    assert row.evidence.range["stage"] == "fits every probe, but not the data"


def test_a_repeated_ask_with_another_answer_is_unstable() -> None:
    row = judged(replace(observation_of("recall@k"), repeats={PROBES[0].name: (measured(0.123),)}), "recall")
    assert (row.verdict, row.signature) == ("unstable", None)


@pytest.mark.parametrize(
    ("outcome", "status", "words"),
    [
        (NotOffered("module has no attribute f"), "not_offered", "module has no attribute f"),
        (Unaskable("an item without a score"), "not_offered", "an item without a score"),
        (Crashed(-9, "Segmentation fault\n"), "crashed", "the process died (exit code -9): Segmentation fault"),
        (TimedOut(2.5), "timed_out", "no answer within 2.5 s"),
        (Errored("KeyError", "'user'", ""), "failed", "KeyError: 'user'"),
    ],
)
def test_what_was_not_measured_has_its_status_and_the_reason(outcome: Outcome, status: str, words: str) -> None:
    everywhere = Observation("f", dict.fromkeys([probe.name for probe in PROBES], outcome), {3: outcome})
    only_data = replace(observation_of("recall@k"), data={3: outcome})
    for observation in (everywhere, only_data):
        row = judged(observation, "recall", "recall@k")
        assert (row.status, row.reason, row.verdict, row.value) == (status, words, None, None)
        assert row.claimed == "recall@k"


@pytest.mark.parametrize(
    ("claims", "matches"), [("recall@k", None), ("recall@k|denominator:r", False), ("recall@k|denominator:min", True)]
)
def test_a_claim_is_held_against_what_it_names(claims: str, matches: bool | None) -> None:
    row = judged(observation_of("recall@k|denominator:min"), "recall", claims)
    assert (row.claimed, row.matches_claim) == (claims, matches)
    assert (row.claim_witness is not None) == (matches is False)


def test_the_witness_against_a_claim_shows_what_is_documented_beside_what_is_computed() -> None:
    row = judged(observation_of("recall@k|denominator:min"), "recall", "recall@k|denominator:r")
    assert row.claim_says == "as documented"
    shown = row.claim_witness
    assert shown is not None and [each.signature.partition("|")[2] for each in shown.worked] == ["", "denominator:min"]
    user = next(each for each in shown.users if each.r > shown.k)
    assert user.library_value != user.canonical_value


@pytest.mark.slow
def test_the_witness_against_a_claim_differs_in_nothing_that_the_contract_rules_out() -> None:
    """A list whose best row stands last differs from a canonical order, whatever the denominator is."""
    row = judged(observation_of("recall@k|denominator:min|order:rows"), "recall", "recall@k|denominator:r")
    shown = row.claim_witness
    assert shown is not None and [each.signature.partition("|")[2] for each in shown.worked] == [
        "order:rows", "denominator:min|order:rows",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "signature", slow_but_first(["recall@k|denominator:min", "recall@k|ties:item_desc", "recall@k|users:both"])
)
def test_the_witness_is_the_smallest_probe_that_differs(signature: str) -> None:
    axes, canonical = parse(signature).axes, parse("recall@k").axes
    both = {
        probe.name: (
            slow("recall", axes, probe.case, probe.k).mean,
            slow("recall", canonical, probe.case, probe.k).mean,
        )
        for probe in PROBES
    }
    sizes = {probe.name: probe.size for probe in PROBES}
    differ = {
        name for name, (one, other) in both.items() if abs(one - other) > 1e-4 or (one == one) != (other == other)
    }
    shown = judged(observation_of(signature), "recall").witness
    assert shown is not None
    assert shown.case in differ
    assert sizes[shown.case] == min(sizes[name] for name in differ)
    assert (shown.library_value, shown.canonical_value) == pytest.approx(both[shown.case], nan_ok=True)
    rows = sum(len(user.items) + len(user.missing) for user in shown.users)
    assert rows <= sizes[shown.case]


# Every finding of the recorded run against its own witness: an edge said to raise gives no number there.


PROBE_OF = {probe.name: probe for probe in (*generated_cases.pool().probes, *PROBES, *EXHAUSTIVE, *DEGENERATE, *MIXED)}
_VISIBLE = 1e-4
_MANY = 150


@cache
def recorded_findings() -> tuple[Finding, ...]:
    """Return the findings with one definition that describes every input and whose axes are known, and a witness."""
    return tuple(
        each
        for each in packaged_run().result.findings
        if each.signature and each.witness and each.verdict in ("agrees", "variant", "undocumented")
        if each.witness.case in PROBE_OF and not set(each.unknown) - {"nobody"}
        if WITHOUT_RULE.isdisjoint(each.definition.values())
    )


def on(definition: Definition, probe: Probe) -> Evaluated:
    return evaluate(definition, Problem.of([probe.case], [probe.k]))


def test_no_finding_contradicts_its_own_witness() -> None:
    wrong, raised = [], 0
    for finding in recorded_findings():
        assert finding.witness is not None and finding.signature is not None
        definition, said = parse(finding.signature), finding.witness
        if not (finding.k is None or isinstance(definition.k, int)) or said.k not in (None, PROBE_OF[said.case].k):
            continue
        made = on(definition.with_(k="k") if definition.k else definition, PROBE_OF[said.case])
        if said.library_value is None:
            raised += bool(made.refused[0])
            continue
        same = np.isclose(made.mean[0], said.library_value, rtol=0, atol=_VISIBLE, equal_nan=True)
        if made.refused[0] or not (same or made.nobody[0]):
            wrong.append(f"{finding.library} {finding.version} {finding.function}: {made.mean[0]} on {said.text}")
    assert not wrong, "\n".join(wrong)
    assert raised, "some findings say that the library raises, where it does"


def test_many_findings_are_held_against_their_witness() -> None:
    assert len(recorded_findings()) > _MANY


# No finding states an axis that the contract of its function, or its adapter, rules out.


def contracts() -> list[Function]:
    """Return functions with each metric, and with each set of axes that a library.toml rules out."""
    found, told = list[Function](), set[object]()
    for function in (each for manifest in own_libraries().values() for each in manifest.functions if each.ruled_out):
        own = {function.metric, frozenset(function.ruled_out)}
        if not own <= told:
            told |= own
            found.append(function)
    return found


def computed(function: Function) -> Definition:
    """Return a definition with another than the canonical value on each axis that is ruled out, as far as there is."""
    family, values = FAMILIES[function.metric], dict[str, str]()
    for axis in (axis for axis in family.all_axes if axis.name in function.ruled_out):
        for name in axis.names:
            tried = {**values, axis.name: name}
            moved = name not in (family.canonical[axis.name], "other", "unspecified", "error")
            if moved and family.refusal({**family.canonical, **tried}) is None:
                values = tried
                break
    k = "k" if function.cutoff else None
    return Definition.of(function.metric, values if function.cutoff else {**_uncut(family.canonical), **values}, k)


def _uncut(canonical: Mapping[str, str]) -> dict[str, str]:
    return {"cutoff": "none"} if "cutoff" in canonical else {}


@cache
def problem(probes: tuple[Probe, ...]) -> Problem:
    """Return probes as one problem, whose placements all definitions share."""
    return Problem.of([probe.case for probe in probes], [probe.k for probe in probes])


@cache
def answered(definition: Definition) -> Observation:
    probes = PROBES if definition.family.reads == "relevance" else item_questions()
    made = evaluate(definition, problem(probes))
    refused: Outcome = Errored("ValueError", "", "")
    answers = [refused if no else measured(float(value)) for no, value in zip(made.refused, made.mean, strict=True)]
    k = None if definition.k is None else 3
    on_data = measured(float(evaluate(definition, DATA.at(3)).mean[0]))
    return Observation("f", dict(zip((probe.name for probe in probes), answers, strict=True)), {k: on_data})


def found(function: Function) -> Finding:
    definition = computed(function)
    observation = answered(definition)
    fit = Fitting((definition,), 0.0, Tolerance(1e-9, "float64"), len(observation.probes))
    (k,) = observation.data
    return make_finding(Subject("lib", "1.0", function), k, observation, fit, DATA)


@pytest.mark.parametrize("function", contracts(), ids=lambda each: f"{each.metric}-{each.name}")
@pytest.mark.slow
def test_nothing_is_stated_that_a_contract_rules_out(function: Function) -> None:
    row, metric = found(function), FAMILIES[function.metric]
    acting = function.ruled_out.keys() & computed(function).axes.keys()
    assert row.status == "measured"
    assert acting <= row.does_not_apply.keys()
    stated = {*row.definition, *row.differs_on, *row.unknown, *row.cannot_matter}
    stated |= {axis for axes in row.levels.values() for axis in axes}
    assert not stated & function.ruled_out.keys()
    slugs = {metric.axis(axis).value(name).slug for axis in acting for name in metric.axis(axis).names}
    assert not slugs - {None} & set(row.classes)
    assert row.witness is None, row.witness.text


@pytest.mark.parametrize(
    ("word", "axis", "value"),
    [("ranked", "order", "rows"), ("ranks", "order", "rows"), ("matrix", "duplicates", "last")],
)
def test_what_would_be_told_without_the_contract(word: Input, axis: str, value: str) -> None:
    """What these functions compute is another definition, and is told of a function that takes rows with scores."""
    definition = Definition.of("recall", {axis: value})
    fit = Fitting((definition,), 0.0, Tolerance(1e-9, "float64"), 1)
    rows = [
        make_finding(
            Subject("lib", "1.0", Function(name="lib.f", metric="recall", takes=takes)), 3, answered(definition), fit,
            DATA,
        ) for takes in (Takes(), Takes(input=word))
    ]  # fmt: skip
    assert [axis in row.differs_on for row in rows] == [True, False]
    assert [row.witness is None for row in rows] == [False, True]
    assert [row.verdict for row in rows] == ["agrees", "agrees"]
