"""GRID: metrics of codes that were generated, with their probabilities, and of labels of candidates."""

from types import SimpleNamespace

import torch
from src.components import eval_metrics


def prepare(case):
    users, listed = case.relevant.users, case.recommended.users
    truth = case.relevant.by_user("item", "gain", users=sorted({*users, *listed}))
    shown = case.recommended.by_user("item", "score", users=sorted({*users, *listed}))
    codes, labelled = [], []
    for user in users:
        items, scores = shown[user]
        label = torch.tensor([[truth[user][0][0]]])
        codes.append((torch.tensor(scores)[None], torch.tensor(items.tolist(), dtype=torch.long)[None, :, None], label))
    for user in listed:
        items, scores = shown[user]
        own, gains = truth[user]
        relevant = {item for item, gain in zip(own.tolist(), gains.tolist()) if gain >= case.threshold}
        labelled.append((torch.tensor(scores), torch.tensor([item in relevant for item in items.tolist()])))
    return SimpleNamespace(codes=codes, labelled=labelled)


def generated(name):
    def answer(data, k):
        found = eval_metrics.SIDRetrievalEvaluator({name: getattr(eval_metrics, name)}, [k])
        for scores, codes, label in data.codes:
            found(marginal_probs=scores, generated_ids=codes, labels=label)
        return found.metrics["%s@%d" % (name, k)].compute().item()

    return answer


def candidates(name):
    def answer(data, k):
        metric = getattr(eval_metrics, name)(top_k=k)
        for scores, labels in data.labelled:
            metric.update(scores, labels, indexes=torch.zeros(len(scores), dtype=torch.long))
        return metric.compute().item()

    return answer


PLACE = "src.components.eval_metrics."
FUNCTIONS = {PLACE + name: candidates(name) for name in ("NDCG", "Recall")}
FUNCTIONS.update({PLACE + "SIDRetrievalEvaluator[%s]" % name: generated(name) for name in ("NDCG", "Recall")})
