"""The digest of a dataset sees every change of the input and no difference of format."""

from __future__ import annotations

import gzip

import pandas as pd
import pytest

from recsys_metric_audit.audit.data import read_case

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
