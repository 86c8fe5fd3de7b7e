"""MTEB: figures of dictionaries of whole grades and of scores, a dictionary for each query.

Longer than most: it says what no dictionary can hold.
"""

from types import SimpleNamespace

from audit_harness import Unaskable
from mteb._evaluators import retrieval_metrics


def prepare(case):
    users = case.relevant.users
    qrels, results = dictionaries(case.relevant, "gain", users), dictionaries(case.recommended, "score", users)
    shown = case.recommended.by_user("item", users=users)
    return SimpleNamespace(
        users=users,
        qrels={query: {item: int(gain) for item, gain in own.items()} for query, own in qrels.items()},
        results=results,
        fractions=bool((case.relevant.gain % 1 != 0).any()),
        unjudged=bool((case.relevant.gain < 0).any()),
        truth_twice=sum(map(len, qrels.values())) != len(case.relevant.user),
        twice=sum(map(len, results.values())) != sum(map(len, shown.values())),
    )


def dictionaries(table, column, users):
    rows = table.by_user("item", column, users=users)
    return {str(user): dict(zip(map(str, items.tolist()), own.tolist())) for user, (items, own) in rows.items()}


def check(data):
    if data.fractions:
        raise Unaskable("a grade is a whole number")
    if data.unjudged:
        raise Unaskable("a grade below 0 says that a document was not judged")
    if data.truth_twice:
        raise Unaskable("a dictionary of grades has every document once")
    if data.twice:
        raise Unaskable("a dictionary of scores has every document once")


def of_queries(name):
    def answer(data, k):
        check(data)
        (values,) = getattr(retrieval_metrics, name)(data.qrels, data.results, [k]).values()
        return None, data.users, [float("nan") if value is None else value for value in values]

    return answer


def mean(name):
    def answer(data, k):
        check(data)
        (value,) = getattr(retrieval_metrics.calculate_retrieval_scores(data.results, data.qrels, [k]), name).values()
        return value

    return answer


PLACE = "mteb._evaluators.retrieval_metrics."
FUNCTIONS = {PLACE + name: of_queries(name) for name in ("mrr", "recall_cap")}
for each in ("ndcg", "map", "recall", "precision", "hit_rate"):
    FUNCTIONS[PLACE + "calculate_retrieval_scores[%s]" % each] = mean(each)
