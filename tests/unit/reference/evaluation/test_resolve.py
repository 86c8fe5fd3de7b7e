"""Lists made from placements: one order or input axis at a time, counted by hand."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.evaluation.resolve import resolve
from recsys_metric_audit.reference.placement.place import place
from recsys_metric_audit.reference.space.lists import Lists
from tests.support.generated_inputs import make

CASE = make(
    [(1, 10, 5.0), (1, 11, 4.0), (1, 10, 3.0), (1, 12, 0.0), (1, 13, -1.0)],
    [(1, 12, 1.0), (1, 10, 3.0), (1, 13, 2.0), (1, 14, 2.0)],
    threshold=2.0,
)
"""Item 10 stands at ranks 1 and 3, 12 at 4, 13 at 5; 14 is relevant and not listed. Gains 3, 1, 2, 2; t = 2."""


def lists(k: int | None = 3, **values: str) -> Lists:
    return resolve(place(CASE), k, values)


@pytest.mark.parametrize(
    ("values", "ranks"),
    [
        ({}, [1, 3, 4, 5]),
        ({"duplicates": "first_in_place"}, [1, 4, 5]),
        ({"counted_scores": "nonzero"}, [1, 3, 5]),
        ({"counted_scores": "positive"}, [1, 3]),
        ({"relevance": "at_least_t"}, [1, 3, 5]),
        ({"relevance": "above_t"}, [1, 3]),
        ({"relevance": "equal_1"}, [4]),
        ({"truth": "first"}, [4]),
        ({"positions": "negatives_only"}, [1, 2, 2, 2]),
    ],
)
def test_ranks_of_the_relevant_items(values: dict[str, str], ranks: list[int]) -> None:
    assert lists(**values).listed.rank.tolist() == ranks


@pytest.mark.parametrize(
    ("cutoff", "k", "depth"),
    [("k", 3, 3), ("none", 5, 5), ("hits_uncut", 3, 5), ("hits_k_plus_1", 3, 4), ("k_plus_1", 4, 4),
     ("k_minus_1", 2, 2), ("7", 3, 7)],
)  # fmt: skip
def test_cut_offs(cutoff: str, k: int, depth: int) -> None:
    made = lists(cutoff=cutoff)
    assert (made.k.tolist(), made.depth.tolist()) == ([k], [depth])


def test_no_cut_off_is_the_length() -> None:
    assert lists(None).k.tolist() == [5]


def test_counts_and_the_ideal() -> None:
    made = lists()
    assert made.relevant.tolist() == [4] and made.missed.tolist() == [1]
    assert made.ideal.gain.tolist() == [3.0, 2.0, 2.0, 1.0] and made.ideal.rank.tolist() == [1, 2, 3, 4]
    assert made.hits.rank.tolist() == [1, 3]


@pytest.mark.parametrize(("rule", "r", "ranks"), [("counted", 2, [1, 1]), ("once", 1, [1]), ("r_only", 2, [1])])
def test_an_item_twice_in_the_truth(rule: str, r: int, ranks: list[int]) -> None:
    placement = place(make([(1, 10, 1.0)], [(1, 10, 1.0), (1, 10, 1.0)]))
    made = resolve(placement, 3, {"truth_duplicates": rule})
    assert made.relevant.tolist() == [r] and made.listed.rank.tolist() == ranks


def test_averaged_ties_repeat_the_user_and_the_ideal() -> None:
    made = resolve(place(make([(1, 10, 1.0), (1, 11, 1.0)], [(1, 10, 2.0)])), 1, {"ties": "average"})
    assert made.owner.tolist() == [0, 0] and made.listed.rank.tolist() == [1, 2]
    assert made.ideal.gain.tolist() == [2.0, 2.0]
