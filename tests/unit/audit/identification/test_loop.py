"""Hold the loop of questions and answers, and what the data say again at its end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from recsys_metric_audit.audit.identification.data_recheck import recheck_on_data, unspecified_ties
from recsys_metric_audit.audit.identification.diagnosis import Diagnosis, explain_ambiguity
from recsys_metric_audit.audit.identification.loop import IdentifyProgress, diagnose
from recsys_metric_audit.audit.identification.process_pool import ThisProcess
from recsys_metric_audit.audit.libraries.function import Function, Takes
from recsys_metric_audit.audit.observations.fit import Ambiguity, Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance, observations_by_function
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Errored, Measured, NotOffered, Outcome
from recsys_metric_audit.audit.questions.distinguishing import differing_inputs
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.cases import Kind, User
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.edges import AXES as EDGES
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from tests.support.generated_inputs import sampled
from tests.support.oracle_means import evaluate as slow

# Rounds of questions, asked of functions that the slow oracle answers for: what is asked, what for, what is left.

Refuses = Callable[[Case, int | None], bool]


def nothing(case: Case, k: int | None) -> bool:
    return False


def pairs(case: Case) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Recommended and relevant (user, item)."""
    rec, rel = (set(zip(t.user.tolist(), t.item.tolist(), strict=True)) for t in (case.predictions, case.truth))
    return rec, rel


def misses_some(case: Case, k: int | None) -> bool:
    """Whether a relevant item has no score: what models that score every item cannot be put."""
    rec, rel = pairs(case)
    return not rel <= rec


def misses_some_with_room(case: Case, k: int | None) -> bool:
    """Return True if, besides, some list has room for it within k irrelevant items."""
    rec, rel = pairs(case)
    users = {user for user, _ in rel}
    return not rel <= rec and any(sum(u == user for u, _ in rec - rel) <= (k or 99) for user in users)


