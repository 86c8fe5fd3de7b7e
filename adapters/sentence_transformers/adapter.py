"""Sentence Transformers: evaluators of retrieval and reranking, with a model that returns the scores given.

Longer than most: one evaluator is given embeddings, another pairs of texts, and a third way takes hits.
"""

from types import SimpleNamespace

import numpy as np
import torch
from audit_harness import Unaskable
from sentence_transformers.cross_encoder.evaluation import CrossEncoderRerankingEvaluator
from sentence_transformers.sentence_transformer.evaluation import InformationRetrievalEvaluator

CARD = SimpleNamespace(set_evaluation_metrics=lambda *_: None)
"""Takes what evaluators write on a model's card."""


class Places:
    """Embeds a text that is a number as that number: the place of a query's row, or of a document's column."""

    model_card_data = CARD

    def encode_query(self, texts, **_):
        return torch.tensor([int(text) for text in texts])

    encode_document = encode_query


class Pairs:
    """Predicts the scores that it was given for pairs of texts."""

    model_card_data = CARD

    def __init__(self, scores):
        self.scores = scores

    def predict(self, pairs, **_):
        return np.array([self.scores[query][document] for query, document in pairs])


def prepare(case):
    shown, truth = case.recommended, case.relevant
    users = sorted(set(truth.users) | set(shown.users))
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item]))
    row, column = np.searchsorted(users, shown.user), np.searchsorted(items, shown.item)
    matrix, listed = np.zeros((len(users), len(items))), np.zeros((len(users), len(items)), dtype=bool)
    matrix[row, column], listed[row, column] = shown.score, True
    if len(shown.user):
        lowest = np.where(listed, matrix, np.inf).min(axis=1)
        matrix = np.where(listed, matrix, np.where(np.isfinite(lowest), lowest - 1 - abs(lowest), 0)[:, None])
    wanted = listed[np.searchsorted(users, truth.user), np.searchsorted(items, truth.item)]
    hits = shown.by_user("item", "score", users=users)
    return SimpleNamespace(
        users=list(map(str, users)),
        items=list(map(str, items.tolist())),
        matrix=torch.tensor(matrix),
        relevant={str(u): set(map(str, own.tolist())) for u, own in truth.by_user("item", users=users).items()},
        hits={str(u): list(zip(map(str, own.tolist()), scores.tolist())) for u, (own, scores) in hits.items()},
        unlisted=not wanted.all(),
        twice=len(shown.user) != listed.sum(),
    )


def evaluator(data, k, **options):
    queries, corpus = ({own: str(place) for place, own in enumerate(ids)} for ids in (data.users, data.items))
    every = {name: [k] for name in ("mrr_at_k", "ndcg_at_k", "accuracy_at_k", "precision_recall_at_k", "map_at_k")}
    return InformationRetrievalEvaluator(queries, corpus, data.relevant, write_csv=False, **every, **options)


def check(data):
    if data.twice:
        raise Unaskable("a corpus has each document once")


def whole(name):
    def answer(data, k):
        check(data)
        if data.unlisted:
            raise Unaskable("every document has a score: a relevant item that is not recommended has none")
        given = {"given": lambda rows, columns: data.matrix[rows][:, columns]}
        return evaluator(data, k, score_functions=given)(Places())["given_%s@%d" % (name, k)]

    return answer


def of_hits(name):
    def answer(data, k):
        check(data)
        own = evaluator(data, k)
        hits = [[{"corpus_id": i, "score": s} for i, s in data.hits[query]] for query in own.queries_ids]
        return own.compute_metrics(hits)[name + "@k"][k]

    return answer


def reranked(name, cut=True):
    def answer(data, k):
        check(data)
        samples = [
            {"query": user, "positive": sorted(data.relevant[user]), "documents": [item for item, _ in data.hits[user]]}
            for user in data.users
        ]
        options = {"at_k": k} if cut else {}
        own = CrossEncoderRerankingEvaluator(samples, always_rerank_positives=False, write_csv=False, **options)
        found = own(Pairs({user: dict(hits) for user, hits in data.hits.items()}))
        return found["%s@%d" % (name, k) if cut else name]

    return answer


NAME = "sentence_transformers.sentence_transformer.evaluation.InformationRetrievalEvaluator"
RERANKING = "sentence_transformers.cross_encoder.evaluation.CrossEncoderRerankingEvaluator"
FUNCTIONS = {}
for each in ("accuracy", "precision", "recall", "mrr", "ndcg", "map"):
    FUNCTIONS[NAME + "[%s]" % each] = whole(each)
    FUNCTIONS[NAME + ".compute_metrics[%s]" % each] = of_hits(each)
for each in ("mrr", "ndcg", "map"):
    FUNCTIONS[RERANKING + "[%s,always_rerank_positives=False]" % each] = reranked(each, cut=each != "map")
