"""pytrec_eval: trec_eval's measures on dictionaries of whole grades and of scores, a dictionary for each query."""

from types import SimpleNamespace

import pytrec_eval
from audit_harness import Unaskable


def prepare(case):
    qrels, run = dictionaries(case.relevant, "gain"), dictionaries(case.recommended, "score")
    return SimpleNamespace(
        qrels={query: {item: int(gain) for item, gain in own.items()} for query, own in qrels.items()},
        run=run,
        fractions=bool((case.relevant.gain % 1 != 0).any()),
        unjudged=bool((case.relevant.gain < 0).any()),
        truth_twice=sum(map(len, qrels.values())) != len(case.relevant.user),
        twice=sum(map(len, run.values())) != len(case.recommended.user),
    )


def dictionaries(table, column):
    """Return each user's numbers by item, all ids as text."""
    rows = table.by_user("item", column)
    return {str(user): dict(zip(map(str, items.tolist()), own.tolist())) for user, (items, own) in rows.items()}


def ask(measure, cut=False, **options):
    def answer(data, k):
        if data.fractions:
            raise Unaskable("a grade is a whole number")
        if data.unjudged:
            raise Unaskable("a grade below 0 says that a document was not judged")
        if data.truth_twice:
            raise Unaskable("a dictionary of grades has every document once")
        if data.twice:
            raise Unaskable("a dictionary of scores has every document once")
        asked = measure + ".%d" % k if cut else measure.replace("recall_", "recall.")
        evaluator = pytrec_eval.RelevanceEvaluator(data.qrels, {asked}, **options)
        name = measure + "_%d" % k if cut else measure
        values = {query: each[name] for query, each in evaluator.evaluate(data.run).items()}
        mean = pytrec_eval.compute_aggregated_measure(name, list(values.values()))
        return mean, list(values), list(values.values())

    return answer


WITH_CUTOFF = ("P", "recall", "relative_P", "success", "map_cut", "ndcg_cut")
WITHOUT = ("set_F", "recip_rank", "map", "ndcg", "Rprec", "bpref", "11pt_avg", "iprec_at_recall_0.50")
NAME = "pytrec_eval.RelevanceEvaluator[%s]"
FUNCTIONS = {NAME % name: ask(name, cut=True) for name in WITH_CUTOFF}
FUNCTIONS.update({NAME % name: ask(name) for name in WITHOUT})
