"""Properties that hold over whole families, whatever the numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.placement.batch import CaseBatch, SingleCase
from recsys_metric_audit.reference.placement.place import place
from recsys_metric_audit.reference.placement.placement import Placement
from recsys_metric_audit.reference.placement.row_selection import RowSelection
from tests.support.generated_inputs import ITEMS, cases, definitions, examples, make, one, sampled, value

pytestmark = pytest.mark.slow  # hundreds of generated cases each

SETS = ("precision", "recall", "hit_rate", "f_score", "fallout", "miss_rate", "inverse_precision", "inverse_recall",
        "accuracy", "informedness", "markedness", "matthews_correlation")  # fmt: skip
ONE_WHEN_PERFECT = (
    "hit_rate@{k}", "precision@{k}", "precision@{k}|denominator:shown", "precision@{k}|denominator:min", "recall@{k}",
    "recall@{k}|denominator:min", "recall@{k}|denominator:hits", "f_score@{k}", "f_score@{k}|beta:2",
    "f_score@{k}|of:means", "reciprocal_rank@{k}", "reciprocal_rank@{k}|ranks:normalised",
    "reciprocal_rank@{k}|ranks:top_only", "average_precision@{k}", "average_precision@{k}|denominator:r",
    "average_precision@{k}|denominator:hits", "average_precision@{k}|denominator:min_shown",
    "average_precision@{k}|over:stacked", "ndcg@{k}", "ndcg@{k}|gain:linear", "ndcg@{k}|gain:exp2",
    "ndcg@{k}|discount:log2_clipped", "ndcg@{k}|discount:log2_off_by_one|gain:exp2", "ndcg@{k}|ideal:all",
    "ndcg@{k}|ideal:retrieved", "ndcg@{k}|ideal:listed", "ndcg@{k}|ideal:shown", "auc", "auc|scope:stacked",
    "auc@{k}|list:limited", "auc@{k}|list:limited_hits", "auc@{k}|list:top_negatives", "auc@{k}|list:top_both",
    "interpolated_precision", "interpolated_precision|at:0.5",
    "r_precision", "rbp@{k}|normalised:yes", "kendall_tau", "informedness@{k}", "markedness@{k}",
    "matthews_correlation@{k}", "inverse_precision@{k}", "inverse_recall@{k}",
    "accuracy@{k}",
)  # fmt: skip
CANONICAL = [Definition.of(name, k=3) for name in METRICS]
BOUNDED = [d for d in CANONICAL if d.metric not in ("mae", "mse", "rmse", "nmae", "r_squared", "explained_variance",
                                                    "log_loss", "spearman_rho")]  # fmt: skip


def run(definition: Definition, case: Case) -> Evaluated:
    return evaluate(definition, Problem.of([case], definition.k if isinstance(definition.k, int) else 3))


def same(first: Evaluated, second: Evaluated) -> bool:
    """Equal where both can be looked at: refused cases have no value."""
    if first.refused[0] or second.refused[0]:
        return bool(first.refused[0]) == bool(second.refused[0])
    return bool(np.allclose(first.mean, second.mean, rtol=1e-9, atol=1e-9, equal_nan=True)) and bool(
        (first.counted == second.counted).all()
    )


def told(definition: Definition, case: Case) -> str:
    return f"{definition} on\n{case.predictions}\n{case.truth}"


def without_ties(case: Case) -> Case:
    """Return the rows with scores 1, 2, ... of their own, best first as given."""
    rec = case.predictions
    return replace(case, predictions=replace(rec, score=np.arange(len(rec.user), 0, -1) - 0.5))


@pytest.mark.parametrize("signature", ONE_WHEN_PERFECT)
@pytest.mark.parametrize("r", [1, 2, 4])
def test_a_perfect_ranking_is_1(signature: str, r: int) -> None:
    gains = {rank: float(5 - rank) for rank in range(1, r + 1)}
    assert value(signature.format(k=r), one("1" * r + "0" * 3, gains=gains)) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("signature", [s for s in ONE_WHEN_PERFECT if not s.startswith(("inverse", "accuracy"))])
def test_a_hopeless_ranking_is_not(signature: str) -> None:
    """Without a hit everything is 0 or below; of the stacked ones too."""
    case = one("0000", 2)
    found = value(signature.format(k=2), case)
    assert found <= 0 or ("auc" in signature and "limited" in signature and found < 1)


@examples(80)
@given(case=cases(repeats=False, users=3), definition=definitions(), data=st.data())
def test_irrelevant_items_below_the_last_hit_are_exchangeable(
    case: Case, definition: Definition, data: st.DataObject
) -> None:
    case = without_ties(case)
    rec, relevant = case.predictions, set(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True))
    user = data.draw(st.sampled_from(sorted({*rec.user.tolist(), 0})))
    own = np.flatnonzero(rec.user == user)
    last_hit = max((place for place in own.tolist() if (user, int(rec.item[place])) in relevant), default=-1)
    tail = [place for place in own.tolist() if place > last_hit]
    item = rec.item.copy()
    item[tail] = rec.item[data.draw(st.permutations(tail))] if tail else item[tail]
    other = replace(case, predictions=replace(rec, item=item))
    assert same(run(definition, case), run(definition, other)), told(definition, case)


@examples(80)
@given(case=cases(repeats=False), name=st.sampled_from(SETS), seed=st.integers(0, 2**32), data=st.data())
def test_set_metrics_ignore_the_order_inside_the_top_k(case: Case, name: str, seed: int, data: st.DataObject) -> None:
    values = {**sampled(METRICS[name], seed).axes, "cutoff": "k", "counted_scores": "any"}
    if name == "f_score":
        values["operands"] = "precision_recall"
    k = 1 + seed % 4
    definition, case = Definition.of(name, values, k), without_ties(case)
    rec = case.predictions
    item = rec.item.copy()
    for user in np.unique(rec.user):
        top = np.flatnonzero(rec.user == user)[:k].tolist()
        item[top] = rec.item[data.draw(st.permutations(top))]
    other = replace(case, predictions=replace(rec, item=item))
    assert same(run(definition, case), run(definition, other)), told(definition, case)


INPUTS = st.builds(
    RowSelection, keep=st.sampled_from(["", "first", "last"]), by_rows=st.booleans(),
    candidates=st.sampled_from(["all", "test_only", "without_train"]),
    pairs=st.sampled_from(["rated", "rated_0_1", "all_0_1"]),
    users=st.sampled_from(["", "truth", "all", "both", "predictions", "one_relevant"]),
    relevance=st.sampled_from(["positive", "at_least_t", "above_t", "equal_1", "every_row"]),
)  # fmt: skip


def joined_placements(placements: Sequence[Placement]) -> Placement:
    """Join placements as cases 0, 1, ...; each keeps its own users."""
    columns: dict[str, list[np.ndarray]] = {entry.name: [] for entry in fields(Placement)}
    users = 0
    for number, placement in enumerate(placements):
        for name, parts in columns.items():
            column = getattr(placement, name)
            if name == "case":
                column = np.full(len(placement), number, dtype=np.int64)
            parts.append(column + users if name == "user" else column)
        users += len(placement)
    return Placement(**{name: np.concatenate(parts) for name, parts in columns.items()})


@examples(150)
@given(several=st.lists(cases(), min_size=2, max_size=4), inputs=INPUTS, stacked=st.booleans())
def test_cases_placed_together_are_those_placed_alone(several: list[Case], inputs: RowSelection, stacked: bool) -> None:
    inputs = inputs if stacked else replace(inputs, users="")
    apart = [SingleCase(case) for case in several]
    joined = joined_placements([each.placement(inputs, stacked=stacked) for each in apart])
    at_once = CaseBatch.of(several)
    made = at_once.placement(inputs, stacked=stacked)
    for name, column in vars(joined).items():
        if isinstance(column, np.ndarray):
            np.testing.assert_array_equal(getattr(made, name), column, err_msg=name, strict=True)
    assert at_once.drops_users(inputs) == any(each.drops_users(inputs) for each in apart)


@examples(40)
@given(case=cases())
def test_placements_of_disjoint_users_join_to_the_placement_of_all(case: Case) -> None:
    """Split by user, placed apart and joined: the same columns, but for the case each comes from."""
    users = np.union1d(case.predictions.user, case.truth.user)
    assume(len(case.catalogue) > 0)
    parts = []
    for user in users:
        mine, true = case.predictions.user == user, case.truth.user == user
        rec, truth = case.predictions, case.truth
        parts.append(place(replace(
            case, predictions=Predictions(rec.user[mine], rec.item[mine], rec.score[mine]),
            truth=Truth(truth.user[true], truth.item[true], truth.gain[true]),
        )))  # fmt: skip
    assume(parts)
    joined, whole = joined_placements(parts), place(case)
    for name in vars(whole):
        if name != "case" and isinstance(column := getattr(whole, name), np.ndarray):
            np.testing.assert_array_equal(getattr(joined, name), column, err_msg=name)


@examples(80)
@given(case=cases(), definition=definitions(), fresh=st.permutations(range(200, 200 + len(ITEMS))))
def test_item_ids_are_only_names(case: Case, definition: Definition, fresh: list[int]) -> None:
    """Another id for each item changes nothing, unless ties are ordered by id."""
    assume(not definition.axes.get("ties", "given").startswith(("item", "text")))
    case = replace(case, catalogue=np.empty(0, dtype=np.int64))
    name = dict(zip(ITEMS, fresh, strict=True))

    def renamed(column: np.ndarray) -> np.ndarray:
        return np.array([name[item] for item in column.tolist()], dtype=np.int64)

    other = replace(
        case, predictions=replace(case.predictions, item=renamed(case.predictions.item)),
        truth=replace(case.truth, item=renamed(case.truth.item)),
    )  # fmt: skip
    assert same(run(definition, case), run(definition, other)), told(definition, case)


@examples(80)
@given(case=cases(repeats=False), definition=definitions(), data=st.data())
def test_the_order_of_the_rows_does_not_matter_without_ties(
    case: Case, definition: Definition, data: st.DataObject
) -> None:
    assume(definition.axes.get("order", "score") == "score" and definition.axes.get("truth", "all") == "all")
    case = without_ties(case)
    rec, truth = case.predictions, case.truth
    shuffled = np.array(data.draw(st.permutations(range(len(rec.user)))), dtype=int)
    turned = np.array(data.draw(st.permutations(range(len(truth.user)))), dtype=int)
    other = replace(
        case, predictions=Predictions(rec.user[shuffled], rec.item[shuffled], rec.score[shuffled]),
        truth=Truth(truth.user[turned], truth.item[turned], truth.gain[turned]),
    )  # fmt: skip
    assert same(run(definition, case), run(definition, other)), told(definition, case)


@examples(60)
@given(case=cases(), definition=definitions(tuple(METRICS)))
def test_no_cut_off_in_the_signature_means_that_none_acts(case: Case, definition: Definition) -> None:
    assume(definition.k is None)
    values = [evaluate(definition, Problem.of([case], k)) for k in (1, 2, None)]
    assert same(values[0], values[1]) and same(values[1], values[2]), told(definition, case)


@pytest.mark.parametrize("definition", BOUNDED, ids=str)
@examples(15)
@given(case=cases(repeats=False))
def test_canonical_definitions_are_bounded(definition: Definition, case: Case) -> None:
    signed = ("kendall_tau", "informedness", "markedness", "matthews_correlation", "mean_average_markedness")
    evaluated = run(definition, case)
    kept = evaluated.value[evaluated.counted]
    kept = kept[~np.isnan(kept)]
    least = -1 if definition.metric in signed else 0
    assert ((kept <= 1 + 1e-12) & (kept >= least - 1e-12)).all(), told(definition, case)


@pytest.mark.parametrize("signature", ["reciprocal_rank@2", "precision@2", "average_precision@2", "ndcg@2", "recall@2"])
@examples(25)
@given(case=cases(repeats=False))
def test_the_expectation_over_ties_lies_between_the_best_and_the_worst(signature: str, case: Case) -> None:
    worst, expected, best = (value(f"{signature}|ties:{rule}", case) for rule in ("worst", "average", "best"))
    if not math.isnan(expected):
        assert worst <= expected + 1e-12 and expected <= best + 1e-12


@examples(25)
@given(case=cases(repeats=False))
def test_half_a_tied_pair_is_the_expectation_of_the_ranked_one(case: Case) -> None:
    ranked = run(parse("auc|tied_scores:ranked|ties:average"), case)
    assert same(ranked, run(parse("auc"), case))


def test_an_empty_case_has_no_mean() -> None:
    for name in METRICS:
        assert np.isnan(run(Definition.of(name, k=3), make([], [])).mean).all()