class Library:
    """One function that computes ``signature``, and what it was asked."""

    def __init__(self, signature: str, refuses: Refuses = nothing) -> None:
        self.definition, self.refuses = parse(signature), refuses

    def answer(self, case: Case, k: int | None) -> Outcome:
        if self.refuses(case, k):
            return NotOffered("a relevant item without a score")
        made = slow(self.definition.metric, self.definition.axes, case, k if self.definition.k else None)
        return Errored("ValueError", "", "") if made.refused else Measured(made.mean, None, None, "float", 0.0)

    def put(self, cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
        said = (Answer(ask.id, name, k, self.answer(cases[ask.case], k)) for ask in asks
                for name in ask.functions for k in ask.ks)  # fmt: skip
        return Conversation(None, tuple(said), 0.0)

    def diagnosis(self, progress: IdentifyProgress = lambda identified, total: None) -> Diagnosis:
        function = Function(name="f", metric=self.definition.metric, cutoff=self.definition.k is not None)
        cases = {f"p{number}": probe.case for number, probe in enumerate(INITIAL_PROBES)}
        ks = [probe.k if function.cutoff else None for probe in INITIAL_PROBES]
        asks = [Ask(number, f"p{number}", ("f",), (k,)) for number, k in enumerate(ks)]
        said = self.put(cases, asks)
        observed = observations_by_function(
            said.answers, {n: probe.name for n, probe in enumerate(INITIAL_PROBES)}, frozenset(), {}
        )
        data = Problem.of([INITIAL_PROBES[0].case], None)
        return diagnose([function], observed, ThisProcess(data), self.put, progress)["f"]


def found(library: Library) -> list[str]:
    fit = library.diagnosis().fit
    assert fit is not None
    return [each.signature() for each in fit.definitions]


def simple(signature: str) -> str:
    return shortest(parse(signature)).signature()


@pytest.mark.slow
@pytest.mark.parametrize("name", [*METRICS][::2])
def test_what_is_computed_is_found_and_nothing_else(name: str) -> None:
    """Of a drawn definition; the rule for nobody is asked about elsewhere, and of some axes a value says nothing."""
    drawn = (sampled(METRICS[name], seed, 0.12).with_(nobody="nan") for seed in range(100))
    definition = next(each for each in drawn if each.differs_on and not WITHOUT_RULE & {*each.axes.values()})
    definition = definition.with_(k=definition.k and "k")
    assert found(Library(definition.signature())) == [shortest(definition).signature()]


@pytest.mark.slow
@pytest.mark.parametrize(
    "signature",
    [
        "recall|cutoff:none|no_list:half|duplicates:error|relevance:equal_1",  # the first inputs to ask repeat items
        # No case where everybody is in one state is without an irrelevant item that somebody was trained on.
        "auc|scope:stacked|negatives:with_train|no_negatives:error",
        # No user is in two unusual states at once: without a list, and with an ideal of 0 or nobody relevant.
        "ndcg@k|gain:exp2_threshold|positions:negatives_only|truth:first|no_list:formula",
        # At k = 1 nobody is left if users without a hit are left out: 0 and NaN tell the others apart all the same.
        "ndcg@k|discount:log2_clipped|ideal:ones|cutoff:k_minus_1|no_list:formula",
        # Most users are without relevant items under this rule, and their policy hides it.
        "rbp@k|users:all|undefined:1|ties:reversed|relevance:equal_1",
        # The ratio of sums explains all but what such users count as; the weights explain that, too.
        "recall@k|pooling:weighted|weight:rated|positions:negatives_only|users:all|undefined:formula|order:rows",
        "explained_variance|clipped:yes",  # it is 0 on all initial probes, as many others are
        # It takes no k, and cuts at a constant of its own.
        "recall@k|cutoff:10",
        "ndcg@k|cutoff:5",
    ],
)
def test_what_only_later_rounds_show_is_found(signature: str) -> None:
    assert found(Library(signature)) == [simple(signature)]


class Rated(Library):
    """Looks at rated pairs only, and raises where there is none, whatever else is not there: no edge does that."""

    def answer(self, case: Case, k: int | None) -> Outcome:
        rec, rel = pairs(case)
        return super().answer(case, k) if rec & rel else Errored("ValueError", "Found array with 0 sample(s)", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("signature", "unknown"),
    [
        ("auc|scope:stacked|unlisted:dropped|users:all|no_hit:skip|no_list:error|relevance:at_least_t"
         "|candidates:test_only", "undefined"),
        ("rmse|undefined:error|no_hit:error|no_list:error", None),
    ],
)  # fmt: skip
def test_an_edge_that_now_raises_and_now_does_not_is_not_known(signature: str, unknown: str | None) -> None:
    fit = Rated(signature).diagnosis().fit
    assert fit is not None and list(map(str, fit.definitions)) == [simple(signature)]
    edges = {axis.name for axis in EDGES}
    assert edges & set(fit.unidentified_axes) == ({unknown} if unknown else set())


def short(case: Case, k: int | None) -> bool:
    """Whether somebody's list is shorter than the cut-off, though not empty."""
    length = Counter(case.predictions.user.tolist())
    return k is not None and min(length.values(), default=k) < k


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "others", "said"),
    [
        (Library("auc|pooling:weighted|weight:relevant", misses_some), ["auc|pooling:weighted|weight:relevant"],
         ": not asked, as the function answers little where relevant items are not listed"),
        (Library("precision@k", short), ["precision@k", "precision@k|denominator:shown"],
         ", k = 4: asked; a relevant item without a score"),
    ],
)  # fmt: skip
def test_what_would_tell_several_apart_is_named_and_why_it_does_not(
    library: Library, others: Sequence[str], said: str
) -> None:
    fit = library.diagnosis().fit
    assert fit is not None and fit.ambiguity is not None
    assert len(fit.definitions) > 1 and {simple(each) for each in others} <= set(map(str, fit.definitions))
    assert fit.ambiguity.text.startswith("an input with ") and fit.ambiguity.text.endswith(said)


@pytest.mark.slow
def test_where_the_contract_rules_such_inputs_out_its_own_words_are_the_reason() -> None:
    diagnosis = Library("auc|pooling:weighted|weight:relevant", misses_some).diagnosis()
    labelled = diagnosis.function.model_copy(update={"takes": Takes(input="labels")})
    why = explain_ambiguity(replace(diagnosis, function=labelled))
    assert why == Ambiguity("only labelled candidates are passed", inseparable=True)


@pytest.mark.slow
def test_what_is_found_of_answers_of_0_and_1_is_equal_on_all_inputs() -> None:
    """All hits over all hits is 1: many formulas fit what few inputs show."""
    library = Library("recall@k|denominator:hits|mean:harmonic|cutoff:hits_uncut|no_list:1")
    fit = library.diagnosis().fit
    assert isinstance(fit, Fitting) and len(fit.definitions) == 1
    assert differing_inputs((*fit.definitions, library.definition)) == (), "values of 1 have the mean 1, or 0"


