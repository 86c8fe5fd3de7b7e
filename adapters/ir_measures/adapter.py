"""ir-measures: measures of dictionaries of whole grades and of scores, a dictionary for each query."""

from types import SimpleNamespace

import ir_measures
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
        top=int(case.scale[1]),
    )


def dictionaries(table, column):
    """Return each user's numbers by item, all ids as text."""
    rows = table.by_user("item", column)
    return {str(user): dict(zip(map(str, items.tolist()), own.tolist())) for user, (items, own) in rows.items()}


def ask(name, grades=False, **options):
    def answer(data, k):
        if grades:
            options["max_rel"] = data.top
        if data.fractions:
            raise Unaskable("a grade is a whole number")
        if data.unjudged:
            raise Unaskable("a grade below 0 says that a document was not judged")
        if data.truth_twice:
            raise Unaskable("a dictionary of grades has every document once")
        if data.twice:
            raise Unaskable("a dictionary of scores has every document once")
        measure = getattr(ir_measures, name)(**options)
        measure = measure if k is None else measure @ k
        found = ir_measures.calc([measure], data.qrels, data.run)
        mean = found.aggregated[measure]
        return mean, [each.query_id for each in found.per_query], [each.value for each in found.per_query]

    return answer


NAMES = ("nDCG", "P", "R", "Success", "AP", "RR", "Rprec", "Bpref", "SetF")
FUNCTIONS = {"ir_measures.calc[%s]" % name: ask(name) for name in NAMES}
FUNCTIONS.update({"ir_measures.calc[%s,no cutoff]" % name: ask(name) for name in ("nDCG", "AP", "RR")})
FUNCTIONS["ir_measures.calc[IPrec,recall=0.5]"] = ask("IPrec", recall=0.5)
FUNCTIONS["ir_measures.calc[RBP,rel=1]"] = ask("RBP", rel=1)
FUNCTIONS.update({"ir_measures.calc[%s]" % name: ask(name, grades=True) for name in ("NERR8", "NERR9", "NERR10")})
