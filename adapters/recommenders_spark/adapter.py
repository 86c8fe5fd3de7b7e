"""MS Recommenders' spark_evaluation: two Spark frames, truth and predictions, given to an evaluator."""

import os
import sys

import pandas as pd
from pyspark.sql import SparkSession
from recommenders.evaluation import spark_evaluation as evaluation

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
TRUE, PRED = "userID long, itemID long, rating double", "userID long, itemID long, prediction double"


def prepare(case):
    spark.catalog.clearCache()  # each further plan is compared with all that is cached
    true = pd.DataFrame(case.relevant.named("userID", "itemID", "rating"))
    pred = pd.DataFrame(case.recommended.named("userID", "itemID", "prediction"))
    return spark.createDataFrame(true, TRUE).cache(), spark.createDataFrame(pred, PRED).cache()


def ranking(name):
    return lambda frames, k: getattr(evaluation.SparkRankingEvaluation(*frames, k=k), name)()


def rating(name):
    return lambda frames, k: getattr(evaluation.SparkRatingEvaluation(*frames), name)()


RANKING, RATING = (evaluation.__name__ + ".Spark%sEvaluation." % kind for kind in ("Ranking", "Rating"))
FUNCTIONS = {RATING + name: rating(name) for name in ("rmse", "mae", "rsquared", "exp_var")}
FUNCTIONS.update({RANKING + n: ranking(n) for n in ("precision_at_k", "recall_at_k", "ndcg_at_k", "map", "map_at_k")})
