"""Hold proposals: local search, answers on the pool, rivals."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from recsys_metric_audit.audit.identification.hypotheses import proposal
from recsys_metric_audit.audit.identification.hypotheses.local_search import Found, idle_axes, search_near
from recsys_metric_audit.audit.identification.hypotheses.numbers_in_formulas import formulas_with_numbers
from recsys_metric_audit.audit.identification.hypotheses.pool_answers import PoolAnswers
from recsys_metric_audit.audit.identification.hypotheses.proposal import propose, propose_from_few
from recsys_metric_audit.audit.identification.hypotheses.readings import Reading
from recsys_metric_audit.audit.identification.hypotheses.rivals import (
    NOT_ON_PLAIN_INPUT,
    can_be_cut,
    canonical_where_unknown,
    inseparable,
    one_axis_away,
    rivals,
)
from recsys_metric_audit.audit.identification.hypotheses.starting_formulas import Nearest
from recsys_metric_audit.audit.libraries.function import Function, Takes
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.audit.questions.case_features import has_all_listed
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.cases import PROBES as PROBES_OF_POOL_ANSWERS
from recsys_metric_audit.reference.cases import Probe, Role
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from tests.support.answers_of_oracle import oracle_observation
from tests.support.oracle_means import evaluate as slow

# Tests what is proposed from known definitions, and from what is near the canonical one.

DATA = Problem.of([INITIAL_PROBES[0].case], None)


def test_no_definition_is_proposed_that_its_metric_refuses() -> None:
    computed = parse("rmse|users:both|no_hit:skip")
    refused = parse("rmse").with_(users="hits")  # one ranking of all rows has no lists of users that hold hits
    assert refused.family.refusal(refused.axes) is not None
    function, observation = Function(name="f", metric="rmse", cutoff=False), oracle_observation(computed.signature())
    proposed = propose_from_few([[refused, computed]], function, observation, DATA)
    assert proposed.known and proposed.definitions
    assert refused not in proposed.definitions


@pytest.mark.parametrize("signature", ["recall@k", "recall@k|denominator:min"])
def test_no_formula_is_looked_for_where_one_near_the_canonical_one_explains_all(
    signature: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, observation = Function(name="f", metric="recall"), oracle_observation(signature)
    wanted = propose((), function, observation, DATA, every_metric=True)

    def fails(*_: object, **__: object) -> Nearest:
        raise AssertionError("formulas were looked for")

    monkeypatch.setattr(proposal, "nearest_formulas", fails)
    found = propose((), function, observation, DATA, every_metric=True)
    assert found.definitions == wanted.definitions and found.definitions[0] == parse(signature)
    with pytest.raises(AssertionError, match="formulas were looked for"):
        propose(
            (),
            function,
            oracle_observation("recall@k|denominator:min|users:all|ties:item_asc"),
            DATA,
            every_metric=True,
        )


# A number that has no name is solved for. The answers are those of the oracle.


@pytest.mark.parametrize(
    "signature",
    [
        "rbp@k|persistence:0.7", "rbp@k|persistence:0.935|gain:linear", "f_score@k|beta:3",
        "ndcg@k|discount:3|ideal:none", "ndcg@k|ideal_discount:3", "err@k|top:4", "err@k|satisfaction:linear|top:3.5",
        "reciprocal_rank@k|offset:1", "reciprocal_rank@k|ranks:sum|offset:60", "pfound@k|decay:0.6",
        "nerr@k|patience:0.75", "interpolated_precision|at:0.3", "precision@k|cutoff:7", "recall@k|cutoff:3",
    ],
)  # fmt: skip
def test_a_number_without_a_name_is_solved_for(signature: str) -> None:
    definition = parse(signature)
    function = Function(name="f", metric=definition.metric, cutoff=definition.k is not None)
    found = formulas_with_numbers(definition.metric, function, oracle_observation(signature), Tolerance(1e-9, "exact"))
    assert shortest(found[0]) == shortest(definition)


@pytest.mark.parametrize(
    "signature",
    [
        "rbp@k|persistence:0.7|users:all|undefined:0",
        "err@k|top:4|ties:worst|no_list:skip",
        "err@k|top:4|positions:negatives_only",
    ],
)
def test_what_has_such_a_number_is_proposed_with_other_users_and_rows(signature: str) -> None:
    definition = parse(signature)
    function, observation = Function(name="f", metric=definition.metric), oracle_observation(signature)
    found = propose((), function, observation, DATA, every_metric=False)
    assert found.definitions and shortest(found.definitions[0]) == shortest(definition)


@pytest.mark.parametrize(("metric", "computed"), [("rbp", "recall@k"), ("err", "ndcg@k"), ("f_score", "hit_rate@k")])
def test_no_number_is_found_in_another_formula(metric: str, computed: str) -> None:
    function, observation = Function(name="f", metric=metric), oracle_observation(computed)
    assert formulas_with_numbers(metric, function, observation, Tolerance(1e-9, "exact")) == []


# Definitions that fit are found by local search: the best ones are changed axis by axis.

PROBES = tuple(each for each in INITIAL_PROBES if each.kind.role != "exhaustive")


def outcome(definition: Definition, probe: Probe) -> Outcome:
    made = slow(definition.metric, definition.axes, probe.case, probe.k if definition.k else None)
    return Errored("ValueError", "", "") if made.refused else Measured(made.mean, None, None, "float", 0.0)


def near(known: str, computed: str, probes: Sequence[Probe] = PROBES, **given: object) -> tuple[Definition, ...]:
    """Return what is found near a known definition for a function that computes another."""
    definition = parse(computed)
    function = Function.model_validate({"name": "f", "metric": definition.metric, **given})
    answered = {probe.name: outcome(definition, probe) for probe in probes}
    answers = PoolAnswers.of(function, Observation("f", answered, {}))
    return search_near([parse(known)], function, answers).definitions


@pytest.mark.slow
def test_what_fits_as_well_and_is_plainer_comes_first() -> None:
    """Where all relevant items are listed, an ideal of the listed and a truth of the listed are those of all."""
    listed = [each for each in PROBES if has_all_listed(each)]
    found = near("ndcg@k|gain:linear|ideal:listed|truth:listed", "ndcg@k|gain:linear", listed)
    assert found[0] == parse("ndcg@k|gain:linear")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("near", "idle", "acting"),
    [
        ("recall@k|denominator:min", {"no_list", "ties", "duplicates", "pooling", "mean"}, {"denominator", "users"}),
        ("recall@k|mean:quadratic", {"no_list", "ties", "duplicates"}, {"pooling", "mean", "users"}),
        ("recall@k|no_list:1", set(), {"no_list", "ties", "pooling"}),
        ("recall@k|duplicates:counted", set(), {"duplicates", "undefined", "mean"}),
    ],
)
def test_what_does_not_act_where_a_plain_answer_is_wrong_is_left_alone(
    near: str, idle: set[str], acting: set[str]
) -> None:
    answered = {probe.name: outcome(parse("recall@k"), probe) for probe in PROBES}
    answers = PoolAnswers.of(Function(name="f", metric="recall"), Observation("f", answered, {}))
    found = idle_axes(parse(near), answers)
    assert idle <= found and not acting & found and bool(found) is bool(idle)


@pytest.mark.slow
def test_an_axis_that_the_contract_fixes_stays() -> None:
    found = near("recall@k|order:rows", "recall@k|order:rows|users:both", takes=Takes(input="ranked"))
    assert found and all(each.axes["order"] == "rows" for each in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("known", "formula", "axis", "rules"),
    [
        ("ndcg@k", "ndcg@k|gain:exp2", "ties", ("item_asc", "item_desc")),
        ("auc", "auc", "tied_scores", ("win", "lose")),
    ],
)
def test_of_ties_that_follow_no_rule_nothing_is_said(
    known: str, formula: str, axis: str, rules: tuple[str, str]
) -> None:
    """Half of the tied lists are answered by one rule, half by the other."""
    made = [parse(f"{formula}|{axis}:{rule}") for rule in rules]
    answered = {probe.name: outcome(made[n % 2], probe) for n, probe in enumerate(PROBES)}
    function = Function(name="f", metric=made[0].metric)
    answers = PoolAnswers.of(function, Observation("f", answered, {}))
    found = search_near([parse(known)], function, answers).definitions
    assert found[0] == parse(f"{formula}|{axis}:other")
    assert all(each.axes[axis] == "other" for each in found)


@pytest.mark.slow
def test_where_nothing_fits_the_least_contradicted_definition_is_told() -> None:
    answered = {probe.name: outcome(parse("recall@k|denominator:min"), probe) for probe in PROBES}
    odd = next(probe for probe in PROBES if probe.kind.role == "single_user")
    answered[odd.name] = Measured(0.4321, None, None, "float", 0.0)
    function = Function(name="f", metric="recall")
    answers = PoolAnswers.of(function, Observation("f", answered, {}))
    assert search_near([parse("recall@k")], function, answers) == Found((), parse("recall@k|denominator:min"))


# Tests what is left out of the answers where no definition explains what some probes show.


def test_what_shows_items_seen_in_training_is_left_out_with_its_probes() -> None:
    probes, features = generated_cases.pool().probes, generated_cases.pool().features
    seen, other = (
        next(probe for probe, own in zip(probes, features, strict=True) if own == {feature})
        for feature in ("seen in training", "ties")
    )
    half = Measured(0.5, None, None, "float", 0.0)
    answers = {probe.name: half for probe in (*INITIAL_PROBES, seen, other)}
    observation = Observation("f", answers, {}, further_probes=(seen, other))
    function = Function(name="f", metric="recall")
    read = [
        {probe.name for probe in further.probes if probe.name in {seen.name, other.name}}
        for left_out in (frozenset[Role](), frozenset[Role]({"seen"}))
        if (further := Reading(left_out).of(function, observation).further) is not None
    ]
    assert read == [{seen.name, other.name}, {other.name}]


def _has_user_without(probe: Probe, least: float) -> bool:
    """Return True if a user of a probe has no truth row with a gain above a bound."""
    case = probe.case
    return not {*case.predictions.user.tolist(), *case.truth.user.tolist()} <= {
        *case.truth.user[case.truth.gain > least].tolist()
    }


@pytest.mark.parametrize("is_explained", [True, False])
def test_refusals_of_ordinary_users_say_something_only_if_a_rule_of_relevance_explains_all(is_explained: bool) -> None:
    """Where gains must be above the threshold, some ordinary users have nothing relevant; several users are usual."""

    def outcome(probe: Probe) -> Outcome:
        several = len({*probe.case.predictions.user.tolist(), *probe.case.truth.user.tolist()}) > 1
        refused = _has_user_without(probe, probe.case.threshold) if is_explained else True
        return Errored("ValueError", "", "") if several and refused else Measured(0.5, None, None, "float", 0.0)

    observation = Observation(
        "f", {probe.name: outcome(probe) for probe in (*PROBES_OF_POOL_ANSWERS, *INITIAL_PROBES)}, {}
    )
    answers = PoolAnswers.of(Function(name="f", metric="recall"), observation)
    assert answers.refused.any() == is_explained


def _all_hit_without_ties(probe: Probe, rows_shown: int) -> bool:
    """Return True if each user has a relevant item among the first rows, and no two rows of one score."""
    rows, truth = probe.case.predictions, probe.case.truth
    gains = zip(truth.user.tolist(), truth.item.tolist(), truth.gain.tolist(), strict=True)
    relevant = {(user, item) for user, item, gain in gains if gain >= probe.case.threshold}
    for user in {*rows.user.tolist(), *truth.user.tolist()}:
        own = rows.user == user
        by_score = sorted(zip(rows.score[own].tolist(), rows.item[own].tolist(), strict=True), reverse=True)
        if len({score for score, _ in by_score}) < len(by_score):
            return False
        if not {(user, item) for _, item in by_score[:rows_shown]} & relevant:
            return False
    return True


@pytest.mark.parametrize(("cutoff", "fewer"), [("k", 0), ("k_minus_1", 1)])
def test_of_a_plain_probe_every_user_has_a_hit_by_the_definition_and_nothing_ties(cutoff: str, fewer: int) -> None:
    answers = PoolAnswers.of(Function(name="f", metric="reciprocal_rank"), Observation("f", {}, {}))
    definition = parse(f"reciprocal_rank@k|relevance:at_least_t|cutoff:{cutoff}")
    own = answers.plain(definition)
    plain = [probe for probe, each in zip(answers.initial.probes, own, strict=True) if each]
    assert len(plain) > 10
    assert all(_all_hit_without_ties(probe, probe.k - fewer) for probe in plain)
    assert not any(probe.kind.role in ("duplicates", "truth_duplicates") for probe in plain)


# The rivals of a hypothesis: what else might be computed, one axis away.


def of(metric: str, **given: object) -> Function:
    return Function.model_validate({"name": "f", "metric": metric, **given})


@pytest.mark.parametrize(
    ("asked", "rival", "given"),
    [
        ("recall@k", "recall@k|users:all|undefined:nan", {}),  # both axes together: neither alone gives NaN
        ("recall@k", "recall@k|relevance:4", {}),  # a constant threshold is no name of the axis
        ("precision@k", "precision@k|denominator:shown", {}),
        ("new_share@k|users:train", "new_share@k|users:truth", {}),
        ("gini@k", "gini@k|nobody:error", {}),  # what nobody counts as shows with all else
        # Of the gains that can be asked, all above 0 may be relevant: then the ideal list of all rows is canonical.
        ("ndcg@k|gain:linear|ideal:rows", "ndcg@k|gain:linear|relevance:every_row", {}),
        ("reciprocal_rank|cutoff:none", "reciprocal_rank|ranks:sum|cutoff:none", {"cutoff": False}),
    ],
)
def test_rivals_differ_on_one_axis_or_in_who_is_averaged_and_how(
    asked: str, rival: str, given: dict[str, object]
) -> None:
    found = rivals(parse(asked), of(parse(asked).metric, **given))
    assert parse(rival) in found and parse(asked) not in found
    assert "cutoff" not in given or all(each.k is None for each in found)
    assert parse(asked).family.reads != "relevance" or not any(each.axes["nobody"] != "nan" for each in found)


def test_an_axis_that_no_answer_shows_makes_no_rival() -> None:
    assert not any("mean" in each.differs_on for each in rivals(parse("recall@k"), of("recall"), ("mean",)))


@pytest.mark.parametrize(
    ("hypothesis", "left", "ruled_out", "unknown", "beside"),
    [
        # To average users with a list and a relevant item is to leave out those without a list.
        ("recall@k", ["users:both", "no_list:1", "users:both|no_list:1"], (), ("no_list",), []),
        # Whether users without a list count as 1 or not at all is one edge, though `users` differs as well.
        ("average_precision@k|users:predictions|undefined:1",
         ["users:all|undefined:1|no_list:1", "users:all|undefined:1"], (), ("no_list",), []),
        ("auc|scope:stacked|users:predictions", ["scope:stacked|users:all", "scope:stacked|users:all|no_list:1"], (),
         ("no_list",), []),
        ("ndcg@k", ["ideal:listed", "no_list:nan"], (), ("no_list",), ["ideal:listed"]),
        ("ndcg@k", ["pooling:pooled", "no_list:nan"], (), ("pooling", "no_list"), []),
        # Without a rated item in the list there is an error: of the state, or of a list without unrated items.
        ("r_squared|undefined:error|no_hit:error|no_list:error",
         ["undefined:error|no_list:error|candidates:test_only"], (), ("no_hit",), []),
        # How rivals differ where the contract decides is not told.
        ("precision@k", ["truth_duplicates:once|users:both", "no_list:nan"], ("truth_duplicates",), ("no_list",), []),
        ("novelty@k", ["denominator:k", "users:all", "ties:item_asc", "order:rows"], {"order"}, ("users", "ties"),
         ["denominator:k"]),
    ],
)  # fmt: skip
def test_what_is_not_told_apart_is_an_unknown_axis_or_another_formula(
    hypothesis: str, left: list[str], ruled_out: Collection[str], unknown: tuple[str, ...], beside: list[str]
) -> None:
    base = hypothesis.partition("|")[0]
    others, formulas = ([parse(f"{base}|{each}") for each in some] for some in (left, beside))
    assert inseparable(parse(hypothesis), others, ruled_out, lambda one, other: False) == (unknown, tuple(formulas))


def test_an_axis_that_another_formula_does_not_read_is_unknown_beside_it() -> None:
    """Beside the ideal list of what is relevant, a rule of relevance stands that no allowed gain shows.

    A threshold of the function's own is asked for later.
    """
    left = parse("ndcg@k|gain:linear"), parse("ndcg@k|gain:linear|relevance:positive")
    hypothesis = parse("ndcg@k|gain:linear|ideal:rows")
    assert inseparable(hypothesis, left, (), lambda one, other: True) == (("relevance",), left[:1])
    own = [parse(f"ndcg@k|{each}") for each in ("users:both|relevance:1", "ideal:listed|relevance:0.5")]
    unknown, beside = inseparable(parse("ndcg@k|relevance:0.5"), own, (), lambda one, other: True)
    assert "relevance" not in unknown and beside == (own[1],)


def test_on_plain_input_no_axis_is_changed_that_does_not_act_there() -> None:
    every = one_axis_away(parse("ndcg@k"), frozenset())
    plain = one_axis_away(parse("ndcg@k"), NOT_ON_PLAIN_INPUT)
    assert {*plain} < {*every}
    assert {parse("ndcg@k|gain:exp2"), parse("ndcg@k|users:one_relevant"), parse("ndcg@k|order:rows")} <= {*plain}
    unusual = {"undefined", "no_list", "no_hit", "ties", "duplicates", "truth_duplicates"}
    assert not any(unusual & {*each.differs_on} for each in plain)
    assert all(unusual & {*each.differs_on} for each in {*every} - {*plain})


def test_one_of_all_rivals_that_mean_one_thing_is_tried() -> None:
    found = rivals(parse("recall@k"), of("recall"))
    spellings = {"recall@k|users:both", "recall@k|no_list:skip", "recall@k|users:predictions"}
    assert len(spellings & {each.signature() for each in found}) == 1
    assert not any(each.signature() == "recall@k|undefined:1" for each in found)  # nobody whom it counts for


def test_what_the_contract_decides_makes_no_rival() -> None:
    function = of("recall", takes=Takes(input="ranked", truth="set"))
    assert not any(
        {"ties", "order", "truth_duplicates"} & set(each.differs_on) for each in rivals(parse("recall@k"), function)
    )


@pytest.mark.slow
def test_an_edge_is_tried_with_who_is_averaged_also_where_the_adapter_decides_that() -> None:
    """A user without relevant items who makes the mean NaN: seen only if such users are averaged."""
    function = of("precision", called_with=[{"what": "rows of each user", "decides": ["users"]}])
    hypothesis, rival = (parse(f"precision@k|{axes}no_list:nan") for axes in ("", "users:all|undefined:nan|"))
    assert shortest(rival) in {shortest(each) for each in rivals(hypothesis, function)}


@pytest.mark.parametrize(
    ("known", "unknown", "told"),
    [
        ("auc|scope:stacked|users:predictions", ("no_list",), "auc|scope:stacked|users:all"),
        ("auc|scope:stacked|users:all", ("no_list",), "auc|scope:stacked|users:all"),
        ("recall@k|users:predictions|undefined:1", ("no_list",), "recall@k|users:all|undefined:1"),
        ("recall@k|users:all|undefined:1", ("undefined",), "recall@k"),
        ("recall@k|users:both", ("no_list",), "recall@k"),
        ("recall@k|no_list:nan", ("no_list",), "recall@k"),
        ("recall@k|no_list:nan", (), "recall@k|no_list:nan"),
    ],
)
def test_an_edge_that_nothing_shows_is_told_as_canonical(known: str, unknown: tuple[str, ...], told: str) -> None:
    assert canonical_where_unknown(parse(known), unknown) == parse(told)


@pytest.mark.parametrize(
    ("signature", "with_k", "without_k"),
    [
        ("auc", True, True),
        ("auc|list:topk", True, False),  # without a k it is that of the whole list
        ("auc@k|list:topk", True, False),
        ("ndcg|cutoff:none", True, True),
        ("ndcg|cutoff:10", True, False),
    ],
)
def test_a_function_without_a_cutoff_computes_what_needs_none(signature: str, with_k: bool, without_k: bool) -> None:
    functions = (Function(name="f", metric="auc", cutoff=cutoff) for cutoff in (True, False))
    definition = Definition.of("auc", {"list": "topk"}) if signature == "auc|list:topk" else parse(signature)
    assert [can_be_cut(definition, each) for each in functions] == [with_k, without_k]
