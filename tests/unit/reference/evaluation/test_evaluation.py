"""Hold evaluation of definitions: sums that are recorded, unknown axes, readable numbers, the slow oracle."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from recsys_metric_audit.reference.cases import PROBES, User
from recsys_metric_audit.reference.cases.probe import case_from_rows, case_from_users
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate, takes_one_ranking
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.evaluation.readable_number import readable, told_apart
from recsys_metric_audit.reference.evaluation.recent import MOST_KEPT, Recent
from recsys_metric_audit.reference.evaluation.recorded_sums import recording
from recsys_metric_audit.reference.evaluation.unidentified_axes import unidentified_axes
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reference.metrics import METRICS
from tests.support.generated_inputs import SCALE, many, one, random_case, sampled_like, shared_values
from tests.support.oracle import forget
from tests.support.oracle_means import Result
from tests.support.oracle_means import evaluate as slow

# Generated cases and definitions on which the reference and the slow oracle part ways: there should be none.

A_BATCH = 40
A_FEW = 2
_ZERO = 1e-12
"""A value of a user nearer to 0 than this is 0 up to rounding."""


@dataclass
class Compared:
    """Counts the cases that each family was compared on, those with something unusual, and what differed."""

    cases: Counter[str] = field(default_factory=Counter)
    unusual: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def compared(cases: int, names: tuple[str, ...] = tuple(METRICS), seed: int = 0) -> Compared:
    """At least so many cases for each family, in batches that are seen by one definition of every family; what
    differs is told in full.

    The cases of a batch are evaluated side by side, and the first of them alone as well.
    """
    rng, out = random.Random(seed), Compared(Counter(dict.fromkeys(names, 0)))
    while min(out.cases.values()) < cases and len(out.differences) <= 2:
        batch = [random_case(rng) for _ in range(A_BATCH)]
        k, shared = rng.choice((1, 2, 3, 5, 8)), shared_values(rng)
        problems = {size: Problem.of(batch[:size], k) for size in (1, A_FEW, A_BATCH)}
        out.unusual.update(kind for case in batch for kind in unusual(case, k))
        forget()
        for name in names:
            definition = sampled_like(METRICS[name], shared, k, rng)
            # All rows as one ranking have thousands of orders where ties are averaged.
            many = takes_one_ranking(definition) and definition.axes.get("ties") == "average"
            size = A_FEW if many else A_BATCH
            out.cases[name] += size
            out.differences += _differences(definition, problems[size], problems[1], k)
    return out


def _differences(definition: Definition, whole: Problem, first: Problem, k: int) -> list[str]:
    cut = None if definition.k is None else k
    together = split(definition, evaluate(definition, whole), whole)
    alone = evaluate(definition, first)
    out = []
    for case, *fasts in zip(whole.cases, together, [alone, *together[1:]], strict=True):
        right = slow(definition.metric, definition.axes, case, cut)
        out += [told(definition, case, k, difference) for fast in fasts if (difference := differs(fast, right))]
    return out


def unusual(case: Case, k: int) -> set[str]:
    """Return what is out of the ordinary in a case."""
    rec = list(zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True))
    true = list(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True))
    scores = list(zip(case.predictions.user.tolist(), case.predictions.score.tolist(), strict=True))
    listed, known = Counter(user for user, _ in rec), {user for user, _ in true}
    found = {
        "ties": len(set(scores)) < len(scores),
        "lists shorter than k": any(number < k for number in listed.values()),
        "users without a list or without relevant items": bool(known ^ set(listed)),
        "items recommended twice": len(set(rec)) < len(rec),
        "items twice in the truth": len(set(true)) < len(true),
        "unequal gains": len(set(case.truth.gain.tolist())) > 1,
    }
    return {kind for kind, holds in found.items() if holds}


def split(definition: Definition, whole: Evaluated, problem: Problem) -> list[Evaluated]:
    """Return what was evaluated side by side, case by case."""
    stacked = takes_one_ranking(definition)
    case_of = problem.placement_for(definition.axes, stacked=stacked).case
    own = [(case_of == number, slice(number, number + 1)) for number in range(len(problem.cases))]
    return [
        Evaluated(
            *(column[users] for column in (whole.value, whole.counted)),
            whole.mean[here],
            whole.refused[here],
            whole.nobody[here],
            *(column[users] for column in (whole.regular, whole.conventional, whole.mixed)),
        )
        for users, here in own
    ]


def same(fast: float, right: float) -> bool:
    cancelled = [math.isnan(number) or abs(number) > 1e12 for number in (fast, right)]
    if all(cancelled):  # NaN, or a harmonic mean of values whose inverses cancel
        return True
    if any(cancelled):
        return False
    return math.isclose(fast, right, rel_tol=1e-9, abs_tol=1e-9)


def differs(fast: Evaluated, right: Result) -> str:
    """Say how the mean, the refusal or a user's value of one case differs; empty where nothing does."""
    if bool(fast.refused[0]) != right.refused:
        return f"refused {fast.refused[0]} for {right.refused}"
    if right.refused:
        return ""
    if fast.counted.tolist() != [counted for _, counted in right.users]:
        return f"counted {fast.counted.tolist()} for {right.users}"
    pairs = [(own, right_) for own, (right_, counted) in zip(fast.value.tolist(), right.users, strict=True) if counted]
    for own, value in pairs:
        if not same(own, value):
            return f"{own} for {value} of {right.users}"
    if any(own != value and abs(value) < _ZERO for own, value in pairs):
        return ""  # the logarithm or the inverse of what is 0 up to rounding is anything
    return "" if same(float(fast.mean[0]), right.mean) else f"mean {fast.mean[0]} for {right.mean} of {right.users}"


