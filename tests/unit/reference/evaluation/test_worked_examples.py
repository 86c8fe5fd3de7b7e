"""Hold worked examples: rows, equations, the items shown."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate, formula_values, takes_one_ranking
from recsys_metric_audit.reference.evaluation.recorded_sums import recording
from recsys_metric_audit.reference.evaluation.shown_table import ShownAsTable, Tables
from recsys_metric_audit.reference.evaluation.worked_equations import equations
from recsys_metric_audit.reference.evaluation.worked_example import Worked, work
from recsys_metric_audit.reference.evaluation.worked_rows import WorkedRow, WorkedTable
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.metrics import ITEM_METRICS, METRICS
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from tests.support.generated_inputs import cases, examples, make, one, random_case, sampled
from tests.support.hand_computed.item_cases import SHOP
from tests.support.oracle_items import Refused, slow_value

# Worked examples: the sums are those of the formula, their terms add up, and the value is that of the definition.

LIST = make(
    [(1, item, 5.0 - place) for place, item in enumerate((10, 11, 12, 13, 14))],
    [(1, 10, 1.0), (1, 12, 3.0), (1, 14, 2.0), (1, 20, 2.0)],
)
"""Hits at ranks 1, 3 and 5 with gains 1, 3, 2; item 20 is relevant and not listed."""


def cells(worked: Worked, item: str) -> dict[str, str]:
    (row,) = (row for row in worked.rows if row.item == item)
    return dict(zip(worked.columns, row.cells, strict=True))


def test_average_precision_by_hand() -> None:
    worked = work(parse("average_precision@3"), LIST)
    assert [row.rank for row in worked.rows] == [1, 2, 3]
    assert cells(worked, "12") == {"gain": "3", "H_j": "2", "P@j": "2/3", "the sum of P@j": "2/3"}
    assert set(cells(worked, "11").values()) == {"–"}
    assert worked.lines == (
        "k = 3, n = 3, r = 4, H = 2",
        "the sum of P@j = 1 + 2/3 = 5/3",
        "value = (5/3) / 3 = 0.555556",
    )
    assert worked.value == pytest.approx(5 / 9)


def test_ndcg_by_hand() -> None:
    worked = work(parse("ndcg@3|gain:exp2"), LIST)
    assert cells(worked, "12") == {"gain": "3", "gain term": "7", "discount": "1/2", "DCG": "7/2", "IDCG": ""}
    assert [(row.rank, row.item, row.cells[-1]) for row in worked.rows[3:]] == [
        (1, "ideal: 12", "7"), (2, "ideal: 14", "1.8928"), (3, "ideal: 20", "3/2"),
    ]  # fmt: skip
    assert worked.lines[1:] == (
        "DCG = 1 + 7/2 = 9/2",
        "IDCG = 7 + 1.8928 + 3/2 = 10.3928",
        "value = (9/2) / 10.3928 = 0.432993",
    )


def test_the_contingency_table_is_shown() -> None:
    worked = work(parse("informedness@3"), LIST)
    assert worked.lines[0].endswith("tp = 2, fp = 1, fn = 2, tn = 1")
    assert worked.value == 0


def test_lauc_adds_the_trapezoid_to_the_pairs() -> None:
    worked = work(parse("auc@3|list:limited"), LIST)
    assert "pairs won in the list = 1 + 0 = 1" in worked.lines
    assert worked.lines[-1] == "value = 4 / 8 = 0.5"  # 1 + (2 + 4) / 2 · (2 - 1)


def test_items_have_names_and_stand_where_ties_put_them() -> None:
    case = make([(1, 9, 1.0), (1, 10, 1.0), (1, 11, 2.0)], [(1, 9, 1.0)])
    for ties, order in (("given", "11 9 10"), ("item_desc", "11 10 9"), ("text_asc", "11 10 9"), ("best", "11 9 10")):
        worked = work(parse(f"reciprocal_rank@3|ties:{ties}"), case, label=lambda item: f"item {item}")
        assert [row.item.removeprefix("item ") for row in worked.rows] == order.split()


def test_who_is_left_out_has_no_value_and_the_reason() -> None:
    case = make([(1, 10, 1.0), (2, 10, 1.0)], [(2, 10, 1.0)])
    worked = work(parse("recall@1"), case, user=1)
    assert worked.value is None
    assert "undefined:skip: a user without relevant items (r = 0): left out of the mean" in worked.lines
    assert work(parse("recall@1|users:all|undefined:1"), case, user=1).value == 1


def test_a_policy_may_carry_over_the_value_of_another_user() -> None:
    case = make([(1, 10, 1.0), (2, 10, 1.0)], [(1, 10, 1.0), (2, 11, 1.0)])
    signature = "average_precision@1|denominator:hits|no_hit:previous"
    assert work(parse(signature), case, user=2).value == 1


def test_f_of_means_is_worked_on_one_user_as_f_of_that_user() -> None:
    """1 hit, k = 8, r = 2: P = 1/8, R = 1/2, F = 2 P R / (P + R) = (1/8) / (5/8) = 1/5; not P alone."""
    worked = work(parse("f_score@8|of:means"), one("100", 2))
    assert worked.lines[-1] == "value = 2 / 10 = 0.2"
    assert worked.value == pytest.approx(1 / 5)


def test_concordance_of_means_is_worked_on_one_user_as_the_share_of_its_pairs() -> None:
    """Gains 3 1 2 by descending score: of three pairs, (3, 1) and (3, 2) are concordant, (1, 2) is not: 2/3."""
    worked = work(parse("fcp|of:means"), one("111", gains={1: 3.0, 2: 1.0, 3: 2.0}))
    assert worked.lines[-1].startswith("value = 2 / 3")
    assert worked.value == pytest.approx(2 / 3)


@pytest.mark.parametrize(("ties", "rank"), [("shared", "2"), ("middle", "3")])
def test_a_hit_that_shares_its_rank_stands_in_its_place_with_that_rank(ties: str, rank: str) -> None:
    worked = work(
        parse(f"reciprocal_rank@4|ties:{ties}"), one("0010", 1, scores="5444"), label=lambda item: f"item {item}"
    )
    assert [row.item for row in worked.rows] == ["item 10", "item 11", f"item 12 (rank {rank})", "item 13"]
    assert worked.rows[2].cells == ("1", f"1/{rank}")


def test_orders_of_ties_are_told() -> None:
    worked = work(parse("ndcg@2|ties:average"), one("10", 1, scores="55"))
    assert worked.value == pytest.approx((1 + 1 / np.log2(3)) / 2)
    assert "that is one order of the tied items; over all 2: 1, 0.6309" in worked.lines


def test_what_cannot_be_worked_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a number for k"):
        work(parse("recall@k"), LIST)
    with pytest.raises(ValueError, match="no user 7"):
        work(parse("recall@1"), LIST, user=7)


@pytest.mark.parametrize("name", METRICS)
@settings(examples(2), phases=(Phase.explicit, Phase.generate))  # a smaller case is not worth minutes of search
@given(case=cases(users=2), seed=st.integers(0, 2**32))
def test_what_is_written_is_what_the_definition_gives(name: str, case: Case, seed: int) -> None:
    """For a user in no unusual state, the quotient written is the value; the terms written add up."""
    for number in range(4):
        definition = sampled(METRICS[name], seed + number, moved=0.2)
        problem = Problem.of([case], definition.k)
        try:
            made = evaluate(definition, problem)
        except TooManyOrdersError:
            continue
        users = problem.placement.users.tolist()
        for place, user in enumerate(users):
            worked = work(definition, case, user)
            if takes_one_ranking(definition):
                place = 0
            expected = float(made.value[place]) if made.counted[place] and not made.refused[0] else None
            about = f"{definition} user {user}\n{worked}"
            assert (worked.value is None) == (expected is None), about
            if expected is None:
                continue
            assert worked.value == pytest.approx(expected, nan_ok=True), about
            if made.regular[place] and not any("one order" in line for line in worked.lines):
                (line,) = (line for line in worked.lines if line.startswith("value = "))
                written = float(line.rpartition("= ")[2].replace("−", "-"))
                assert written == pytest.approx(expected, rel=1e-5, abs=1e-5), about


SUMMED = (
    "precision", "hit_rate|counts:hits", "average_precision", "average_precision|indicator:dropped",
    "average_precision|indicator:every", "reciprocal_rank",
    "reciprocal_rank|ranks:normalised", "ndcg", "ndcg|gain:exp2", "err", "r_precision",
)  # fmt: skip


@pytest.mark.parametrize("signature", SUMMED)
@examples(10)
@given(case=cases(users=1, repeats=False))
def test_the_terms_of_the_rows_add_up_to_the_numerator(signature: str, case: Case) -> None:
    definition = parse(signature)
    definition = definition if definition.k is None else definition.with_(k=3)
    assume(len(case.predictions.user) + len(case.truth.user))
    worked = work(definition, case)
    if not any(" = " in line and "value" not in line for line in worked.lines[1:]):
        return
    column = worked.columns.index("DCG") if "DCG" in worked.columns else -1
    terms = [_number(row.cells[column]) for row in worked.rows if not row.item.startswith("ideal")]
    found = re.search(r"value = \(?([^ )]+)\)? / ", "\n".join(worked.lines))
    if found is not None:
        assert sum(terms) == pytest.approx(_number(found[1]), abs=5e-4)


def _number(text: str) -> float:
    over, _, under = text.replace("−", "-").partition("/")
    return 0.0 if over in ("", "–") else float(over) / float(under or 1)


# The equations of a worked example.


def lines(signature: str, ranked: str, r: int | None = None) -> list[str]:
    definition = parse(signature)
    lists, sums = recording(Problem.of([one(ranked, r)], definition.k).lists(definition.axes))
    ratio = formula_values(definition.axes, definition, lists)
    return equations(definition, lists, ratio, sums)


# The rows of a worked example.


def rows(signature: str, ranked: str) -> tuple[WorkedRow, ...]:
    definition, case = parse(signature), one(ranked)
    plain = Problem.of([case], definition.k).lists(definition.axes)
    lists, sums = recording(plain)
    formula_values(definition.axes, definition, lists)
    return WorkedTable(definition, case, False, plain, str).rows(lists, sums)


# Worked examples of definitions that read which items are shown.


def test_one_user_is_worked_with_the_users_who_have_each_item() -> None:
    made = work(parse("average_popularity@2"), SHOP, 2)
    assert made.columns == ("train rows", "shown")
    assert [(row.rank, row.item, row.cells) for row in made.rows] == [(1, "12", ("1", "2")), (2, "10", ("4", "1"))]
    assert made.value == 5 / 2 and made.lines[-1] == "value = 5 / 2 = 2.5"
    assert made.lines[0].startswith("k = 2, n = 2, items that exist = 8")


def test_all_users_together_are_worked_with_the_items_shown_most_first() -> None:
    made = work(parse("catalogue_coverage@2"), SHOP, 1)
    assert [row.item for row in made.rows] == ["12", "10", "11", "20"]
    assert made.value == 4 / 8 and made.lines[-1] == "value = 4 / 8 = 0.5"


def test_a_user_who_is_left_out_has_no_value() -> None:
    made = work(parse("novelty@2|users:both"), SHOP, 2)
    assert made.value is None and made.lines[-1] == "the user is left out of the mean"


def test_rows_say_what_they_add_where_a_metric_compares_items() -> None:
    made = work(parse("intra_list_diversity@2"), SHOP, 2)
    assert made.columns == ("train rows", "shown", "adds")
    assert [row.cells[-1] for row in made.rows] == ["0", "1/2"], "12 stands alone; 10 is 1/2 from it"
    made = work(parse("serendipity@2"), SHOP, 1)
    assert [row.cells[-1] for row in made.rows] == ["3/4", "0"] and made.value == 0.375


# Definitions that read which items are shown, against the slow oracle.

A_BATCH = 30
BATCHES = 30


def drawn(name: str, rng: random.Random) -> Definition:
    """Return a definition of a metric drawn at random among those that make sense."""
    metric = ITEM_METRICS[name]
    while True:
        values = {axis.name: rng.choice(axis.names) for axis in metric.all_axes}
        if metric.refusal(values) is None:
            return Definition.of(name, values)


def outcome(definition: Definition, case: Case, k: int | None) -> float | str:
    try:
        return slow_value(definition.metric, definition.axes, case, k if definition.k is not None else None)
    except Refused:
        return "refused"


def same(one: float | str, other: float | str) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(one) and math.isnan(other))


@pytest.mark.parametrize("name", ITEM_METRICS)
@pytest.mark.slow
def test_every_definition_gives_what_the_slow_oracle_gives(name: str) -> None:
    rng, numbers = random.Random(name), 0
    for _ in range(BATCHES):
        batch, k = [random_case(rng) for _ in range(A_BATCH)], rng.choice((1, 2, 3, 5, 8, None))
        definition = drawn(name, rng)
        together = evaluate(definition, Problem.of(batch, k))
        alone = evaluate(definition, Problem.of(batch[:1], k))
        for number, case in enumerate(batch):
            right = outcome(definition, case, k)
            for made, place in ((together, number), (alone, 0))[: 2 if number == 0 else 1]:
                fast = "refused" if made.refused[place] else float(made.mean[place])
                assert same(fast, right), (str(definition), k, case, fast, right)
            numbers += isinstance(right, float) and not math.isnan(right)
    assert numbers > BATCHES * A_BATCH / 3


# Results show themselves: aligned text in a terminal, an HTML table in a notebook.


class Shown(ShownAsTable):
    def __init__(self, heading: str = "", **columns: Sequence[object]) -> None:
        self._own, self._said = columns, heading

    def _shown(self) -> dict[str, Sequence[object]]:
        return dict(self._own)

    def _heading(self) -> str:
        return self._said


def test_text_is_to_the_left_and_numbers_to_the_right_with_what_is_unknown_as_a_dash() -> None:
    shown = Shown(name=["ann", "b"], users=[12345, None], value=[0.25, 0.00001234], nothing=[None, None])
    assert repr(shown) == (
        "name   users      value\n"
        "ann   12,345     0.2500\n"
        "b          –  1.234e-05"
    )  # fmt: skip


def test_html_is_escaped() -> None:
    shown = Shown("a < b", name=["<i>"], value=[float("nan")])
    assert shown._repr_html_() == (
        "<p>a &lt; b</p><table><thead><tr><th>name</th><th>value</th></tr></thead>"
        "<tbody><tr><td>&lt;i&gt;</td><td>nan</td></tr></tbody></table>"
    )


def test_of_many_rows_the_first_are_shown_and_the_others_counted() -> None:
    shown = Shown(value=[1] * 1100)
    lines = repr(shown).splitlines()
    assert len(lines) == 1 + 60 + 1 and lines[-1] == "and 1,040 further rows"
    assert shown._repr_html_().count("<tr>") == 61 and "and 1,040 further rows" in shown._repr_html_()


def test_several_tables_are_shown_one_below_the_other() -> None:
    several = Tables([Shown(a=[1]), Shown(b=[2])])
    assert repr(several) == "a\n1\n\nb\n2" and several._repr_html_().count("<table>") == 2
    assert repr(Tables([])) == "()"
    assert len(several) == 2 and isinstance(several, tuple)
