"""The digest of a dataset sees every change of the input and no difference of format."""

from __future__ import annotations

import gzip

import numpy as np
import pandas as pd
import pytest

from recsys_metric_audit.audit.data import Dataset, read_case
from recsys_metric_audit.audit.data import dataset as pairs
from recsys_metric_audit.audit.data.dataset import (
    are_among,
    by_user_best_first,
    first_repeated_pair,
    key_blocks,
    pair_keys,
)

# The digest of a dataset sees every change of the input and no difference of format.


PREDICTIONS = "user,item,score\nanna,x,0.9\nanna,y,0.5\nbert,y,0.7\n"

TRUTH = "user,item,gain\nanna,y,5\nbert,x,4\n"


def test_parquet_csv_tsv_and_gzip_give_the_same_data(write):
    frame = pd.DataFrame({"user": [1, 1, 2], "item": [5, 6, 5], "score": [0.1, 0.05, 1 / 3]})
    text = frame.to_csv(index=False)
    truth = write("t.csv", "user,item,gain\n1,6,3\n")
    files = [
        write("p.parquet", frame),
        write("p.csv", text),
        write("p.tsv", text.replace(",", "\t")),
        write("p.csv.gz", gzip.compress(text.encode())),
        write("bom.csv", b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()),
    ]
    digests = {read_case(file, truth, None).digest for file in files}
    assert len(digests) == 1


@pytest.mark.parametrize(
    "change",
    [
        ("p.csv", PREDICTIONS.replace("0.5", "0.50000000000000011")),
        ("p.csv", PREDICTIONS.replace("x", "z")),
        ("p.csv", PREDICTIONS.replace("bert,y,0.7\n", "")),
        ("t.csv", TRUTH.replace("5\n", "4.5\n")),
        ("t.csv", TRUTH + "bert,y,4\n"),
    ],
)
def test_the_digest_sees_every_change(write, change):
    files = {"p.csv": PREDICTIONS, "t.csv": TRUTH}
    before = read_case(write("p.csv", files["p.csv"]), write("t.csv", files["t.csv"]), None)
    files[change[0]] = change[1]
    after = read_case(write("p.csv", files["p.csv"]), write("t.csv", files["t.csv"]), None)
    assert before.digest != after.digest


def test_the_digest_sees_threshold_and_train(write):
    predictions, truth = write("p.csv", PREDICTIONS), write("t.csv", TRUTH)
    train = write("r.csv", "user,item\nanna,z\n")
    digests = [
        read_case(predictions, truth, None).digest,
        read_case(predictions, truth, None, threshold=5.0).digest,
        read_case(predictions, truth, train).digest,
    ]
    assert len(set(digests)) == 3


# Everything legal but unusual is counted.


def facts(dataset: Dataset) -> dict[str, int]:
    return {fact.slug: fact.count for fact in dataset.facts}


def test_every_legal_oddity_is_counted(write):
    predictions = "user,item,score\na,p,3\na,q,2\na,r,2\nb,p,1\nghost,p,1\n"
    truth = "user,item,gain\na,q,5\na,z,4\nb,p,1\nlost,p,5\nb,q,-1\n"
    train = "user,item\na,p\na,p\nb,q\nnew,s\n"
    data = read_case(write("p.csv", predictions), write("t.csv", truth), write("r.csv", train), threshold=4.0)
    assert facts(data) == {
        "rows-in-order": 5,
        "users-without-recommendations": 1,  # lost
        "users-without-truth": 1,  # ghost
        "users-without-relevant-items": 1,  # b
        "users-not-in-train": 2,  # ghost, lost
        "short-lists": 2,  # b, ghost: 1 item, a has 3
        "tied-scores": 2,  # a: q, r
        "relevant-not-recommended": 1,  # (a, z); (lost, p) has no list at all
        "train-duplicates": 1,
        "train-items-recommended": 1,  # (a, p)
        "truth-in-train": 1,  # (b, q)
        "items-not-in-train": 2,  # r, z
        "truth-below-threshold": 2,
        "negative-gains": 1,
    }
    assert all(f"{fact.count}." in fact.text for fact in data.facts)


# Pairs as single integers: equality, duplicates, distinct ids.


@pytest.mark.parametrize("big", [False, True])
def test_pair_keys_are_equal_exactly_for_equal_pairs(big):
    scale = 2**40 if big else 1  # products beyond int64 are numbered densely first
    left = (np.array([1, 1, 2]) * scale, np.array([5, 6, 5]) * scale)
    right = (np.array([2, 6, 1]) * scale, np.array([5, 1, 6]) * scale)
    first, second = pair_keys([left, right])
    assert (first[:, None] == second[None, :]).tolist() == [
        [False, False, False],
        [False, False, True],
        [True, False, False],
    ]


