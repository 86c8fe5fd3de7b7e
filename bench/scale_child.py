"""Takes one measurement of ``bench.scale`` in a process of its own; prints seconds, memory and values as JSON.

python scale_child.py ENGINE PREDICTIONS TRUTH K
"""

import json
import os
import resource
import sys
import time
from pathlib import Path

from bench.meter import memory


def evaluated(engine, predictions, truth, k):
    """Evaluate the documented definitions by an engine and return their means."""
    from bench.documented import DOCUMENTED

    if engine == "spark":
        from bench.spark_session import session
        from recsys_metric_audit.reference import spark

        here = session()
        found = spark.evaluate(here.read.parquet(predictions), here.read.parquet(truth), k, DOCUMENTED)
    else:
        from recsys_metric_audit import evaluate

        found = evaluate(predictions, truth, k, DOCUMENTED, streamed=engine == "streamed")
    return {signature: values.mean for signature, values in found.items()}


def decoded(predictions):
    """Read all columns once, batch by batch, and do nothing with them."""
    from pyarrow import parquet

    with parquet.ParquetFile(predictions) as file:
        for _ in file.iter_batches(1 << 18):
            pass
    return {}


def descendants():
    """Return the processor's seconds and the peaks of memory of the processes that this one has started, summed."""
    fields, tick = {}, os.sysconf("SC_CLK_TCK")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # The name of a process, in brackets, may hold anything.
            fields[int(folder.name)] = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
    cpu, peak = 0.0, 0
    for process, own in fields.items():
        parent = int(own[1])
        while parent in fields and parent != os.getpid():
            parent = int(fields[parent][1])
        if parent == os.getpid():
            # In user and system mode, then those of its children that have ended.
            cpu += sum(map(int, own[11:15])) / tick
            peak += memory("VmHWM", process)
    return cpu, peak


def main():
    """Measure and print."""
    engine, predictions, truth, k = sys.argv[1:]
    clock = time.perf_counter()
    values = decoded(predictions) if engine == "decode" else evaluated(engine, predictions, truth, int(k))
    used, (cpu, peak) = resource.getrusage(resource.RUSAGE_SELF), descendants()
    print(json.dumps({
        "wall": time.perf_counter() - clock, "cpu": cpu + used.ru_utime + used.ru_stime,
        "peak": peak + memory("VmHWM"), "values": values,
    }))  # fmt: skip


if __name__ == "__main__":
    main()
