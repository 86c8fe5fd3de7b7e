"""Hold what an executor computes equal to evaluation in memory; Spark itself is tried in tests/live."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pyarrow as pa
import pytest

from recsys_metric_audit import Values, evaluate
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.engines.row_pieces import PREDICTIONS, TRAIN, TRUTH, pack
from recsys_metric_audit.reference.engines.user_bucket import BucketTask, BucketValues, merge_buckets

Row = tuple[int, object, object, float | None]
DEFINITIONS = tuple(parse(text) for text in (
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


def batch(rows: list[Row]) -> pa.RecordBatch:
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
            for pieces in pack(map(batch, halves), kind, partition, keys, rows=1):
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
    chosen = (*DEFINITIONS, TEXT_TIES)
    task = BucketTask(chosen, 1.0, (1.0, 5.0), items=items)  # type: ignore[arg-type]
    shown, true, seen = tables(rows)
    wanted = evaluate(shown, true, 1, chosen, train=seen)
    for made, local in zip(merge_buckets(buckets(rows, task), chosen), wanted.values(), strict=True):
        assert isinstance(made, Values)
        assert np.array_equal(made.mean, local.mean, equal_nan=True)
        assert made.by_user() == local.by_user()


def test_the_catalogue_is_that_of_all_buckets() -> None:
    rows = drawn(3, False)
    chosen = (parse("auc|negatives:catalogue"),)
    count = len({row[2] for row in rows if row[0] != TRAIN})
    shown, true, seen = tables(rows)
    (made,) = merge_buckets(buckets(rows, BucketTask(chosen, 1.0, (1.0, 5.0), catalogue=count)), chosen)
    assert isinstance(made, Values)
    assert made.mean == evaluate(shown, true, 1, chosen, train=seen)["auc|negatives:catalogue"].mean


def test_an_empty_bucket_gives_nothing_and_no_bucket_no_users() -> None:
    assert BucketTask(DEFINITIONS, 1.0, (1.0, 5.0)).evaluate(iter([])) is None
    (made, *_) = merge_buckets([], DEFINITIONS)
    assert isinstance(made, Values)
    assert np.isnan(made.mean) and made.by_user() == {}


@pytest.mark.parametrize(("row", "words"), [
    ((PREDICTIONS, None, 1, 1.0), "column 'user' has missing ids"),
    ((PREDICTIONS, 1, None, 1.0), "column 'item' has missing ids"),
    ((PREDICTIONS, 1, 1, None), "NaN score"),
    ((TRUTH, 1, 1, None), "no number as its gain"),
])  # fmt: skip
def test_a_refused_row_is_an_error_on_the_driver(row: Row, words: str) -> None:
    task = BucketTask(DEFINITIONS, 1.0, (1.0, 5.0))
    (made,) = buckets([row, (TRUTH, 5, 5, 1.0)], task, 1)
    assert isinstance(made, ValueError)
    with pytest.raises(ValueError, match=words):
        merge_buckets([made], DEFINITIONS)