def told(definition: Definition, case: Case, k: int | None, difference: str) -> str:
    train, items = [*zip(case.train.user.tolist(), case.train.item.tolist(), strict=True)], len(case.catalogue)
    rows = f"{case.predictions}\n{case.truth}\ntrain={train} t={case.threshold} items={items}"
    return f"{difference}: {definition.signature()} at k={k} on\n{rows}"


# Evaluation of definitions on small cases, by fractions.

TWO = many(("10", 1), ("01", 2))
"""User 1 has its one item first; user 2 has one of two items second."""


def test_another_cut_off_shares_placements() -> None:
    problem = Problem.of([TWO], 2)
    assert problem.at(1).placement is problem.placement
    assert evaluate(parse("recall@1"), problem.at(1)).mean.tolist() == [0.5]


def test_lists_are_cached() -> None:
    problem = Problem.of([TWO], 2)
    assert problem.lists({}) is problem.lists({"ties": "given"})
    assert problem.lists({}) is not problem.lists({"duplicates": "first_in_place"})


def test_a_rule_of_ties_makes_lists_of_its_own_only_where_scores_tie() -> None:
    without = Problem.of([TWO], 2)
    assert without.lists({"ties": "best"}) is without.lists({})
    tied = Problem.of([one("01", scores="11")], 2)
    assert tied.lists({"ties": "best"}) is not tied.lists({})


def test_one_ranking_of_all_rows_has_one_value_a_case() -> None:
    definition = parse("auc|scope:stacked")
    assert takes_one_ranking(definition) and not takes_one_ranking(parse("auc"))
    assert len(evaluate(definition, Problem.of([TWO], None)).value) == 1


def test_a_0_by_convention_is_told_from_a_computed_one() -> None:
    made = evaluate(parse("reciprocal_rank@1"), Problem.of([TWO], 1))
    assert made.value.tolist() == [1.0, 0.0] and made.conventional.tolist() == [False, True]
    assert not evaluate(parse("recall@1"), Problem.of([TWO], 1)).conventional.any()


