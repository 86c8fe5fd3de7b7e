"""RePlay before 0.18: its metrics on Spark, ``Metric()(recommendations, ground_truth, k)``, and in Experiment.

Longer than most: it starts a Spark session of its own, and a checkout has to look installed to Spark's workers.
"""

import os
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
from pyspark.sql import SparkSession


def as_installed(folder):
    """A checkout as if installed: on import it asks for the version of its own distribution, in Spark's workers too."""
    checkout = Path(find_spec("replay").origin).parent.parent
    described = (checkout / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    version = next(line.split('"')[1] for line in described if line.startswith("version"))
    metadata = Path(folder, "replay-%s.dist-info" % version)
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: replay\nVersion: %s\n" % version)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(checkout), folder])
    sys.path.append(folder)


try:
    distribution("replay-rec")
except PackageNotFoundError:
    beside = TemporaryDirectory()
    as_installed(beside.name)

from replay import metrics
from replay.experiment import Experiment

os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
settings = {"spark.ui.enabled": False, "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
settings.update({"spark.default.parallelism": 1, "spark.sql.shuffle.partitions": 1, "spark.driver.memory": "2g"})
builder = SparkSession.builder.master("local[1]")
for name, setting in settings.items():
    builder = builder.config(name, setting)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
COLUMNS = "user_id long, item_id long, relevance double"


def prepare(case):
    parts = ((case.recommended, "score"), (case.relevant, "gain"))
    tables = [pd.DataFrame({"u": p.user, "i": p.item, value: getattr(p, value)}) for p, value in parts]
    return [spark.createDataFrame(table, COLUMNS).cache() for table in tables]


def alone(name):
    return lambda frames, k: getattr(metrics, name)()(frames[0], frames[1], k)


def experiment(name):
    def answer(frames, k):
        pipeline = Experiment(frames[1], {getattr(metrics, name)(): k})
        pipeline.add_result("model", frames[0])
        return pipeline.results.loc["model", "{}@{}".format(name, k)]

    return answer


NAMES = ("HitRate", "Precision", "Recall", "MAP", "MRR", "NDCG", "RocAuc")
FUNCTIONS = {"replay.metrics." + name: alone(name) for name in NAMES}
FUNCTIONS.update({"replay.experiment.Experiment[%s]" % name: experiment(name) for name in NAMES})
