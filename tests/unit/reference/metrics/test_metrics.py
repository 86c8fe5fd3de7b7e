"""Hold values of metrics against those worked out by hand and against slow counts; refusals and limits."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.metrics import FAMILIES, METRICS, concordance
from recsys_metric_audit.reference.space.metric import Values
from tests.support.generated_inputs import examples, make, one, value
from tests.support.hand_computed import ALL_ROWS
from tests.support.hand_computed.ndcg_rows import INVERTED
from tests.support.hand_computed.shorthand import A, B, C, Row

# Values worked out by hand.


@pytest.mark.parametrize("row", ALL_ROWS, ids=[row[0] for row in ALL_ROWS])
def test_values_worked_out_by_hand(row: Row) -> None:
    signature, case, expected, source = row
    assert value(signature, case) == pytest.approx(float(expected), rel=1e-12, abs=1e-12, nan_ok=True), source


def test_each_metric_is_worked_out_but_bpref_that_has_a_slow_count_below() -> None:
    assert {parse(signature).metric for signature, *_ in ALL_ROWS} == FAMILIES.keys() - {"bpref"}


# AUC: pairs of a relevant and an irrelevant item.


def won(ranked: str, scores: str, tie: float) -> float:
    """Share of (relevant, irrelevant) pairs in the right order, pair by pair; ``tie`` is worth a pair of equals."""
    relevant = [int(score) for hit, score in zip(ranked, scores, strict=True) if hit == "1"]
    others = [int(score) for hit, score in zip(ranked, scores, strict=True) if hit == "0"]
    pairs = [1.0 if mine > other else tie if mine == other else 0.0 for mine in relevant for other in others]
    return sum(pairs) / len(pairs)


@examples(60)
@given(rows=st.lists(st.tuples(st.sampled_from("01"), st.sampled_from("1234")), min_size=2, max_size=9))
@pytest.mark.slow
def test_every_pair_is_counted_once(rows: list[tuple[str, str]]) -> None:
    ranked, scores = ("".join(column) for column in zip(*rows, strict=True))
    if len(set(ranked)) == 2:
        for name, tie in (("half", 0.5), ("win", 1.0), ("lose", 0.0)):
            found = value(f"auc|tied_scores:{name}", one(ranked, scores=scores))
            assert found == pytest.approx(won(ranked, scores, tie)), (ranked, scores, name)


# FCP: pairs of two rated items.


def test_fcp_is_the_same_however_many_lists_are_compared_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: the users win 1, 3 and 0 of their 3 pairs, and 1 of 1."""
    scores = {1: (4.0, 4.0, 5.0), 2: (3.0, 2.0, 1.0), 3: (1.0, 2.0, 3.0), 4: (2.0, 1.0)}
    gains = {1: (5.0, 3.0, 4.0), 2: (3.0, 2.0, 1.0), 3: (3.0, 2.0, 1.0), 4: (2.0, 1.0)}
    rec, truth = ([(u, 10 + n, x) for u, own in each.items() for n, x in enumerate(own)] for each in (scores, gains))
    for pairs in (concordance._PAIRS_AT_ONCE, 10, 1):
        monkeypatch.setattr(concordance, "_PAIRS_AT_ONCE", pairs)
        assert value("fcp", make(rec, truth)) == 5 / 10, pairs


# Average precision and average recall.


@pytest.mark.parametrize(
    ("signature", "printed", "case"),
    [
        ("average_precision@5|denominator:cumulative", ".071", C),
        ("average_precision@3|indicator:dropped|denominator:k", ".611", A),
        ("ndcg@2|ideal:all", ".339", B),
        ("ndcg@2", ".613", B),
        ("ndcg@3|ideal:ones", ".469", A),
        ("ndcg@5", ".390", C),
        ("ndcg@2|gain:linear", ".797", INVERTED),
        ("ndcg@2|gain:exp2", ".710", INVERTED),
        ("ndcg@2", ".631", one("01", 1)),
        ("ndcg@2|discount:log2_off_by_one", ".792", one("01", 1)),
    ],
)
def test_the_separating_experiments_print_what_the_taxonomy_says(signature: str, printed: str, case: Case) -> None:
    assert f"{value(signature, case):.3f}".lstrip("0") == printed


# Binary preference against a slow count over the rated items of one user.


def slow_bpref(ranked: list[int], relevant: set[int], irrelevant: set[int], bound: str) -> Fraction:
    """Buckley & Voorhees 2004 with their bound r or r + 10, or trec_eval's min(r, N), one relevant item after another.

    Items of ``ranked`` in neither set are not rated and are skipped.
    """
    r = len(relevant)
    most = r + 10 if bound == "r_plus_10" else r
    over = min(r, len(irrelevant)) if bound == "min" else most
    total, above = Fraction(0), 0
    for item in ranked:
        if item in irrelevant:
            above += 1
        if item in relevant:
            total += 1 - (Fraction(min(above, most), over) if above else 0)
    return total / r


