"""LlamaIndex: metrics of one query's expected and retrieved ids, alone and in its evaluator around a retriever."""

from types import SimpleNamespace

import llama_index.core.evaluation.retrieval.metrics as metrics
from llama_index.core.evaluation import RetrieverEvaluator
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode


class Given(BaseRetriever):
    """Retrieves the ids it was given for a query, as many as its similarity_top_k."""

    def __init__(self, lists, similarity_top_k):
        self.lists, self.similarity_top_k = lists, similarity_top_k
        super().__init__()

    def _retrieve(self, query_bundle):
        found = self.lists[query_bundle.query_str][: self.similarity_top_k]
        return [NodeWithScore(node=TextNode(id_=own, text=own)) for own in found]


def prepare(case):
    users = case.relevant.users
    truth, shown = (table.by_user("item", users=users) for table in (case.relevant, case.recommended))
    return SimpleNamespace(
        users=users,
        truth=[list(map(str, items.tolist())) for items in truth.values()],
        shown=[list(map(str, items.tolist())) for items in shown.values()],
    )


def alone(name, **options):
    def answer(data, k):
        metric = getattr(metrics, name)(**options)
        pairs = zip(data.truth, data.shown)
        return None, data.users, [metric.compute(expected_ids=t, retrieved_ids=s[:k]).score for t, s in pairs]

    return answer


def of_a_retriever(name):
    def answer(data, k):
        queries = list(map(str, data.users))
        retriever = Given(dict(zip(queries, data.shown)), similarity_top_k=k)
        evaluator = RetrieverEvaluator.from_metric_names([name], retriever=retriever)
        done = [evaluator.evaluate(query, expected_ids=own) for query, own in zip(queries, data.truth)]
        return None, data.users, [result.metric_vals_dict[name] for result in done]

    return answer


NAME = "llama_index.core.evaluation."
NAMES = ("HitRate", "MRR", "Precision", "Recall", "AveragePrecision", "NDCG")
FUNCTIONS = {NAME + "retrieval.metrics." + name: alone(name) for name in NAMES}
FUNCTIONS[NAME + "retrieval.metrics.HitRate[use_granular_hit_rate=True]"] = alone("HitRate", use_granular_hit_rate=True)
FUNCTIONS[NAME + "retrieval.metrics.MRR[use_granular_mrr=True]"] = alone("MRR", use_granular_mrr=True)
for each in ("hit_rate", "mrr", "precision", "recall", "ap", "ndcg"):
    FUNCTIONS[NAME + "RetrieverEvaluator.evaluate[%s]" % each] = of_a_retriever(each)
