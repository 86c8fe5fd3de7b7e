"""RecTools' side: its usual set at k = 20 by ``calc_metrics``, in its own environment."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from meter import Meter
from rectools import Columns
from rectools.metrics import MAP, MRR, NDCG, HitRate, Precision, Recall, calc_metrics

folder, k = Path(sys.argv[1]), int(sys.argv[2])
column = {path.stem: np.load(path) for path in folder.glob("*.npy")}
frame = pd.DataFrame({name: column[name] for name in ("user", "item", "score")}, copy=False)
truth = pd.DataFrame({"user": column["truth_user"], "item": column["truth_item"], "gain": column["truth_gain"]})
chosen = {
    "precision": Precision(k=k), "recall": Recall(k=k), "hit_rate": HitRate(k=k), "map": MAP(k=k),
    "ndcg": NDCG(k=k), "mrr": MRR(k=k),
}  # fmt: skip

meter = Meter()
with meter.step("conversion"):  # its metrics read ranks, not scores
    reco = frame.rename(columns={"user": Columns.User, "item": Columns.Item, "score": Columns.Score})
    reco[Columns.Rank] = reco.groupby(Columns.User, sort=False).cumcount() + 1
    interactions = truth.rename(columns={"user": Columns.User, "item": Columns.Item, "gain": Columns.Weight})
with meter.step("metrics"):
    values = calc_metrics(chosen, reco, interactions)
meter.report({name: float(value) for name, value in values.items()})
