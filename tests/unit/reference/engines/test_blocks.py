"""Hold blocks and buckets of users against the whole: rows, means that are kept, values that are merged."""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from recsys_metric_audit import Values as PublicValues
from recsys_metric_audit import evaluate as evaluate_rows
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.engines import blockwise, kept_means, user_blocks
from recsys_metric_audit.reference.engines.blockwise import evaluate_tables
from recsys_metric_audit.reference.engines.kept_means import keep_means, mean_of
from recsys_metric_audit.reference.engines.merged_values import MergedValues
from recsys_metric_audit.reference.engines.row_pieces import PREDICTIONS, TRAIN, TRUTH, pack, unpack
from recsys_metric_audit.reference.engines.user_block import (
    BlockValues,
    CompactTerms,
    NotUserByUserError,
    PartialValues,
    check_user_by_user,
    evaluate_block,
    is_user_by_user,
)
from recsys_metric_audit.reference.engines.user_blocks import BLOCK
from recsys_metric_audit.reference.engines.user_bucket import BucketTask, BucketValues, merge_buckets
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.prepared import InputRefusedError, Values
from recsys_metric_audit.reference.input.case import Case, Predictions
from recsys_metric_audit.reference.input.conversion import LabelledCase, case_from_tables
from recsys_metric_audit.reference.input.rows_error import RowsError
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from tests.support.generated_inputs import many, one, random_case, sampled
from tests.support.hand_computed.shorthand import LOG3
from tests.support.same_values import assert_same

# Hold evaluation by blocks of users equal to evaluation of all rows at once, to the last digit.

DEFINITIONS = [parse(text) for text in (
    "ndcg@2", "auc|scope:stacked", "precision@2|pooling:pooled", "f_score@2|of:means", "reciprocal_rank@2|order:rows",
    "average_precision@3|mean:geometric|users:both", "ndcg@2|duplicates:error", "auc|negatives:catalogue",
    "ndcg@3|ties:average", "precision@2|no_list:previous", "recall@2|duplicates:last",
)]  # fmt: skip


def in_order(case: Case, order: str) -> Case:
    """Return the case with its rows as they are, grouped by user in random order of users, or in random order."""
    rows, rng = case.predictions, np.random.default_rng(3)
    shuffled = rng.permutation(len(rows.user))
    chosen = {"as it is": np.arange(len(shuffled)), "random": shuffled,
              "grouped": np.argsort(rng.permutation(100)[rows.user], kind="stable")}[order]  # fmt: skip
    return Case(
        "data", Predictions(rows.user[chosen], rows.item[chosen], rows.score[chosen]), case.truth, case.train,
        case.catalogue, case.threshold,
    )  # fmt: skip


@pytest.mark.parametrize("order", ["as it is", "grouped", "random"])
@pytest.mark.parametrize("seed", range(4))
def test_blocks_of_users_give_the_values_of_all_rows(seed: int, order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ties, repeats, users on one side only."""
    held = LabelledCase(in_order(random_case(random.Random(seed), users=9), order), None, None)
    drawn = [sampled(metric, seed) for number, metric in enumerate(METRICS.values()) if number % 4 == seed]
    chosen = list(dict.fromkeys([*DEFINITIONS, *drawn]))
    assert len(held.case.truth.user) <= BLOCK
    whole = list(evaluate_tables(held, chosen))
    monkeypatch.setattr(user_blocks, "BLOCK", 4)
    for made, wanted in zip(evaluate_tables(held, chosen), whole, strict=True):
        assert_same(made, wanted)


def test_blocks_hold_few_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two relevant items a user: blocks of 7 hold two users, then the two without predictions one block."""
    user = np.repeat(np.arange(6), 2)
    held = case_from_tables({"user": user[:8], "item": user[:8] * 0 + [1, 2] * 4, "score": user[:8]},
                            {"user": user, "item": np.tile([1, 3], 6)})  # fmt: skip
    blocks: list[int] = []

    def counted(case: Case, *_: object, **__: object) -> object:
        blocks.append(len(np.union1d(case.predictions.user, case.truth.user)))
        return evaluated(case, *_, **__)

    evaluated = blockwise.evaluate_block
    monkeypatch.setattr(blockwise, "evaluate_block", counted)
    monkeypatch.setattr(user_blocks, "BLOCK", 7)
    (made,) = evaluate_tables(held, [parse("recall@1")])
    assert not isinstance(made, ValueError) and made.mean == 4 * (1 / 2) / 6
    assert blocks == [2, 2, 2]


def test_ids_that_are_text_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_blocks, "BLOCK", 1)
    rows = {"user": ["b", "a"], "item": ["x", "x"], "score": [1.0, 1.0]}
    (made,) = evaluate_tables(case_from_tables(rows, {"user": ["a", "b", "c"], "item": ["x", "y", "x"]}),
                              [parse("recall@1")])  # fmt: skip
    assert not isinstance(made, ValueError) and made.by_user() == {"a": 1.0, "b": 0.0, "c": 0.0}


