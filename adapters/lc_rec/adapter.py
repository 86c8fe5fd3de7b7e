"""LC-Rec: its metrics of the beams of one user, which are ids as text, and of the one item that is looked for."""

from types import SimpleNamespace

import evaluate


def prepare(case):
    users = case.relevant.users
    truth = case.relevant.by_user("item", users=users)
    shown = case.recommended.by_user("item", "score", users=users)
    beams = [(list(map(str, items.tolist())), scores.tolist()) for items, scores in shown.values()]
    return SimpleNamespace(users=users, beams=beams, targets=[str(items[0]) for items in truth.values()])


def ask(name):
    def answer(data, k):
        values, metric = [], "%s@%d" % (name, k)
        for (items, scores), target in zip(data.beams, data.targets):
            found = evaluate.get_topk_results(items, scores, [target], len(items))
            values.append(evaluate.get_metrics_results(found, [metric])[metric])
        return None, data.users, values

    return answer


FUNCTIONS = {"evaluate.get_metrics_results[%s]" % name: ask(name) for name in ("hit", "ndcg")}
