"""Known definitions as hypotheses: which fit, what would refute them, and when the search begins instead."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from audit.identification.hypothesis import confirmed, fitting_hypotheses, refuting_probes, rivals
from audit.libraries.contract import Takes
from audit.libraries.function import Function
from audit.observations.observation import Observation
from audit.process.protocol import Errored, Measured, Outcome
from audit.questions.initial import INITIAL_PROBES
from audit.questions.whole_gains import has_whole_gains
from reference.cases import Probe
from reference.definitions.definition import Definition, parse
from reference.evaluation.evaluate import Problem
from tests.support.oracle_means import evaluate as slow

DATA = Problem.of([INITIAL_PROBES[0].case], None)
FIRST = INITIAL_PROBES[:12]


def outcome(definition: Definition, probe: Probe) -> Outcome:
    made = slow(definition.metric, definition.axes, probe.case, probe.k if definition.k else None)
    return Errored("ValueError", "", "") if made.refused else Measured(made.mean, None, None, "float", 0.0)


def answers(signature: str, probes: Sequence[Probe]) -> dict[str, Outcome]:
    return {probe.name: outcome(parse(signature), probe) for probe in probes}


def observed(signature: str, probes: Sequence[Probe] = FIRST) -> Observation:
    return Observation("f", answers(signature, probes), {})


def of(metric: str, **given: object) -> Function:
    return Function.model_validate({"name": "f", "metric": metric, **given})


def parsed(*signatures: str) -> list[Definition]:
    return [parse(each) for each in signatures]


def test_known_definitions_that_fit_the_first_answers_are_hypotheses() -> None:
    known = parsed("ndcg@k|gain:exp2", "ndcg@k", "ndcg@k|gain:linear")
    assert fitting_hypotheses(known, of("ndcg"), observed("ndcg@k|gain:exp2"), DATA) == known[:1]
    assert fitting_hypotheses(known, of("ndcg"), observed("ndcg@k|ideal:retrieved"), DATA) == []


def test_few_answers_make_no_hypothesis() -> None:
    known = parsed("recall@k")
    assert fitting_hypotheses(known, of("recall"), observed("recall@k", FIRST[:5]), DATA) == []
    assert fitting_hypotheses(known, of("recall"), observed("recall@k", FIRST), DATA) == known


def test_answers_on_the_data_refute_a_hypothesis_too() -> None:
    right = outcome(parse("recall@k"), INITIAL_PROBES[0])
    wrong = Measured(0.123, None, None, "float", 0.0)
    for on_data, left in ((right, 1), (wrong, 0)):
        seen = Observation("f", answers("recall@k", FIRST), {INITIAL_PROBES[0].k: on_data})
        assert len(fitting_hypotheses(parsed("recall@k"), of("recall"), seen, DATA)) == left


def test_a_contract_fixes_its_values_in_every_hypothesis() -> None:
    function = of("recall", takes=Takes(input="ranked"))
    (found,) = fitting_hypotheses(parsed("recall@k"), function, observed("recall@k|order:rows"), DATA)
    assert found == parse("recall@k|order:rows")


def test_the_rule_for_nobody_is_left_open_by_every_hypothesis() -> None:
    """It is read from the answers when all else is known."""
    known = parsed("recall@k|nobody:0", "recall@k|nobody:error", "recall@k")
    assert fitting_hypotheses(known, of("recall"), observed("recall@k|nobody:0"), DATA) == parsed("recall@k")
    assert not any(each.axes["nobody"] != "nan" for each in rivals(parse("recall@k"), of("recall")))


def test_a_definition_without_a_rule_cannot_be_tested() -> None:
    assert fitting_hypotheses(parsed("recall@k|ties:unspecified"), of("recall"), observed("recall@k"), DATA) == []


@pytest.mark.parametrize(
    ("asked", "rival"),
    [
        ("recall@k", "recall@k|users:all|undefined:nan"),  # both axes together: neither alone gives NaN
        ("recall@k", "recall@k|relevance:4"),  # a constant threshold is no name of the axis
        ("precision@k", "precision@k|denominator:shown"),
    ],
)
def test_rivals_differ_on_one_axis_or_in_who_is_averaged_and_how(asked: str, rival: str) -> None:
    found = rivals(parse(asked), of(parse(asked).metric))
    assert parse(rival) in found
    assert parse(asked) not in found


def test_what_the_contract_decides_makes_no_rival() -> None:
    function = of("recall", takes=Takes(input="ranked", truth="set"))
    assert not any(
        {"ties", "order", "truth_duplicates"} & set(each.differs_on) for each in rivals(parse("recall@k"), function)
    )


def test_an_edge_is_tried_with_who_is_averaged_also_where_the_adapter_decides_that() -> None:
    """A user without relevant items who makes the mean NaN: seen only if such users are averaged."""
    function = of("precision", called_with=[{"what": "rows of each user", "decides": ["users"]}])
    hypothesis, rival = (parse(f"precision@k|{axes}no_list:nan") for axes in ("", "users:all|undefined:nan|"))
    assert rival.simplified() in {each.simplified() for each in rivals(hypothesis, function)}


def test_a_function_without_cut_off_has_no_rival_that_needs_one() -> None:
    found = rivals(parse("reciprocal_rank|cutoff:none"), of("reciprocal_rank", cutoff=False))
    assert found and all(each.k is None for each in found)


@pytest.mark.parametrize(
    ("signature", "near"),
    [
        ("recall@k|no_list:nan", "recall@k|users:all|undefined:nan"),
        ("precision@k", "precision@k|denominator:shown"),
        ("ndcg@k|gain:exp2", "ndcg@k|gain:exp2|ties:item_asc"),
        ("average_precision@k|denominator:r", "average_precision@k|denominator:r|truth_duplicates:once"),
    ],
)
def test_refuting_probes_tell_a_near_definition_from_the_hypothesis(signature: str, near: str) -> None:
    function, seen = of(parse(signature).metric), observed(signature)
    probes, decisive = refuting_probes(parse(signature), (), function, seen)
    assert decisive and probes
    assert not {probe.name for probe in probes} & seen.probes.keys()
    assert any(not same(outcome(parse(signature), probe), outcome(parse(near), probe)) for probe in (*FIRST, *probes))


def same(one: Outcome, other: Outcome) -> bool:
    if isinstance(one, Measured) and isinstance(other, Measured) and one.mean is not None and other.mean is not None:
        return one.mean == pytest.approx(other.mean, abs=1e-9, nan_ok=True)
    return type(one) is type(other)


@pytest.mark.parametrize("signature", ["recall@k", "ndcg@k|gain:exp2", "recall@k|no_list:error"])
def test_once_all_is_answered_nothing_is_left_to_refute(signature: str) -> None:
    function, seen, rounds = of(parse(signature).metric), observed(signature), 0
    while (left := refuting_probes(parse(signature), (), function, seen))[0]:
        seen = Observation("f", {**seen.probes, **answers(signature, left[0])}, {}, further_probes=left[0])
        rounds += 1
    assert left == ((), True) and 1 <= rounds <= 3  # an error of one user hides what others would show
    diagnosis = confirmed(parse(signature), function, seen)
    assert diagnosis.from_hypothesis and diagnosis.fit is not None
    assert (diagnosis.fit.definitions, diagnosis.fit.cases) == ((parse(signature),), len(seen.probes))


def test_a_rival_that_only_refused_inputs_would_tell_apart_leaves_the_search_to_decide() -> None:
    def refusing(probes: Collection[Probe]) -> dict[str, Outcome]:
        short = {probe.name for probe in probes if len(probe.case.predictions.user) and is_short(probe)}
        return {
            name: Errored("ValueError", "too short", "") if name in short else said
            for name, said in answers("precision@k", tuple(probes)).items()
        }

    seen = Observation("f", refusing(INITIAL_PROBES), {})
    probes, _ = refuting_probes(parse("precision@k"), (), of("precision"), seen)
    after = Observation("f", {**seen.probes, **refusing(probes)}, {}, further_probes=probes)
    further, decisive = refuting_probes(parse("precision@k"), (), of("precision"), after)
    assert further or not decisive


def is_short(probe: Probe) -> bool:
    users = probe.case.predictions.user.tolist()
    return any(users.count(user) < probe.k for user in set(users))


def test_rivals_that_differ_on_fractional_gains_only_are_none_where_gains_are_whole() -> None:
    # Cut to whole numbers, whole gains stay what they are: no input that such a function takes shows the difference.
    whole = of("ndcg", takes={"gains": "whole"})
    linear, further = parse("ndcg@k|gain:linear"), tuple[Probe, ...]()
    first = [each for each in FIRST if has_whole_gains(each.case)]
    for _ in range(4):
        seen = Observation("f", answers("ndcg@k|gain:linear", [*first, *further]), {}, further_probes=further)
        probes, decisive = refuting_probes(linear, (), whole, seen)
        further += probes
        if not probes:
            break
    assert (probes, decisive) == ((), True) and all(has_whole_gains(each.case) for each in further)
