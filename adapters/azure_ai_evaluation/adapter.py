"""Azure AI Evaluation: the evaluator of one query's retrieved documents, which have scores, and judged ones."""

from types import SimpleNamespace

from azure.ai.evaluation import DocumentRetrievalEvaluator


def prepare(case):
    users = case.relevant.users
    truth = case.relevant.by_user("item", "gain", users=users)
    shown = case.recommended.by_user("item", "score", users=users)
    return SimpleNamespace(
        users=users,
        highest=int(max([1, case.scale[1], *case.relevant.gain.tolist()])),
        truth=[
            [{"document_id": str(i), "query_relevance_label": whole(g)} for i, g in zip(items.tolist(), gains.tolist())]
            for items, gains in truth.values()
        ],
        shown=[
            [{"document_id": str(i), "relevance_score": s} for i, s in zip(items.tolist(), scores.tolist())]
            for items, scores in shown.values()
        ],
    )


def whole(gain):  # it takes the type int alone; what is no whole number is left to it to refuse
    return int(gain) if gain % 1 == 0 else gain


def ndcg(data, k):
    evaluator = DocumentRetrievalEvaluator(ground_truth_label_max=data.highest)
    evaluator.k = k
    for each in ("ndcg@%d", "xdcg@%d"):
        evaluator._threshold_metrics[each % k] = evaluator._threshold_metrics[each % 3]
    pairs = zip(data.truth, data.shown)
    done = [evaluator(retrieval_ground_truth=true, retrieved_documents=shown) for true, shown in pairs]
    return None, data.users, [each["document_retrieval_properties"]["ndcg@%d" % k] for each in done]


FUNCTIONS = {"azure.ai.evaluation.DocumentRetrievalEvaluator[ndcg]": ndcg}
