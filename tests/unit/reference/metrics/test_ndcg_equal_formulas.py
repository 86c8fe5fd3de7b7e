"""NDCG: which values of its own axes give equal formulas, and which only nearly."""

from __future__ import annotations

from reference.metrics.ndcg import NDCG
from reference.metrics.ndcg_equal_formulas import simplify

OWN = {axis.name: axis.canonical for axis in NDCG.axes}


def simple(**values: str) -> dict[str, str]:
    return {name: value for name, value in simplify({**OWN, **values}).items() if OWN.get(name) != value}


def test_the_base_of_the_logarithm_cancels_only_over_an_ideal_of_its_own() -> None:
    values = {"gain": "exp2", "miss_gain": "0", "ideal": "k", "ideal_gain": "same"}
    assert simplify({**values, "discount": "ln", "ideal_discount": "ln"})["discount"] == "log2"
    assert simplify({**values, "discount": "ln", "ideal_discount": "log2"})["discount"] == "ln"
    assert simplify({**values, "ideal": "none", "discount": "ln", "ideal_discount": "same"})["discount"] == "ln"


def test_a_base_given_as_a_number_cancels_as_a_named_one() -> None:
    """log_b(x) = log2(x) / log2(b), above and below."""
    assert simple(discount="4") == {}
    assert simple(discount="4", ideal="none") == {"discount": "4", "ideal": "none"}
    assert simple(discount="reciprocal") == {"discount": "reciprocal"}


def test_what_an_ideal_does_not_read_is_not_named() -> None:
    assert simple(ideal="none", ideal_discount="ln", ideal_gain="exp2") == {"ideal": "none"}
    assert simple(ideal="ones", ideal_gain="exp2") == {"ideal": "ones"}
    assert simple(ideal="ones", ideal_discount="reciprocal") == {"ideal": "ones", "ideal_discount": "reciprocal"}
    assert simple(gain="exp2", ideal_gain="exp2") == {"gain": "exp2"}


def test_of_gains_of_one_the_exponential_is_the_binary() -> None:
    """2^1 - 1 = 1; 2^2 - 1 = 3 in DCG and in its ideal, which cancels, but not alone."""
    for gain in ("exp2", "exp2_whole", "linear_whole"):
        assert simple(gain=gain, relevance="equal_1") == {"relevance": "equal_1"}
    assert simple(gain="exp2_plus1", relevance="equal_1") == {"relevance": "equal_1"}
    assert simple(gain="exp2_plus1", ideal="none", relevance="equal_1")["gain"] == "exp2_plus1"
