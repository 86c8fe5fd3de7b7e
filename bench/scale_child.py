"""Takes one measurement of ``bench.scale`` in a process of its own; prints seconds, memory and values as JSON.

python scale_child.py ENGINE PREDICTIONS TRUTH K
"""

import json
import resource
import sys
import time


def evaluated(engine, predictions, truth, k):
    """Evaluate the documented definitions by an engine and return their means."""
    from bench.documented import DOCUMENTED

    if engine == "spark":
        from bench.spark_session import session
        from reference import spark

        here = session()
        found = spark.evaluate(here.read.parquet(predictions), here.read.parquet(truth), k, DOCUMENTED)
    else:
        from reference import evaluate

        found = evaluate(predictions, truth, k, DOCUMENTED, streamed=engine == "streamed")
    return {signature: values.mean for signature, values in found.items()}


def decoded(predictions):
    """Read all columns once, batch by batch, and do nothing with them."""
    from pyarrow import parquet

    with parquet.ParquetFile(predictions) as file:
        for _ in file.iter_batches(1 << 18):
            pass
    return {}


def main():
    """Measure and print."""
    engine, predictions, truth, k = sys.argv[1:]
    clock = time.perf_counter()
    values = decoded(predictions) if engine == "decode" else evaluated(engine, predictions, truth, int(k))
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({
        "wall": time.perf_counter() - clock, "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss * 1024,
        "values": values,
    }))  # fmt: skip


if __name__ == "__main__":
    main()