def test_what_is_refused_is_refused_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_blocks, "BLOCK", 1)
    true = {"user": [1, 2], "item": [1, 1]}
    twice = case_from_tables({"user": [1, 2, 2], "item": [1, 5, 5], "score": [1.0, 1.0, 1.0]}, true)
    (made,) = evaluate_tables(twice, [parse("recall@1|duplicates:error")])
    assert isinstance(made, InputRefusedError)
    broken = case_from_tables({"user": [1], "item": [1], "score": [np.nan]}, true)
    with pytest.raises(RowsError, match="NaN"):
        list(evaluate_tables(broken, [parse("recall@1")]))


# Hold means that are computed together, in blocks of users, equal to those of one definition on all rows.

DEFINITIONS_OF_KEPT_MEANS = [parse(text) for text in (
    "ndcg@k", "recall@k|users:both", "auc|scope:stacked", "precision@k|no_list:previous", "f_score@k|of:means",
    "bpref", "average_precision|cutoff:none|users:both_rows",
)]  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_means_of_blocks_are_those_of_all_rows(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    case = random_case(random.Random(seed))
    made = [evaluate(each, Problem.of([case], 2)) for each in DEFINITIONS_OF_KEPT_MEANS]
    expected = [math.nan if each.refused[0] else float(each.mean[0]) for each in made]
    monkeypatch.setattr(user_blocks, "BLOCK", 1)
    problem = Problem.of([case], 2)
    keep_means((problem, DEFINITIONS_OF_KEPT_MEANS))
    assert [mean_of(each, problem) for each in DEFINITIONS_OF_KEPT_MEANS] == pytest.approx(
        expected, abs=1e-15, nan_ok=True
    )


def test_a_mean_is_computed_once_and_those_of_all_cut_offs_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two users with one relevant item each, at rank 2 of 2: found at 2, missed at 1."""
    made: list[tuple[str, ...]] = []

    def counted(block: Case, definitions: Sequence[Definition]) -> object:
        made.append(tuple(map(str, definitions)))
        return evaluated(block, definitions)

    evaluated = kept_means.evaluate_block
    monkeypatch.setattr(kept_means, "evaluate_block", counted)
    monkeypatch.setattr(user_blocks, "BLOCK", 3)
    whole, recall = Problem.of([many(("01", 1), ("01", 1), ("01", 1), ("01", 1))], None), parse("recall@k")
    keep_means((whole.at(1), [recall]), (whole.at(2), [recall]))
    for _ in range(2):
        assert [mean_of(recall, whole.at(k)) for k in (1, 2, None)] == [0.0, 1.0, 1.0]
    assert dict.fromkeys(made) == dict.fromkeys([("recall@1", "recall@2"), ("recall@k",)]) and len(made) > 2


@pytest.mark.parametrize("block", [1, 100])
def test_too_many_orders_are_told_each_time(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_blocks, "BLOCK", block)
    problem = Problem.of([one("1" * 5 + "0" * 15, scores="5" * 20)], 3)
    for _ in range(2):
        with pytest.raises(TooManyOrdersError):
            mean_of(parse("ndcg@3|ties:average|gain:linear"), problem)


def test_users_named_beside_the_rows_are_averaged_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """User 1 has one of two items at rank 1; user 2 has no rows, and a recall of 0 by that policy."""
    monkeypatch.setattr(user_blocks, "BLOCK", 1)
    case = replace(one("11"), users=np.array([1, 2]))
    assert mean_of(parse("recall@1|users:all|undefined:0"), Problem.of([case], 1)) == 0.25


# Hold means of merged blocks equal to sums worked out in the order of the users.

PLAIN = (CompactTerms(None, None, False, False),)


def block(users: list[int], values: list[float], counted: list[bool] | None = None) -> BlockValues:
    mask = None if counted is None else np.array(counted)
    return BlockValues(np.array(users), (PartialValues(np.array(values), mask, PLAIN),))


def test_a_user_in_two_blocks_is_an_error() -> None:
    merged = MergedValues([parse("ndcg@2")], np.array([1, 2]))
    merged.add(block([1], [1.0]))
    with pytest.raises(ValueError, match="two blocks"):
        merged.add(block([1], [0.0]))
    with pytest.raises(ValueError, match="1 users are in no block"):
        merged.results()


def test_nobody_is_left_only_if_no_block_holds_anybody() -> None:
    rules = ("nan", "0", "error")
    merged = MergedValues([parse(f"ndcg@2|nobody:{rule}") for rule in rules], np.array([1, 11, 12]))
    empty, half = (evaluate_block(case, merged.definitions) for case in (one("00", 0), many(("00", 0), ("01", 1))))
    apart = BlockValues(half.users + 10, half.parts)
    merged.add(empty)
    merged.add(apart)
    assert [each.mean for each in merged.results() if isinstance(each, Values)] == [pytest.approx(1 / LOG3)] * 3
    alone = MergedValues(merged.definitions, np.array([1]))
    alone.add(empty)
    nan, zero, error = alone.results()
    assert isinstance(nan, Values) and np.isnan(nan.mean)
    assert isinstance(zero, Values) and zero.mean == 0
    assert isinstance(error, InputRefusedError) and "nobody is left" in str(error)


# Hold packing and unpacking to the rows that went in: all of them, whole users, in order.

KEYS = np.array([70, 80, 90], dtype=np.int64)


def batch(users: list[object], first: int, kind: pa.DataType | None = None) -> pa.RecordBatch:
    """Return a batch whose items are the numbers of its rows."""
    items = list(range(first, first + len(users)))
    return pa.record_batch({"user": pa.array(users, kind), "item": items, "number": [float(item) for item in items]})


def by_key(*packed: pa.RecordBatch) -> dict[int, list[pa.RecordBatch]]:
    pieces = [made.slice(place, 1) for made in packed for place in range(made.num_rows)]
    return {key: [each for each in pieces if each.column("key")[0].as_py() == key] for key in map(int, KEYS)}


@pytest.mark.parametrize("text", [False, True])
def test_a_bucket_has_all_rows_of_its_users_in_their_order(text: bool) -> None:
    rng = np.random.default_rng(1)
    drawn = rng.integers(-20, 20, 300)
    users = [f"u{user}" if text else int(user) for user in drawn]
    parts = [list(pack([batch(users[at : at + 25], at) for at in (start, start + 25)], PREDICTIONS, number, KEYS, 30))
             for number, start in enumerate(range(0, 300, 50))]  # fmt: skip
    seen: list[object] = []
    for pieces in by_key(*(piece for part in reversed(parts) for piece in part)).values():
        rows = unpack(pieces)[PREDICTIONS].to_pydict()
        assert rows["item"] == [at for at in range(300) if users[at] in set(rows["user"])]
        assert rows["user"] == [users[at] for at in rows["item"]]
        assert rows["number"] == [float(at) for at in rows["item"]]
        seen += rows["item"]
    assert sorted(seen) == list(range(300))


def test_one_user_has_one_bucket_whatever_the_width_of_its_number() -> None:
    users = [-7, 0, 3, 12, 99]
    narrow, wide = (next(pack([batch(users, 0, kind)], TRUTH, 0, KEYS)) for kind in (pa.int8(), pa.int64()))
    for key, pieces in by_key(narrow).items():
        same = by_key(wide)[key]
        assert [unpack([each])[TRUTH]["user"].to_pylist() for each in pieces] == [
            unpack([each])[TRUTH]["user"].to_pylist() for each in same
        ]


def test_no_rows_make_no_piece() -> None:
    assert list(pack([], TRUTH, 0, KEYS)) == []
    assert list(pack([batch([], 0, pa.int64())], TRUTH, 0, KEYS)) == []
    assert unpack([]) == {}


# Which definitions give each user a value that depends on that user alone.


@pytest.mark.parametrize("text", ["novelty@2", "average_popularity@2", "gini@2", "user_coverage", "auc|scope:stacked"])
def test_what_reads_the_rows_of_others_is_not_evaluated_a_block_at_a_time(text: str) -> None:
    assert is_user_by_user(parse("ndcg@2")) and not is_user_by_user(parse(text))
    with pytest.raises(NotUserByUserError, match="all users at once"):
        check_user_by_user([parse(text)])


def test_what_counts_train_rows_asks_for_some() -> None:
    rows, truth = {"user": [1, 1], "item": [1, 2], "score": [2.0, 1.0]}, {"user": [1], "item": [1]}
    with pytest.raises(ValueError, match=r"novelty@2: .* pass train rows"):
        evaluate_rows(rows, truth, 2, ["catalogue_coverage", "novelty"])
    made = evaluate_rows(rows, truth, 2, ["novelty"], train={"user": [2, 3], "item": [1, 1]})
    assert made["novelty@2"].mean == 1 / 2  # item 1 is had by both users, item 2 as if by one


# Hold what an executor computes equal to evaluation in memory; Spark itself is tried in tests/live.

Row = tuple[int, object, object, float | None]
DEFINITIONS_OF_USER_BUCKET = tuple(parse(text) for text in (
    "ndcg@2", "recall@2|ties:item_desc", "precision@2|pooling:pooled", "f_score@2|of:means",
    "reciprocal_rank@3|order:rows", "auc|negatives:with_train", "hit_rate@2|users:all",
    "average_precision@2|mean:geometric",
))  # fmt: skip
TEXT_TIES = parse("recall@1|ties:text_asc")


def drawn(seed: int, text: bool) -> list[Row]:
    """Draw rows of all tables: ties, repeats, users on one side only."""
    rng = random.Random(seed)
    name = (lambda letter, number: f"{letter}{number}") if text else (lambda letter, number: number)
    return [
        (kind, name("u", rng.randint(1, 12)), name("i", rng.randint(1, 15)), float(rng.randint(0, 4)))
        for kind, rows in ((PREDICTIONS, 60), (TRUTH, 25), (TRAIN, 9)) for _ in range(rows)
    ]  # fmt: skip


def batch_of_user_bucket(rows: list[Row]) -> pa.RecordBatch:
    _, user, item, number = (list(column) for column in zip(*rows, strict=True))
    ids = pa.string() if "u" in str(user) else pa.int64()
    return pa.record_batch({
        "user": pa.array(user, ids), "item": pa.array(item, ids), "number": pa.array(number, pa.float64()),
    })  # fmt: skip


def shuffled(rows: list[Row], number: int) -> list[list[pa.RecordBatch]]:
    """Return the pieces of each bucket in another order; every table has two partitions, of two batches each."""
    keys = np.arange(number, dtype=np.int64)
    made = []
    for kind in (PREDICTIONS, TRUTH, TRAIN):
        own = [row for row in rows if row[0] == kind]
        for partition, part in enumerate((own[: len(own) // 2], own[len(own) // 2 :])):
            halves = [half for half in (part[: len(part) // 2], part[len(part) // 2 :]) if half]
            for pieces in pack(map(batch_of_user_bucket, halves), kind, partition, keys, rows=1):
                made += [pieces.slice(place, 1) for place in range(pieces.num_rows)]
    random.Random(0).shuffle(made)
    return [[piece for piece in made if piece.column("key")[0].as_py() == bucket] for bucket in range(number)]


def buckets(rows: list[Row], task: BucketTask, number: int = 5) -> list[BucketValues | ValueError]:
    """Evaluate all buckets; what comes out is pickled, as on a cluster."""
    made = [task.evaluate(pieces) for pieces in shuffled(rows, number)]
    return [pickle.loads(pickle.dumps(each)) for each in made if each is not None]


def tables(rows: list[Row]) -> list[dict[str, list[object]]]:
    names = {PREDICTIONS: "score", TRUTH: "gain", TRAIN: "unused"}
    return [
        {"user": [row[1] for row in rows if row[0] == kind], "item": [row[2] for row in rows if row[0] == kind],
         name: [row[3] for row in rows if row[0] == kind]}
        for kind, name in names.items()
    ]  # fmt: skip


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_buckets_give_the_same_values(seed: int, text: bool) -> None:
    rows = drawn(seed, text)
    items = tuple(sorted({row[2] for row in rows})) if text else None
    chosen = (*DEFINITIONS_OF_USER_BUCKET, TEXT_TIES)
    task = BucketTask(chosen, 1.0, (1.0, 5.0), items=items)  # type: ignore[arg-type]
    shown, true, seen = tables(rows)
    wanted = evaluate_rows(shown, true, 1, chosen, train=seen)
    for made, local in zip(merge_buckets(buckets(rows, task), chosen), wanted.values(), strict=True):
        assert isinstance(made, PublicValues)
        assert np.array_equal(made.mean, local.mean, equal_nan=True)
        assert made.by_user() == local.by_user()


def test_the_catalogue_is_that_of_all_buckets() -> None:
    rows = drawn(3, False)
    chosen = (parse("auc|negatives:catalogue"),)
    count = len({row[2] for row in rows if row[0] != TRAIN})
    shown, true, seen = tables(rows)
    (made,) = merge_buckets(buckets(rows, BucketTask(chosen, 1.0, (1.0, 5.0), catalogue=count)), chosen)
    assert isinstance(made, PublicValues)
    assert made.mean == evaluate_rows(shown, true, 1, chosen, train=seen)["auc|negatives:catalogue"].mean


def test_an_empty_bucket_gives_nothing_and_no_bucket_no_users() -> None:
    assert BucketTask(DEFINITIONS_OF_USER_BUCKET, 1.0, (1.0, 5.0)).evaluate(iter([])) is None
    (made, *_) = merge_buckets([], DEFINITIONS_OF_USER_BUCKET)
    assert isinstance(made, PublicValues)
    assert np.isnan(made.mean) and made.by_user() == {}


@pytest.mark.parametrize(("row", "words"), [
    ((PREDICTIONS, None, 1, 1.0), "column 'user' has missing ids"),
    ((PREDICTIONS, 1, None, 1.0), "column 'item' has missing ids"),
    ((PREDICTIONS, 1, 1, None), "NaN score"),
    ((TRUTH, 1, 1, None), "no number as its gain"),
])  # fmt: skip
def test_a_refused_row_is_an_error_on_the_driver(row: Row, words: str) -> None:
    task = BucketTask(DEFINITIONS_OF_USER_BUCKET, 1.0, (1.0, 5.0))
    (made,) = buckets([row, (TRUTH, 5, 5, 1.0)], task, 1)
    assert isinstance(made, ValueError)
    with pytest.raises(ValueError, match=words):
        merge_buckets([made], DEFINITIONS_OF_USER_BUCKET)