@pytest.mark.parametrize("bound", ["min", "r", "r_plus_10"])
@examples(30)
@given(labels=st.lists(st.sampled_from("10-"), min_size=1, max_size=9), unlisted=st.lists(st.booleans(), max_size=3))
def test_it_counts_rated_irrelevant_items_above_each_relevant_one(
    bound: str, labels: list[str], unlisted: list[bool]
) -> None:
    items = range(10, 10 + len(labels))
    gains = {item: float(label) for item, label in zip(items, labels, strict=True) if label != "-"}
    gains |= {500 + number: float(relevant) for number, relevant in enumerate(unlisted)}
    relevant = {item for item, gain in gains.items() if gain}
    if not relevant or not set(items) & set(gains):
        return  # another edge: nothing relevant, or no rated item in the list
    case = make([(1, item, -float(item)) for item in items], [(1, item, gain) for item, gain in gains.items()])
    expected = slow_bpref(list(items), relevant, set(gains) - relevant, bound)
    assert value(f"bpref|bound:{bound}", case) == pytest.approx(float(expected))


def test_other_candidates_than_rated_items_are_refused() -> None:
    with pytest.raises(ValueError, match="reads rated items only"):
        value("bpref|candidates:all", make([(1, 1, 1.0)], [(1, 1, 1.0)]))


@pytest.mark.parametrize(
    ("users", "expected"),
    [
        ("both", Fraction(1, 2)),  # users 1 and 2: 1 and 0
        ("both_rows", Fraction(1, 3)),  # user 4 besides, who has no relevant item: 0
        ("truth", Fraction(1, 3)),  # user 3 besides, who has no list: 0
        ("predictions", Fraction(1, 4)),  # users 1, 2, 4 and 5
    ],
)
def test_a_list_without_any_rated_item_is_a_list(users: str, expected: Fraction) -> None:
    """trec_eval skips unrated items one by one: it does not skip a query for which nothing else is retrieved."""
    case = make(
        [(1, 10, 2.0), (1, 11, 1.0), (2, 20, 1.0), (4, 40, 1.0), (5, 50, 1.0)],
        [(1, 10, 1.0), (1, 11, 0.0), (2, 21, 1.0), (3, 30, 1.0), (4, 41, 0.0)],
    )
    assert value(f"bpref|users:{users}|undefined:0", case) == pytest.approx(float(expected))


# Which rows count as recommended: those with a score of one half and more, or the first k.


def test_no_cut_off_acts_where_scores_decide() -> None:
    assert shortest(parse("accuracy@1|decision:at_half")) == shortest(parse("accuracy@5|decision:at_half")).with_(k=1)


def refusal(metric: str, values: Values) -> str | None:
    family = METRICS[metric]
    return family.refusal({**family.canonical, "decision": "at_half", **values})


@pytest.mark.parametrize("metric", ["accuracy", "f_score"])
def test_scores_that_are_not_read_decide_nothing(metric: str) -> None:
    assert refusal(metric, {}) is None
    assert "order:rows" in str(refusal(metric, {"order": "rows"}))


def test_f_has_one_reading_where_scores_decide() -> None:
    assert "one reading" in str(refusal("f_score", {"precision": "min"}))


# Expected reciprocal rank.


@pytest.mark.parametrize("metric", ["err@2", "pfound@2", "nerr@2"])
def test_gains_of_1_as_probabilities_are_refused(metric: str) -> None:
    with pytest.raises(ValueError, match="every hit satisfy for certain"):
        value(f"{metric}|satisfaction:gain|relevance:equal_1", one("1", 1))


# Interpolated precision.


@pytest.mark.parametrize("needed", ["nearest", "plus_0.9"])
def test_recall_0_half_and_1_need_one_number_of_items_however_it_is_rounded(needed: str) -> None:
    for at in ("0", "0.5", "1.0"):
        rounded = shortest(parse(f"interpolated_precision|at:{at}|needed:{needed}"))
        assert rounded == shortest(parse(f"interpolated_precision|at:{at}"))
    # Of 3 items 1.05 are needed: one, or two if that is rounded up.
    assert shortest(parse(f"interpolated_precision|at:0.35|needed:{needed}")).axes["needed"] == needed


def test_one_relevant_item_is_found_or_not_at_any_recall() -> None:
    one = shortest(parse("interpolated_precision|at:0.3|needed:nearest|users:one_relevant"))
    assert one == shortest(parse("interpolated_precision|users:one_relevant"))


# Kendall's tau and Spearman's rho.


@examples(40)
@given(ranked=st.text("01", min_size=2, max_size=8))
def test_tau_is_concordant_minus_discordant_pairs_over_all_unequal_ones(ranked: str) -> None:
    signs = [1 if first > second else -1 for first, second in combinations(ranked, 2) if first != second]
    if signs:
        assert value("kendall_tau", one(ranked)) == pytest.approx(sum(signs) / len(signs))


# Rating errors.


@pytest.mark.parametrize(
    ("metric", "values", "reason"),
    [
        ("mae", {"pairs": "all_0_1", "candidates": "test_only"}, "pairs:rated_0_1"),
        ("r_squared", {"pairs": "rated_0_1", "relevance": "every_row"}, "do not vary"),
        ("log_loss", {"clip": "0.5"}, "how far a probability stays"),
    ],
)
def test_combinations_that_mean_nothing_are_refused(metric: str, values: dict[str, str], reason: str) -> None:
    known = METRICS[metric]
    assert known.refusal(known.canonical) is None
    assert reason in (known.refusal({**known.canonical, **values}) or "")


# Reciprocal rank: of the first hit and of the other hits.
