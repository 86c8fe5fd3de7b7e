"""Hold what refutes a hypothesis, in rounds, and from which formulas it starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from recsys_metric_audit.audit.identification.hypotheses.proposal import Proposal, propose_from_few
from recsys_metric_audit.audit.identification.hypotheses.refuting import Refuting, fit_of, refuting_probes
from recsys_metric_audit.audit.identification.hypotheses.starting_formulas import Nearest, nearest_formulas
from recsys_metric_audit.audit.identification.steps import opening_probes
from recsys_metric_audit.audit.libraries.function import Function, Takes
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome, Unaskable
from recsys_metric_audit.audit.questions.case_features import has_all_listed
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.audit.questions.whole_gains import has_whole_gains
from recsys_metric_audit.reference.cases import DEGENERATE, PROBES, Probe
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from tests.support.answers_of_oracle import oracle_observation, oracle_outcome
from tests.support.item_answers import function_of
from tests.support.oracle_means import evaluate as slow

# Known definitions as hypotheses: which fit, what would refute them, and when the search begins instead.

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


def proposed(known: Sequence[Definition], function: Function, seen: Observation, data: Problem) -> list[Definition]:
    """Return the known definitions that are proposed, not what a local search finds near them."""
    found = propose_from_few([known], function, seen, data)
    return list(found.definitions) if found.known else []


def refuting(hypothesis: Definition, others: Sequence[Definition], function: Function, seen: Observation) -> Refuting:
    return refuting_probes(Proposal((hypothesis, *others)), function, seen)


def parsed(*signatures: str) -> list[Definition]:
    return [parse(each) for each in signatures]


def test_known_definitions_that_fit_the_first_answers_are_hypotheses() -> None:
    known = parsed("ndcg@k|gain:exp2", "ndcg@k", "ndcg@k|gain:linear")
    assert proposed(known, of("ndcg"), observed("ndcg@k|gain:exp2"), DATA) == known[:1]
    assert proposed(known, of("ndcg"), observed("ndcg@k|ideal:retrieved"), DATA) == []


def test_few_answers_make_no_hypothesis() -> None:
    known = parsed("recall@k")
    assert proposed(known, of("recall"), observed("recall@k", FIRST[:5]), DATA) == []
    assert proposed(known, of("recall"), observed("recall@k", FIRST), DATA) == known


def test_answers_on_the_data_refute_a_hypothesis_too() -> None:
    right = outcome(parse("recall@k"), INITIAL_PROBES[0])
    wrong = Measured(0.123, None, None, "float", 0.0)
    for on_data, left in ((right, 1), (wrong, 0)):
        seen = Observation("f", answers("recall@k", FIRST), {INITIAL_PROBES[0].k: on_data})
        assert len(proposed(parsed("recall@k"), of("recall"), seen, DATA)) == left


def test_a_contract_fixes_its_values_in_every_hypothesis() -> None:
    function = of("recall", takes=Takes(input="ranked"))
    (found,) = proposed(parsed("recall@k"), function, observed("recall@k|order:rows"), DATA)
    assert found == parse("recall@k|order:rows")


def test_the_rule_for_nobody_is_left_open_by_every_hypothesis() -> None:
    """It is read from the answers when all else is known."""
    known = parsed("recall@k|nobody:0", "recall@k|nobody:error", "recall@k")
    assert proposed(known, of("recall"), observed("recall@k|nobody:0"), DATA) == parsed("recall@k")


def test_an_unstable_sort_cannot_be_tested() -> None:
    assert proposed(parsed("recall@k|ties:unspecified"), of("recall"), observed("recall@k"), DATA) == []


@pytest.mark.parametrize("signature", ["recall@k", "ndcg@k|gain:exp2", "recall@k|no_list:error"])
def test_once_all_is_answered_nothing_is_left_to_refute(signature: str) -> None:
    function, seen, rounds = of(parse(signature).metric), observed(signature), 0
    while (left := refuting(parse(signature), (), function, seen)).probes:
        seen = Observation("f", {**seen.probes, **answers(signature, left.probes)}, {}, further_probes=left.probes)
        rounds += 1
    assert left == Refuting(()) and 1 <= rounds <= 3  # an error of one user hides what others would show
    fit = fit_of(Proposal((parse(signature),)), left, function, seen, DATA)
    assert (fit.definitions, fit.cases) == ((parse(signature),), len(seen.probes))


def test_rivals_that_differ_on_fractional_gains_only_are_none_where_gains_are_whole() -> None:
    # Cut to whole numbers, whole gains stay what they are: no input that such a function takes shows the difference.
    whole = of("ndcg", takes={"gains": "whole"})
    linear, further = parse("ndcg@k|gain:linear"), tuple[Probe, ...]()
    first = [each for each in FIRST if has_whole_gains(each.case)]
    for _ in range(4):
        seen = Observation("f", answers("ndcg@k|gain:linear", [*first, *further]), {}, further_probes=further)
        left = refuting(linear, (), whole, seen)
        further += left.probes
        if not left.probes:
            break
    assert left == Refuting(()) and all(has_whole_gains(each.case) for each in further)


def told(signature: str, probes: Sequence[Probe], is_odd: Callable[[Probe], Outcome | None]) -> dict[str, Outcome]:
    """Return the answers of a function that gives other outcomes on odd probes than a definition does."""
    return {probe.name: is_odd(probe) or outcome(parse(signature), probe) for probe in probes}


def asked_to_the_end(
    signature: str, function: Function, first: Sequence[Probe], is_odd: Callable[[Probe], Outcome | None]
) -> tuple[Refuting, Observation]:
    """Ask a function all that would refute a hypothesis."""
    seen = Observation("f", told(signature, first, is_odd), {})
    seen = with_answers(seen, opening_probes(function, seen), signature, is_odd)
    for _ in range(12):
        left = refuting(parse(signature), (), function, seen)
        if not left.probes:
            break
        seen = with_answers(seen, left.probes, signature, is_odd)
    return left, seen


def with_answers(
    seen: Observation, probes: Sequence[Probe], signature: str, is_odd: Callable[[Probe], Outcome | None]
) -> Observation:
    asked = {**seen.probes, **told(signature, probes, is_odd)}
    return Observation("f", asked, {}, further_probes=(*seen.further_probes, *probes))


def has_repeats(probe: Probe) -> bool:
    rows = list(zip(probe.case.predictions.user.tolist(), probe.case.predictions.item.tolist(), strict=True))
    return len(set(rows)) < len(rows)


def test_a_definition_that_says_nothing_of_repeats_stands_where_they_follow_no_rule() -> None:
    odd = Measured(0.4321, None, None, "float", 0.0)
    left, seen = asked_to_the_end(
        "precision@k|duplicates:other", of("precision"), FIRST, lambda each: odd if has_repeats(each) else None
    )
    assert left == Refuting(())
    assert any(has_repeats(each) for each in INITIAL_PROBES if each.name in seen.probes)


def test_a_function_that_refuses_unlisted_items_is_asked_with_all_items_listed() -> None:
    refused = Unaskable("an item has no score")

    def only_listed(probe: Probe) -> Outcome | None:
        return None if has_all_listed(probe) else refused

    function = of("recall")
    left, seen = asked_to_the_end("recall@k", function, FIRST, only_listed)
    assert left == Refuting((), unknown=("no_list",))
    assert sum(isinstance(each, Measured) for each in seen.probes.values()) < 40
    fit = fit_of(Proposal((parse("recall@k"),)), left, function, seen, DATA)
    assert isinstance(fit, Fitting) and fit.unidentified_axes == ("no_list",)


def test_other_formulas_stand_beside_where_only_unlisted_items_would_show_them() -> None:
    """With all relevant items listed, as many can be shown as there are: the ideal list is as long either way."""

    def only_listed(probe: Probe) -> Outcome | None:
        return None if has_all_listed(probe) else Unaskable("an item has no score")

    left, _ = asked_to_the_end("ndcg@k", of("ndcg"), FIRST, only_listed)
    assert left.beside == (parse("ndcg@k|ideal:shown"),)


def test_users_values_alone_hide_how_they_are_averaged() -> None:
    def users(probe: Probe) -> Outcome | None:
        ids = np.unique(probe.case.predictions.user)
        own = [probe.case.truth.item[probe.case.truth.user == user].tolist() for user in ids.tolist()]
        top = [probe.case.predictions.item[probe.case.predictions.user == user][: probe.k].tolist() for user in ids]
        values = [len(set(shown) & set(true)) / probe.k for shown, true in zip(top, own, strict=True)]
        return Measured(None, ids, np.array(values), "float", 0.0)

    plain = [each for each in INITIAL_PROBES if each.kind.role in ("single_user", "multi_user")][:22]
    function = of("precision", takes=Takes(input="ranked", truth="set", gains="whole"))
    seen = Observation("f", {each.name: users(each) or Unaskable("") for each in plain if is_plain(each)}, {})
    (found,) = proposed(parsed("precision@k|order:rows"), function, seen, DATA)
    fit = fit_of(Proposal((found,)), Refuting(()), function, seen, DATA)
    assert isinstance(fit, Fitting) and fit.user_values_only and "mean" in fit.unidentified_axes


def is_plain(probe: Probe) -> bool:
    """Return True if every user has a list and a relevant item, and no gain lies below the threshold."""
    case = probe.case
    both = set(case.predictions.user.tolist()) == set(case.truth.user.tolist())
    return both and bool((case.truth.gain >= case.threshold).all())


@pytest.mark.parametrize(
    ("signature", "given", "asked"),
    [
        ("recall@k|ties:item_asc", {}, True),
        ("recall@k|order:rows", {"takes": Takes(input="ranked")}, False),  # a ranked list has no ties
        ("recall@k|ties:other", {}, False),  # nothing is said of ties
    ],
)
def test_a_tie_rule_is_asked_of_a_long_run_too(signature: str, given: dict[str, object], asked: bool) -> None:
    """Some sorts keep the order of rows in short lists only."""
    function, seen = of("recall", **given), observed(signature)
    probes, *_ = refuting(parse(signature), (), function, seen)
    assert any(len(probe.case.predictions.user) > 70 and "ties" in probe.name for probe in probes) == asked


def test_a_known_definition_that_says_less_is_no_rival() -> None:
    """No answer could refute it where it says nothing."""
    seen = observed("recall@k|ties:item_asc", INITIAL_PROBES)
    one, other = (
        refuting(parse("recall@k|ties:item_asc"), beside, of("recall"), seen)
        for beside in ((), tuple(parsed("recall@k|ties:other")))
    )
    assert one == other


@pytest.mark.slow
def test_an_edge_that_only_ruled_out_input_shows_is_not_called_unknown() -> None:
    """With one irrelevant item more than there are, no user is without any, but where rows out of order are cut."""
    definition = parse("auc|negatives:catalogue_plus_one|users:both|relevance:at_least_t")
    by_scores, ranked = of("auc", cutoff=False), of("auc", cutoff=False, takes={"input": "ranked"})
    everything = (*PROBES, *DEGENERATE)
    left = refuting(definition, [], by_scores, observed(definition.signature(), everything))
    assert any("unsorted" in probe.name for probe in left.probes)
    in_rows = definition.with_(order="rows")
    assert refuting(in_rows, [], ranked, observed(in_rows.signature(), everything)) == Refuting(())


# Tests one round of questions about a hypothesis, and what is told of it where nothing more is asked.


def round_of(signature: str, probes: tuple[Probe, ...] = INITIAL_PROBES[:12], *, last: bool = False) -> Refuting:
    """Return what is left to be asked of a hypothesis that is right on some probes."""
    seen = Observation("f", {probe.name: oracle_outcome(signature, probe) for probe in probes}, {})
    function = Function(name="f", metric=parse(signature).metric)
    return refuting_probes(Proposal((parse(signature),)), function, seen, last=last)


def means(signature: str, probes: tuple[Probe, ...]) -> list[float]:
    outcomes = [oracle_outcome(signature, probe) for probe in probes]
    return [round(each.mean, 9) for each in outcomes if isinstance(each, Measured) and each.mean is not None]


def test_rules_of_ties_are_told_from_each_other_at_once() -> None:
    """Where the hypothesis has no rule of ties, one rule at most is left after one round, whatever is answered."""
    probes = round_of("ndcg@k|ties:other").probes
    rules = ("given", "reversed", "item_asc", "item_desc", "best", "worst", "average")
    every = [means(f"ndcg@k|ties:{rule}", probes) for rule in rules]
    assert all(len(each) == len(probes) for each in every)
    assert len({tuple(each) for each in every}) == len(rules)
    assert len(probes) < 20


@pytest.mark.slow
def test_what_is_not_asked_any_more_is_not_known() -> None:
    left = round_of("recall@k", last=True)
    assert left.probes == () and {"ties", "duplicates"} <= set(left.unknown)
    assert round_of("recall@k", (*INITIAL_PROBES, *DEGENERATE), last=True) == Refuting(())


# The formulas from which a search starts, by the slow oracle's answers.

EXACT = Tolerance(1e-9, "float64")


def nearest(signature: str, metric: str | None = None) -> Nearest:
    definition = parse(signature)
    function = function_of(signature)
    return nearest_formulas(metric or definition.metric, function, oracle_observation(signature), EXACT)


def test_a_formula_is_near_under_another_cut_off() -> None:
    found = nearest("recall@k|denominator:min|cutoff:k_plus_1")
    assert parse("recall@k|denominator:min") in found.definitions
    assert 0.3 < found.share < 1


def test_nothing_is_near_without_an_answer() -> None:
    silent = replace(oracle_observation("recall@k"), probes={})
    assert nearest_formulas("recall", function_of("recall@k"), silent, EXACT) == Nearest()


@pytest.mark.parametrize("answered", [True, False])
def test_gains_are_cut_only_if_fractions_were_answered(answered: bool) -> None:
    every = oracle_observation("ndcg@k|gain:linear_whole")
    fractional = {probe.name for probe in PROBES if (probe.case.truth.gain % 1 != 0).any()}
    whole = {name: outcome for name, outcome in every.probes.items() if name not in fractional}
    answers = every if answered else replace(every, probes=whole)
    found = nearest_formulas("ndcg", function_of("ndcg@k"), answers, EXACT)
    assert found.definitions[0].axes["gain"] == ("linear_whole" if answered else "linear")
    assert answered or not {"linear_whole", "exp2_whole"} & {each.axes["gain"] for each in found.definitions}


@pytest.mark.parametrize(
    "signature",
    [
        "f_score@k|cutoff:k_plus_1|truth:first",
        "recall@k|denominator:min|cutoff:k_plus_1|positions:negatives_only",
        "precision@k|relevance:at_least_t|candidates:test_only",
    ],
)
def test_a_formula_under_two_changes_is_the_nearest_if_changes_are_tried(signature: str) -> None:
    definition = parse(signature)
    unchanged, found = (
        nearest_formulas(
            definition.metric, function_of(signature), oracle_observation(signature), EXACT, changed=changed
        )
        for changed in (False, True)
    )
    assert definition in found.definitions and found.share > 0.9
    assert definition not in unchanged.definitions
