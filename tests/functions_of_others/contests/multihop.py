"""Multi-hop reasoning over a knowledge graph: metrics of triples, with other answers masked."""

import numpy as np

BEAM_SIZE = 128


def _best(examples, scores, all_answers):
    scores = np.array(scores, float)
    for i, (e1, e2, r) in enumerate(examples):
        own = scores[i, e2]
        scores[i, list(all_answers[e1][r])] = 0
        scores[i, e2] = own
    return np.argsort(-scores, axis=1)[:, : min(scores.shape[1], BEAM_SIZE)]


def hits_and_ranks(examples, scores, all_answers):
    """examples: (e1, e2, r); scores: (examples, entities); all_answers: e1 -> r -> entities"""
    top = _best(examples, scores, all_answers)
    hits, mrr = np.zeros(4), 0.0
    for i, (_, e2, _) in enumerate(examples):
        found = np.where(top[i] == e2)[0]
        if len(found) > 0:
            hits += [found[0] < cut for cut in (1, 3, 5, 10)]
            mrr += 1.0 / (found[0] + 1)
    return (*(hits / len(examples)), mrr / len(examples))


def hits_at_k(examples, scores, all_answers):
    top = _best(examples, scores, all_answers)
    hits = np.zeros(4)
    for i, (_, e2, _) in enumerate(examples):
        found = np.where(top[i] == e2)[0]
        if found.any():
            hits += [found[0] < cut for cut in (1, 3, 5, 10)]
    return tuple(hits / len(examples))


def link_MAP(examples, scores, labels, all_answers):
    """labels: + or - of each triple; scores: of each triple those of all entities"""
    queries = {}
    for example, row, label in zip(examples, scores, labels, strict=True):
        queries.setdefault(example[0], []).append((example, label, row[example[1]]))
    aps = []
    for e1, rows in queries.items():
        total, skipped, found = 0, 0, 0
        for place, ((_, e2, r), label, _) in enumerate(sorted(rows, key=lambda row: row[2], reverse=True)):
            if label == "+":
                found += 1
                total += found / (place + 1 - skipped)
            elif e2 in all_answers.get(e1, {}).get(r, {}):
                skipped += 1
        if found > 0:
            aps.append(total / found)
    return np.mean(aps)
