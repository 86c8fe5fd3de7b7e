"""The reference through its public ``evaluate``: every documented definition of eight families, from DataFrames."""

import pandas as pd

from bench.documented import DOCUMENTED
from recsys_metric_audit import evaluate

DEFINITIONS = {signature: signature for signature in DOCUMENTED}


def convert(column, ordered):
    shown = pd.DataFrame({name: column[name] for name in ("user", "item", "score")}, copy=False)
    return shown, pd.DataFrame({name: column["truth_" + name] for name in ("user", "item", "gain")})


def usual(data, k):
    found = evaluate(*data, k, DOCUMENTED)
    return {asked: values.mean for asked, values in zip(DOCUMENTED, found.values())}
