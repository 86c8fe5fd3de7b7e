"""Evaluates generated data by Spark and by tables in memory; prints both, every digit of them, as JSON.

Runs in the environment of ``bench.spark_environment``. The data: ties, items given twice, users on one side only, a
user with most of the rows, ids that are numbers and ids that are text.
"""

import json

import numpy as np
import pandas as pd

from bench.spark_session import session
from recsys_metric_audit import evaluate
from recsys_metric_audit.reference import spark as engine

DEFINITIONS = [
    "ndcg", "ndcg|ties:best", "average_precision|ties:item_desc", "recall|ties:text_asc", "precision|pooling:pooled",
    "f_score|of:means", "hit_rate|users:all|duplicates:first_closed_up", "reciprocal_rank|order:rows",
    "average_precision|mean:geometric|users:both", "auc|negatives:catalogue", "auc|negatives:with_train",
]  # fmt: skip


def drawn(seed, text):
    """Draw predictions, truth and train data; user 7 has most rows."""
    rng = np.random.default_rng(seed)
    user = np.where(rng.random(900) < 0.6, 7, rng.integers(0, 60, 900))
    shown = {"user": user, "item": rng.integers(0, 400, 900), "score": rng.integers(0, 300, 900) / 4}
    hit = rng.integers(0, 900, 100)
    true = {
        "user": np.append(user[hit], rng.integers(50, 70, 40)),
        "item": np.append(shown["item"][hit], rng.integers(0, 500, 40)),
        "gain": rng.integers(0, 6, 140).astype(float),
    }
    seen = {"user": rng.integers(0, 80, 60), "item": rng.integers(300, 500, 60)}
    tables = [pd.DataFrame(table) for table in (shown, true, seen)]
    for table in tables if text else ():
        table["user"], table["item"] = "u" + table["user"].astype(str), "i" + table["item"].astype(str)
    return tables


def digits(results):
    """Return every number of some results in hexadecimal."""
    return {
        signature: [values.mean.hex(), [str(user) for user in values.users.tolist()],
                    [value.hex() for value in values.values.tolist()]]
        for signature, values in results.items()
    }  # fmt: skip


def error(call):
    """Return the kind and the words of the error that a call raises."""
    try:
        call()
    except Exception as raised:
        return [type(raised).__name__, str(raised)]
    return ["nothing", ""]


def main():
    """Evaluate and print."""
    spark, out = session(partitions=3), {"cases": {}, "errors": {}}
    for name, seed, text, buckets in (("numbers", 1, False, None), ("text", 2, True, None), ("empty", 3, False, 90)):
        tables = drawn(seed, text)
        frames = [spark.createDataFrame(table) for table in tables]
        ours = engine.evaluate(*frames[:2], 3, DEFINITIONS, train=frames[2], threshold=2.0, buckets=buckets)
        local = evaluate(*tables[:2], 3, DEFINITIONS, train=tables[2], threshold=2.0)
        out["cases"][name] = {"spark": digits(ours), "local": digits(local)}
    shown, true = (spark.createDataFrame(table) for table in drawn(1, False)[:2])
    nowhere = shown.where("user < 0")
    out["cases"]["no predictions"] = {
        "spark": digits(engine.evaluate(nowhere, true, 3, ["recall"])),
        "local": digits(evaluate(drawn(1, False)[0][:0], drawn(1, False)[1], 3, ["recall"])),
    }
    asked = {
        "text scores": lambda: engine.evaluate(shown.selectExpr("user", "item", "'a' as score"), true, 3, ["ndcg"]),
        "float ids": lambda: engine.evaluate(
            shown.selectExpr("user + .5d as user", "item", "score"), true, 3, ["ndcg"]
        ),
        "no score": lambda: engine.evaluate(shown.drop("score"), true, 3, ["ndcg"]),
        "missing id": lambda: engine.evaluate(
            shown.selectExpr("nullif(user, 7) as user", "item", "score"), true, 3, ["ndcg"]
        ),
        "missing score": lambda: engine.evaluate(
            shown.selectExpr("user", "item", "nullif(score, score) as score"), true, 3, ["ndcg"]
        ),
        "refused": lambda: engine.evaluate(shown, true, 3, ["ndcg|duplicates:error"]),
        "all rows": lambda: engine.evaluate(shown, true, 3, ["auc|scope:stacked"]),
    }
    out["errors"] = {name: error(call) for name, call in asked.items()}
    print(json.dumps(out))


if __name__ == "__main__":
    main()