@pytest.mark.parametrize(
    "signature", ["precision@k|cutoff:k_plus_1", "ndcg@k|ties:average", "auc@k|list:topk", "rbp@k"]
)
def test_lists_shared_by_cut_offs_give_what_each_gives_alone(signature: str) -> None:
    rng = np.random.default_rng(2)
    user, item = np.repeat(np.arange(6), 5), np.tile(np.arange(5), 6)
    case = Case("shared", Predictions(user, item, rng.integers(0, 4, 30).astype(float)),
                Truth(user[::4], rng.integers(0, 6, 8), rng.integers(0, 3, 8).astype(float)))  # fmt: skip
    whole = Problem.of([case], None)
    for k in (3, 1, 4, 3):
        point = parse(signature).with_(k=k)
        shared, alone = evaluate(point, whole.at(k)), evaluate(point, Problem.of([case], k))
        assert shared.mean.tolist() == alone.mean.tolist() and shared.value.tolist() == alone.value.tolist()


# The vectorised reference against the slow oracle, over the whole product of axes; AUDIT_EXAMPLES multiplies the cases.


@pytest.mark.parametrize(
    "cases", [pytest.param(2_000, marks=pytest.mark.slow), pytest.param(10_000, marks=pytest.mark.long)]
)
def test_agrees_with_the_oracle_on_thousands_of_cases_a_family(
    cases: int, record_property: Callable[[str, object], None]
) -> None:
    found = compared(cases * SCALE)
    assert not found.differences
    assert set(found.cases) == set(METRICS) and min(found.cases.values()) >= cases
    assert min(found.unusual.values()) >= cases // 10, found.unusual
    unusual = ", ".join(f"{number:,} with {kind}" for kind, number in found.unusual.items())
    record_property("figure", f"oracle: {min(found.cases.values()):,} cases for each of {len(METRICS)} families")
    record_property("figure", f"oracle: of the cases {unusual}")


# Numbers as people read them.


@pytest.mark.parametrize(
    ("number", "text"), [(2 / 3, "2/3"), (4.0, "4"), (-0.5, "−1/2"), (0.63093, "0.6309"), (float("nan"), "nan")]
)
def test_numbers_are_readable(number: float, text: str) -> None:
    assert readable(number) == text


@pytest.mark.parametrize(
    ("one", "other", "texts"),
    [
        (0.5, 0.25, ("0.5", "0.25")),
        (0.702106, 0.702105999, ("0.702106", "0.702105999")),
        (1 / 3, 1 / 3 + 1e-16, ("0.3333333333333333", "0.3333333333333334")),
        (float("nan"), 0.5, ("nan", "0.5")),
        (1 / 3, 1 / 3, ("0.333333", "0.333333")),
        ([0.5, 1 / 3], [0.5, 1 / 3 + 1e-8], ("0.5, 0.33333333", "0.5, 0.33333334")),
    ],
)
def test_numbers_that_differ_never_read_alike(one: float, other: float, texts: tuple[str, str]) -> None:
    assert told_apart(one, other) == texts


# A bounded dict keeps what was made last; what was made first goes.


def test_the_oldest_entry_goes() -> None:
    kept = Recent[int, int]()
    for number in range(MOST_KEPT + 3):
        kept[number] = number
    assert len(kept) == MOST_KEPT and list(kept)[:2] == [3, 4]
    kept[5] = 0  # is there already
    assert len(kept) == MOST_KEPT and kept[5] == 0


def test_a_problem_keeps_no_more_lists_than_that() -> None:
    asked, definition = Problem.of([one("101", 3)], 2), parse("recall@k|relevance:positive")
    thresholds = [f"{number / 1000:g}" for number in range(MOST_KEPT + 50)]
    means = {float(evaluate(definition.with_(relevance=each), asked).mean[0]) for each in thresholds}
    assert means == {1 / 3}  # all gains are 1, and the first two rows hold one of three relevant items
    assert len(asked._lists) <= MOST_KEPT


