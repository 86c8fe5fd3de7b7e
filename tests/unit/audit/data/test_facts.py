"""Everything legal but unusual is counted."""

from __future__ import annotations

from recsys_metric_audit.audit.data import Dataset, read_case


def facts(dataset: Dataset) -> dict[str, int]:
    return {fact.slug: fact.count for fact in dataset.facts}


def test_every_legal_oddity_is_counted(write):
    predictions = "user,item,score\na,p,3\na,q,2\na,r,2\nb,p,1\nghost,p,1\n"
    truth = "user,item,gain\na,q,5\na,z,4\nb,p,1\nlost,p,5\nb,q,-1\n"
    train = "user,item\na,p\na,p\nb,q\nnew,s\n"
    data = read_case(write("p.csv", predictions), write("t.csv", truth), write("r.csv", train), threshold=4.0)
    assert facts(data) == {
        "rows-in-order": 5,
        "users-without-recommendations": 1,  # lost
        "users-without-truth": 1,  # ghost
        "users-without-relevant-items": 1,  # b
        "users-not-in-train": 2,  # ghost, lost
        "short-lists": 2,  # b, ghost: 1 item, a has 3
        "tied-scores": 2,  # a: q, r
        "relevant-not-recommended": 1,  # (a, z); (lost, p) has no list at all
        "train-duplicates": 1,
        "train-items-recommended": 1,  # (a, p)
        "truth-in-train": 1,  # (b, q)
        "items-not-in-train": 2,  # r, z
        "truth-below-threshold": 2,
        "negative-gains": 1,
    }
    assert all(f"{fact.count}." in fact.text for fact in data.facts)
