"""Golden numbers that articles print, and where their print, code and formula part ways.

SCALA: a blog post with five user test cases and Scala worksheets (six metrics at k = 1, 3, 5; NaN for a user without
labels, left out of the mean; 0 for one without recommendations). PYTHON: a blog post with Python functions and two
systems A and B. SCHROEDER: Schröder, Thiele & Lehner 2011.
"""

from __future__ import annotations

import math
from fractions import Fraction as F  # noqa: N817  (rows read as fractions)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case
from tests.support.generated_inputs import examples, make, one, value

LABELS = {1: [1, 2, 3, 4, 5, 6], 2: [2, 4, 6], 3: [2, 4, 6]}
PREDICTIONS = {1: [1, 6, 8], 2: [1, 2, 3, 4, 5], 4: [1, 2, 3, 4]}
"""User 3 has no recommendations, user 4 no labels; user 5 has neither and so stands nowhere."""

FIVE_USERS = make(
    [(user, item, -float(place)) for user, items in PREDICTIONS.items() for place, item in enumerate(items)],
    [(user, item, 1.0) for user, items in LABELS.items() for item in items],
)
LN = math.log
IDEAL = 1 / LN(2) + 1 / LN(3)

TABLES: dict[str, dict[int, tuple[F | float, F | float, str, str, str]]] = {
    "precision": {
        1: (F(1, 1), F(0, 1), "1", "0", "0.333"),
        3: (F(1 + 1 + 0, 3), F(0 + 1 + 0, 3), "0.666", "0.333", "0.333"),
        5: (F(2, 5), F(0 + 1 + 0 + 1 + 0, 5), "0.400", "0.400", "0.267"),
    },
    "recall": {
        1: (F(1, 6), F(0, 3), "0.167", "0", "0.056"),
        3: (F(1 + 1 + 0, 6), F(0 + 1 + 0, 3), "0.333", "0.333", "0.222"),
        5: (F(1 + 1 + 0, 6), F(0 + 1 + 0 + 1 + 0, 3), "0.333", "0.666", "0.333"),
    },
    "f_score": {
        1: (F(2, 7), F(0), "0.286", "0", "0.095"),
        3: (F(4, 9), F(1, 3), "0.444", "0.333", "0.259"),
        5: (F(4, 11), F(1, 2), "0.364", "0.500", "0.288"),
    },
    "average_precision|denominator:hits": {
        1: (F(1), F(0), "1", "0", "0.333"),
        3: (F(1 + 1 + 0, 2), F(1, 2), "1.000", "0.500", "0.500"),
        5: (F(1 + 1 + 0, 2), (F(1, 2) + F(1, 2)) / 2, "1.000", "0.500", "0.500"),
    },
    "reciprocal_rank": {
        1: (F(1), F(0), "1", "0", "0.333"),
        3: (F(1), F(1, 2), "1", "0.500", "0.333"),
        5: (F(1), F(1, 2), "1", "0.500", "0.333"),
    },
    "ndcg|gain:exp2|discount:ln|ideal:retrieved": {
        1: (1.0, 0.0, "1.000", "0", "0.333"),
        3: (1.0, (1 / LN(3)) / (1 / LN(2)), "1.000", "0.631", "0.544"),
        5: (1.0, (1 / LN(3) + 1 / LN(5)) / IDEAL, "1.000", "0.651", "0.550"),
    },
}
"""Metric, k: values of users 1 and 2 as their fractions say, then users 1, 2 and the mean as printed."""

CONTRADICTED = {
    ("precision", 3, 1): ("0.666", "0.667"),
    ("recall", 5, 2): ("0.666", "0.667"),
    ("reciprocal_rank", 3, 0): ("0.333", "0.500"),
    ("reciprocal_rank", 5, 0): ("0.333", "0.500"),
}
"""Metric, k, user (0 is the mean): what is printed and what the formula printed beside it gives. 2/3 is cut off, not
rounded; (1 + 1/2 + 0) / 3 is 1/2, not the 1/3 that stands there."""


