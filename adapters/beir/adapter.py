"""BEIR: figures of dictionaries of whole grades and of scores, a dictionary for each query."""

from types import SimpleNamespace

from audit_harness import Unaskable
from beir.retrieval.evaluation import EvaluateRetrieval


def prepare(case):
    qrels, results = dictionaries(case.relevant, "gain"), dictionaries(case.recommended, "score")
    return SimpleNamespace(
        qrels={query: {item: int(gain) for item, gain in own.items()} for query, own in qrels.items()},
        results=results,
        fractions=bool((case.relevant.gain % 1 != 0).any()),
        unjudged=bool((case.relevant.gain < 0).any()),
        truth_twice=sum(map(len, qrels.values())) != len(case.relevant.user),
        twice=sum(map(len, results.values())) != len(case.recommended.user),
    )


def dictionaries(table, column):
    """Return each user's numbers by item, all ids as text; a user's has a letter before, to be no item's."""
    rows = table.by_user("item", column)
    return {"u%d" % user: dict(zip(map(str, items.tolist()), own.tolist())) for user, (items, own) in rows.items()}


def check(data):
    if data.fractions:
        raise Unaskable("a grade is a whole number")
    if data.unjudged:
        raise Unaskable("a grade below 0 says that a document was not judged")
    if data.truth_twice:
        raise Unaskable("a dictionary of grades has every document once")
    if data.twice:
        raise Unaskable("a dictionary of scores has every document once")


def main(place):
    def answer(data, k):
        check(data)
        (value,) = EvaluateRetrieval.evaluate(data.qrels, data.results, [k])[place].values()
        return value

    return answer


def custom(name):
    def answer(data, k):
        check(data)
        (value,) = EvaluateRetrieval.evaluate_custom(data.qrels, data.results, [k], metric=name).values()
        return value

    return answer


NAME = "beir.retrieval.evaluation.EvaluateRetrieval."
FUNCTIONS = {NAME + "evaluate[%s]" % n: main(place) for place, n in enumerate(("ndcg", "map", "recall", "precision"))}
FUNCTIONS.update({NAME + "evaluate_custom[%s]" % n: custom(n) for n in ("mrr", "recall_cap", "top_k_accuracy")})
