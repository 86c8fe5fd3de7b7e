"""Hold identification of metrics beyond accuracy, and the questions on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import isfinite

import pytest

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.steps import first_step, last_step, next_step
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Contradicted, Fitting
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome, Unaskable
from recsys_metric_audit.audit.questions.item_cases import item_questions, names_of_opening
from recsys_metric_audit.reference.cases.item_probes import ITEM_PROBES, SHOWN_ITEMS
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.metrics import ITEM_METRICS
from tests.support.generated_inputs import sampled
from tests.support.item_answers import DATA, Value, answers, function_of, observed, of_definition, outcome
from tests.support.oracle_items import shown_to

# Identification of functions beyond accuracy, on observations that the slow oracle made.


def drawn(name: str, seed: int) -> str:
    """Draw a definition of a metric that gives a number on the data, and return its signature."""
    draws = (sampled(ITEM_METRICS[name], 100 * seed + number, 0.3) for number in range(100))
    definition = next(each for each in draws if "error" not in each.axes.values())
    return definition.with_(k=definition.k and "k").signature()


def diagnosed(observation: Observation, function: Function) -> Diagnosis:
    """Return the diagnosis of a function that was asked everything."""
    step = first_step(function, observation, (), DATA)
    assert step.question is None
    return last_step(step, DATA)


def outcome_of(observation: Observation, metric: str, **more: object) -> Fitting | Contradicted:
    fit = diagnosed(observation, Function.model_validate({"name": "f", "metric": metric, **more})).fit
    assert fit is not None
    return fit


def fit_of(observation: Observation, metric: str, **more: object) -> Fitting:
    fit = outcome_of(observation, metric, **more)
    assert isinstance(fit, Fitting)
    return fit


def signatures(fit: Fitting) -> list[str]:
    return [each.signature() for each in fit.definitions]


@pytest.mark.parametrize("name", ITEM_METRICS)
@pytest.mark.slow
def test_it_and_nothing_else_is_found(name: str) -> None:
    unknown = []
    for signature in (drawn(name, seed) for seed in range(4)):
        fit = fit_of(observed(of_definition(signature)), name)
        assert signatures(fit) == [shortest(parse(signature)).signature()]
        assert fit.deviation <= 1e-9 and fit.cases == len(item_questions())
        unknown += [signature] if fit.unidentified_axes else []
    assert len(unknown) <= 1, "one value may hide what another one does"


@pytest.mark.slow
def test_a_refusal_of_items_that_nobody_has_is_a_rule() -> None:
    signature = "novelty@k|unseen:error|denominator:k"
    observation = replace(observed(of_definition(signature)), data={})
    assert signatures(fit_of(observation, "novelty")) == [signature]


def percentage(case: Case, k: int) -> float:
    return round(of_definition("catalogue_coverage@k|denominator:train|unit:percent")(case, k), 2)


@pytest.mark.slow
def test_percentages_of_two_decimals_are_recognised() -> None:
    fit = fit_of(observed(percentage), "catalogue_coverage")
    assert signatures(fit) == ["catalogue_coverage@k|denominator:train|unit:percent"]
    assert fit.tolerance.absolute and fit.deviation <= 0.005


def test_a_function_without_a_cut_off_looks_at_whole_lists() -> None:
    fit = fit_of(observed(of_definition("novelty|popularity:rows|cutoff:none")), "novelty", cutoff=False)
    assert signatures(fit) == ["novelty|popularity:rows|cutoff:none"]


@pytest.mark.slow
def test_a_refusal_of_input_without_rows_need_not_be_the_rule_for_nobody() -> None:
    observation = observed(of_definition("novelty@k|users:truth|nobody:0"))
    empty = [probe.name for probe in item_questions() if not len(probe.case.predictions.user)]
    refused = {name: Errored("ValueError", "no rows", "") for name in empty}
    fit = fit_of(replace(observation, probes={**observation.probes, **refused}), "novelty")
    assert signatures(fit) == ["novelty@k|users:truth|nobody:0"]


def squared(signature: str) -> Value:
    exact = of_definition(signature)
    return lambda case, k: exact(case, k) ** 2


@pytest.mark.slow
def test_what_no_definition_computes_is_unexplained_with_the_nearest() -> None:
    fit = outcome_of(observed(squared("gini@k")), "gini")
    assert isinstance(fit, Contradicted) and fit.stage == "formula"
    assert fit.nearest is not None and fit.nearest.metric == "gini"
    assert fit.counterexample is not None and fit.residual > 1e-3


@pytest.mark.slow
def test_the_formula_of_another_metric_beyond_accuracy_is_named() -> None:
    fit = fit_of(observed(of_definition("average_popularity@k")), "novelty")
    assert signatures(fit) == ["average_popularity@k"]


@pytest.mark.slow
def test_one_constant_shows_no_formula() -> None:
    assert isinstance(outcome_of(observed(lambda case, k: 1.0), "user_coverage"), Contradicted)


def test_what_a_contract_rules_out_is_left_canonical() -> None:
    fit = fit_of(observed(of_definition("gini@k|order:rows")), "gini", takes={"input": "ranks"})
    assert signatures(fit) == ["gini@k|order:rows"]
    assert not fit.unidentified_axes


def diversity_of_different_items(case: Case, k: int) -> float:
    """Average the distances of all pairs of places that show different items, as MS Recommenders does."""
    owners = {item: set(case.train.user[case.train.item == item].tolist()) for item in case.train.item.tolist()}
    of_users = []
    for items in shown_to(case, {}, k)[0].values():
        pairs = [(owners.get(a, set()), owners.get(b, set())) for a, b in combinations(items, 2) if a != b]
        if pairs:
            apart = [1 - len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 1.0 for a, b in pairs]
            of_users.append(sum(apart) / len(apart))
    return sum(of_users) / len(of_users) if of_users else math.nan


def test_a_rule_of_repeats_that_no_value_describes_is_unknown() -> None:
    fit = fit_of(observed(diversity_of_different_items), "intra_list_diversity")
    assert signatures(fit) == ["intra_list_diversity@k|no_pair:left_out"]
    assert fit.unidentified_axes == ("duplicates",)


@pytest.mark.parametrize(
    ("signature", "role", "unknown"),
    [
        ("gini@k", "order", ("order", "ties")), ("gini@k", "duplicates", ("duplicates",)),
        ("serendipity@k", "truth_duplicates", ("truth_duplicates",)), ("gini@k", "multi_user", None),
        ("user_coverage", "order", None), ("user_coverage", "duplicates", None),
    ],
)  # fmt: skip
def test_one_answer_that_no_definition_explains_is_told(
    signature: str, role: str, unknown: tuple[str, ...] | None
) -> None:
    """Leave unknown what the probe shows; identify nothing where it shows no axis of the metric."""
    observation, metric = observed(of_definition(signature)), parse(signature).metric
    name = next(probe.name for probe in item_questions(metric) if probe.kind.role == role)
    wrong = {name: Measured(0.4321, None, None, "float", 0.0)}
    fit = outcome_of(replace(observation, probes={**observation.probes, **wrong}), metric)
    assert fit.unidentified_axes == unknown if isinstance(fit, Fitting) else unknown is None


@pytest.mark.parametrize("others", [Errored("E", "no", ""), Unaskable("no")])
@pytest.mark.parametrize("signature", ["gini@k|denominator:n", "novelty@k|users:truth", "user_coverage"])
def test_few_numbers_beside_errors_show_no_formula(signature: str, others: Outcome) -> None:
    observation = observed(of_definition(signature))
    numbers = [name for name, each in observation.probes.items() if isinstance(each, Measured)]
    ordinary = {probe.name for probe in item_questions(parse(signature).metric) if probe.kind == SHOWN_ITEMS}
    beside = [name for name in numbers if name not in ordinary]
    for kept in (numbers[3:7], [*numbers[3:7], *beside]):  # however many there are on unusual rows
        answers = {name: observation.probes[name] for name in kept}
        few = replace(observation, probes={**dict.fromkeys(observation.probes, others), **answers}, data={})
        assert isinstance(outcome_of(few, parse(signature).metric), Contradicted)


def rounded(signature: str) -> Value:
    exact = of_definition(signature)
    return lambda case, k: round(exact(case, k), 4)


def test_values_rounded_to_four_decimals_are_recognised() -> None:
    fit = fit_of(observed(rounded("gini@k|denominator:n")), "gini")
    assert signatures(fit) == ["gini@k|denominator:n"]


def without(observation: Observation, roles: tuple[str, ...]) -> Observation:
    refused = {
        probe.name: Unaskable("no such rows")
        for probe in item_questions()
        if probe.kind.role in roles or not len(probe.case.predictions.user)
    }
    return replace(observation, probes={**observation.probes, **refused})


def test_axes_whose_probes_cannot_be_asked_are_unidentified() -> None:
    fit = fit_of(without(observed(of_definition("novelty@k")), ("order", "duplicates")), "novelty")
    assert signatures(fit) == ["novelty@k"]
    assert fit.unidentified_axes == ("nobody", "order", "ties", "duplicates")  # nobody is left without any row alone


def shorter_than_k(case: Case, k: int) -> bool:
    lengths = [case.predictions.user.tolist().count(user) for user in set(case.predictions.user.tolist())]
    return min(lengths, default=0) < k


def test_formulas_that_only_short_lists_tell_apart_are_one_to_a_function_that_takes_none() -> None:
    observation = observed(of_definition("shannon_entropy@k"))
    refused = {
        probe.name: Unaskable("a list is too short")
        for probe in item_questions()
        if shorter_than_k(probe.case, probe.k)
    }
    fit = fit_of(replace(observation, probes={**observation.probes, **refused}, data={}), "shannon_entropy")
    assert {"shannon_entropy@k", "shannon_entropy@k|probability:places"} < set(signatures(fit))
    assert fit.ambiguity is not None and fit.ambiguity.inseparable and "a list is too short" in fit.ambiguity.text


def test_what_does_not_apply_to_a_function_tells_nothing_apart() -> None:
    observation = observed(of_definition("shannon_entropy@k"))
    refused = {
        probe.name: Unaskable("a list is too short")
        for probe in item_questions()
        if shorter_than_k(probe.case, probe.k) or probe.kind.role == "order"
    }
    collapsed = {
        probe.name: outcome(of_definition("shannon_entropy@k|duplicates:first_in_place"), probe.case, probe.k)
        for probe in item_questions()
        if probe.kind.role == "duplicates"
    }
    answers = {**observation.probes, **refused, **collapsed}
    fit = fit_of(replace(observation, probes=answers, data={}), "shannon_entropy", takes={"input": "matrix"})
    assert len(fit.definitions) > 1 and fit.ambiguity is not None and fit.ambiguity.inseparable


def test_a_function_that_answers_nothing_has_no_fit() -> None:
    observation = observed(of_definition("gini@k"))
    silent = replace(observation, probes=dict.fromkeys(observation.probes, Errored("E", "no", "")), data={})
    assert diagnosed(silent, Function(name="f", metric="gini")).fit is None


# Functions beyond accuracy are asked only what still decides, and are found to be what all questions find.


def opened(signature: str) -> Observation:
    """Return the answers to what a function of which definitions are known is asked first, and on the data."""
    names, whole = names_of_opening(parse(signature).metric), observed(of_definition(signature))
    return replace(whole, probes={name: whole.probes[name] for name in whole.probes if name in names})


def asked_until_known(signature: str, known: Sequence[Sequence[Definition]] = ()) -> Diagnosis:
    step = first_step(function_of(signature), opened(signature), known, DATA)
    while step.question is not None:
        assert not {probe.name for probe in step.question.probes} & step.diagnosis.observation.probes.keys()
        found = answers(of_definition(signature), step.question.probes)
        step = next_step(step, Observation("f", found, {}), DATA)
    return last_step(step, DATA)


def known_before(signature: str, what: str) -> list[list[Definition]]:
    """Return groups of known definitions of a function that computes a signature: its pin, or only another one."""
    own, canonical = parse(signature), Definition.of(parse(signature).metric)
    return {"nothing": [], "its pin": [[own]], "another": [[canonical]], "both": [[canonical], [own, canonical]]}[what]


@pytest.mark.slow
@pytest.mark.parametrize("name", ITEM_METRICS)
def test_what_is_found_does_not_depend_on_what_is_known_and_few_questions_decide_where_it_is_the_pin(name: str) -> None:
    for seed, known in enumerate(["nothing", "its pin", "another", "both", "its pin"]):
        signature = drawn(name, seed)
        diagnosis = asked_until_known(signature, known_before(signature, known))
        found, asked = diagnosis.fit, diagnosis.observation.probes
        assert isinstance(found, Fitting) and found.definitions == (shortest(parse(signature)),)
        few = known == "its pin" and shows_a_formula_at_first(signature)
        assert not few or len(asked) - len(names_of_opening(name)) <= 2, signature


def shows_a_formula_at_first(signature: str) -> bool:
    """Return True if at least five of the first answers on ordinary rows are numbers."""
    first, metric = opened(signature).probes, parse(signature).metric
    ordinary = [first.get(probe.name) for probe in item_questions(metric) if probe.kind == SHOWN_ITEMS]
    values = [each.mean for each in ordinary if isinstance(each, Measured) and each.mean is not None]
    return sum(map(isfinite, values)) >= 5


def test_a_smaller_input_that_shows_the_difference_is_asked_last() -> None:
    signature = "intra_list_diversity@k|direction:similarity|denominator:one"
    diagnosis = asked_until_known(signature, known_before(signature, "its pin"))
    own, canonical = of_definition(signature), of_definition("intra_list_diversity@k")
    ordinary = [probe for probe in ITEM_PROBES if probe.kind == SHOWN_ITEMS]
    differing = [each for each in ordinary if abs(own(each.case, each.k) - canonical(each.case, each.k)) > 1e-3]
    asked = [each for each in differing if each.name in diagnosis.observation.probes]
    assert min(each.size for each in asked) == min(each.size for each in differing)


def test_where_nothing_fits_all_questions_are_asked() -> None:
    function = Function(name="f", metric="shannon_entropy")
    step = first_step(function, opened("gini@k"), [[parse("shannon_entropy@k")]], DATA)
    assert step.question is not None
    asked = {probe.name for probe in step.question.probes} | step.diagnosis.observation.probes.keys()
    assert asked >= {probe.name for probe in item_questions("shannon_entropy")}


def test_nothing_is_left_where_everything_was_asked() -> None:
    assert first_step(function_of("gini@k"), observed(of_definition("gini@k")), (), DATA).question is None
