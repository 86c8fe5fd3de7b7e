"""Haystack: evaluators of lists of documents, one list of ground truth and one of retrieved documents a question."""

from types import SimpleNamespace

import haystack.components.evaluators as evaluators
from haystack import Document


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    truth, shown = case.relevant.by_user("item", "gain", users=users), case.recommended.by_user("item", users=users)
    return SimpleNamespace(
        users=users,
        truth=[list(zip(map(str, items.tolist()), gains.tolist())) for items, gains in truth.values()],
        shown=[list(map(str, items.tolist())) for items in shown.values()],
    )


def ask(name, graded=False, **options):
    def answer(data, k):
        truth = [[Document(content=i, score=g if graded else None) for i, g in rows] for rows in data.truth]
        shown = [[Document(content=i) for i in rows[:k]] for rows in data.shown]
        done = getattr(evaluators, name)(**options).run(ground_truth_documents=truth, retrieved_documents=shown)
        return done["score"], data.users, done["individual_scores"]

    return answer


NAME = "haystack.components.evaluators."
FUNCTIONS = {NAME + "Document%sEvaluator" % name: ask("Document%sEvaluator" % name) for name in ("MRR", "MAP", "NDCG")}
FUNCTIONS[NAME + "DocumentNDCGEvaluator[score=gain]"] = ask("DocumentNDCGEvaluator", graded=True)
FUNCTIONS[NAME + "DocumentRecallEvaluator"] = ask("DocumentRecallEvaluator")
FUNCTIONS[NAME + "DocumentRecallEvaluator[mode=multi_hit]"] = ask("DocumentRecallEvaluator", mode="multi_hit")
