"""Hold identification: its steps, diagnoses and last questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from recsys_metric_audit.audit.identification import steps
from recsys_metric_audit.audit.identification.diagnosis import Diagnosis, explain_ambiguity
from recsys_metric_audit.audit.identification.hypotheses import proposal
from recsys_metric_audit.audit.identification.hypotheses.pool_answers import PoolAnswers, expected_values
from recsys_metric_audit.audit.identification.hypotheses.refuting import Refuting
from recsys_metric_audit.audit.identification.hypotheses.starting_formulas import Nearest, nearest_formulas
from recsys_metric_audit.audit.identification.last_questions import questions_of_threshold, smaller_witness
from recsys_metric_audit.audit.identification.shared_tables import make_tables
from recsys_metric_audit.audit.identification.steps import Step, first_step, last_step, next_step
from recsys_metric_audit.audit.libraries.function import Function, Gains, Takes
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Measured, NotOffered, Outcome, Unaskable
from recsys_metric_audit.audit.questions.distinguishing import differing_inputs, distinguishing_inputs
from recsys_metric_audit.audit.questions.generated_cases import pool
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.audit.questions.whole_gains import has_whole_gains
from recsys_metric_audit.reference.cases import DEGENERATE, PROBES, Kind, Probe
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from tests.support.answers_of_oracle import Numbers, measured, oracle_observation
from tests.support.answers_of_oracle import answers_of_oracle as answers
from tests.support.answers_of_oracle import oracle_observation as observed
from tests.support.generated_inputs import sampled
from tests.support.identified import identified
from tests.support.oracle_means import evaluate as slow
from tests.support.slow_parameters import slow_but_first

# Identification, on observations that the slow oracle made: it shares no code with what is searched.

EXACT = (
    "precision@k|users:all|undefined:0", "recall@k|denominator:min", "hit_rate@k|counts:hits", "f_score@k|of:means",
    "reciprocal_rank@k", "average_precision@k|denominator:r", "ndcg@k|gain:exp2", "auc|scope:stacked",
)  # fmt: skip
"""Nothing else in the space fits all that these give on the probes."""


def found(observation: Observation, metric: str) -> list[str]:
    return [definition.signature() for definition in identified(observation, metric).definitions]


def simple(signature: str) -> str:
    return shortest(parse(signature)).signature()


@pytest.mark.parametrize("signature", slow_but_first(EXACT, 3))
def test_it_and_nothing_else_is_found(signature: str) -> None:
    fit = identified(observed(signature), parse(signature).metric)
    assert [each.signature() for each in fit.definitions] == [simple(signature)]
    assert isinstance(fit, Fitting) and fit.deviation <= 1e-12
    assert (fit.cases, fit.unidentified_axes) == (len(PROBES), ())


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if "pairs" not in metric.canonical][::4])
def test_what_is_computed_is_among_what_fits_and_all_that_does_is_alike(name: str) -> None:
    """Of a drawn definition: all probes are answered, and those of several users tell the same of whatever fits.

    What is an error of ratings where nobody has a list is told by later rounds alone: test_loop.py.
    """
    drawn = (sampled(METRICS[name], seed, 0.1).with_(nobody="nan") for seed in range(100, 200))
    definition = next(each for each in drawn if each.differs_on and not WITHOUT_RULE & {*each.axes.values()})
    signature = definition.with_(k=definition.k and "k").signature()
    fit = identified(observed(signature), name, has_k=definition.k is not None)
    signatures = [each.signature() for each in fit.definitions]
    known = {axis: parse(name).axes[axis] for axis in fit.unidentified_axes if axis in definition.axes}
    signature = parse(signature).with_(**known).signature()  # canonical where no probe shows the axis
    assert simple(signature) in signatures and fit.deviation <= 1e-9
    assert signatures == sorted(signatures, key=lambda each: len(parse(each).differs_on))
    several = Problem.of(
        *zip(*((each.case, each.k) for each in PROBES if each.kind == Kind("multi_user")), strict=True)
    )
    right = evaluate(parse(signature), several)
    for made in (evaluate(each, several) for each in fit.definitions):
        both = ~(made.refused | right.refused | made.nobody | right.nobody)
        assert np.allclose(made.mean[both], right.mean[both], 0, 1e-9, equal_nan=True), signature


@pytest.mark.slow
def test_an_edge_of_one_ranking_that_no_policy_explains_is_said_to_be_unknown() -> None:
    """RMSE over all pairs at once, which answers 7 where nobody has a pair: no policy says so."""
    known = observed("rmse")
    sole = {probe.name: measured(7.0) for probe in DEGENERATE if probe.name == "nobody has a hit"}
    fit = identified(Observation("f", {**known.probes, **sole}, {}), "rmse")
    assert fit.definitions[0].signature() == "rmse"
    assert {each.axes["no_hit"] for each in fit.definitions} == {"0"}  # as it is where nothing is known
    assert fit.unidentified_axes == ("no_hit",)


@pytest.mark.parametrize(
    "signature", slow_but_first(["precision@k", "recall@k|denominator:min", "ndcg@k|gain:exp2", "ndcg@k", "auc"])
)
@pytest.mark.parametrize(
    ("change", "dtype", "why"),
    [
        (lambda value: float(np.float32(value)), "float32", "float32"),
        (lambda value: round(value, 4), "float", "4 decimals"),
    ],
    ids=["float32", "rounded"],
)
def test_short_numbers_are_enough(signature: str, change: Numbers, dtype: str, why: str) -> None:
    fit = identified(observed(signature, change, dtype), parse(signature).metric)
    assert simple(signature) == fit.definitions[0].signature()
    assert len(fit.definitions) == 1
    assert fit.tolerance.why == why
    assert 0 < fit.deviation <= fit.tolerance.width


def test_the_name_of_the_function_does_not_matter() -> None:
    one, other = (identified(observed("precision@k", name=name), "precision") for name in ("f", "b.mean_[k=3]"))
    assert one.definitions and one == other


@pytest.mark.parametrize(("bears", "computes"), [("recall", "reciprocal_rank")])
@pytest.mark.slow
def test_another_metric_under_this_name_is_found_and_none_after_it_is_tried(
    bears: str, computes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: dict[str, None] = {}

    def nearest(metric: str, *given: Any, **options: Any) -> Nearest:
        tried[metric] = None
        return nearest_formulas(metric, *given, **options)

    monkeypatch.setattr(proposal, "nearest_formulas", nearest)
    fit = identified(observed(f"{computes}@k"), bears)
    assert [each.signature() for each in fit.definitions] == [f"{computes}@k"]
    assert [*tried][-1] == computes


def with_hits(value: float, probe: Probe) -> float:
    """Something that no definition adds: a hundredth of the hits inside the first k, by hand from the case."""
    rec, rel = probe.case.predictions, probe.case.truth
    shown = set(zip(rec.user[: probe.k].tolist(), rec.item[: probe.k].tolist(), strict=True))
    return value + 0.01 * len(shown & set(zip(rel.user.tolist(), rel.item.tolist(), strict=True)))


def outside() -> dict[str, Observation]:
    plain = answers("ndcg@k")
    shifted: dict[str, Outcome] = {}
    for probe in PROBES:
        outcome = plain[probe.name]
        assert isinstance(outcome, Measured) and outcome.mean is not None
        shifted[probe.name] = measured(with_hits(outcome.mean, probe))
    return {"with hits": Observation("f", shifted, {}), "squared": observed("ndcg@k", lambda value: value**2)}


@pytest.mark.parametrize("which", ["with hits", "squared"])
@pytest.mark.slow
def test_what_is_outside_the_space_is_nothing_with_a_nearest_and_a_probe(which: str) -> None:
    observation = outside()[which]
    fit = identified(observation, "ndcg")
    assert (fit.definitions, fit.stage) == ((), "formula")
    assert fit.nearest is not None and fit.nearest.metric == "ndcg" and fit.counterexample is not None
    # The probe shows it to the oracle as well, and the residual is at least what it shows.
    outcomes = observation.probes[fit.counterexample.name]
    right = slow("ndcg", fit.nearest.axes, fit.counterexample.case, fit.counterexample.k)
    assert isinstance(outcomes, Measured) and outcomes.mean is not None
    assert 1e-6 < abs(outcomes.mean - right.mean) <= fit.residual + 1e-12


@pytest.mark.slow
def test_one_wrong_multi_user_probe_is_unexplained_at_its_stage() -> None:
    outcomes = dict(answers("recall@k"))
    probe = next(probe for probe in PROBES if probe.kind == Kind("multi_user"))
    before = outcomes[probe.name]
    assert isinstance(before, Measured) and before.mean is not None
    outcomes[probe.name] = measured(before.mean + 0.01)
    fit = identified(Observation("f", outcomes, {}), "recall")
    assert (fit.definitions, fit.stage, fit.counterexample) == ((), "multi_user", probe)
    assert fit.residual == pytest.approx(0.01)


@pytest.mark.slow
def test_ties_in_no_known_order_are_other() -> None:
    outcomes = dict(answers("reciprocal_rank@k"))
    for probe in PROBES:
        outcome = outcomes[probe.name]
        if probe.kind == Kind("order") and len(set(probe.case.predictions.score)) < len(probe.case.predictions.score):
            assert isinstance(outcome, Measured) and outcome.mean is not None
            outcomes[probe.name] = measured(outcome.mean / 7 + 0.001)
    assert found(Observation("f", outcomes, {}), "reciprocal_rank")[0] == "reciprocal_rank@k|ties:other"


def test_without_an_answer_on_multi_user_probes_averaging_is_not_told() -> None:
    lone = {probe.name for probe in PROBES if probe.kind.role not in ("multi_user", "rated_users")}
    outcomes = {name: outcome for name, outcome in answers("recall@k").items() if name in lone}
    fit = identified(Observation("f", outcomes, {}), "recall")
    assert [each.signature() for each in fit.definitions] == ["recall@k"]
    # The axes of the catalogue's parts "averaging" and "edges" that can act on recall.
    assert fit.unidentified_axes == ("users", "pooling", "weight", "mean", "undefined", "no_hit", "no_list", "nobody")


def per_user(signature: str, drop: Callable[[float], bool] = lambda value: False) -> dict[str, Outcome]:
    """Return the oracle's numbers of each averaged user and no mean, without users whose value ``drop`` chooses."""
    definition, outcomes = parse(signature), dict(answers(signature))
    for probe in PROBES:
        if probe.kind.role in ("multi_user", "rated_users") and isinstance(outcomes[probe.name], Measured):
            made = slow(definition.metric, definition.axes, probe.case, probe.k).users
            ids = sorted({*probe.case.predictions.user.tolist(), *probe.case.truth.user.tolist()})
            told = [(user, value) for user, (value, counted) in zip(ids, made, strict=True) if counted]
            told = [pair for pair in told if not drop(pair[1])]
            users, values = np.array([user for user, _ in told]), np.array([value for _, value in told])
            outcomes[probe.name] = Measured(None, users.astype(np.int64), values.astype(float), "float", 0.0)
    return outcomes


