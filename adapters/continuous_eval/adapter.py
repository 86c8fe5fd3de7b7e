"""continuous-eval: metrics of one question's retrieved and true chunks, here ids as texts that are equal or not."""

import os
from types import SimpleNamespace

os.environ["CONTINUOUS_EVAL_DO_NOT_TRACK"] = "true"

from continuous_eval.metrics import retrieval  # noqa: E402


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    truth, shown = (
        [list(map(str, items.tolist())) for items in table.by_user("item", users=users).values()]
        for table in (case.relevant, case.recommended)
    )
    return SimpleNamespace(users=users, truth=truth, shown=shown)


def ask(name, key):
    def answer(data, k):
        metric = getattr(retrieval, name)(matching_strategy=retrieval.ExactChunkMatch())
        pairs = zip(data.shown, data.truth)
        values = [metric(retrieved_context=shown[:k], ground_truth_context=truth)[key] for shown, truth in pairs]
        return None, data.users, values

    return answer


NAMES = {
    "PrecisionRecallF1": ("context_precision", "context_recall", "context_f1"),
    "RankedRetrievalMetrics": ("average_precision", "reciprocal_rank", "ndcg"),
}
PLACE = "continuous_eval.metrics.retrieval.%s[%s]"
FUNCTIONS = {PLACE % (name, key): ask(name, key) for name, keys in NAMES.items() for key in keys}