# Recording of the sums that a formula takes over places.


def test_sums_are_those_of_plain_places_and_are_recorded_in_order() -> None:
    lists, sums = recording(Problem.of([one("101", 3)], 2).lists({}))
    assert lists.listed.sum(2.0).tolist() == [4.0]
    assert lists.hits.sum(lists.hits.gain).tolist() == [1.0]
    assert lists.ideal.sum(1.0).tolist() == [3.0]
    assert [each.terms.tolist() for each in sums] == [[2.0, 2.0], [1.0], [1.0, 1.0, 1.0]]
    assert [each.places.ideal for each in sums] == [False, False, True]


# What data cannot show, on data made to lack one thing at a time.

ORDINARY = (User((2, 0, 4, 0, 0), (2, 2)), User((0, 2, 0, 0), ()))
SHOWS = {
    "ties": User((0, 2, 0, 0), (), scores=(0.9, 0.5, 0.5, 0.1)),
    "order": User((0, 0, 2, 0), (), scores=(0.2, 0.5, 0.9, 0.1)),
    "duplicates": User((2, 2, 0, 0), (), items=(11, 11, 10, 12)),
    "relevance": User((1, 0, 0, 0), ()),
    "counted_scores": User((2, 0, 0, 0), (), scores=(-0.1, -0.2, -0.3, -0.4)),
    "undefined": User((0, 0, 0, 0), ()),
    "no_list": User((), (2,)),
    "users": User((), (2,)),
    "no_negatives": User((2, 2, 2, 2), ()),
    "denominator:shown": User((2, 0), ()),
    "denominator:min": User((2, 0, 0, 0, 0, 0), (2, 2, 2)),
}


def seen(*users: User, k: int = 3) -> set[str]:
    return set(unidentified_axes([Problem.of([case_from_users("data", users)], k)]))


def test_ordinary_data_are_blind_to_everything_unusual() -> None:
    # gains of 2 and 4 show the gain; user 1 has four relevant items at k = 3, and user 2 one.
    assert seen(*ORDINARY) == {*SHOWS, "truth_duplicates"} - {"denominator:min"}


@pytest.mark.parametrize("axis", sorted(SHOWS))
def test_one_user_is_enough_to_show_an_axis(axis: str) -> None:
    assert axis not in seen(*ORDINARY, SHOWS[axis])


@pytest.mark.parametrize("axis", sorted(SHOWS))
def test_data_in_parts_show_what_they_show_as_a_whole(axis: str) -> None:
    parts = (Problem.of([case_from_users("data", [user])], 3) for user in (*ORDINARY, SHOWS[axis]))
    assert set(unidentified_axes(parts)) == seen(*ORDINARY, SHOWS[axis])


def test_gains_that_differ_between_parts_show_the_gain() -> None:
    parts = [Problem.of([case_from_users("data", [User((gain, 0), ())])], 1) for gain in (1, 2)]
    assert "gain" not in unidentified_axes(parts) and "gain" in unidentified_axes(parts[:1])


def test_a_truth_row_twice_shows_truth_duplicates() -> None:
    case = case_from_rows("twice", [(1, 10, 0.9), (1, 11, 0.5)], [(1, 10, 2), (1, 10, 2)])
    assert "truth_duplicates" not in unidentified_axes([Problem.of([case], 1)])


def test_equal_gains_one_relevant_item_each_and_a_deep_cut_hide_the_rest() -> None:
    found = seen(User((2, 0, 0), ()), User((0, 2, 0), ()), k=3)
    assert {"gain", "truth", "denominator:min"} <= found


def test_each_reason_names_a_probe() -> None:
    for text in unidentified_axes([Problem.of([case_from_users("data", ORDINARY)], 3)]).values():
        assert text.split("a probe that shows it: ")[1] in {probe.name for probe in PROBES}
