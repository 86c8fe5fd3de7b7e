"""Two definitions are compared by what they give on the generated cases."""

from __future__ import annotations

from itertools import combinations

import pytest

from recsys_metric_audit.audit.questions.distinguishing import differing_inputs
from recsys_metric_audit.audit.questions.value_comparison import differing_cases
from recsys_metric_audit.reference.definitions.definition import Definition, parse

_SIGNATURES = (
    "recall@k", "recall@k|denominator:min", "recall@k|ties:other", "recall@k|users:all|undefined:0",
    "recall@k|users:all|undefined:error", "recall@k|users:all|undefined:nan", "recall@k|pooling:pooled",
    "recall@k|nobody:0", "recall@k|duplicates:other", "recall@k|users:hits",
)  # fmt: skip
PAIRS = tuple(combinations(map(parse, _SIGNATURES), 2))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]} and {pair[1]}")
@pytest.mark.parametrize("per_user", [False, True])
def test_two_definitions_differ_if_an_input_tells_them_apart(
    pair: tuple[Definition, Definition], per_user: bool
) -> None:
    inputs = differing_inputs(pair, per_user=per_user)
    assert differing_cases(pair, per_user=per_user, whole_gains=False).any() == bool(inputs)


def test_who_is_weighted_shows_in_the_mean_only() -> None:
    pair = parse("recall@k"), parse("recall@k|pooling:pooled")
    assert differing_cases(pair, per_user=False, whole_gains=False).any()
    assert not differing_cases(pair, per_user=True, whole_gains=False).any()


def test_what_comes_out_of_nobody_tells_nothing() -> None:
    assert not differing_cases((parse("recall@k"), parse("recall@k|nobody:0")), per_user=False, whole_gains=False).any()


def test_gains_that_are_cut_differ_on_fractions_only() -> None:
    pair = parse("ndcg@k|gain:linear"), parse("ndcg@k|gain:linear_whole")
    assert differing_cases(pair, per_user=False, whole_gains=False).any()
    assert not differing_cases(pair, per_user=False, whole_gains=True).any()
