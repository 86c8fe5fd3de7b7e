"""Surprise: functions of a list of predictions, each with the true rating and the estimate of one pair."""

import pandas as pd
from surprise import Prediction, accuracy


def prepare(case):
    true = pd.DataFrame(case.relevant.named("u", "i", "rating"))
    pred = pd.DataFrame(case.recommended.named("u", "i", "estimate"))
    rated = true.merge(pred, on=["u", "i"])  # as `algo.test(testset)` returns them: an estimate for every rated pair
    return [Prediction(u, i, rating, estimate, {}) for u, i, rating, estimate in rated.itertuples(index=False)]


def ask(name):
    return lambda predictions, k: getattr(accuracy, name)(predictions, verbose=False)


FUNCTIONS = {"surprise.accuracy." + name: ask(name) for name in ("rmse", "mse", "mae", "fcp")}
