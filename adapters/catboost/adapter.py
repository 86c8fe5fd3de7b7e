"""CatBoost: ranking metrics of labels, predictions and the group of each row."""

from types import SimpleNamespace

import numpy as np
from audit_harness import Unaskable
from catboost.utils import eval_metric


def prepare(case):
    gain = dict(zip(zip(case.relevant.user.tolist(), case.relevant.item.tolist()), case.relevant.gain.tolist()))
    lists = case.recommended.by_user("item", "score")
    rows = [(user, item) for user, (items, _) in lists.items() for item in items.tolist()]
    relevant = {row for row, own in gain.items() if own >= case.threshold}
    return SimpleNamespace(
        groups=np.array([user for user, _ in rows], dtype=np.int64),
        scores=np.concatenate([scores for _, scores in lists.values()]) if lists else np.empty(0),
        labels=np.array([float(row in relevant) for row in rows]),
        gains=np.array([gain.get(row, 0.0) for row in rows]),
        refused=refusals(gain, rows, relevant),
    )


def refusals(gain, rows, relevant):
    """Return why rows cannot be labelled, and why they cannot be given their gains."""
    if len(set(rows)) < len(rows):
        twice = "a group has every object once: an item that is recommended twice stands there twice"
        return {"labels": twice, "gains": twice}
    unlisted = "a group has all its objects: a relevant item that is not recommended is none"
    return {
        "labels": unlisted if relevant - set(rows) else "",
        "gains": unlisted if set(gain) - set(rows) else "",
    }


def ask(metric, target, cut=True, **options):
    def answer(data, k):
        if data.refused[target]:
            raise Unaskable(data.refused[target])
        asked = (["top=%d" % k] if cut else []) + ["%s=%s" % option for option in options.items()]
        name = metric + (":" + ";".join(asked) if asked else "")
        return eval_metric(getattr(data, target), data.scores, name, group_id=data.groups, thread_count=1)[0]

    return answer


NAME = "catboost.utils.eval_metric[%s]"
FUNCTIONS = {NAME % name: ask(name, "labels") for name in ("MAP", "MRR", "PrecisionAt", "RecallAt")}
FUNCTIONS[NAME % "QueryAUC"] = ask("QueryAUC", "labels", cut=False)
for name in ("NDCG", "DCG"):
    FUNCTIONS[NAME % name] = ask(name, "gains")
    FUNCTIONS[NAME % (name + ",type=Exp")] = ask(name, "gains", type="Exp")
FUNCTIONS.update({NAME % name: ask(name, "gains") for name in ("PFound", "ERR")})
FUNCTIONS[NAME % "NDCG,denominator=Position"] = ask("NDCG", "gains", denominator="Position")
