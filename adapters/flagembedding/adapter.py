"""FlagEmbedding: figures of dictionaries of whole grades and of scores, a dictionary for each query."""

from types import SimpleNamespace

from audit_harness import Unaskable
from FlagEmbedding.abc.evaluation import utils


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
    rows = table.by_user("item", column)
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


def ask(name, place=None):
    def answer(data, k):
        check(data)
        found = getattr(utils, name)(data.qrels, data.results, [k])
        (value,) = (found if place is None else found[place]).values()
        return value

    return answer


PLACE = "FlagEmbedding.abc.evaluation.utils."
FUNCTIONS = {PLACE + name: ask(name) for name in ("evaluate_mrr", "evaluate_recall_cap")}
for place, each in enumerate(("ndcg", "map", "recall", "precision")):
    FUNCTIONS[PLACE + "evaluate_metrics[%s]" % each] = ask("evaluate_metrics", place)