@pytest.mark.parametrize(
    "signature",
    slow_but_first(
        ["recall@k", "recall@k|users:all|undefined:0", "ndcg@k|users:both", "hit_rate@k|users:all|undefined:nan"]
    ),
)
def test_per_user_values_show_edges_but_not_the_mean(signature: str) -> None:
    fit = identified(Observation("f", per_user(signature), {}), parse(signature).metric)
    assert [each.signature() for each in fit.definitions] == [signature]
    across = METRICS[parse(signature).metric].across_users  # NDCG may be over one ranking of all rows
    assert fit.unidentified_axes == (*across, "pooling", "weight", "mean")


@pytest.mark.slow
def test_per_user_values_that_leave_out_whoever_is_zero_fit_nothing_averaged_over_all() -> None:
    outcomes = per_user("recall@k", drop=lambda value: value == 0)
    # Where a user without a hit is never seen, what all hits would be weighed by is not told either.
    assert found(Observation("f", outcomes, {}), "recall")[0] == "recall@k|users:hits"


@pytest.mark.slow
def test_too_few_answers_are_no_finding() -> None:
    few = dict(list(answers("precision@k").items())[:2])
    assert identified(Observation("f", few, {}), "precision").definitions == ()


# Steps of a diagnosis with a known definition: what is found is what is found without it.

