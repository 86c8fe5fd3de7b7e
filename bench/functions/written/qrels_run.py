"""Functions of (qrels, run, k), dictionaries of dictionaries."""


def ranking(scores):
    return sorted(scores, key=lambda doc: (scores[doc], doc), reverse=True)


def mean_average_precision(qrels, run, k):
    values = []
    for query, judged in qrels.items():
        relevant = {doc for doc, grade in judged.items() if grade > 0}
        found, total = 0, 0.0
        for rank, doc in enumerate(ranking(run.get(query, {}))[:k], 1):
            if doc in relevant:
                found += 1
                total += found / rank
        values.append(total / len(relevant) if relevant else 0.0)
    return sum(values) / len(values)


def recall_where_something_was_found(qrels, run, k):
    values = []
    for query, scores in run.items():
        relevant = {doc for doc, grade in qrels.get(query, {}).items() if grade > 0}
        found = len(relevant & set(ranking(scores)[:k]))
        if found:
            values.append(found / len(relevant))
    return sum(values) / len(values) if values else 0.0


def success(qrels, run, k):
    found = 0
    for query, judged in qrels.items():
        found += any(judged.get(doc, 0) > 0 for doc in ranking(run.get(query, {}))[:k])
    return found / len(qrels)