def at(name: str, k: int, *more: str) -> str:
    metric, *values = name.split("|")
    return "|".join([f"{metric}@{k}", *values, *more])


def printed(number: float, like: str) -> str:
    return f"{number:.3f}" if "." in like else f"{number:g}"


@pytest.mark.parametrize("k", [1, 3, 5])
@pytest.mark.parametrize("name", TABLES)
def test_the_five_user_test_cases(name: str, k: int) -> None:
    first, second, *prints = TABLES[name][k]
    evaluated = evaluate(parse(at(name, k)), Problem.of([FIVE_USERS], k))
    exact = [float(first), float(second), 0.0]
    assert evaluated.value[:3].tolist() == pytest.approx(exact, rel=1e-12)
    assert evaluated.counted.tolist() == [True, True, True, False], "user 4 has no labels: not in the mean"
    numbers = {1: exact[0], 2: exact[1], 0: sum(exact) / 3}
    assert evaluated.mean[0] == pytest.approx(numbers[0], rel=1e-12)
    for user, text in zip((1, 2, 0), prints, strict=True):
        seen, right = CONTRADICTED.get((name, k, user), (text, text))
        assert text == seen
        assert printed(numbers[user], right) == right


@pytest.mark.parametrize("k", [1, 3, 5])
@pytest.mark.parametrize("name", TABLES)
def test_a_user_without_labels_is_nan(name: str, k: int) -> None:
    evaluated = evaluate(parse(at(name, k, "users:all", "undefined:nan")), Problem.of([FIVE_USERS], k))
    assert math.isnan(evaluated.value[3]) and math.isnan(evaluated.mean[0])
    assert evaluated.value[2] == 0.0, "labels but no recommendations"


def test_each_listed_contradiction_is_one() -> None:
    for (name, k, user), (seen, right) in CONTRADICTED.items():
        column = {1: 2, 2: 3, 0: 4}[user]
        assert TABLES[name][k][column] == seen != right


def test_mean_f1_at_5_as_a_fraction() -> None:
    assert F(19, 66) == (F(4, 11) + F(1, 2) + 0) / 3
    assert value("f_score@5", FIVE_USERS) == pytest.approx(19 / 66, rel=1e-12)


def test_recall_as_tp_over_tp_plus_tn_is_a_slip_of_the_pen() -> None:
    """The formula's first form says TN where it means FN: with user 1, k = 3 and the eight items that occur it would
    be 2 / (2 + 1), not the 2/6 of its second form and of the table."""
    tp, fn, fp, items = 2, 4, 1, 8
    tn = items - tp - fn - fp
    assert F(tp, tp + tn) == F(2, 3) != F(tp, tp + fn)
    assert value("recall@3", one("110", 6)) == pytest.approx(float(F(tp, tp + fn)))


def test_the_denominators_of_average_precision_that_the_scala_post_lists() -> None:
    """§4.3: hits, min(k, number recommended), all labels; for user 1 at k = 5: 2 hits, 3 recommended, 6 labels."""
    user = one("110", 6)
    for denominator, expected in (("hits", F(2, 2)), ("shown", F(2, 3)), ("r", F(2, 6))):
        assert value(f"average_precision@5|denominator:{denominator}", user) == pytest.approx(float(expected))


def test_ndcg_over_all_relevant_items_as_mllib_has_it() -> None:
    """§6.2: user 2 at k = 5 over the ideal of three labels; the base of the logarithm cancels."""
    ideal = IDEAL + 1 / LN(4)
    second = evaluate(parse("ndcg@5|discount:ln|ideal:all"), Problem.of([FIVE_USERS], 5)).value[1]
    assert second == pytest.approx((1 / LN(3) + 1 / LN(5)) / ideal, rel=1e-12)


RELEVANT = (2, 6)
SYSTEMS = {"A": (6, 2, 1, 0, 3), "B": (4, 1, 7, 2, 6)}


def system(name: str, gains: tuple[float, float] = (1.0, 1.0)) -> Case:
    rows = [(1, item, -float(place)) for place, item in enumerate(SYSTEMS[name])]
    return make(rows, [(1, item, gain) for item, gain in zip(RELEVANT, gains, strict=True)])


