"""cwl_eval: metrics of one ranking, a list of gains, which give the gain that a reader expects of each item."""

from importlib import import_module
from types import SimpleNamespace

from cwl.ruler.ranking import Ranking


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    truth = case.relevant.by_user("item", users=users)
    shown = case.recommended.by_user("item", users=users)
    sets = {user: set(items.tolist()) for user, items in truth.items()}
    gains = [[float(item in sets[user]) for item in items.tolist()] for user, items in shown.items()]
    return SimpleNamespace(users=users, gains=gains, relevant=[len(own) for own in sets.values()])


def ask(module, name, *arguments):
    def answer(data, k):
        values = []
        for user, gains, relevant in zip(data.users, data.gains, data.relevant):
            ranking = Ranking(str(user), gains, [1.0] * len(gains), max_n=max(100, len(gains)))
            ranking.total_qrel_rels = ranking.total_qrel_gain = float(relevant)
            metric = getattr(import_module("cwl.ruler.measures." + module), name)
            values.append(metric(*(arguments or ([] if k is None else [k]))).measure(ranking))
        return None, data.users, values

    return answer


PLACE = "cwl.ruler.measures.%s.%s.measure"
PAIRS = ("cwl_precision.PrecisionCWLMetric", "cwl_rr.RRCWLMetric", "cwl_dcg.NDCGCWLMetric", "cwl_ap.APCWLMetric")
FUNCTIONS = {PLACE % tuple(each.split(".")): ask(*each.split(".")) for each in PAIRS}
FUNCTIONS[PLACE % ("cwl_rbp", "RBPCWLMetric") + "[theta=0.8]"] = ask("cwl_rbp", "RBPCWLMetric", 0.8)
