"""ranx: evaluate on Qrels and Run, made of dictionaries of whole grades and of scores for each query."""

from types import SimpleNamespace

import ranx
from audit_harness import Unaskable


def prepare(case):
    qrels, run = dictionaries(case.relevant, "gain"), dictionaries(case.recommended, "score")
    return SimpleNamespace(
        qrels={query: {item: int(gain) for item, gain in own.items()} for query, own in qrels.items()},
        run=run,
        fractions=bool((case.relevant.gain % 1 != 0).any()),
        truth_twice=sum(map(len, qrels.values())) != len(case.relevant.user),
        twice=sum(map(len, run.values())) != len(case.recommended.user),
    )


def dictionaries(table, column):
    """Return each user's numbers by item, all ids as text."""
    rows = table.by_user("item", column)
    return {str(user): dict(zip(map(str, items.tolist()), own.tolist())) for user, (items, own) in rows.items()}


def ask(metric, cut=True):
    def answer(data, k):
        if data.fractions:
            raise Unaskable("a grade is a whole number")
        if data.truth_twice:
            raise Unaskable("a dictionary of grades has every document once")
        if data.twice:
            raise Unaskable("a dictionary of scores has every document once")
        name = metric + "@%d" % k if cut else metric
        run = ranx.Run(data.run)
        mean = ranx.evaluate(ranx.Qrels(data.qrels), run, name, make_comparable=True)
        values = dict(run.scores[name])
        return mean, list(values), list(values.values())

    return answer


WITH_CUTOFF = (
    "hits",
    "hit_rate",
    "precision",
    "recall",
    "f1",
    "mrr",
    "map",
    "ndcg",
    "ndcg_burges",
    "dcg",
    "dcg_burges",
)
WITHOUT = ("r-precision", "bpref", "rbp.80")
FUNCTIONS = {"ranx.evaluate[%s]" % name: ask(name) for name in WITH_CUTOFF}
FUNCTIONS.update({"ranx.evaluate[%s]" % name: ask(name, cut=False) for name in WITHOUT})