def test_two_systems_that_precision_and_recall_cannot_tell() -> None:
    for metric, expected in (("precision@5", F(2, 5)), ("recall@5", F(1)), ("f_score@5", F(4, 7))):
        assert value(metric, system("A")) == value(metric, system("B")) == pytest.approx(float(expected))


@pytest.mark.parametrize(
    ("name", "denominator", "expected"),
    [
        ("A", "hits", F(1 + 1, 2)), ("B", "hits", (F(1, 4) + F(2, 5)) / 2),
        ("A", "r", F(1 + 1, 2)), ("B", "r", (F(1, 4) + F(2, 5)) / 2),
    ],
)  # fmt: skip
def test_average_precision_tells_them(name: str, denominator: str, expected: F) -> None:
    """Both are found by rank 5, so that the mean over hits and the sum over r are the same."""
    assert value(f"average_precision@5|denominator:{denominator}", system(name)) == pytest.approx(float(expected))


def test_ap_k_divides_by_hits_though_the_text_may_be_read_as_r() -> None:
    """The code takes the mean of the precisions at the hits: at k = 1 that is 1/1. "The number of relevant items in
    the entire recommendation set", read as all that are relevant, gives 1/2. A perfect first item tells them apart."""
    assert value("average_precision@1|denominator:hits", system("A")) == 1.0
    assert value("average_precision@1|denominator:r", system("A")) == 0.5


def last_written_rank(items: tuple[int, ...]) -> F:
    """Return what the post's function does: the rank is written at every hit, so that the last one stays."""
    ranks = [place for place, item in enumerate(items, 1) if item in RELEVANT]
    return F(1, ranks[-1])


def test_rr_k_returns_the_last_hit_though_the_text_says_the_first() -> None:
    for name, first in (("A", F(1, 1)), ("B", F(1, 4))):
        last = last_written_rank(SYSTEMS[name])
        assert last != first
        assert value("reciprocal_rank@5", system(name)) == pytest.approx(float(first))
        assert value("reciprocal_rank@5|ranks:last", system(name)) == pytest.approx(float(last))


def test_ndcg_with_linear_gains() -> None:
    """Gains of 2 and 6 are 3 and 1: A ranks the lesser first."""
    log3 = math.log2(3)
    ideal = 3 + 1 / log3
    assert value("ndcg@5|gain:linear", system("A", (3.0, 1.0))) == pytest.approx((1 + 3 / log3) / ideal)
    b = 3 / math.log2(5) + 1 / math.log2(6)
    assert value("ndcg@5|gain:linear", system("B", (3.0, 1.0))) == pytest.approx(b / ideal)


def lauc(ranked: str, k: int, r: int | None = None) -> float:
    return value(f"auc@{k}|list:limited", one(ranked, r))


TENS = st.lists(st.booleans(), min_size=10, max_size=10).map(lambda hits: "".join("01"[hit] for hit in hits))
MIXED = TENS.filter(lambda ranked: "0" in ranked and "1" in ranked)


@pytest.mark.parametrize("r", [1, 2, 3, 4])
def test_lauc_is_one_when_the_relevant_items_stand_first_and_fit(r: int) -> None:
    assert lauc("1" * r + "0" * (10 - r), 4) == 1.0


def test_lauc_is_not_one_when_they_merely_fit() -> None:
    """§5.2 says "one if all relevant items are retrieved within the top-k list"; the trapezoid gives that only when
    they also stand first: a miss above the hit loses one pair of nine."""
    assert lauc("0100000000", 4) == pytest.approx(8 / 9)


def test_a_list_of_relevant_items_only_is_one_only_if_r_is_at_most_k() -> None:
    """§5.2 wants one for such a list. With a fifth relevant item below the four shown it is (4 + 5) / 2 over 5."""
    assert lauc("1111000000", 4) == 1.0
    assert lauc("1111000001", 4) == pytest.approx((4 + 5) / 2 / 5)