class Raising(Library):
    """It raises where its ratio of sums is 0/0."""

    def answer(self, case: Case, k: int | None) -> Outcome:
        said = super().answer(case, k)
        assert isinstance(said, Measured | Errored)
        nothing = isinstance(said, Measured) and said.mean is not None and math.isnan(said.mean)
        return Errored("ZeroDivisionError", "", "") if nothing else said


@pytest.mark.slow
@pytest.mark.parametrize("signature", ["fcp|of:means", "fcp"])
def test_an_error_where_a_ratio_of_sums_is_0_over_0_is_no_edge(signature: str) -> None:
    assert found(Raising(signature)) == found(Library(signature)) == [signature]


@pytest.mark.slow
@pytest.mark.parametrize("signature", ["r_squared|users:one_relevant", "explained_variance|users:one_relevant"])
def test_what_says_nothing_of_a_single_user_is_told_by_several(signature: str) -> None:
    diagnosis = Library(signature).diagnosis()
    assert diagnosis.fit is not None
    assert [str(each) for each in diagnosis.fit.definitions] == [signature]
    assert any(probe.kind == Kind("single_user", "one_relevant") for probe in diagnosis.observation.further_probes)


@pytest.mark.slow
@pytest.mark.parametrize("signature", ["ndcg@k|gain:linear|no_hit:skip", "ndcg@k|gain:exp2|no_hit:1"])
def test_states_that_no_multi_user_probe_shows_are_asked_about(signature: str) -> None:
    # In multi-user probes, no user with relevant items has an ideal of 0: that a library leaves such users out, or
    # counts them as 1, shows on cases with gains of 0 only.
    assert found(Library(signature)) == [simple(signature)]
    assert found(Library(signature.split("|no_hit")[0])) == [simple(signature.split("|no_hit")[0])]


@pytest.mark.slow
@pytest.mark.parametrize("signature", ["recall@k|pooling:weighted|weight:relevant", "ndcg@k|users:all|undefined:0"])
def test_what_takes_no_relevant_item_without_a_score_is_asked_users_whose_relevant_items_are_all_listed(
    signature: str,
) -> None:
    library = Library(signature, misses_some)
    diagnosis = library.diagnosis()
    assert diagnosis.fit is not None
    listed = [probe for probe in diagnosis.observation.further_probes if probe.kind == Kind("multi_user", "all_listed")]
    assert any(isinstance(diagnosis.observation.probes[probe.name], Measured) for probe in listed)
    assert "pooling" not in diagnosis.fit.unidentified_axes
    assert simple(signature) in [each.signature() for each in diagnosis.fit.definitions]
    assert all(
        probe.kind != Kind("multi_user", "all_listed")
        for probe in Library(signature).diagnosis().observation.further_probes
    )


@pytest.mark.slow
def test_what_has_no_number_on_the_data_is_not_identified() -> None:
    function, library = Function(name="f", metric="recall", cutoff=True), Library("recall@k")
    probes = {probe.name: library.answer(probe.case, probe.k) for probe in INITIAL_PROBES}
    data = Problem.of([INITIAL_PROBES[0].case], None)
    for outcome, identified in (
        (Errored("ValueError", "", ""), False),
        (library.answer(INITIAL_PROBES[0].case, 3), True),
    ):
        observed = {"f": Observation("f", probes, {3: outcome})}
        assert (diagnose([function], observed, ThisProcess(data), library.put)["f"].fit is not None) is identified


@pytest.mark.slow
def test_order_and_repeats_are_told_where_all_relevant_items_are_listed() -> None:
    # Nearly all other probes of those are refused.
    signature = "recall@k|cutoff:k_plus_1|positions:negatives_only|ties:best|duplicates:last"
    assert found(Library(signature, misses_some_with_room)) == [signature]


@pytest.mark.slow
def test_what_is_too_much_to_be_followed_at_once_is_followed_when_it_is_less() -> None:
    # So few cases are answered that thousands of definitions fit those of single users.
    library = Library("recall@k|cutoff:k_plus_1", misses_some_with_room)
    diagnosis = library.diagnosis()
    assert isinstance(diagnosis.fit, Fitting)
    assert library.definition in diagnosis.fit.definitions


