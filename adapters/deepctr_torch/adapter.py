"""DeepCTR-Torch: a model's evaluate, of a model whose predictions are the scores given."""

from types import SimpleNamespace

import pandas as pd
import torch
from deepctr_torch.models.basemodel import BaseModel


class Given(BaseModel):
    """Predicts what it is given."""

    def __init__(self, metric):
        torch.nn.Module.__init__(self)  # its own builds layers of features
        self.metrics_names = []
        self.metrics = self._get_metrics([metric])

    def predict(self, x, batch_size=256):
        return x


def prepare(case):
    pred = pd.DataFrame(case.recommended.named("user", "item", "score"))
    true = pd.DataFrame(case.relevant.named("user", "item", "gain"))
    gain = pred.merge(true.drop_duplicates(["user", "item"]), how="left", on=["user", "item"])["gain"]
    rated = true.merge(pred, on=["user", "item"])
    return SimpleNamespace(
        labelled=(pred["score"].to_numpy(), (gain >= case.threshold).astype(int).to_numpy()),
        rated=(rated["score"].to_numpy(), rated["gain"].to_numpy()),
    )


def ask(name, rows):
    return lambda data, k: Given(name).evaluate(*getattr(data, rows))[name]


PLACE = "deepctr_torch.models.basemodel.BaseModel.evaluate[%s]"
FUNCTIONS = {PLACE % "auc": ask("auc", "labelled"), PLACE % "mse": ask("mse", "rated")}