@examples(40)
@given(ranked=MIXED, k=st.integers(1, 10))
def test_lauc_is_least_without_a_hit_and_0_if_all_irrelevant_items_come_first(ranked: str, k: int) -> None:
    worst = "".join(sorted(ranked))
    assert lauc(worst, k) <= lauc(ranked, k) + 1e-12
    if worst.count("0") <= k:
        assert lauc(worst, worst.count("0")) == 0.0


@examples(40)
@given(ranked=MIXED, k=st.integers(2, 10), data=st.data())
def test_lauc_gains_the_same_from_a_swap_at_the_top_as_at_the_bottom(ranked: str, k: int, data: st.DataObject) -> None:
    """A relevant item that moves up by one wins one pair, wherever in the first k it stands."""
    place = data.draw(st.integers(0, k - 2))
    if ranked[place : place + 2] == "01":
        swapped = ranked[:place] + "10" + ranked[place + 2 :]
        pairs = ranked.count("0") * ranked.count("1")
        assert lauc(swapped, k) - lauc(ranked, k) == pytest.approx(1 / pairs)


@examples(40)
@given(ranked=MIXED, k=st.integers(1, 9), data=st.data())
def test_lauc_ignores_what_is_below_k(ranked: str, k: int, data: st.DataObject) -> None:
    below = "".join(data.draw(st.permutations(ranked[k:])))
    assert lauc(ranked[:k] + below, k) == pytest.approx(lauc(ranked, k))


def test_more_hits_score_higher_except_near_the_end_of_the_list() -> None:
    """Two of four relevant among the first four of ten beat one at the best place; among the first nine of ten, four
    hits after the five misses lose to three before them."""
    assert lauc("0011110000", 4) > lauc("1000111000", 4)
    assert lauc("0000011110", 9) < lauc("1110000001", 9)


def parts(ranked: str, r: int, k: int) -> dict[str, float]:
    names = (
        "recall", "miss_rate", "fallout", "inverse_recall", "inverse_precision", "informedness", "markedness",
        "matthews_correlation",
    )  # fmt: skip
    out = {name: value(f"{name}@{k}", one(ranked, r)) for name in names}
    return {**out, "precision": value(f"precision@{k}|denominator:shown", one(ranked, r))}


@examples(40)
@given(ranked=MIXED, k=st.integers(1, 9), missed=st.integers(0, 2))
def test_informedness_markedness_and_correlation(ranked: str, k: int, missed: int) -> None:
    """§4.2, §5.1: recall + inverse recall - 1, precision + inverse precision - 1, and their geometric mean."""
    p = parts(ranked, ranked.count("1") + missed, k)
    assert p["informedness"] == pytest.approx(p["recall"] + p["inverse_recall"] - 1, abs=1e-12)
    assert p["markedness"] == pytest.approx(p["precision"] + p["inverse_precision"] - 1, abs=1e-12)
    assert p["matthews_correlation"] ** 2 == pytest.approx(p["informedness"] * p["markedness"], abs=1e-12)
    assert p["matthews_correlation"] * p["informedness"] >= -1e-12
    assert p["inverse_recall"] == pytest.approx(1 - p["fallout"], abs=1e-12)
    assert p["miss_rate"] == pytest.approx(1 - p["recall"], abs=1e-12)


@examples(40)
@given(ranked=MIXED, k=st.integers(1, 9))
def test_boolean_kendall_follows_the_area(ranked: str, k: int) -> None:
    """§4.3, §5.2: "highly correlated to the AUC"; on boolean relevance it is 2 AUC - 1, limited and not."""
    case = one(ranked)
    assert value("kendall_tau", case) == pytest.approx(2 * value("auc", case) - 1, abs=1e-12)
    limited = value(f"kendall_tau@{k}|compared:limited", case)
    assert limited == pytest.approx(2 * lauc(ranked, k) - 1, abs=1e-12)
    two_levels = value(f"kendall_tau@{k}|compared:recommended_or_not", case)
    assert two_levels == pytest.approx(value(f"informedness@{k}", case), abs=1e-12)
