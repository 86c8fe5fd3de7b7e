"""Spark MLlib: one row a user, with the recommended items, best first, and the relevant ones."""

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
    shown, scores, relevant, gains = {}, {}, {}, {}
    for user, item, score in zip(*(column.tolist() for column in vars(case.recommended).values())):
        shown.setdefault(user, []).append(float(item))
        scores.setdefault((user, item), score)
    for user, item, gain in zip(*(column.tolist() for column in vars(case.relevant).values())):
        relevant.setdefault(user, []).append(float(item))
        gains.setdefault(user, []).append(gain)
    users = sorted(shown.keys() | relevant.keys())
    rows = [(shown.get(user, []), relevant.get(user, []), gains.get(user, [])) for user in users]
    pairs = [(scores[user, int(i)], g) for user in relevant for i, g in zip(relevant[user], gains[user])
             if (user, int(i)) in scores]  # fmt: skip
    return rows, pairs


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
