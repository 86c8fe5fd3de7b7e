"""noosphere PR320 (before): a query without a hit drops out of the mean. Rankings of grades."""


def mrr(rankings):
    total, n = 0.0, 0
    for grades in rankings:
        rank = next((i for i, g in enumerate(grades, 1) if g > 0), None)
        if rank is not None:
            total, n = total + 1 / rank, n + 1
    return total / n if n else 0.0


def mrr_lists(retrieved, relevant, k=10):
    values = []
    for shown, wanted in zip(retrieved, relevant, strict=False):
        rank = next((i for i, d in enumerate(shown[:k], 1) if d in wanted), None)
        if rank is not None:
            values.append(1 / rank)
    return sum(values) / len(values) if values else 0.0
