"""TruLens: ground-truth functions of one question's retrieved and expected chunks, and metrics of labels and scores."""

from types import SimpleNamespace

import pandas as pd
from trulens.feedback import GroundTruthAggregator, GroundTruthAgreement
from trulens.feedback.llm_provider import LLMProvider

NO_MODEL = LLMProvider(model_engine="none")  # the default is a client of OpenAI


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    truth = case.relevant.by_user("item", "gain", users=users)
    shown = case.recommended.by_user("item", "score", users=users)
    expected = {
        user: [{"text": str(item), "expect_score": gain} for item, gain in zip(items.tolist(), gains.tolist())]
        for user, (items, gains) in truth.items()
    }
    lists = {user: (list(map(str, items.tolist())), scores.tolist()) for user, (items, scores) in shown.items()}
    pred = pd.DataFrame(case.recommended.named("user", "item", "score"))
    true = pd.DataFrame(case.relevant.named("user", "item", "gain")).drop_duplicates(["user", "item"])
    gain = pred.merge(true, how="left", on=["user", "item"])["gain"]
    labels = (gain >= case.threshold).astype(int).tolist()
    return SimpleNamespace(users=users, expected=expected, lists=lists, labels=labels, scores=pred["score"].tolist())


def chunks(name, scored=False, cut=True):
    def answer(data, k):
        values = []
        for user in data.users:
            found = GroundTruthAgreement([{"query": str(user), "expected_chunks": data.expected[user]}], NO_MODEL)
            texts, scores = data.lists[user]
            options = {"relevance_scores": scores} if scored else {}
            options.update({"k": k} if cut else {})
            values.append(getattr(found, name)(str(user), texts, **options))
        return None, data.users, values

    return answer


def labels(name):
    return lambda data, k: getattr(GroundTruthAggregator(true_labels=data.labels), name)(data.scores)


PLACE = "trulens.feedback.GroundTruthAgreement."
FUNCTIONS = {PLACE + name: chunks(name) for name in ("ndcg_at_k", "precision_at_k", "recall_at_k", "ir_hit_rate")}
FUNCTIONS[PLACE + "mrr"] = chunks("mrr", cut=False)
for each in ("ndcg_at_k", "precision_at_k", "recall_at_k"):
    FUNCTIONS[PLACE + each + "[relevance_scores]"] = chunks(each, scored=True)
FUNCTIONS[PLACE + "mrr[relevance_scores]"] = chunks("mrr", scored=True, cut=False)
FUNCTIONS["trulens.feedback.GroundTruthAggregator.auc"] = labels("auc")
