"""Identification, on observations that the slow oracle made: it shares no code with what is searched."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Measured, Outcome
from recsys_metric_audit.reference.cases import DEGENERATE, PROBES, Kind, Probe
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.metrics import METRICS
from tests.support.answers_of_oracle import Numbers, measured
from tests.support.answers_of_oracle import answers_of_oracle as answers
from tests.support.answers_of_oracle import oracle_observation as observed
from tests.support.identified import identified
from tests.support.oracle_means import evaluate as slow
from tests.support.slow_parameters import slow_but_first

EXACT = (
    "precision@k|users:all|undefined:0", "recall@k|denominator:min", "hit_rate@k|counts:hits", "f_score@k|of:means",
    "reciprocal_rank@k", "average_precision@k|denominator:r", "ndcg@k|gain:exp2", "auc|scope:stacked",
)  # fmt: skip
"""Nothing else in the space fits all that these give on the probes."""
EXACT_TOO = (
    "precision@k", "precision@k|denominator:shown",
    "precision@k|duplicates:error", "recall@k", "recall@k|users:both",
    "recall@k|ties:item_desc", "hit_rate@k",
    "hit_rate@k|counts:recall", "f_score@k", "f_score@k|beta:2",
    "reciprocal_rank@k|ranks:sum", "average_precision@k", "average_precision@k|denominator:k",
    "ndcg@k", "ndcg@k|gain:linear", "ndcg@k|ideal:all",
    "ndcg@k|ideal:none", "ndcg@k|gain:exp2|users:all|undefined:0", "ndcg@k|users:all|undefined:1|no_list:error",
    "auc", "recall@k|pooling:pooled", "average_precision@k|denominator:hits",
    "auc@k|list:topk", "hit_rate@k|order:rows|counted_scores:positive",
    "auc@k|list:topk|ties:average",
    "average_precision@k|denominator:r|truth:listed", "ndcg@k|gain:linear|ideal:rows",
)  # fmt: skip
"""Nor all that these give; ``make test`` asks for them too."""
SHARED = ("bpref", "recall@k|truth:listed")
"""Others fit as well."""
MULTI_USER = {probe.name for probe in PROBES if probe.kind == Kind("multi_user")}


def found(observation: Observation, metric: str) -> list[str]:
    return [definition.signature() for definition in identified(observation, metric).definitions]


def simple(signature: str) -> str:
    return shortest(parse(signature)).signature()


@pytest.mark.parametrize("signature", slow_but_first([*EXACT, *EXACT_TOO], 3))
def test_it_and_nothing_else_is_found(signature: str) -> None:
    fit = identified(observed(signature), parse(signature).metric)
    assert [each.signature() for each in fit.definitions] == [simple(signature)]
    assert isinstance(fit, Fitting) and fit.deviation <= 1e-12
    assert (fit.cases, fit.unidentified_axes) == (len(PROBES), ())


@pytest.mark.slow
def test_an_edge_of_one_ranking_that_no_policy_explains_is_said_to_be_unknown() -> None:
    """RMSE over all pairs at once, which answers 7 where nobody has a pair: no policy says so."""
    known = observed("rmse")
    sole = {probe.name: measured(7.0) for probe in DEGENERATE if probe.name == "nobody has a hit"}
    fit = identified(Observation("f", {**known.probes, **sole}, {}), "rmse")
    assert fit.definitions[0].signature() == "rmse"
    assert {each.axes["no_hit"] for each in fit.definitions} == {"0"}  # as it is where nothing is known
    assert fit.unidentified_axes == ("no_hit",)


@pytest.mark.slow
@pytest.mark.parametrize("signature", SHARED)
def test_of_several_that_fit_the_least_moved_comes_first(signature: str) -> None:
    signatures = found(observed(signature), parse(signature).metric)
    assert signatures[0] == simple(signature)
    moved = [len(parse(each).differs_on) for each in signatures]
    assert moved == sorted(moved)


@pytest.mark.slow
@pytest.mark.parametrize("signature", SHARED)
def test_all_that_are_said_to_fit_do_fit(signature: str) -> None:
    for each in found(observed(signature), parse(signature).metric):
        for probe, outcome in answers(each).items():
            right = answers(signature)[probe]
            assert isinstance(outcome, Measured) and isinstance(right, Measured)
            if probe not in MULTI_USER:
                continue  # a lone user at an edge tells nothing of the formula
            assert np.isclose(outcome.mean, right.mean, rtol=0, atol=1e-9, equal_nan=True), f"{each} on {probe}"


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


@pytest.mark.parametrize("signature", slow_but_first(["precision@k", "ndcg@k|gain:exp2"]))
def test_the_name_of_the_function_does_not_matter(signature: str) -> None:
    metric = parse(signature).metric
    fits = [identified(observed(signature, name=name), metric) for name in ("f", "a_library.ndcg", "b.mean_[k=3]")]
    assert fits[0].definitions and fits[0] == fits[1] == fits[2]


@pytest.mark.parametrize(("bears", "computes"), [("ndcg", "precision"), ("recall", "reciprocal_rank")])
@pytest.mark.slow
def test_another_metric_under_this_name_is_found(bears: str, computes: str) -> None:
    fit = identified(observed(f"{computes}@k"), bears)
    assert [each.signature() for each in fit.definitions] == [f"{computes}@k"]


def all_listed(probe: Probe) -> bool:
    rec, rel = probe.case.predictions, probe.case.truth
    listed = set(zip(rec.user.tolist(), rec.item.tolist(), strict=True))
    return listed >= set(zip(rel.user.tolist(), rel.item.tolist(), strict=True))


@pytest.mark.slow
def test_another_metric_is_found_where_few_plain_probes_are_answered() -> None:
    """As a function of labels and scores: it is given no item that is not listed, so few plain probes are answered."""
    known = answers("average_precision|cutoff:none")
    few = {probe.name: known[probe.name] for probe in PROBES if all_listed(probe)}
    plain = [name for name in few if name in {probe.name for probe in PROBES if probe.kind == Kind("single_user")}]
    assert 3 <= len(plain) < 9  # of 18
    fit = identified(Observation("f", few, {}), "reciprocal_rank", has_k=False)
    assert "average_precision|cutoff:none" in [each.signature() for each in fit.definitions]


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
