"""A course project with RAG: for each question a list that says which of the results is the right document."""


def hit_rate(relevance_total):
    return sum(1 for line in relevance_total if True in line) / len(relevance_total)


def mrr(relevance_total):
    total = 0.0
    for line in relevance_total:
        for place, right in enumerate(line):
            if right:
                total += 1 / (place + 1)
    return total / len(relevance_total)