DATA = Problem.of([INITIAL_PROBES[0].case], None)


def outcome(definition: Definition, probe: Probe) -> Outcome:
    made = slow(definition.metric, definition.axes, probe.case, probe.k if definition.k else None)
    return Errored("ValueError", "", "") if made.refused else Measured(made.mean, None, None, "float", 0.0)


def found_of_steps(signature: str, known: str) -> tuple[list[str], Step]:
    """Return what is found of a function that computes a signature, and the last step."""
    definition = parse(signature)
    function = Function(name="f", metric=definition.metric, cutoff=definition.k is not None)
    asked = INITIAL_PROBES[:14] if known else INITIAL_PROBES
    observation = Observation("f", {probe.name: outcome(definition, probe) for probe in asked}, {})
    step = first_step(function, observation, [[parse(known)]] if known else [], DATA)
    for _ in range(12):
        if step.question is None:
            break
        answers = {probe.name: outcome(definition, probe) for probe in step.question.probes}
        step = next_step(step, Observation("f", answers, {}), DATA)
    fit = last_step(step, DATA).fit
    assert fit is not None
    return [each.signature() for each in fit.definitions], step


@pytest.mark.slow  # the first search makes what the whole process then shares
@pytest.mark.parametrize(
    ("signature", "known"),
    [
        ("recall@k|users:all|undefined:0", "recall@k"),
        ("ndcg@k|gain:exp2|no_list:skip", "ndcg@k|gain:exp2"),
        # Edges of one ranking are asked about late: inputs that refuted the hypothesis must not be held against them.
        ("auc|scope:stacked|users:all|no_hit:skip|no_list:error", "auc|scope:stacked"),
        # Six axes away: each change leaves fewer contradictions.
        ("ndcg@k|gain:exp2|discount:reciprocal|ideal:listed|users:both|no_hit:skip|ties:item_asc", "ndcg@k"),
    ],
)
def test_a_refuted_hypothesis_gives_way_to_what_is_near_it(signature: str, known: str) -> None:
    """A search finds it, too."""
    with_known, step = found_of_steps(signature, known)
    assert with_known == found_of_steps(signature, "")[0] == [shortest(parse(signature)).signature()]
    assert step.diagnosis.from_few


