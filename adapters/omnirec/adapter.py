"""OmniRec: metric objects that take a frame of predictions, with a rank, and one of test interactions."""

import pandas as pd
from omnirec.metrics import prediction, ranking


def prepare(case):
    shown = pd.DataFrame(case.recommended.named("user", "item", "score"))
    shown["rank"] = shown.groupby("user").cumcount() + 1
    true = pd.DataFrame(case.relevant.named("user", "item", "rating"))
    return shown, true


def ranked(name):
    def answer(data, k):
        shown, true = data
        return getattr(ranking, name)(k).calculate(shown, true[["user", "item"]]).result[k]

    return answer


def rated(name):
    def answer(data, k):
        shown, true = data
        predicted = shown.rename(columns={"score": "rating"})[["user", "item", "rating"]]
        return getattr(prediction, name)().calculate(predicted, true).result

    return answer


FUNCTIONS = {"omnirec.metrics.ranking." + name: ranked(name) for name in ("NDCG", "Recall", "Precision", "HR")}
FUNCTIONS.update({"omnirec.metrics.prediction." + name: rated(name) for name in ("RMSE", "MAE")})
