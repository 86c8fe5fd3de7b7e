"""quaerite #57, ir_measures #50: ERR with a fixed top grade of 4."""


def _err(labels, top):
    stay, total = 1.0, 0.0
    for j, g in enumerate(labels, 1):
        p = (2.0 ** max(g, 0) - 1) / 2.0**top
        total, stay = total + stay * p / j, stay * (1 - p)
    return total


def err_fixed_4(qrel, run, k=10):
    ranked = sorted(run, key=lambda d: -run[d])[:k]
    return _err([qrel.get(d, 0) for d in ranked], 4)