@pytest.mark.slow
def test_what_is_still_to_be_asked_after_the_last_test_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def left(*given: object, last: bool = False, can_be_asked: bool = True) -> Refuting:
        return Refuting(INITIAL_PROBES[:1]) if not last else Refuting((), unknown=("no_list",))

    monkeypatch.setattr(steps, "refuting_probes", left)
    monkeypatch.setattr(steps, "MAX_TESTS", 1)
    with_nothing_known, step = found_of_steps("recall@k", "")
    assert with_nothing_known == ["recall@k"] and step.tests == 1
    assert step.diagnosis.fit is not None and step.diagnosis.fit.unidentified_axes == ("no_list",)


@pytest.mark.slow
@pytest.mark.parametrize("known", ["", "recall@k|relevance:above_0.5", "recall@k|relevance:1"])
def test_a_threshold_of_the_function_s_own_is_asked_for(known: str) -> None:
    # On the probes, whose gains are 0.5, 1 and more, all that is above 0.5 is 1 and more.
    with_known, step = found_of_steps("recall@k|relevance:above_0.5", known)
    assert with_known == ["recall@k|relevance:above_0.5"]
    assert step.diagnosis.from_few == bool(known)
    assert step.question is None


# Inputs between definitions, and why a diagnosis is ambiguous, in words.

EXACT_OF_DIAGNOSIS = Tolerance(1e-9, "float64")
RECALL, MIN = parse("recall@k"), parse("recall@k|denominator:min")


