"""Custom metrics beside a benchmark of zero-shot retrieval: qrels and results are dicts of dicts."""


def mrr(qrels, results, k_values):
    deepest = max(k_values)
    ranked = {}
    for query, docs in results.items():
        ranked[query] = sorted(docs.items(), key=lambda pair: pair[1], reverse=True)[:deepest]
    sums = {f"MRR@{k}": 0.0 for k in k_values}
    for query, judged in qrels.items():
        wanted = {doc for doc, grade in judged.items() if grade > 0}
        for k in k_values:
            for place, (doc, _) in enumerate(ranked[query][:k]):
                if doc in wanted:
                    sums[f"MRR@{k}"] += 1.0 / (place + 1)
                    break
    return {name: round(value / len(qrels), 5) for name, value in sums.items()}


def recall_cap(qrels, results, k_values):
    sums = {f"R_cap@{k}": 0.0 for k in k_values}
    for query, docs in results.items():
        ranked = sorted(docs.items(), key=lambda pair: pair[1], reverse=True)[: max(k_values)]
        wanted = [doc for doc, grade in qrels[query].items() if grade > 0]
        for k in k_values:
            found = [doc for doc, _ in ranked[:k] if qrels[query].get(doc, 0) > 0]
            sums[f"R_cap@{k}"] += len(found) / min(len(wanted), k)
    return {name: round(value / len(results), 5) for name, value in sums.items()}


def top_k_accuracy(qrels, results, k_values):
    deepest = max(k_values)
    ranked = {}
    for query, docs in results.items():
        ranked[query] = sorted(docs.keys(), key=lambda doc: doc[1], reverse=True)[:deepest]
    sums = {f"Accuracy@{k}": 0.0 for k in k_values}
    for query, judged in qrels.items():
        wanted = {doc for doc, grade in judged.items() if grade > 0}
        for k in k_values:
            if any(doc in ranked[query][:k] for doc in wanted):
                sums[f"Accuracy@{k}"] += 1.0
    return {name: round(value / len(qrels), 5) for name, value in sums.items()}
