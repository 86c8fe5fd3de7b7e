"""pyvespa: VespaEvaluator on an application that answers each query with the hits given."""

import logging
from types import SimpleNamespace

from vespa.evaluation import VespaEvaluator
from vespa.io import VespaQueryResponse

logging.disable(logging.WARNING)  # it logs every table of metrics


class Given:
    def __init__(self, hits):
        self.hits = hits

    def query_many(self, bodies, **options):
        return [VespaQueryResponse({"root": {"children": self.hits[body["yql"]]}}, 200, "") for body in bodies]


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    truth = case.relevant.by_user("item", users=users)
    shown = case.recommended.by_user("item", "score", users=users)
    hits = {
        str(user): [
            {"relevance": score, "fields": {"id": str(item)}} for item, score in zip(items.tolist(), scores.tolist())
        ]
        for user, (items, scores) in shown.items()
    }
    relevant = {str(user): {str(item) for item in items.tolist()} for user, items in truth.items()}
    return SimpleNamespace(hits=hits, relevant=relevant)


def ask(name):
    def answer(data, k):
        cuts = dict.fromkeys(("accuracy_at_k", "precision_recall_at_k", "mrr_at_k", "ndcg_at_k", "map_at_k"), [k])
        evaluator = VespaEvaluator(
            {user: user for user in data.hits},
            data.relevant,
            lambda text, top: {"yql": text, "hits": top},
            Given(data.hits),
            id_field="id",
            **cuts,
        )
        return evaluator()["%s@%d" % (name, k)]

    return answer


NAMES = ("accuracy", "precision", "recall", "mrr", "ndcg", "map")
FUNCTIONS = {"vespa.evaluation.VespaEvaluator[%s]" % name: ask(name) for name in NAMES}