def diagnosis(*definitions: str, probes: dict[str, Outcome] | None = None) -> Diagnosis:
    fit = Fitting(
        tuple(map(parse, definitions)), 0.0, EXACT_OF_DIAGNOSIS, 1, unidentified_axes=("pooling", "undefined")
    )
    return Diagnosis(Function(name="f", metric="recall"), Observation("f", probes or {}, {}), fit)


def test_inputs_that_were_asked_are_left_out() -> None:
    first = distinguishing_inputs([RECALL, MIN], frozenset())[0]
    assert first not in distinguishing_inputs([RECALL, MIN], frozenset({first.name}))


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
    (first,) = distinguishing_inputs([RECALL, MIN], frozenset(), at_most=1)
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
    short = [
        probe
        for probe, each in zip(pool().probes, pool().features, strict=True)
        if "short list" in each and probe.name not in differing
    ]
    refused: dict[str, Outcome] = {probe.name: Errored("IndexError", "no", "") for probe in short[:2]}
    assert len(refused) == 2
    text, inseparable = explain_ambiguity(diagnosis(*signatures, probes=refused))
    assert inseparable
    assert "not asked; every input asked with" in text and "short list" in text and text.endswith("is refused")
    one_answered = refused | {short[2].name: measured(0.5)}
    assert not explain_ambiguity(diagnosis(*signatures, probes=one_answered)).inseparable


# Tests what an identified function is asked last: its own threshold, and a small witness.

EXACT_OF_LAST_QUESTIONS = Tolerance(1e-9, "float64")


def fitting(signature: str, **given: object) -> Diagnosis:
    definition = parse(signature)
    function = Function.model_validate({"name": "f", "metric": definition.metric, **given})
    return Diagnosis(function, oracle_observation(signature), Fitting((definition,), 0.0, EXACT_OF_LAST_QUESTIONS, 1))


def test_the_canonical_definition_needs_no_witness() -> None:
    assert smaller_witness(fitting("recall@k"), parse("recall@k")) == ()


@pytest.mark.parametrize("signature", ["recall@k|denominator:min", "ndcg@k|gain:exp2|ties:item_desc"])
def test_a_witness_shows_what_is_not_canonical(signature: str) -> None:
    definition, unasked = parse(signature), replace(fitting(signature), observation=Observation("f", {}, {}))
    witness = smaller_witness(unasked, definition)
    assert witness
    for probe in witness:
        problem = Problem.of([probe.case], [probe.k])
        canonical = parse(f"{definition.metric}@k")
        assert evaluate(definition, problem).mean[0] != evaluate(canonical, problem).mean[0]


def test_only_a_number_of_the_function_s_own_is_asked_about() -> None:
    assert questions_of_threshold(fitting("recall@k|relevance:at_least_t")) == ()
    assert questions_of_threshold(fitting("recall@k|relevance:1"))


def test_no_question_has_gains_that_the_contract_rules_out() -> None:
    asked = questions_of_threshold(fitting("recall@k|relevance:1", takes=Takes(gains="whole")))
    assert all(has_whole_gains(probe.case) for probe in asked)


@pytest.mark.parametrize(("gains", "rule"), [("whole", "positive"), ("any", "1")])
def test_rules_of_relevance_that_no_whole_gain_tells_apart_are_one(gains: Gains, rule: str) -> None:
    """Tell the same one, whichever of the two was met first."""
    step = Step(fitting("recall@k|relevance:1", takes=Takes(gains=gains)), None)
    fit = last_step(step, DATA).fit
    assert isinstance(fit, Fitting) and [each.axes["relevance"] for each in fit.definitions] == [rule]


# Tests that what identifications share is made ahead.


def test_what_was_made_ahead_is_not_made_again() -> None:
    expected_values.cache_clear()  # of another test
    make_tables()
    made = expected_values.cache_info().misses
    answers = PoolAnswers.of(Function(name="f", metric="ndcg"), Observation("f", {}, {}))
    expected_values(Definition.of("ndcg"), answers.initial.problem)
    assert expected_values.cache_info().misses == made > 0