# Recall at 2: user 1 has 1 of 2, user 2 has 1 of 1, user 3 ties its hit at ranks 2 and 3.
TIED = User((0, 0, 2), (), scores=(0.9, 0.5, 0.5), items=(11, 12, 10))
DATA = Problem.of([case_from_users("three", [User((2, 0, 0), (2,)), User((0, 2, 0), ()), TIED])], 2)


def fit(signature: str) -> Fitting:
    return Fitting((parse(signature),), 0.0, Tolerance(1e-9, "float64"), 1)


def mean(value: float) -> Measured:
    return Measured(value, None, None, "float", 0.0)


def values(*pairs: tuple[int, float]) -> Measured:
    return Measured(None, np.array([user for user, _ in pairs]), np.array([v for _, v in pairs]), "float", 0.0)


def test_a_mean_that_is_equal_stays() -> None:
    recheck = recheck_on_data(fit("recall@2"), mean(0.5), DATA)
    assert [each.signature() for each in recheck.definitions] == ["recall@2"]
    assert recheck.value == pytest.approx(0.5)


def test_a_mean_that_is_not_equal_goes_and_its_distance_is_told() -> None:
    recheck = recheck_on_data(fit("recall@2"), mean(0.6), DATA)
    assert recheck.definitions == ()
    assert recheck.deviation == pytest.approx(0.1)


def test_values_of_users_are_compared_where_there_is_no_mean() -> None:
    assert recheck_on_data(fit("recall@2"), values((1, 0.5), (2, 1.0), (3, 0.0)), DATA).definitions
    assert not recheck_on_data(fit("recall@2"), values((1, 0.5), (2, 0.9), (3, 0.0)), DATA).definitions


def test_a_user_who_is_left_out_is_seen() -> None:
    assert not recheck_on_data(fit("recall@2"), values((1, 0.5), (2, 1.0)), DATA).definitions


def test_more_orders_of_ties_than_can_be_averaged_are_said_not_to_be_compared() -> None:
    # Eight tied items, of which seven are relevant: 8! = 40,320 orders.
    user = User((2,) * 7 + (0,), (), scores=(0.5,) * 8)
    data = Problem.of([case_from_users("ties", [user])], 4)
    both = Fitting((parse("recall@4"), parse("recall@4|ties:average")), 0.0, Tolerance(1e-9, "float64"), 1)
    recheck = recheck_on_data(both, mean(0.5), data)
    assert [str(each) for each in recheck.definitions] == ["recall@4|ties:average"]  # as given it is 4/7
    assert recheck.compared.startswith("nothing: the tied items of one user have 40,320 orders")
    assert recheck.value is None


def test_of_ties_that_no_value_describes_nothing_is_claimed() -> None:
    recheck = recheck_on_data(fit("recall@2|ties:other"), values((1, 0.5), (2, 1.0), (3, 1.0)), DATA)
    assert recheck.definitions
    assert "but for 1 user(s) with ties" in recheck.compared
    assert recheck_on_data(fit("recall@2|ties:other"), mean(2.5 / 3), DATA).definitions
    # 0.4 above: more than that user can move.
    assert not recheck_on_data(fit("recall@2|ties:other"), mean(0.9), DATA).definitions


def test_ties_are_in_no_describable_order_where_all_untied_users_fit() -> None:
    # User 3's hit is tied at ranks 2 and 3: as given it is at 3, and 1 says that it came second.
    answer = values((1, 0.5), (2, 1.0), (3, 1.0))
    assert not recheck_on_data(fit("recall@2"), answer, DATA).definitions
    assert [str(each) for each in unspecified_ties(fit("recall@2"), answer, DATA)] == ["recall@2|ties:unspecified"]


def test_an_untied_user_who_does_not_fit_is_no_matter_of_ties() -> None:
    assert not unspecified_ties(fit("recall@2"), values((1, 0.25), (2, 1.0), (3, 1.0)), DATA)


@pytest.mark.parametrize("signature", ["recall@2|ties:average", "recall@2|ties:other"])
def test_what_orders_no_tie_cannot_order_it_otherwise(signature: str) -> None:
    assert not unspecified_ties(fit(signature), values((1, 0.5), (2, 1.0), (3, 1.0)), DATA)


def test_a_mean_alone_does_not_show_that_ties_are_in_no_order() -> None:
    assert not unspecified_ties(fit("recall@2"), mean(0.9), DATA)