def test_the_first_repeated_pair_is_the_earliest_row_that_repeats():
    of_one_user = np.zeros(6, dtype=np.int64)
    assert first_repeated_pair(of_one_user, np.array([4, 9, 7, 9, 4, 4])) == (1, 3)
    assert first_repeated_pair(of_one_user[:3], np.array([4, 9, 7])) is None
    assert first_repeated_pair(of_one_user[:0], of_one_user[:0]) is None


@pytest.mark.parametrize("scale", [1, 2**50])
def test_ids_among_others_are_those_of_a_set(scale):
    rng = np.random.default_rng(0)
    ids, others = (rng.integers(0, 40, size) * np.int64(scale) for size in (300, 15))
    assert are_among(ids, others).tolist() == [each in set(others.tolist()) for each in ids.tolist()]
    assert are_among(ids, others[:0]).tolist() == [False] * 300
    assert are_among(ids[:0], others).tolist() == []


def by_user(rng: np.random.Generator, rows: int, users: int) -> tuple[np.ndarray, np.ndarray]:
    return np.sort(rng.integers(0, users, rows)), rng.integers(0, 50, rows)


@pytest.mark.parametrize("block", [1, 7, 100, 10_000])
@pytest.mark.parametrize("scale", [1, 2**50])  # products beyond int64 are numbered densely, in one block
def test_blocks_hold_all_pairs_of_their_users_and_each_pair_of_the_table_once(monkeypatch, block, scale):
    monkeypatch.setattr(pairs, "_BLOCK", block)
    rng = np.random.default_rng(4)
    table, other = by_user(rng, 300, 40), by_user(rng, 200, 60)
    shuffled = rng.permutation(200)
    other = tuple(column[shuffled] for column in other)
    given = [tuple(column * scale for column in each) for each in (table, other)]
    blocks = list(key_blocks(*given))
    known = dict(zip(np.concatenate(pair_keys(given)).tolist(), zip(*map(np.concatenate, zip(table, other)))))  # noqa: B905
    made = [[[known[key] for key in keys.tolist()] for keys in each] for each in blocks]
    assert [pair for own, _ in made for pair in own] == list(zip(*table, strict=True))
    for own, others in made:
        users = {user for user, _ in own}
        there = sorted(pair for pair in zip(*other, strict=True) if pair[0] in users or scale > 1)
        between = [pair for pair in others if pair[0] not in users]
        assert [pair for pair in others if pair[0] in users] == [pair for pair in there if pair[0] in users]
        assert scale > 1 or all(min(users) < user < max(users) for user, _ in between)
    assert len(made) == 1 if scale > 1 or block == 10_000 else len(made) > 1


def test_rows_that_are_not_sorted_by_user_are_one_block():
    ((own, other),) = key_blocks((np.array([2, 1, 2]), np.array([0, 5, 3])), (np.array([3, 1]), np.array([1, 1])))
    assert (own.tolist(), other.tolist()) == ([12, 11, 15], [7, 19])  # 6 × user + item


@pytest.mark.parametrize("block", [1, 2, 100])
def test_the_first_repeated_pair_is_found_in_rows_of_any_order(monkeypatch, block):
    monkeypatch.setattr(pairs, "_BLOCK", block)
    user, item = np.array([1, 1, 2, 2, 3, 3, 3]), np.array([5, 6, 5, 6, 7, 5, 7])
    assert first_repeated_pair(user, item) == (4, 6)
    assert first_repeated_pair(user[:6], item[:6]) is None
    assert first_repeated_pair(user[::-1], item[::-1]) == (0, 2)
    assert first_repeated_pair(user[:0], item[:0]) is None


def test_an_order_is_told_by_comparing_neighbours():
    user = np.array([1, 1, 2, 2])
    score = np.array([1e308, -1e308, 5e-324, 5e-324])  # of which a difference overflows
    assert by_user_best_first(user, score) is None
    assert by_user_best_first(user, -score).tolist() == [1, 0, 2, 3]
    assert by_user_best_first(user, np.array([1.0, 2.0, 0.0, 0.0])).tolist() == [1, 0, 2, 3]
    assert by_user_best_first(user[::-1], score).tolist() == [2, 3, 0, 1]
    assert by_user_best_first(user[:0], score[:0]) is None
