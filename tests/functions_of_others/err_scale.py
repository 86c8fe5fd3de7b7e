"""ERR (Chapelle et al. 2009) with a fixed top grade of 5, 4 or 3."""


def _e(rec, rel, k, top):
    p, v = 1.0, 0.0
    for j, i in enumerate(rec[:k], 1):
        r = (2.0 ** rel.get(i, 0) - 1) / 2.0**top
        v += p * r / j
        p *= 1 - r
    return v


def err5(recommended, relevant, k):
    return _e(recommended, relevant, k, 5)


def err4(recommended, relevant, k):
    return _e(recommended, relevant, k, 4)


def err3(recommended, relevant, k):
    return _e(recommended, relevant, k, 3)
