"""Binary preference against a slow count over the rated items of one user."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.generated_inputs import examples, make, value


def slow_bpref(ranked: list[int], relevant: set[int], irrelevant: set[int], bound: str) -> Fraction:
    """Buckley & Voorhees 2004 with their bound r or r + 10, or trec_eval's min(r, N), one relevant item after another.

    Items of ``ranked`` in neither set are not rated and are skipped.
    """
    r = len(relevant)
    most = r + 10 if bound == "r_plus_10" else r
    over = min(r, len(irrelevant)) if bound == "min" else most
    total, above = Fraction(0), 0
    for item in ranked:
        if item in irrelevant:
            above += 1
        if item in relevant:
            total += 1 - (Fraction(min(above, most), over) if above else 0)
    return total / r


@pytest.mark.parametrize("bound", ["min", "r", "r_plus_10"])
@examples(30)
@given(labels=st.lists(st.sampled_from("10-"), min_size=1, max_size=9), unlisted=st.lists(st.booleans(), max_size=3))
def test_it_counts_rated_irrelevant_items_above_each_relevant_one(
    bound: str, labels: list[str], unlisted: list[bool]
) -> None:
    items = range(10, 10 + len(labels))
    gains = {item: float(label) for item, label in zip(items, labels, strict=True) if label != "-"}
    gains |= {500 + number: float(relevant) for number, relevant in enumerate(unlisted)}
    relevant = {item for item, gain in gains.items() if gain}
    if not relevant or not set(items) & set(gains):
        return  # another edge: nothing relevant, or no rated item in the list
    case = make([(1, item, -float(item)) for item in items], [(1, item, gain) for item, gain in gains.items()])
    expected = slow_bpref(list(items), relevant, set(gains) - relevant, bound)
    assert value(f"bpref|bound:{bound}", case) == pytest.approx(float(expected))


def test_other_candidates_than_rated_items_are_refused() -> None:
    with pytest.raises(ValueError, match="reads rated items only"):
        value("bpref|candidates:all", make([(1, 1, 1.0)], [(1, 1, 1.0)]))


@pytest.mark.parametrize(
    ("users", "expected"),
    [
        ("both", Fraction(1, 2)),  # users 1 and 2: 1 and 0
        ("both_rows", Fraction(1, 3)),  # user 4 besides, who has no relevant item: 0
        ("truth", Fraction(1, 3)),  # user 3 besides, who has no list: 0
        ("predictions", Fraction(1, 4)),  # users 1, 2, 4 and 5
    ],
)
def test_a_list_without_any_rated_item_is_a_list(users: str, expected: Fraction) -> None:
    """trec_eval skips unrated items one by one: it does not skip a query for which nothing else is retrieved."""
    case = make(
        [(1, 10, 2.0), (1, 11, 1.0), (2, 20, 1.0), (4, 40, 1.0), (5, 50, 1.0)],
        [(1, 10, 1.0), (1, 11, 0.0), (2, 21, 1.0), (3, 30, 1.0), (4, 41, 0.0)],
    )
    assert value(f"bpref|users:{users}|undefined:0", case) == pytest.approx(float(expected))
