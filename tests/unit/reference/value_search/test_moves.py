"""Which choices are a move, and how far each formula is from canonical."""

from __future__ import annotations

from recsys_metric_audit.reference.value_search.moves import formulas, moves


def test_the_canonical_choice_is_first_and_no_axis_of_another_level_moves() -> None:
    found = list(moves("recall", "who_counts", 1))
    assert found[0] == {}
    assert {name for values in found for name in values} == {"users", "undefined", "no_hit", "no_list"}
    assert all(len(values) <= 1 for values in found)


def test_a_weight_comes_with_the_mean_in_which_it_acts() -> None:
    for values in moves("recall", "formula", 2):
        assert ("weight" in values) == (values.get("pooling") == "weighted")


def test_a_documented_formula_is_one_move() -> None:
    known = formulas("ndcg", 1)
    assert known[()] == 0
    assert known[(("gain", "exp2"), ("ideal", "all"))] == 1  # in the catalogue, two axes from canonical
    assert (("gain", "linear"), ("ideal", "ones_shown")) not in known
    assert list(known.values()) == sorted(known.values())
