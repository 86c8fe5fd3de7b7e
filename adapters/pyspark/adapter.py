"""Spark MLlib: one row a user, with the recommended items, best first, and the relevant ones.

Longer than most: it starts a Spark session of its own.
"""

import os
import sys

from pyspark.ml.evaluation import RankingEvaluator
from pyspark.mllib.evaluation import RankingMetrics, RegressionMetrics
from pyspark.sql import SparkSession

os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
settings = {"spark.ui.enabled": False, "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
settings.update({"spark.default.parallelism": 1, "spark.sql.shuffle.partitions": 1, "spark.driver.memory": "2g"})
# Thousands of small jobs: a machine that compiles lightly and collects with one thread is up and through sooner.
settings["spark.driver.extraJavaOptions"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
builder = SparkSession.builder.master("local[1]")
for name, setting in settings.items():
    builder = builder.config(name, setting)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")


def prepare(case):
    users = sorted({*case.recommended.users, *case.relevant.users})
    shown = case.recommended.by_user("item", users=users)
    relevant = case.relevant.by_user("item", "gain", users=users)
    rows = [tuple(own.astype(float).tolist() for own in (shown[user], *relevant[user])) for user in users]
    scores = {}
    for user, item, score in zip(*(column.tolist() for column in vars(case.recommended).values())):
        scores.setdefault((user, item), score)
    truth = case.relevant.by_user("item", "gain").items()
    rated = ((user, item, gain) for user, own in truth for item, gain in zip(*(column.tolist() for column in own)))
    return rows, [(scores[user, item], gain) for user, item, gain in rated if (user, item) in scores]


def ranking(name, columns=2):
    def answer(prepared, k):
        rows = spark.sparkContext.parallelize([row[:columns] for row in prepared[0]], 1)
        metrics = RankingMetrics(rows)
        return getattr(metrics, name)(k) if k else getattr(metrics, name)

    return answer


def evaluator(name):
    def answer(prepared, k):
        frame = spark.createDataFrame([row[:2] for row in prepared[0]], "prediction array<double>, label array<double>")
        return RankingEvaluator(metricName=name, **({"k": k} if k else {})).evaluate(frame)

    return answer


def rating(name):
    return lambda prepared, k: getattr(RegressionMetrics(spark.sparkContext.parallelize(prepared[1], 1)), name)


FUNCTIONS = {"pyspark.mllib.evaluation.RankingMetrics.ndcgAt[relevance]": ranking("ndcgAt", 3)}
for name in ("precisionAt", "recallAt", "ndcgAt", "meanAveragePrecisionAt", "meanAveragePrecision"):
    FUNCTIONS["pyspark.mllib.evaluation.RankingMetrics." + name] = ranking(name)
for name in ("precisionAtK", "recallAtK", "ndcgAtK", "meanAveragePrecisionAtK", "meanAveragePrecision"):
    FUNCTIONS["pyspark.ml.evaluation.RankingEvaluator[%s]" % name] = evaluator(name)
for name in ("rootMeanSquaredError", "meanAbsoluteError", "meanSquaredError", "r2", "explainedVariance"):
    FUNCTIONS["pyspark.mllib.evaluation.RegressionMetrics." + name] = rating(name)
