"""MS Recommenders: python_evaluation on frames of truth and predictions, deeprec_utils on labelled candidates.

Longer than most: two modules under two names each, and functions with options.
"""

import inspect
from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
from audit_harness import NotOffered
from sklearn.preprocessing import minmax_scale

try:
    from recommenders.evaluation import python_evaluation as evaluation
    from recommenders.models.deeprec import deeprec_utils as deeprec
except ImportError:  # under their names until 2021
    from reco_utils.evaluation import python_evaluation as evaluation
    from reco_utils.recommender.deeprec import deeprec_utils as deeprec

PAIR = ["userID", "itemID"]


def prepare(case):
    true = pd.DataFrame(case.relevant.named(*PAIR, "rating"))
    pred = pd.DataFrame(case.recommended.named(*PAIR, "prediction"))
    # auc, logloss and deeprec_utils are documented for labels 0 and 1: of the rated pairs, of all predicted ones
    rated = true.assign(rating=(true["rating"] >= case.threshold).astype(int))
    gains = pred.merge(true.drop_duplicates(PAIR), how="left", on=PAIR)["rating"]
    predicted = pred.assign(rating=(gains >= case.threshold).astype(int), gain=gains.fillna(0.0))
    predicted["relevance"] = gains.notna().astype(float)
    train = pd.DataFrame(case.train.named(*PAIR))
    return SimpleNamespace(true=true, pred=pred, rated=rated, predicted=predicted, train=train, groups={})


def rating(name, true="true", scale=lambda prediction: prediction):
    def answer(data, k):
        pred = data.pred.assign(prediction=scale(data.pred["prediction"]))
        return getattr(evaluation, name)(getattr(data, true)[[*PAIR, "rating"]], pred)

    return answer


def ranking(name, **options):
    def answer(data, k):
        metric, pred = getattr(evaluation, name), data.pred
        for option in sorted(set(options) - set(inspect.signature(metric).parameters)):
            raise NotOffered("%s() has no parameter %s" % (name, option))
        if options.get("relevancy_method", "top_k") is None:  # "the top k items are directly provided"
            top = evaluation.get_top_k_items(pred, col_rating="prediction", k=k)
            pred = top[[*PAIR, "prediction"]]
        return metric(data.true, pred, k=k, **options)

    return answer


def shown(name):
    def answer(data, k):
        if not hasattr(evaluation, name):
            raise NotOffered("python_evaluation has no %s" % name)
        return getattr(evaluation, name)(data.train, data.pred)

    return answer


def item_vectors(train):
    # 1 for each user who has the item. Users times items is much: it is made only for the functions that read it.
    had = train.pivot_table(index="itemID", columns="userID", aggfunc="size", fill_value=0).clip(upper=1)
    return pd.DataFrame({"itemID": had.index, "features": list(had.to_numpy(dtype=float))})


def beside_train(name, *relevance, vectors=False):  # each is the mean of user_<metric>, in a column of that name
    def answer(data, k):
        if not hasattr(evaluation, name):
            raise NotOffered("python_evaluation has no %s" % name)
        top = evaluation.get_top_k_items(data.predicted, col_rating="prediction", k=k)
        given, options = top[[*PAIR, *relevance]], dict.fromkeys(["col_relevance"] if relevance else [], "relevance")
        if vectors:
            options.update(item_feature_df=item_vectors(data.train), item_sim_measure="item_feature_vector")
        each = getattr(evaluation, "user_" + name)(data.train, given, **options)
        mean = getattr(evaluation, name)(data.train, given, **options)
        return mean, each["userID"].to_numpy(), each["user_" + name].to_numpy()

    return answer


def groups(data, label="rating"):
    if not data.groups:
        data.groups.update(iter(data.predicted.groupby("userID", sort=False)))
    columns = [[frame[name].to_numpy(copy=True) for frame in data.groups.values()] for name in (label, "prediction")]
    return list(data.groups), columns[0], columns[1]


def score(name, *cutoff, label="rating"):
    def answer(data, k):
        users, labels, preds = groups(data, label)
        metric = partial(getattr(deeprec, name), **dict.fromkeys(cutoff, k))
        return None, users, list(map(metric, labels, preds))

    return answer


def cal_metric(name, flat=False):
    def answer(data, k):
        labels, preds = groups(data)[1:]
        if flat:
            labels, preds = np.concatenate(labels).tolist(), np.concatenate(preds).tolist()
        metric = name.replace("@k", "@%s" % k)
        return deeprec.cal_metric(labels, preds, [metric])[metric]

    return answer


EVALUATION, DEEPREC = evaluation.__name__ + ".", deeprec.__name__ + "."
BY_THRESHOLD, GIVEN = {"relevancy_method": "by_threshold"}, {"relevancy_method": None}
RAW, EXP, LOG2 = {"score_type": "raw"}, {"score_type": "exp"}, {"discfun_type": "log2"}
NDCG = [RAW, EXP, LOG2, dict(RAW, **LOG2), dict(EXP, **LOG2)]
FUNCTIONS = {EVALUATION + name: rating(name) for name in ("rmse", "mae", "rsquared", "exp_var")}
FUNCTIONS.update({EVALUATION + name: rating(name, "rated") for name in ("auc", "logloss")})
FUNCTIONS[EVALUATION + "auc[rating_true=all_0_1]"] = rating("auc", "predicted")
FUNCTIONS[EVALUATION + "logloss[prediction=minmax_scale]"] = rating("logloss", "rated", minmax_scale)
for name in ("precision_at_k", "recall_at_k", "r_precision_at_k", "map", "map_at_k", "ndcg_at_k"):
    FUNCTIONS[EVALUATION + name] = ranking(name)
    for options in [BY_THRESHOLD, GIVEN] + (NDCG if name == "ndcg_at_k" else []):
        text = ",".join("%s=%s" % option for option in options.items())
        FUNCTIONS["%s%s[%s]" % (EVALUATION, name, text)] = ranking(name, **options)
FUNCTIONS.update(
    {EVALUATION + name: shown(name) for name in ("catalog_coverage", "distributional_coverage", "novelty")}
)
for name in ("diversity", "serendipity"):
    FUNCTIONS[EVALUATION + name + "[reco_df=get_top_k_items]"] = beside_train(name)
    of_vectors = beside_train(name, vectors=True)
    FUNCTIONS[EVALUATION + name + "[reco_df=get_top_k_items,item_sim_measure=item_feature_vector]"] = of_vectors
FUNCTIONS[EVALUATION + "serendipity[reco_df=get_top_k_items,col_relevance=relevance]"] = beside_train(
    "serendipity", "relevance"
)
FUNCTIONS[DEEPREC + "mrr_score"] = score("mrr_score")
FUNCTIONS.update({DEEPREC + name: score(name, "k") for name in ("ndcg_score", "dcg_score", "hit_score")})
for name in ("ndcg_score", "dcg_score"):
    FUNCTIONS[DEEPREC + name + "[y_true=gain]"] = score(name, "k", label="gain")
CAL_METRIC = DEEPREC + "cal_metric[%s]"
FUNCTIONS.update({CAL_METRIC % name: cal_metric(name) for name in ("mean_mrr", "group_auc", "ndcg@k", "hit@k")})
FUNCTIONS.update({CAL_METRIC % n: cal_metric(n, flat=True) for n in ("auc", "rmse", "logloss", "acc", "f1")})
