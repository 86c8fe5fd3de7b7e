"""Hit rates in four forms, right and wrong: any hit, one place too far, all items found, two hits."""


def hits_k(recommended, relevant, k):
    return 1.0 if any(i in relevant for i in recommended[:k]) else 0.0


def success_sets(recommended, relevant, k):
    return float(len(set(recommended[: k + 1]) & set(relevant)) > 0)


def all_found(recommended, relevant, k):
    """1 if every relevant item is in the first k"""
    return float(all(i in recommended[:k] for i in relevant)) if relevant else 0.0


def two_hits(recommended, relevant, k):
    """1 if at least two hits"""
    return float(sum(i in relevant for i in recommended[:k]) >= 2)
