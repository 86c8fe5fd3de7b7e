"""Starts Spark on two cores of this machine; runs in the environment of ``bench.spark_environment``."""

from pyspark.sql import SparkSession


def session(partitions=8, memory="2g"):
    """Return a session whose shuffles have so many partitions and whose Java machine has so much memory."""
    builder = SparkSession.builder.master("local[2]")
    settings = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1", "spark.sql.shuffle.partitions": partitions,
        "spark.driver.memory": memory,
    }  # fmt: skip
    for name, value in settings.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made
