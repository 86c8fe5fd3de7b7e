"""Inputs that show what changed: the smallest probe on which two definitions differ."""

from __future__ import annotations

import re

import pytest

from recsys_metric_audit.audit.libraries.contract import Takes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.pins.pin_drift import smallest_difference_text

SHOWN = re.compile(r"probe '.+' at k = (\d+): (\S+) before, (\S+) now")


def test_equal_definitions_differ_nowhere() -> None:
    assert smallest_difference_text("recall@k", "recall@k") == ""
    assert smallest_difference_text("precision@k|users:both", "precision@k|users:both") == ""


def test_both_values_are_shown_in_the_order_of_the_signatures() -> None:
    there = SHOWN.match(smallest_difference_text("recall@k", "recall@k|denominator:min"))
    back = SHOWN.match(smallest_difference_text("recall@k|denominator:min", "recall@k"))
    assert there and back
    assert (there[1], there[2], there[3]) == (back[1], back[3], back[2])
    # min(k, r) is at most r, so recall over it is larger where they differ.
    assert float(there[2]) < float(there[3])


@pytest.mark.parametrize(("old", "new"), [("hit_rate@k", "recall@k"), ("ndcg@k", "ndcg@k|gain:exp2")])
def test_definitions_that_differ_are_shown_on_one_probe(old: str, new: str) -> None:
    shown = SHOWN.match(smallest_difference_text(old, new))
    assert shown and shown[2] != shown[3]


def test_an_axis_without_rule_is_not_asked_on_probes_that_it_decides() -> None:
    # Both rank ties by no rule that we know, and are the same otherwise: no probe can be worked out.
    assert smallest_difference_text("recall@k|ties:other", "recall@k|ties:best") == ""


def test_no_value_is_shown_that_the_contract_decides() -> None:
    # The difference is in relevant items that are not listed, and labels hold none.
    labels = Function(name="lib.recall", metric="recall", takes=Takes(input="labels"))
    assert smallest_difference_text("recall@k", "recall@k|truth:listed")
    assert smallest_difference_text("recall@k", "recall@k|truth:listed", labels) == ""
    shown = SHOWN.match(smallest_difference_text("recall@k", "recall@k|denominator:min", labels))
    assert shown and shown[2] != shown[3]
