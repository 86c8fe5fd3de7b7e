"""MS Recommenders' spark_evaluation: two Spark frames, truth and predictions, given to an evaluator."""

import os
import sys

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql
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
TRAIN = "userID long, itemID long"
TRUE, PRED = TRAIN + ", rating double", TRAIN + ", prediction double"


def prepare(case):
    spark.catalog.clearCache()  # each further plan is compared with all that is cached
    true = pd.DataFrame(case.relevant.named("userID", "itemID", "rating"))
    pred = pd.DataFrame(case.recommended.named("userID", "itemID", "prediction"))
    train = pd.DataFrame(case.train.named("userID", "itemID"))
    tables = (true, TRUE), (pred, PRED), (train, TRAIN)
    return [spark.createDataFrame(table, columns).cache() for table, columns in tables]


def ranking(name):
    return lambda frames, k: getattr(evaluation.SparkRankingEvaluation(*frames[:2], k=k), name)()


def rating(name):
    return lambda frames, k: getattr(evaluation.SparkRatingEvaluation(*frames[:2]), name)()


def shown(name, cut=False):
    def answer(frames, k):
        _, pred, train = frames
        if cut:  # the library's own cut, which makes a list of each user's rows
            top = evaluation._get_top_k_items(pred, col_rating="prediction", k=k)
            pred = top.select("userID", sql.explode("prediction").alias("itemID"))
        return getattr(evaluation.SparkDiversityEvaluation(train, pred), name)()

    return answer


RANKING, RATING, DIVERSITY = (
    evaluation.__name__ + ".Spark%sEvaluation." % kind for kind in ("Ranking", "Rating", "Diversity")
)
FUNCTIONS = {RATING + name: rating(name) for name in ("rmse", "mae", "rsquared", "exp_var")}
FUNCTIONS.update({RANKING + n: ranking(n) for n in ("precision_at_k", "recall_at_k", "ndcg_at_k", "map", "map_at_k")})
FUNCTIONS.update({DIVERSITY + n: shown(n) for n in ("catalog_coverage", "distributional_coverage", "novelty")})
for n in ("diversity", "serendipity"):
    FUNCTIONS[DIVERSITY + n + "[reco_df=_get_top_k_items]"] = shown(n, cut=True)
